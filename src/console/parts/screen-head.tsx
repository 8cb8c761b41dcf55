import { Group, Title } from '@mantine/core'
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
    <header className="screen-head">
      {back !== undefined && <div className="screen-back">{back}</div>}
      <Group justify="space-between" gap="sm" align="flex-start">
        <Group gap="sm" className="screen-title">
          <Title order={1}>{title}</Title>
          {states !== undefined && <span className="states">{states}</span>}
        </Group>
        {acts !== undefined && <Group gap="xs">{acts}</Group>}
      </Group>
      {children}
    </header>
  )
}
