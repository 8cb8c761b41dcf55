import { neutralised } from './csv-cells.ts'
import { csvColumns } from './csv-columns.ts'

type Cell = string | number | null
const needsQuotes = /[",;\t\r\n]|^ | $/

/**
 * Rows as CSV: commas, CRLF, every cell safe to open in a spreadsheet. `linesOfCsv` reads the same
 * texts from it. It has no byte-order mark, so that parts of a file can be joined.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(written).join(',')}\r\n`).join('')
}

function written(cell: Cell): string {
  if (cell === null) return ''
  const text = typeof cell === 'number' ? String(cell) : neutralised(cell)
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * A file to fill in: the header and an example, with names instead of ids where both are possible. The
 * byte-order mark makes spreadsheets save UTF-8.
 */
export function csvTemplate(): string {
  const names = csvColumns.map(({ name }) => name)
  const named = new Set(
    csvColumns.filter(({ type }) => type === 'name').map(({ pointer }) => pointer),
  )
  const examples = csvColumns.map(({ type, pointer, example }) =>
    type === 'id' && named.has(pointer) ? null : example,
  )
  return `\ufeff${csvText([names, examples])}`
}
