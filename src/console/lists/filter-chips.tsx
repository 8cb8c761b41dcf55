import { i18n } from '@lingui/core'
import { Button, VisuallyHidden } from '@mantine/core'
import IconX from '@tabler/icons-react/icons/IconX'
import { type ReactNode, useRef } from 'react'

export type Chip = {
  readonly label: string
  readonly value: ReactNode
  readonly onRemove: () => void
}

type ChipsProps = { readonly chips: readonly Chip[]; readonly onClear: () => void }

/** The active filters of a list. A click removes one; the focus moves to the next. */
export function FilterChips({ chips, onClear }: ChipsProps) {
  const list = useRef<HTMLUListElement>(null)
  const remove = (index: number, { onRemove }: Chip) => {
    const others = [...(list.current?.querySelectorAll('button') ?? [])]
    const next = others[index + 1] ?? others[index - 1] ?? firstFilter(list.current)
    next?.focus()
    onRemove()
  }
  return (
    <ul className="chips" ref={list} aria-label={i18n.t('Active filters')}>
      {chips.map((chip, index) => (
        <li key={chip.label}>
          <Button
            variant="default"
            size="compact-sm"
            rightSection={<IconX size={13} aria-hidden />}
            onClick={() => remove(index, chip)}
          >
            <span>
              <VisuallyHidden>{i18n.t('Remove the filter')}</VisuallyHidden> {chip.label}:{' '}
              {chip.value}
            </span>
          </Button>
        </li>
      ))}
      {chips.length > 1 && (
        <li>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              firstFilter(list.current)?.focus()
              onClear()
            }}
          >
            {i18n.t('Clear filters')}
          </Button>
        </li>
      )}
    </ul>
  )
}

/** The first control of the filters, or on a phone the button that opens them. */
function firstFilter(list: HTMLElement | null): HTMLElement | null {
  const controls = list?.closest('search')?.querySelectorAll<HTMLElement>('button, select, input')
  return [...(controls ?? [])].find((each) => each.offsetParent !== null) ?? null
}
