import { Button, Kbd } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import { useScreenKeys } from './use-screen-keys.ts'

type SteadyProps = {
  readonly ref?: Ref<HTMLButtonElement>
  readonly isOff: boolean
  readonly isPrimary?: boolean
  /** It destroys something. */
  readonly isDanger?: boolean
  readonly type?: 'button' | 'submit'
  readonly color?: string | undefined
  readonly icon?: ReactNode
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-label'?: string | undefined
  /** A key that presses the button from anywhere on the screen, except in a field or dialog. */
  readonly shortcut?: string | undefined
  readonly onPress?: () => void
  readonly children: ReactNode
}

const danger = { c: 'var(--bad)', bd: '1px solid var(--bad-line)' } as const

/** A button that keeps the focus while inactive; `disabled` would move the focus to the page. */
export function SteadyButton(props: SteadyProps) {
  const { isOff, isPrimary = false, type = 'button', color, icon, onPress, children } = props
  const { shortcut } = props
  useScreenKeys(shortcut === undefined ? [] : [[shortcut, () => isOff || onPress?.()]])
  return (
    <Button
      ref={props.ref}
      type={type}
      variant={isPrimary ? 'filled' : 'default'}
      {...(props.isDanger === true && !isOff ? danger : {})}
      {...(color === undefined ? {} : { color })}
      leftSection={icon}
      {...(isOff ? { 'data-disabled': true } : {})}
      aria-disabled={isOff || undefined}
      aria-describedby={props['aria-describedby']}
      aria-label={props['aria-label']}
      aria-keyshortcuts={shortcut}
      rightSection={
        shortcut !== undefined && (
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            {shortcut}
          </Kbd>
        )
      }
      onKeyDown={(event) => {
        // Holding the key down presses the button once.
        if (event.repeat && event.key === 'Enter') event.preventDefault()
      }}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onPress?.()
      }}
    >
      {children}
    </Button>
  )
}
