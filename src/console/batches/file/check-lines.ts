import { type NameAnswer, nameOf } from '../names/name-cells.ts'
import { cellFault, choiceOf, documentFault, hasMixedDecimals, plainText } from './cell-checks.ts'
import type { CsvFile, CsvRow } from './csv-file.ts'
import {
  cellOf,
  isMapped,
  isMetadata,
  type LineColumn,
  lineColumns,
  type Mapping,
} from './line-columns.ts'

export type Fault = {
  /** The row that a spreadsheet shows. */
  readonly line: number
  /** Null: it is about the whole line. */
  readonly column: string | null
  readonly detail: string
}

export type CheckedLines = {
  /** The names of the columns that are sent. */
  readonly columns: readonly string[]
  readonly good: readonly CsvRow[]
  readonly faults: readonly Fault[]
  /** Of good lines and others, by row. */
  readonly references: ReadonlyMap<number, string>
}

type Check = {
  readonly file: CsvFile
  readonly columns: readonly LineColumn[]
  /** Where each column is in a line. */
  readonly placeOf: ReadonlyMap<string, number>
  readonly workspaceId: string
  /** What names stand for, by their keys. The service looks up the others. */
  readonly answers: ReadonlyMap<string, NameAnswer>
}

/**
 * Checks each line by itself, as far as a browser can: what only the courier or the service knows is
 * found when the batch runs, and spoils no other line.
 */
export function checkLines(
  file: CsvFile,
  mapping: Mapping,
  known: Pick<Check, 'workspaceId' | 'answers'>,
): CheckedLines {
  const columns = lineColumns.filter(({ name }) => isMapped(mapping[name]))
  const metadata = [...file.header.cells.keys()].filter((at) =>
    isMetadata(file.header.cells[at] ?? ''),
  )
  const check: Check = {
    file,
    columns,
    placeOf: new Map(columns.map(({ name }, at) => [name, at])),
    ...known,
  }
  const good: CsvRow[] = []
  const faults: Fault[] = []
  const references = new Map<number, string>()
  const lineOfKey = new Map<string, number>()
  for (const line of file.lines) {
    const cells = columns.map(({ name }) => cellOf(line, mapping, name))
    const kept = metadata.map((at) => line.cells[at] ?? '')
    const sent = { row: line.row, cells: [...withIds(cells, check), ...kept] }
    references.set(line.row, plainText(cellIn(check, cells, 'external_reference')))
    const found = faultsOf(line, cells, check)
    const fault = found.length === 0 ? repeated(line.row, cells, check, lineOfKey) : null
    if (fault !== null) found.push(fault)
    if (found.length === 0) good.push(sent)
    else faults.push(...found)
  }
  const kept = metadata.map((at) => (file.header.cells[at] ?? '').trim())
  return { columns: [...columns.map(({ name }) => name), ...kept], good, faults, references }
}

function answerFor(column: LineColumn, cell: string, { answers }: Check): NameAnswer | undefined {
  const name = column.type === 'name' ? nameOf(column.name, cell) : null
  return name === null ? undefined : answers.get(name.key)
}

/** With the ids of the names that are known: a column of names may have ids too. */
function withIds(cells: readonly string[], check: Check): readonly string[] {
  return cells.map((cell, at) => {
    const answer = answerFor(check.columns[at] as LineColumn, cell, check)
    return answer !== undefined && 'id' in answer ? answer.id : cell
  })
}

function cellIn({ placeOf }: Check, cells: readonly string[], name: string): string {
  const place = placeOf.get(name)
  return place === undefined ? '' : (cells[place] ?? '')
}

function faultsOf(line: CsvRow, cells: readonly string[], check: Check): Fault[] {
  const { file, columns, workspaceId } = check
  const used = line.cells.findLastIndex((cell) => cell.trim() !== '') + 1
  const named = file.header.cells.findLastIndex((cell) => cell.trim() !== '') + 1
  if (used > named) {
    const detail = `The line has ${used} cells, and the header has ${named}. A cell with a separator in it must be in quotes.`
    return [{ line: line.row, column: null, detail }]
  }
  const found: Fault[] = []
  const add = (column: string, detail: string | null) => {
    if (detail !== null) found.push({ line: line.row, column, detail })
  }
  for (const [at, column] of columns.entries()) {
    const cell = cells[at] ?? ''
    const answer = answerFor(column, cell, check)
    if (answer !== undefined && 'detail' in answer) {
      const hint =
        answer.candidates.length > 0
          ? 'Choose one above, or correct the file.'
          : 'Correct the file.'
      add(column.name, `${answer.detail} ${hint}`)
    }
    const other = columns.findIndex((each) => each.pointer === column.pointer && each !== column)
    if (other === -1) {
      add(column.name, cellFault(cell, column, file.separator))
      continue
    }
    add(column.name, cellFault(cell, { ...column, isRequired: false }, file.separator))
    if (column.type === 'name') add(column.name, eitherFault(cell, cells[other] ?? ''))
  }
  if (found.length > 0) return found
  const type = columns.find(({ name }) => name === 'document_type')
  const document = cellIn(check, cells, 'document')
  if (type !== undefined) {
    const typed = plainText(cellIn(check, cells, 'document_type'))
    add('document', documentFault(choiceOf(type, typed) ?? '', document))
  }
  const workspace = plainText(cellIn(check, cells, 'workspace_id'))
  if (workspaceId !== '' && workspace !== '' && workspace !== workspaceId) {
    add('workspace_id', 'It is another workspace.')
  }
  const numbers = columns.flatMap(({ type }, at) =>
    type === 'integer' || type === 'decimal' ? [cells[at] ?? ''] : [],
  )
  if (hasMixedDecimals(numbers)) {
    const detail = 'The line has both decimal points and decimal commas.'
    found.push({ line: line.row, column: null, detail })
  }
  return found
}

/** A line has the name or the id. */
function eitherFault(name: string, id: string): string | null {
  const isNamed = name.trim() !== ''
  const hasId = id.trim() !== ''
  if (isNamed !== hasId) return null
  return isNamed
    ? 'The line has both the id and the name. Leave one of the two cells empty.'
    : 'The cell is empty.'
}

/** A second line with a key would find the shipment of the first: most likely it was pasted twice. */
function repeated(
  row: number,
  cells: readonly string[],
  check: Check,
  lineOfKey: Map<string, number>,
): Fault | null {
  const own = plainText(cellIn(check, cells, 'idempotency_key'))
  const reference = plainText(cellIn(check, cells, 'external_reference'))
  const key = own === '' ? `order ${reference}` : own
  const first = lineOfKey.get(key)
  if (first === undefined) {
    lineOfKey.set(key, row)
    return null
  }
  const detail =
    own === ''
      ? `Line ${first} has the same reference. For another parcel of the same order, give this line an idempotency_key of its own, and leave line ${first} as it is.`
      : `Line ${first} has the same key.`
  return { line: row, column: own === '' ? 'external_reference' : 'idempotency_key', detail }
}
