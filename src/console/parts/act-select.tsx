import { i18n } from '@lingui/core'
import { NativeSelect } from '@mantine/core'
import { type KeyboardEvent, type Ref, useRef, useState } from 'react'

type ActSelectProps = {
  readonly ref?: Ref<HTMLSelectElement>
  readonly label: string
  readonly shortcut?: string
  readonly value: string
  readonly data: readonly {
    readonly value: string
    readonly label: string
    readonly disabled?: boolean
  }[]
  readonly isPending: boolean
  readonly onAct: (value: string) => void
}

/** Keys that choose the next option or the one with a letter. */
const choosing = /^(Arrow|Page|Home$|End$|.$)/

/**
 * A choice that is an action. It acts when an option is picked from the open list; with the keyboard
 * alone, where each arrow passes an option, on Enter. Leaving it or Escape changes nothing.
 */
export function ActSelect(props: ActSelectProps) {
  const { ref, label, shortcut, value, data, isPending, onAct } = props
  const [passed, setPassed] = useState<string | null>(null)
  const isByKey = useRef(false)
  const act = (chosen: string) => {
    setPassed(null)
    if (chosen !== value) onAct(chosen)
  }
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent<HTMLSelectElement>) => {
    isByKey.current = choosing.test(key)
    if (key === 'Enter' && passed !== null) act(currentTarget.value)
    if (key === 'Escape') setPassed(null)
  }
  return (
    <div>
      <NativeSelect
        {...(ref === undefined ? {} : { ref })}
        size="xs"
        label={label}
        aria-keyshortcuts={shortcut}
        value={passed ?? value}
        data={[...data]}
        // It keeps the focus, unlike a disabled one.
        aria-disabled={isPending || undefined}
        onPointerDown={() => {
          isByKey.current = false
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setPassed(null)}
        onChange={({ currentTarget }) => {
          if (isPending) return
          if (isByKey.current) setPassed(currentTarget.value)
          else act(currentTarget.value)
        }}
      />
      {passed !== null && passed !== value && (
        <p className="reason" role="status">
          {i18n.t('Press Enter to apply.')}
        </p>
      )}
    </div>
  )
}
