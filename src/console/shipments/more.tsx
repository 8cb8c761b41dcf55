import { Box } from '@mantine/core'
import { type ReactNode, useState } from 'react'

type MoreProps = {
  readonly title: string
  /** Whether a field has a value, so that it is open at first. */
  readonly isFilled: boolean
  /** Whether a field has an error. What is wrong stays in sight. */
  readonly isWrong: boolean
  readonly children: ReactNode
}

/** Fields that few need, behind their title. */
export function More({ title, isFilled, isWrong, children }: MoreProps) {
  const [isOpen, setOpen] = useState(isFilled)
  return (
    <Box
      component="details"
      className="more"
      open={isOpen || isWrong}
      onToggle={({ currentTarget: now }) => {
        // React would not open what it believes to be open.
        if (isWrong) now.open = true
        setOpen(now.open)
      }}
    >
      <summary>{title}</summary>
      {children}
    </Box>
  )
}
