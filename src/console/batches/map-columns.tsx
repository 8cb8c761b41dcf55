import { NativeSelect, TextInput } from '@mantine/core'
import type { BatchDraft } from './batch-draft.ts'
import type { CsvFile } from './file/csv-file.ts'
import {
  isMapped,
  isNeeded,
  type LineColumn,
  leftOut,
  lineColumns,
  missingColumns,
  type Source,
} from './file/line-columns.ts'

type MapProps = { readonly of: BatchDraft; readonly file: CsvFile }

/** Which column of the file is which of a shipment: guessed by name, and changeable. */
export function MapColumns({ of, file }: MapProps) {
  const { mapping, map } = of
  const missing = missingColumns(mapping)
  const unused = leftOut(file.header, mapping)
  const columns = lineColumns.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))
  return (
    <>
      <p>
        Found by their names. Change what is not right. What is the same for every line need not be
        in the file.
      </p>
      {missing.length > 0 && (
        <p className="refusal" role="status">
          {missing.length === 1 ? 'One column is' : `${missing.length} columns are`} missing:{' '}
          {missing.map(({ name }) => name).join(', ')}.
        </p>
      )}
      <div className="mapping">
        {columns.map((column) => (
          <ColumnSource
            key={column.name}
            column={column}
            isNeeded={isNeeded(column, mapping)}
            file={file}
            source={mapping[column.name] ?? { from: null, fixed: '' }}
            onChange={(source) => map({ ...mapping, [column.name]: source })}
          />
        ))}
      </div>
      {unused.length > 0 && (
        <p className="reason">
          Not sent: {unused.join(', ')}. To keep such a column with its shipments, name it{' '}
          <code>metadata.{unused[0]}</code> in the file.
        </p>
      )}
    </>
  )
}

/** Names are before ids: people have them. */
function isFirst({ isRequired, type, pointer }: LineColumn): boolean {
  const isNamed = lineColumns.some((other) => other.type === 'name' && other.pointer === pointer)
  return isRequired && (type === 'name' || !isNamed)
}

type SourceProps = {
  readonly column: LineColumn
  readonly isNeeded: boolean
  readonly file: CsvFile
  readonly source: Source
  readonly onChange: (source: Source) => void
}

const nowhere = ''

function ColumnSource({ column, isNeeded: isRequired, file, source, onChange }: SourceProps) {
  const { name, description } = column
  const { from } = source
  const sample = from === null ? null : (file.lines[0]?.cells[from] ?? '')
  return (
    <div className="column-source" data-missing={isRequired && !isMapped(source)}>
      <NativeSelect
        size="xs"
        label={name}
        title={description}
        value={from === null ? nowhere : String(from)}
        data={[
          { value: nowhere, label: isRequired ? 'The same for every line:' : 'Not in the file' },
          ...file.header.cells.map((cell, at) => ({
            value: String(at),
            label: cell.trim() === '' ? `Column ${at + 1}` : cell,
          })),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ ...source, from: value === nowhere ? null : Number(value) })
        }}
      />
      {from !== null && (
        <p className="reason">
          Line {file.lines[0]?.row}: <bdi>{sample === '' ? 'empty' : sample}</bdi>
        </p>
      )}
      {from === null && isRequired && (
        <SameForAll
          column={column}
          value={source.fixed}
          onChange={(fixed) => onChange({ ...source, fixed })}
        />
      )}
    </div>
  )
}

type SameProps = {
  readonly column: LineColumn
  readonly value: string
  readonly onChange: (value: string) => void
}

function SameForAll({ column: { name, choices, example }, value, onChange }: SameProps) {
  const label = `${name} of every line`
  if (choices.length > 0) {
    return (
      <NativeSelect
        size="xs"
        aria-label={label}
        value={value}
        data={[{ value: '', label: 'Choose…' }, ...choices]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={`such as ${example}`}
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
