import { isSpreadsheetError, spreadsheetErrorText } from '../../../domain/spreadsheet-error.ts'
import type { CsvColumn } from './csv-columns.ts'
import { lettersOf } from './spanish-words.ts'

export type Separator = ',' | ';' | '\t'

type CellFault = { readonly reason: string; readonly detail: string }

/** What spreadsheets run as a formula: OWASP's list for CSV injection. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** An apostrophe that only keeps a spreadsheet from changing the text behind it. `'t Hooft` is a name. */
const protection = /^'(?=[=+\-@\t\r\n＝＋－＠'0-9]|$)/
/** As spreadsheets write it: a passport number such as 12E4567 has no sign. */
const scientific = /^[+-]?[0-9]+(?:[.,][0-9]+)?E[+-][0-9]+$/i
const decimalPoint = /^-?[0-9]+(?:\.[0-9]+)?$/
const decimalComma = /^-?[0-9]+,[0-9]+$/
const marked = /[0-9][.,]/
const grouped = /^-?[0-9]{1,3}(?:[.,'’ \u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?$/

const faults = {
  error: { reason: 'spreadsheet_error', detail: spreadsheetErrorText },
  scientific: {
    reason: 'spreadsheet_error',
    detail:
      'A spreadsheet has replaced the digits by scientific notation, such as 4.5679E+07, and some may be lost. Format the column as text and enter the value again.',
  },
  comma: {
    reason: 'decimal_comma',
    detail:
      'Write a decimal point. A decimal comma is accepted only in a file whose cells are separated by semicolons or tabs.',
  },
  grouped: {
    reason: 'thousands_separator',
    detail: 'Write the number without a thousands separator.',
  },
  number: { reason: 'invalid_type', detail: 'Expected number.' },
  minorUnits: {
    reason: 'invalid_type',
    detail: 'Expected digits only: the amount in minor units, such as 1450 for PEN 14.50.',
  },
} as const satisfies Record<string, CellFault>

/** Text that a spreadsheet shows and does not run. Reading a cell takes the apostrophe off again. */
export function neutralised(cell: string): string {
  const isChanged = formula.test(cell) || protection.test(cell) || scientific.test(cell)
  return isChanged ? `'${cell}` : cell
}

/** The choices of a column by all words for them. */
export type Meanings = ReadonlyMap<string, string>

export function meaningsOf({ choices, otherWords = {} }: CsvColumn): Meanings {
  return new Map(
    choices.flatMap((choice) =>
      [choice, ...(otherWords[choice] ?? [])].map((word) => [lettersOf(word), choice] as const),
    ),
  )
}

type ReadColumn = Pick<CsvColumn, 'type'> & { readonly meanings: Meanings }

/** The value of a cell that is not blank. */
export function cellValue(
  cell: string,
  { type, meanings }: ReadColumn,
  separator: Separator,
): string | number | CellFault {
  if (isSpreadsheetError(cell)) return faults.error
  const isNumber = isNumeric(type)
  const isProtected = protection.test(cell)
  const text = isProtected ? cell.slice(1) : cell
  // 910,00 may be 910 units and 1.000 a thousand: neither is read as another amount.
  if (type === 'minor_units' && marked.test(text)) return faults.minorUnits
  if (isNumber) return numberOf(text.trim(), separator)
  if (!isProtected && scientific.test(text)) return faults.scientific
  if (type === 'choice') return meanings.get(lettersOf(text)) ?? text.trim()
  return type === 'text' ? text : text.trim()
}

export function isNumeric(type: CsvColumn['type'] | undefined): boolean {
  return type === 'integer' || type === 'minor_units' || type === 'decimal'
}

function numberOf(text: string, separator: Separator): number | CellFault {
  if (decimalPoint.test(text)) return Number(text)
  if (separator !== ',' && decimalComma.test(text)) return Number(text.replace(',', '.'))
  if (scientific.test(text)) return faults.scientific
  if (grouped.test(text))
    return separator === ',' && decimalComma.test(text) ? faults.comma : faults.grouped
  return decimalComma.test(text) ? faults.comma : faults.number
}
