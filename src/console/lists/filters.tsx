import { Button, NativeSelect, TextInput } from '@mantine/core'
import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'

type FiltersProps = {
  /** How many filters are set. On a phone they are hidden behind one button. */
  readonly count: number
  readonly onClear: () => void
  readonly children: ReactNode
}

/** The filters of a list. */
export function FilterBar({ count, onClear, children }: FiltersProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <search className="filters-of" data-open={isOpen}>
      <Button
        className="filters-opener"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? 'Filters' : `Filters (${count})`}
      </Button>
      <div className="filters" id={id}>
        {children}
        {count > 0 && (
          <Button variant="subtle" className="filters-clear" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </search>
  )
}

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly onChange: (value: string) => void
}

/** A value from the address that is not among the choices is shown as it is. */
export function FilterSelect({ label, value, options, onChange }: SelectProps) {
  const isChoice = options.some(([one]) => one === value)
  const choices = isChoice ? options : [[value, value] as const, ...options]
  return (
    <div className="filter" data-set={value !== '' || undefined}>
      <NativeSelect
        size="xs"
        label={label}
        value={value}
        data={choices.map(([one, word]) => ({ value: one, label: word }))}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {!isChoice && (
        <p className="reason" role="status">
          The address says “{value}”, which is none of these.
        </p>
      )}
    </div>
  )
}

type TextProps = {
  readonly label: string
  readonly value: string
  readonly type?: 'text' | 'date'
  readonly onChange: (value: string) => void
}

/** Applied on Enter or on leaving the field: each keystroke would be another request. */
export function FilterText({ label, value, type = 'text', onChange }: TextProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <form className="filter" data-set={value !== '' || undefined} onSubmit={submit}>
      <TextInput
        size="xs"
        label={label}
        type={type}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={apply}
      />
      {typed.trim() !== value && <p className="reason">Press Enter to apply.</p>}
    </form>
  )
}
