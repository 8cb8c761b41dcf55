import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { counted } from '../lists/counted.ts'
import type { SheetChoices } from './sheet-choices.ts'
import { columnsOf, fieldOf, labelAt, type SheetFields } from './sheet-fields.ts'
import { errorSentence, headerErrors, type SheetCheck, type SheetError } from './use-sheet-check.ts'

type ColumnsProps = {
  readonly check: SheetCheck
  readonly fields: SheetFields
  readonly choices: SheetChoices
  /** Whether a line may have metadata. */
  readonly hasMetadata: boolean
}

/** What each column of the file was understood as. Each can be changed or left out. */
export function SheetColumns({ check, fields, choices, hasMetadata }: ColumnsProps) {
  const wrong = withoutEchoes(headerErrors(check))
  const [isOpen, setOpen] = useState(false)
  const read = check.columns.filter(({ field }) => field !== null).length
  const leftOut = check.columns.flatMap(({ header, field }) => (field === null ? [header] : []))
  // Columns of the same name are read the same way.
  const columns = [...new Map(check.columns.map((column) => [column.header, column])).values()]
  return (
    <>
      <HeaderErrors wrong={wrong} fields={fields} />
      <SameForAll wrong={wrong} fields={fields} choices={choices} />
      {leftOut.length > 0 && (
        <p className="reason">
          Not read: <bdi>{leftOut.map(nameOf).join(', ')}</bdi>.
        </p>
      )}
      <details
        className="sheet-columns"
        open={isOpen || wrong.length > 0}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          {counted(read, 'column')} of {check.columns.length} read. Change columns
        </summary>
        <div className="mapping">
          {columns.map((column) => (
            <HeaderColumn
              key={column.header}
              column={column}
              error={wrong.find((each) => each.column === column.header)}
              fields={fields}
              hasMetadata={hasMetadata}
              onChange={(chosen) => choices.setColumn(column.header, chosen)}
            />
          ))}
        </div>
      </details>
    </>
  )
}

/** A column that lacks only its unit is not reported as missing too. */
function withoutEchoes(errors: readonly SheetError[]): readonly SheetError[] {
  const named = errors.filter(({ reason }) => reason === 'unit_missing')
  const isEcho = ({ reason, pointer }: SheetError) =>
    reason === 'missing_column' && named.some((each) => each.pointer === pointer)
  return errors.filter((error) => !isEcho(error))
}

function nameOf(header: string): string {
  return header === '' ? 'a column without a name' : header
}

type WrongProps = { readonly wrong: readonly SheetError[]; readonly fields: SheetFields }

function HeaderErrors({ wrong, fields }: WrongProps) {
  const missing = wrong.filter(({ reason }) => reason === 'missing_column')
  const others = wrong.filter(({ reason }) => reason !== 'missing_column')
  if (wrong.length === 0) return null
  return (
    <div className="refusal" role="status">
      {missing.length > 0 && (
        <p>
          {missing.length === 1 ? 'One column is' : `${missing.length} columns are`} missing:{' '}
          {missing.map(({ pointer }) => labelAt(fields, pointer)).join(', ')}. Choose the column of
          the file that has it, or one value for every line.
        </p>
      )}
      {others.map((error) => (
        <p key={`${error.column} ${error.detail}`}>{errorSentence(error)}</p>
      ))}
    </div>
  )
}

type HeaderProps = {
  readonly column: SheetCheck['columns'][number]
  readonly error: SheetError | undefined
  readonly fields: SheetFields
  readonly hasMetadata: boolean
  readonly onChange: (column: string | null) => void
}

const leaveOut = ''
const metadataPrefix = 'metadata.'
/** The API's own limit. */
const metadataKeyMax = 40

/** One column of the file: the field that it stands for, with its unit. */
function HeaderColumn({ column, error, fields, hasMetadata, onChange }: HeaderProps) {
  const { header, field, unit } = column
  const metadata = header.startsWith(metadataPrefix) ? header : metadataPrefix + header
  const options = Object.values(fields).flatMap(columnsOf)
  const own = field === null ? [] : columnsOf(fieldOf(fields, field))
  const current = own.find((each) => unit !== null && each.column.endsWith(`_${unit}`)) ?? own[0]
  const isKnown = options.some((each) => each.column === current?.column)
  const mayBeKept = hasMetadata && header !== '' && header.length <= metadataKeyMax
  return (
    <div className="column-source" data-missing={error !== undefined}>
      <NativeSelect
        size="xs"
        label={nameOf(header)}
        value={current?.column ?? leaveOut}
        data={[
          { value: leaveOut, label: 'Not read' },
          ...options.map(({ column: value, label }) => ({ value, label })),
          ...(isKnown || current === undefined || current.column === metadata
            ? []
            : [{ value: current.column, label: current.label }]),
          ...(mayBeKept ? [{ value: metadata, label: 'Metadata of the shipment' }] : []),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange(value === leaveOut ? null : value)
        }}
      />
      {error !== undefined && <p>{errorSentence(error)}</p>}
      {error === undefined && unit !== null && <p className="reason">In {unitName(unit)}.</p>}
    </div>
  )
}

function unitName(unit: string): string {
  return unit === 'minor' ? 'minor units' : unit
}

type SameProps = WrongProps & { readonly choices: SheetChoices }

/** Values for every line, for fields without a column. */
function SameForAll({ wrong, fields, choices }: SameProps) {
  const [touched, setTouched] = useState<readonly string[]>([])
  const missing = wrong.flatMap(({ reason, pointer }) => {
    const field = fields[pointer]
    return reason === 'missing_column' && field !== undefined
      ? [columnsOf(field)[0]?.column ?? field.column]
      : []
  })
  const given = Object.keys(choices.query.values)
  // A field stays while its text is replaced.
  const columns = [...new Set([...given, ...touched, ...missing])]
  if (columns.length === 0) return null
  return (
    <fieldset className="choices" aria-label="The same for every line">
      {columns.map((column) => (
        <SameValue
          key={column}
          column={column}
          fields={fields}
          value={choices.values[column] ?? ''}
          onChange={(text) => {
            setTouched([...touched, column])
            choices.setValue(column, text)
          }}
        />
      ))}
    </fieldset>
  )
}

type ValueProps = {
  readonly column: string
  readonly fields: SheetFields
  readonly value: string
  readonly onChange: (text: string) => void
}

function SameValue({ column, fields, value, onChange }: ValueProps) {
  const field = fieldOf(fields, column)
  const { label: name = column } = columnsOf(field).find((each) => each.column === column) ?? field
  const label = `${name} of every line`
  const description = 'Used for lines without a value in the file.'
  if (field.choices !== undefined) {
    return (
      <NativeSelect
        size="xs"
        label={label}
        description={description}
        value={value}
        data={[{ value: '', label: 'Choose…' }, ...field.choices]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      label={label}
      description={description}
      placeholder={field.example === undefined ? '' : `such as ${field.example}`}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
