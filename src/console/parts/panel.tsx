import { Group, Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type PanelProps = {
  /** The heading, which is also its name for screen readers. */
  readonly title: string
  /** A name for screen readers that differs from the heading. */
  readonly name?: string
  readonly icon?: ReactNode
  /** Shown next to the heading: buttons, a count, a link. */
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}

/** A titled section of a screen. */
export function Panel({ title, name = title, icon, aside, className, children }: PanelProps) {
  return (
    <Paper
      component="section"
      aria-label={name}
      className={className === undefined ? 'panel' : `panel ${className}`}
    >
      <Group justify="space-between" gap="xs" mih="1.9rem" mb="xs">
        <Group gap={6} wrap="nowrap">
          {icon}
          <Title order={2}>{title}</Title>
        </Group>
        {aside !== undefined && <Group gap="xs">{aside}</Group>}
      </Group>
      {children}
    </Paper>
  )
}
