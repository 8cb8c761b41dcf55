import { Box, Group, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type HeadProps = {
  readonly title: ReactNode
  /** A link back to its list. */
  readonly back?: ReactNode
  /** The states, below the title. */
  readonly states?: ReactNode
  /** The actions, on the right. */
  readonly acts?: ReactNode
  readonly children?: ReactNode
}

/** The head of a screen: the way back, the title, the state and the actions. */
export function ScreenHead({ title, back, states, acts, children }: HeadProps) {
  return (
    <Stack component="header" className="screen-head" gap="2xs">
      {back !== undefined && <Box fz="sm">{back}</Box>}
      <Group justify="space-between" gap="sm" align="flex-start">
        <Group gap="sm">
          <Title order={1}>{title}</Title>
          {states !== undefined && <Group gap="2xs">{states}</Group>}
        </Group>
        {acts !== undefined && <Group gap="xs">{acts}</Group>}
      </Group>
      {children}
    </Stack>
  )
}
