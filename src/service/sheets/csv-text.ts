import { batchColumns } from './batch-columns.ts'
import { neutralised } from './cell-values.ts'
import { invoiceSheet } from './invoice-columns.ts'
import type { SheetColumn } from './sheet-columns.ts'

type Cell = string | number | null
const needsQuotes = /[",;\t\r\n]|^ | $/

/**
 * Rows as CSV: commas, CRLF, every cell safe to open in a spreadsheet. `readCsv` reads the same
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
function template(columns: readonly SheetColumn[]): string {
  const named = new Set(columns.filter(({ type }) => type === 'name').map(({ pointer }) => pointer))
  const examples = columns.map(({ type, pointer, example }) =>
    type === 'id' && named.has(pointer) ? null : example,
  )
  return `\ufeff${csvText([columns.map(({ name }) => name), examples])}`
}

export const batchTemplate = () => template(batchColumns)
export const invoiceTemplate = () => template(invoiceSheet.columns)
