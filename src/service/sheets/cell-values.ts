import { decimalsOf } from '../domain/currency.ts'
import { isSpreadsheetError, spreadsheetErrorText } from '../domain/spreadsheet-error.ts'
import { lettersOf } from './plain-name.ts'
import type { NamedColumn, SheetColumn } from './sheet-columns.ts'

export type Separator = ',' | ';' | '\t'

export type CellFault = { readonly reason: string; readonly detail: string }

/** What spreadsheets run as a formula: OWASP's list for CSV injection. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** An apostrophe that only keeps a spreadsheet from changing the text behind it. `'t Hooft` is a name. */
const protection = /^'(?=[=+\-@\t\r\n＝＋－＠'0-9]|$)/
/** As spreadsheets write it: a passport number such as 12E4567 has no sign. */
const scientific = /^[+-]?[0-9]+(?:[.,][0-9]+)?E[+-][0-9]+$/i
const decimalPoint = /^-?[0-9]+(?:\.[0-9]+)?$/
const decimalComma = /^-?[0-9]+,[0-9]+$/
/** One mark with three digits behind it: a thousand in one country, a fraction in another. */
const thousandOrFraction = /^-?[1-9][0-9]{0,2}[.,][0-9]{3}$/
const grouped = /^-?[0-9]{1,3}(?:[.,'’ \u00a0\u202f][0-9]{3})+(?:[.,][0-9]+)?$/
/** Groups and another mark for the fraction: no doubt is left. */
const groupedMoney =
  /^(?<whole>-?[0-9]{1,3}(?:(?:\.[0-9]{3})+(?=,)|(?:,[0-9]{3})+(?=\.)|(?:['’ \u00a0\u202f][0-9]{3})+))(?:[.,](?<fraction>[0-9]{1,2}))?$/

const faults = {
  error: { reason: 'spreadsheet_error', detail: spreadsheetErrorText },
  scientific: {
    reason: 'spreadsheet_error',
    detail:
      'A spreadsheet has replaced the digits by scientific notation, such as 4.5679E+07, and some may be lost. Format the column as text and enter the value again.',
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
  money: { reason: 'invalid_type', detail: 'Expected an amount, such as 14.50.' },
  currency: {
    reason: 'currency_mismatch',
    detail: 'The amount names another currency than its column or its line.',
  },
  day: { reason: 'invalid_format', detail: 'Expected a day as 2026-02-28 or 28/02/2026.' },
} as const satisfies Record<string, CellFault>

/**
 * Text that a spreadsheet shows and does not run. Reading the cell removes the apostrophe again.
 */
export function neutralised(cell: string): string {
  const isChanged = formula.test(cell) || protection.test(cell) || scientific.test(cell)
  return isChanged ? `'${cell}` : cell
}

/** The choice of a column that each word stands for. */
export type Meanings = ReadonlyMap<string, string>

export function meaningsOf({ choices = [], otherWords = {} }: SheetColumn): Meanings {
  return new Map(
    choices.flatMap((choice) =>
      [choice, ...(otherWords[choice] ?? [])].map((word) => [lettersOf(word), choice] as const),
    ),
  )
}

/** An amount as it is written. Its minor units depend on the currency of the line. */
export type Money = {
  /** Digits with a decimal point. */
  readonly amount: string
  /** Named by the cell or the header. */
  readonly currency: string | null
  readonly isMinor: boolean
}

export type CellValue = string | number | Money

type ReadColumn = NamedColumn & { readonly meanings: Meanings }

export function isFault(value: CellValue | CellFault): value is CellFault {
  return typeof value === 'object' && 'reason' in value
}

/** The value of a cell that is not blank. */
export function cellValue(
  cell: string,
  { column, unit, meanings }: ReadColumn,
  separator: Separator,
): CellValue | CellFault {
  if (isSpreadsheetError(cell)) return faults.error
  const { type } = column
  const isProtected = protection.test(cell)
  const text = isProtected ? cell.slice(1) : cell
  if (type === 'money') return moneyOf(text.trim(), unit, separator)
  if (isNumeric(type))
    return numberOf(text.trim(), column.measure?.units[unit ?? '']?.exponent, separator)
  if (!isProtected && scientific.test(text)) return faults.scientific
  if (type === 'choice') return meanings.get(lettersOf(text)) ?? text.trim()
  if (type === 'day') return dayOf(text.trim())
  return type === 'text' ? text : text.trim()
}

export function isNumeric(type: SheetColumn['type'] | undefined): boolean {
  return type === 'integer' || type === 'decimal' || type === 'money'
}

/** The value in the field's own unit. The digits are shifted, so that nothing is rounded. */
function numberOf(
  text: string,
  exponent: number | undefined,
  separator: Separator,
): number | CellFault {
  const digits = digitsOf(text, separator)
  if (typeof digits !== 'string') return digits
  return Number(exponent ? `${digits}e${exponent}` : digits)
}

function digitsOf(text: string, separator: Separator): string | CellFault {
  if (decimalPoint.test(text)) return text
  if (scientific.test(text)) return faults.scientific
  if (decimalComma.test(text)) {
    // Between commas, 1,234 is as often a thousand as a fraction.
    const isDoubtful = separator === ',' && thousandOrFraction.test(text)
    return isDoubtful ? faults.grouped : text.replace(',', '.')
  }
  return grouped.test(text) ? faults.grouped : faults.number
}

const currencyBefore = /^(?:S\/\.?|US\$|[A-Z]{3})/
const currencyAfter = /[A-Z]{3}$/
const currencyOfSymbol: Readonly<Record<string, string>> = { 'S/': 'PEN', 'S/.': 'PEN', US$: 'USD' }

function moneyOf(text: string, unit: string | null, separator: Separator): Money | CellFault {
  // 910,00 may mean 910 units, and 1.000 a thousand: neither is guessed.
  if (unit === 'minor') {
    if (/[0-9][.,]/.test(text)) return faults.minorUnits
    const digits = digitsOf(text, separator)
    return typeof digits === 'string' ? { amount: digits, currency: null, isMinor: true } : digits
  }
  const [before = ''] = currencyBefore.exec(text) ?? []
  const [after = ''] = currencyAfter.exec(text.slice(before.length)) ?? []
  const rest = text.slice(before.length, text.length - after.length).trim()
  const word = before || after
  const named = word === '' ? null : (currencyOfSymbol[word] ?? word)
  if (named !== null && unit !== null && named !== unit) return faults.currency
  const currency = named ?? unit
  const large = groupedMoney.exec(rest)?.groups
  if (large !== undefined) {
    const { whole = '', fraction } = large
    const plain = whole.replace(/[^0-9-]/g, '')
    return {
      amount: fraction === undefined ? plain : `${plain}.${fraction}`,
      currency,
      isMinor: false,
    }
  }
  // Of money, three digits behind a mark are a thousand, but may also be a mistake.
  if (thousandOrFraction.test(rest)) return faults.grouped
  const digits = digitsOf(rest, separator)
  if (typeof digits === 'string') return { amount: digits, currency, isMinor: false }
  return digits.reason === 'invalid_type' ? faults.money : digits
}

const midnight = '(?:[T ]0?0:00(?::00(?:\\.0+)?)?Z?)?'
const day = new RegExp(`^(?<day>[0-9]{4}-[0-9]{2}-[0-9]{2})${midnight}$`)
/** As it is written where invoices are in Spanish. */
const dayFirst = new RegExp(`^([0-9]{1,2})([/.-])([0-9]{1,2})\\2([0-9]{4})${midnight}$`)

/** Also a time at midnight, which is how programs write a day. */
function dayOf(text: string): string | CellFault {
  const [, dayOfMonth = '', , month = '', year = ''] = dayFirst.exec(text) ?? []
  if (year !== '') {
    return Number(month) > 12
      ? faults.day
      : `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
  }
  return day.exec(text)?.groups?.day ?? (/^[0-9]{4}-/.test(text) ? text : faults.day)
}

const decimalsByCurrency = new Map<string, number>()

/** Formatting a number is slow, and a file has one or two currencies in thousands of lines. */
function knownDecimalsOf(currency: string): number {
  const decimals = decimalsByCurrency.get(currency) ?? decimalsOf(currency)
  decimalsByCurrency.set(currency, decimals)
  return decimals
}

/** The integer minor units of an amount, or what is wrong with it. */
export function minorUnitsOf({ amount, isMinor }: Money, currency: string): number | CellFault {
  if (isMinor || !/^[A-Z]{3}$/.test(currency)) return Number(amount)
  const decimals = knownDecimalsOf(currency)
  const [, fraction = ''] = amount.split('.')
  if (fraction.replace(/0+$/, '').length > decimals) {
    const detail = `An amount in ${currency} has at most ${decimals} decimals.`
    return { reason: 'too_many_decimals', detail }
  }
  return Number(`${amount}e${decimals}`)
}

export const currencyMismatch: CellFault = faults.currency
