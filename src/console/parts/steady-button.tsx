import type { ComponentProps } from 'react'

type SteadyProps = Omit<ComponentProps<'button'>, 'disabled' | 'onClick'> & {
  readonly isOff: boolean
  readonly onPress?: () => void
}

/**
 * A button that keeps the focus while inactive: with `disabled`, the focus would fall to the page.
 */
export function SteadyButton({ isOff, onPress, type = 'button', ...rest }: SteadyProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={isOff || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault()
        else onPress?.()
      }}
    />
  )
}
