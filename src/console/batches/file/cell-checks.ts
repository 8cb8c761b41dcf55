import { documentForms, spreadsheetErrors } from '../../../client/generated/batch-columns.ts'
import type { CsvFile } from './csv-file.ts'
import type { LineColumn } from './line-columns.ts'
import { lettersOf } from './plain-text.ts'

type Separator = CsvFile['separator']

/** An apostrophe that only keeps a spreadsheet from changing the text behind it. */
const protection = /^'(?=[=+\-@\t\r\n＝＋－＠'0-9]|$)/
const scientific = /^[+-]?[0-9]+(?:[.,][0-9]+)?E[+-][0-9]+$/i
const decimalPoint = /^-?[0-9]+(?:\.[0-9]+)?$/
const decimalComma = /^-?[0-9]+,[0-9]+$/
/** Of weights and sizes. */
const decimalsMax = 3

const replacedDigits =
  'A spreadsheet has replaced the digits, and some may be lost. Format the column as text and enter the value again.'

const errorOfSheet =
  'A spreadsheet shows an error in place of the value. Correct the formula and save the file again.'

/** What is wrong with a cell, as a sentence; null if nothing is. The service checks more. */
export function cellFault(cell: string, column: LineColumn, separator: Separator): string | null {
  if (cell.trim() === '') return column.isRequired ? 'The cell is empty.' : null
  const text = plainText(cell)
  if (new RegExp(spreadsheetErrors, 'i').test(text)) return errorOfSheet
  switch (column.type) {
    case 'integer':
    case 'decimal':
      return numberFault(text, column, separator)
    case 'id':
      return new RegExp(`^${column.prefix}_[0-9A-Za-z]+$`).test(text)
        ? null
        : `It must be an id that begins with ${column.prefix}_.`
    case 'name':
      // What has the form of an id is read as one.
      return idForm.test(text) && !text.startsWith(`${column.prefix}_`)
        ? `It is not an id that begins with ${column.prefix}_.`
        : null
    case 'choice':
      return choiceOf(column, text) === null
        ? `It must be one of ${column.choices.join(', ')}.`
        : null
    case 'text':
      return textFault(cell, text, column)
  }
}

/** No name has this form, so a column of names may have ids too. */
export const idForm = /^[a-z]+_[0-9A-Za-z]{22}$/

/** The choice that a cell means, whatever its case, dots and accents; null if it is none. */
export function choiceOf({ choices, otherWords = {} }: LineColumn, text: string): string | null {
  const wanted = lettersOf(text)
  const means = (choice: string) =>
    [choice, ...(otherWords[choice] ?? [])].some((word) => lettersOf(word) === wanted)
  return choices.find(means) ?? null
}

/** What the service reads from a cell. */
export function plainText(cell: string): string {
  return cell.replace(protection, '').trim()
}

function textFault(cell: string, text: string, { maxLength, pattern }: LineColumn): string | null {
  if (!protection.test(cell) && scientific.test(text)) return replacedDigits
  if (/\p{Cc}/u.test(cell)) return 'Line breaks and other control characters are not allowed.'
  if (maxLength !== undefined && text.length > maxLength) {
    return `It has ${text.length} characters, and at most ${maxLength} are allowed.`
  }
  if (pattern === undefined || new RegExp(pattern).test(text)) return null
  return 'It has characters that are not allowed.'
}

function numberFault(text: string, column: LineColumn, separator: Separator): string | null {
  if (scientific.test(text)) return replacedDigits
  const isComma = decimalComma.test(text)
  if (isComma && separator === ',') {
    return 'Write a decimal point. A decimal comma is accepted only in a file whose cells are separated by semicolons or tabs.'
  }
  if (!isComma && !decimalPoint.test(text)) return 'It must be a number, without other characters.'
  const value = Number(text.replace(',', '.'))
  const { minimum, exclusiveMinimum, maximum } = column
  if (column.type === 'integer' && !Number.isInteger(value)) return 'It must be a whole number.'
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return `It must be more than ${exclusiveMinimum}.`
  }
  if (minimum !== undefined && value < minimum) return `It must be at least ${minimum}.`
  if (maximum !== undefined && value > maximum) return `It must be at most ${maximum}.`
  const isExact = Number(value.toFixed(decimalsMax)) === value
  return isExact ? null : `It has more than ${decimalsMax} decimals.`
}

/** The number of an identity document has the form of its kind, one of the choices. */
export function documentFault(type: string, document: string): string | null {
  const forms: Readonly<Record<string, { readonly pattern: string; readonly form: string }>> =
    documentForms
  const known = forms[type]
  if (known === undefined || new RegExp(known.pattern).test(plainText(document))) return null
  return `A ${type} has ${known.form}.`
}

/** With a decimal comma elsewhere in the line, the point in 1.200 separates thousands. */
export function hasMixedDecimals(numbers: readonly string[]): boolean {
  return numbers.some((cell) => cell.includes(',')) && numbers.some((cell) => cell.includes('.'))
}
