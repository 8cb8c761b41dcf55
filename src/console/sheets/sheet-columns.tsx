import { i18n } from '@lingui/core'
import { Trans } from '@lingui/react'
import { NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ErrorWords } from './error-words.tsx'
import { choiceWord } from './field-titles.ts'
import type { SheetChoices } from './sheet-choices.ts'
import type { SheetFields } from './sheet-field.ts'
import {
  columnsOf,
  exampleOf,
  type FieldAt,
  fieldOf,
  fieldsOf,
  labelAt,
  titleOf,
} from './sheet-fields.ts'
import { headerErrors, type SheetCheck, type SheetError } from './use-sheet-check.ts'

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
      <HeaderErrors wrong={wrong} />
      <SameForAll wrong={wrong} fields={fields} choices={choices} />
      {leftOut.length > 0 && (
        <p className="reason">
          <Trans
            id="Not read: {names}."
            values={{ names: <bdi>{leftOut.map(nameOf).join(', ')}</bdi> }}
          />
        </p>
      )}
      <details
        className="more"
        open={isOpen || wrong.length > 0}
        onToggle={(event) => setOpen(event.currentTarget.open)}
      >
        <summary>
          {i18n.t(
            '{read, plural, one {# column} other {# columns}} of {all} read. Change columns',
            { read, all: check.columns.length },
          )}
        </summary>
        <SimpleGrid minColWidth="15rem" spacing="sm" mt="xs">
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
        </SimpleGrid>
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
  return header === '' ? i18n.t('a column without a name') : header
}

type WrongProps = { readonly wrong: readonly SheetError[] }

function HeaderErrors({ wrong }: WrongProps) {
  const missing = wrong.filter(({ reason }) => reason === 'missing_column')
  const others = wrong.filter(({ reason }) => reason !== 'missing_column')
  if (wrong.length === 0) return null
  return (
    <div className="refusal" role="status">
      {missing.length > 0 && (
        <p>
          {i18n.t(
            '{count, plural, one {One column is} other {# columns are}} missing: {names}. Choose the column of the file that has it, or one value for every line.',
            {
              count: missing.length,
              names: missing.map(({ pointer }) => labelAt(pointer)).join(', '),
            },
          )}
        </p>
      )}
      {others.map((error) => (
        <p key={`${error.column} ${error.detail}`}>
          <ErrorWords error={error} />
        </p>
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
  const options = fieldsOf(fields).flatMap(columnsOf)
  const own = field === null ? [] : columnsOf(fieldOf(fields, field))
  const current = own.find((each) => unit !== null && each.column.endsWith(`_${unit}`)) ?? own[0]
  const isKnown = options.some((each) => each.column === current?.column)
  const mayBeKept = hasMetadata && header !== '' && header.length <= metadataKeyMax
  return (
    <Stack
      gap="2xs"
      p="xs"
      bd={`1px solid var(${error === undefined ? '--line' : '--bad-line'})`}
      bdrs="md"
    >
      <NativeSelect
        size="xs"
        label={nameOf(header)}
        value={current?.column ?? leaveOut}
        data={[
          { value: leaveOut, label: i18n.t('Not read') },
          ...options.map(({ column: value, label }) => ({ value, label })),
          ...(isKnown || current === undefined || current.column === metadata
            ? []
            : [{ value: current.column, label: current.label }]),
          ...(mayBeKept ? [{ value: metadata, label: i18n.t('Metadata of the shipment') }] : []),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange(value === leaveOut ? null : value)
        }}
      />
      {error !== undefined && (
        <p>
          <ErrorWords error={error} />
        </p>
      )}
      {error === undefined && unit !== null && (
        <p className="reason">
          {unit === 'minor' ? i18n.t('In minor units.') : i18n.t('In {unit}.', { unit })}
        </p>
      )}
    </Stack>
  )
}

type SameProps = WrongProps & { readonly fields: SheetFields; readonly choices: SheetChoices }

/** Values for every line, for fields without a column. */
function SameForAll({ wrong, fields, choices }: SameProps) {
  const [touched, setTouched] = useState<readonly string[]>([])
  const missing = wrong.flatMap(({ reason, pointer }) => {
    const field = fieldsOf(fields).find((each) => each.pointer === pointer)
    return reason === 'missing_column' && field !== undefined
      ? [columnsOf(field)[0]?.column ?? field.column]
      : []
  })
  const given = Object.keys(choices.query.values)
  // A field stays while its text is replaced.
  const columns = [...new Set([...given, ...touched, ...missing])]
  if (columns.length === 0) return null
  return (
    <fieldset aria-label={i18n.t('The same for every line')}>
      <SimpleGrid minColWidth="15rem" spacing="sm">
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
      </SimpleGrid>
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
  const label = i18n.t('{field} of every line', { field: nameOfColumn(field, column) })
  const description = i18n.t('Used for lines without a value in the file.')
  if (field.choices !== undefined) {
    return (
      <NativeSelect
        size="xs"
        label={label}
        description={description}
        value={value}
        data={[
          { value: '', label: i18n.t('Choose…') },
          ...field.choices.map((choice) => ({ value: choice, label: choiceWord(choice) })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      label={label}
      description={description}
      placeholder={
        field.example === undefined
          ? ''
          : i18n.t('such as {example}', { example: exampleOf(field) })
      }
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** The title of a column, with its unit. */
function nameOfColumn(field: FieldAt, name: string): string {
  return columnsOf(field).find(({ column }) => column === name)?.label ?? titleOf(field)
}
