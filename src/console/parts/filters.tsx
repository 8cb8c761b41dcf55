import { type FormEvent, useEffect, useId, useState } from 'react'

type SelectProps = {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, word: string])[]
  readonly onChange: (value: string) => void
}

/** A value from the address that is not among the choices is shown as it is. */
export function FilterSelect({ label, value, options, onChange }: SelectProps) {
  const id = useId()
  const isChoice = options.some(([one]) => one === value)
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {!isChoice && <option value={value}>{value}</option>}
        {options.map(([one, word]) => (
          <option key={one} value={one}>
            {word}
          </option>
        ))}
      </select>
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
  readonly onChange: (value: string) => void
}

/** Applied on Enter or on leaving the field: each keystroke would be another request. */
export function FilterText({ label, value, onChange }: TextProps) {
  const id = useId()
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
    <form className="filter" onSubmit={submit}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
      />
    </form>
  )
}
