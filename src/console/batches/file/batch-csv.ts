import type { Schemas } from '../../../client/methods.ts'
import { csvOf } from '../../lists/csv.ts'
import type { CheckedLines } from './check-lines.ts'
import type { CsvFile } from './csv-file.ts'
import { columnOf, isNeeded, lineColumns } from './line-columns.ts'

type Item = Schemas['BatchItem']

/** The dialog gives the first two for all lines, and the service the third. */
const notInTemplate = new Set(['workspace_id', 'courier_connection_id', 'idempotency_key'])

/** A file to fill in: the header and an example. The byte-order mark makes spreadsheets save UTF-8. */
export function templateCsv(): string {
  const columns = lineColumns.filter(
    (column) => isNeeded(column, {}) && !notInTemplate.has(column.name),
  )
  return `\ufeff${csvOf(
    columns.map(({ name }) => name),
    [columns.map(({ example }) => String(example ?? ''))],
  )}`
}

/**
 * The good lines, each in the row that it has in the person's own file: an empty row keeps the place
 * of a line that is left out.
 */
export function sentCsv(file: CsvFile, { columns, good }: CheckedLines): string {
  const written = (cells: readonly string[]) =>
    cells.map((cell) => sentCell(cell, file.separator)).join(file.separator)
  const rows = new Map([
    [file.header.row, columns],
    ...good.map((line) => [line.row, line.cells]),
  ] as [number, readonly string[]][])
  const last = good.at(-1)?.row ?? file.header.row
  return Array.from({ length: last }, (_, at) => `${written(rows.get(at + 1) ?? [])}\r\n`).join('')
}

/** As it is in the file: the service reads an apostrophe and a decimal comma by itself. */
function sentCell(cell: string, separator: string): string {
  const needsQuotes = cell.includes(separator) || /["\r\n]|^ | $/.test(cell)
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** One row for each thing that is wrong, to correct the lines beside it. */
export function failedCsv(
  items: readonly Item[],
  referenceOf: (item: Item) => string | null,
): string {
  const rows = items.flatMap((item) => {
    const { line, state, error } = item
    const known = [String(line), referenceOf(item) ?? '', state, error?.reason ?? '']
    const fields = error?.errors ?? []
    if (fields.length === 0) return [[...known, '', error?.detail ?? '']]
    return fields.map(({ pointer, detail }) => [...known, columnOf(pointer), detail])
  })
  return `\ufeff${csvOf(['line', 'reference', 'state', 'reason', 'column', 'what is wrong'], rows)}`
}
