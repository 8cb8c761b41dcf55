import { i18n } from '@lingui/core'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import IconAdjustmentsHorizontal from '@tabler/icons-react/icons/IconAdjustmentsHorizontal'
import { type FormEvent, type ReactNode, useEffect, useId, useState } from 'react'
import { namesMax, useWorkspaceNames } from '../parts/names.tsx'
import { stateWord } from '../parts/state-words.ts'
import { type Chip, FilterChips } from './filter-chips.tsx'

type FiltersProps = {
  /** The number of active filters. On a phone the filters are hidden behind a button. */
  readonly count: number
  readonly onClear: () => void
  /** The active filters, each of which can be removed. With them, they are visible on a phone too. */
  readonly chips?: readonly Chip[]
  readonly children: ReactNode
}

/** The filters of a list. */
export function FilterBar({ count, onClear, chips, children }: FiltersProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <search className="filters-of" data-open={isOpen}>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {count === 0 ? i18n.t('Filters') : i18n.t('Filters ({count})', { count })}
      </Button>
      <div className="filters" id={id}>
        {children}
        {count > 0 && chips === undefined && (
          <Button variant="subtle" onClick={onClear}>
            {i18n.t('Clear filters')}
          </Button>
        )}
      </div>
      {chips !== undefined && chips.length > 0 && <FilterChips chips={chips} onClear={onClear} />}
    </search>
  )
}

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly onChange: (value: string) => void
}

/** Options for each value, and for no filter. */
export function anyOf(values: readonly string[]) {
  return [['', i18n.t('Any')], ...values.map((one) => [one, stateWord(one)] as const)] as const
}

/** An unknown value from the address is shown unchanged. */
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
          {i18n.t('“{value}” in the address is not one of these options.', { value })}
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

/** A year that is still being typed is earlier, such as 0020 before 2026. */
const firstDay = '2000-01-01'

/**
 * Applied on Enter or on leaving the field, because each keystroke would be a request. A day is
 * applied as soon as it is complete, as when it is chosen in the calendar.
 */
export function FilterText({ label, value, type = 'text', onChange }: TextProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  const apply = () => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  const change = (text: string) => {
    setTyped(text)
    if (type === 'date' && text >= firstDay) onChange(text)
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
        onChange={(event) => change(event.currentTarget.value)}
        onBlur={apply}
      />
      {typed.trim() !== value && <p className="reason">{i18n.t('Press Enter to apply.')}</p>}
    </form>
  )
}

type WorkspaceFilterProps = {
  readonly value: string
  readonly onChange: (workspaceId: string) => void
}

/**
 * Filters by workspace name. If the key cannot list the names, or there are too many, the user
 * types an id.
 */
export function WorkspaceFilter({ value, onChange }: WorkspaceFilterProps) {
  const names = useWorkspaceNames().data
  if (names === undefined || names.size >= namesMax) {
    return <FilterText label={i18n.t('Workspace (ws_…)')} value={value} onChange={onChange} />
  }
  return (
    <FilterSelect
      label={i18n.t('Workspace')}
      value={value}
      onChange={onChange}
      options={[['', i18n.t('Any')], ...names]}
    />
  )
}
