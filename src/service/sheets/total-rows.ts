import { withoutMarks } from '../couriers/agency-index.ts'
import type { CsvHeader } from './csv-header.ts'

const setOf = (words: string) => new Set(words.split(' '))

/** Words of totals and taxes, without accents. */
const totalWords = setOf(
  'total totals totales subtotal subtotals subtotales suma sumas sum igv iva impuesto impuestos tax taxes vat gst',
)
/** Words before these, as in "Importe total" or "Sub total". */
const leadingWords = setOf('sub gran grand importe monto valor amount')
/** All other words of such a text, as in "Total general a pagar". With any other it may be a name. */
const otherWords = setOf(
  'a de del la el por sin con y e of the to in and before after antes general final neto neta net base imponible factura invoice mes month periodo period pagar pay due servicio servicios service services guia guias guide guides linea lineas line lines envio envios shipment shipments sol soles dolar dolares dollars s pen usd incl incluido included enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre january february march april may june july august september october november december',
)
/** Any text may follow these, because such a row has no amount. */
const noteWords = setOf('nota notas note notes observacion observaciones')

const textMax = 100
const isBlank = (cell: string) => cell.trim() === ''
const hasLetter = /\p{L}/u
const isNegative = /^\s*[(\-−]|[-−]\s*$/
/** Guide numbers have no spaces, and may begin like a total: TOTAL-123, but not IGV18%. */
const mayBeGuide = (text: string) => !/\s/.test(text) && /\d(?!\d*%)/.test(text)

/**
 * The text of a row that sums up the rows of an invoice, or notes something: its first cell with
 * text has only words of totals and taxes, or begins with "Note" and the row has no amount; and it
 * has no guide number, though the text may be in that column. Null for every other row, such as one
 * that merely lacks its guide number, a credit, or a negative amount.
 */
export function totalRowText(
  cells: readonly string[],
  { columns }: Pick<CsvHeader, 'columns'>,
): string | null {
  const at = cells.findIndex((cell) => hasLetter.test(cell))
  const text = cells[at]?.trim()
  const guideAt = columns.findIndex((column) => column?.column.pointer === '/guide_number')
  if (text === undefined || guideAt === -1) return null
  if (at === guideAt ? mayBeGuide(text) : !isBlank(cells[guideAt] ?? '')) return null
  const amounts = columns.flatMap((column, index) =>
    column?.column.pointer === '/amount' ? [cells[index] ?? ''] : [],
  )
  if (amounts.some((cell) => isNegative.test(cell))) return null
  const isNote = noteWords.has(wordsOf(text)[0] ?? '') && amounts.every(isBlank)
  return isNote || isTotal(wordsOf(text)) ? text.slice(0, textMax).toWellFormed() : null
}

function wordsOf(text: string): readonly string[] {
  return withoutMarks(text.slice(0, textMax))
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function isTotal(words: readonly string[]): boolean {
  const [first = '', second = ''] = words
  const begins = totalWords.has(first) || (leadingWords.has(first) && totalWords.has(second))
  return (
    begins &&
    words.every((word) => totalWords.has(word) || leadingWords.has(word) || otherWords.has(word))
  )
}
