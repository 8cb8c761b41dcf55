import { Radio, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { Period } from './import-draft.ts'

type PeriodProps = {
  readonly period: Period
  readonly error: string | null
  readonly onChange: (period: Period) => void
}

const kinds = [
  ['month', 'A month'],
  ['days', 'Other days'],
  ['none', 'It names none'],
] as const

/** The days whose guides the invoice bills. Guides of these days that it leaves out are listed. */
export function ImportPeriod({ period, error, onChange }: PeriodProps) {
  const id = useId()
  const change = (part: Partial<Period>) => onChange({ ...period, ...part })
  const day = (name: 'from' | 'to', label: string) => (
    <TextInput
      type="date"
      label={label}
      value={period[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <fieldset className="import-period">
      <legend>Period</legend>
      <div className="period-kinds">
        {kinds.map(([kind, word]) => (
          <Radio
            key={kind}
            name={id}
            label={word}
            checked={period.kind === kind}
            onChange={() => change({ kind })}
          />
        ))}
      </div>
      <div className="choices">
        {period.kind === 'month' && (
          <TextInput
            type="month"
            label="Month"
            placeholder="2026-02"
            value={period.month}
            onChange={(event) => change({ month: event.currentTarget.value.trim() })}
          />
        )}
        {period.kind === 'days' && (
          <>
            {day('from', 'First day')}
            {day('to', 'Last day')}
          </>
        )}
      </div>
      <p className="reason">
        {period.kind === 'none'
          ? 'Guides that were not billed are looked for from the beginning up to the import.'
          : 'Days are in UTC. Guides of these days that no invoice bills are listed.'}
      </p>
      {error !== null && (
        <p className="refusal" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
