import { i18n } from '@lingui/core'

/**
 * Sentences that the service writes about fields and lines, with names for what changes in them.
 * Each is a text of these pages too, so that the catalogue of a language can have it. The comment
 * makes the extraction read it.
 */
const sentences: readonly string[] = [
  // Any field
  /*i18n*/ 'The field is required.',
  /*i18n*/ 'Unknown field.',
  /*i18n*/ 'The value is not allowed here.',
  /*i18n*/ 'Expected number.',
  /*i18n*/ 'Expected int.',
  /*i18n*/ 'Expected string.',
  /*i18n*/ 'Too small: expected string to have >={least} characters',
  /*i18n*/ 'Too big: expected string to have <={most} characters',
  /*i18n*/ 'Too small: expected number to be >={least}',
  /*i18n*/ 'Too small: expected number to be >{limit}',
  /*i18n*/ 'Too big: expected number to be <={most}',
  /*i18n*/ 'Too small: expected array to have >={least} items',
  /*i18n*/ 'Too big: expected array to have <={most} items',
  /*i18n*/ 'Invalid option: expected one of {choices}',
  /*i18n*/ 'Invalid ISO date',
  /*i18n*/ 'Invalid URL',
  /*i18n*/ 'At most three decimals.',
  /*i18n*/ 'At most {most} keys.',
  /*i18n*/ 'At most {most} bytes.',
  /*i18n*/ 'Two keys are the same text.',
  /*i18n*/ 'A name must not begin or end with a space.',
  /*i18n*/ 'The text has no visible characters.',
  /*i18n*/ 'The text is not well-formed Unicode.',
  /*i18n*/ 'The text has a line break, which is not allowed here.',
  /*i18n*/ 'Control characters are not allowed.',
  /*i18n*/ 'Expected an id that starts with {prefix}.',
  /*i18n*/ 'Expected visible ASCII characters.',
  /*i18n*/ 'Expected 1 to 64 visible ASCII characters.',
  /*i18n*/ 'Expected three capital letters.',
  /*i18n*/ 'Expected an address like {example}.',
  /*i18n*/ 'Expected a month such as {example}.',
  // Keys, operators, connections and periods
  /*i18n*/ 'It must be in the future.',
  /*i18n*/ 'It must be in the future and at most {days} days from now.',
  /*i18n*/ 'It must be after since.',
  /*i18n*/ 'At most {days} days after since.',
  /*i18n*/ 'It must be an active operator of your organization.',
  /*i18n*/ 'Each scope may be named only once.',
  /*i18n*/ 'Each type may be named only once.',
  /*i18n*/ 'It is required, unless a role other than custom is given.',
  /*i18n*/ 'The calling key does not have this scope.',
  /*i18n*/ 'The calling key does not have these scopes of the role: {scopes}.',
  /*i18n*/ 'A key of one workspace creates keys of that workspace only.',
  /*i18n*/ 'A new key cannot expire later than the calling key. With a key of a sign-in, a key without operator can last a year.',
  /*i18n*/ 'The period ends before it begins.',
  /*i18n*/ 'A period needs both ends.',
  /*i18n*/ 'The courier has no such guide under our reference.',
  // The columns of a file
  /*i18n*/ 'The first line names no column of a shipment.',
  /*i18n*/ 'The first line names no column of an invoice.',
  /*i18n*/ 'Column {place} has no name.',
  /*i18n*/ 'There is no column {name}.',
  /*i18n*/ 'The column {name} occurs {times} times.',
  // The cells of a file
  /*i18n*/ 'The cell holds a spreadsheet error instead of a value. Correct the formula and save the file again.',
  /*i18n*/ 'A spreadsheet has replaced the digits by scientific notation, such as 4.5679E+07, and some may be lost. Format the column as text and enter the value again.',
  /*i18n*/ 'Write the number without a thousands separator.',
  /*i18n*/ 'Expected digits only: the amount in minor units, such as 1450 for PEN 14.50.',
  /*i18n*/ 'Expected an amount, such as 14.50.',
  /*i18n*/ 'The amount names another currency than its column or its line.',
  /*i18n*/ 'An amount in {currency} has at most {decimals} decimals.',
  /*i18n*/ 'Expected a day as 2026-02-28 or 28/02/2026.',
  /*i18n*/ 'The line has both the id and the name. Leave one of the two cells empty.',
  /*i18n*/ 'The line has {cells} cells, and the header has {columns}.',
  /*i18n*/ 'The line has {cells} cells, and the header has {columns}. A cell with a separator in it must be in quotes.',
  /*i18n*/ 'The text is not UTF-8. Save the file as “CSV UTF-8”, or declare how it is written: {declaration}.',
  /*i18n*/ 'The line has both decimal points and decimal commas.',
  /*i18n*/ 'Every line of a batch belongs to its workspace.',
  /*i18n*/ 'Expected 0 or more. A credit takes back what another line bills: leave it out, and note it in the decision of that line.',
  // A whole file
  /*i18n*/ 'The file is a workbook. Save the sheet as “CSV UTF-8”.',
  /*i18n*/ 'The file is not UTF-8. Save the file as “CSV UTF-8”, or declare how it is written: {declaration}.',
  /*i18n*/ 'The file begins like UTF-16 or is declared so, but is not. Save it as “CSV UTF-8”.',
  /*i18n*/ 'The file is empty. Its first line must name the columns.',
  /*i18n*/ 'The separator that the first line declares must be a comma, a semicolon or a tab.',
  /*i18n*/ 'A batch has at most {most} lines. Send several.',
  /*i18n*/ 'An invoice has at most {most} lines. Send several.',
  /*i18n*/ 'An invoice has at least one line.',
  /*i18n*/ 'An invoice has at most {most} currencies.',
  /*i18n*/ 'A file has at most {most} columns.',
  /*i18n*/ 'A file has at most {most} rows.',
  /*i18n*/ 'A row has at most {most} cells.',
  /*i18n*/ 'Row {row} has more than {most} bytes. Is there a quote that is not closed?',
  /*i18n*/ 'Row {row}, cell {cell}: the quote is not closed.',
  /*i18n*/ 'Row {row}, cell {cell}: a quote inside a cell must be doubled, and the whole cell be in quotes.',
  // A shipment
  /*i18n*/ 'A DNI has 8 digits.',
  /*i18n*/ 'A CE has 9 to 12 letters or digits.',
  /*i18n*/ 'A RUC has 11 digits, the last one a check digit.',
  /*i18n*/ 'A PASSPORT has 6 to 12 letters or digits.',
  /*i18n*/ 'Expected a number with its country code and no spaces, such as {example}.',
  /*i18n*/ 'Invalid email address',
  /*i18n*/ 'The courier does not have the capability {capability}.',
  /*i18n*/ 'The courier has no such agency.',
  /*i18n*/ 'The courier has no such package product.',
  /*i18n*/ 'The agency does not offer drop_off.',
  /*i18n*/ 'The agency does not offer pickup.',
  /*i18n*/ 'The product takes at most {most} per piece.',
  /*i18n*/ 'The destination must be a different agency from the origin.',
  /*i18n*/ 'The courier has no agency of this name.',
  /*i18n*/ 'The courier has no agency of this name. Similar ones: {names}.',
  /*i18n*/ 'The courier has no package product of this name.',
  /*i18n*/ 'The courier has no package product of this name. It has: {names}.',
  /*i18n*/ 'Several agencies have this name: {names}. Add the district or province to the name, or give the id in {column}.',
  /*i18n*/ 'Several products have this name: {names}. Give the id in {column}.',
  /*i18n*/ 'The workspace has no such connection.',
  /*i18n*/ 'No such quote.',
  /*i18n*/ 'The quote has no price for this service.',
  /*i18n*/ 'It differs from the quote.',
  /*i18n*/ 'Line {first} ships the same order. For another parcel of the same order, give this line an idempotency key of its own, and leave line {again} as it is.',
  /*i18n*/ 'Line {first} has the same key. For another parcel of the same order, give this line an idempotency key of its own, and leave line {again} as it is.',
  /*i18n*/ 'Shipment {shipment} of the same order has a guide, or may have one, under another key. For another parcel, give this line its own idempotency_key.',
  /*i18n*/ 'This line was sent before with other data, and its shipment is as it was sent then. Nothing was created now. Restore the line to find the shipment. To ship the order with the new data, cancel that shipment first, and then give the line a new idempotency_key.',
  /*i18n*/ "The courier's list of agencies and products cannot be read.",
  /*i18n*/ 'The connection was deleted.',
  /*i18n*/ 'The order waits in batch {batch}. For another parcel, give this line its own idempotency_key.',
]

type Pattern = { readonly sentence: string; readonly pattern: RegExp }
/** Made for the first error: most visits have none. */
let patterns: readonly Pattern[] | null = null

function patternOf(sentence: string): Pattern {
  const escaped = sentence.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
  const text = escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')
  return { sentence, pattern: new RegExp(`^${text}$`, 's') }
}

/** A sentence of the service in the current language; null if these pages do not know it. */
export function sentenceWords(said: string): string | null {
  patterns ??= sentences.map(patternOf)
  for (const { sentence, pattern } of patterns) {
    const found = pattern.exec(said)
    if (found !== null) return i18n.t(sentence, { ...found.groups })
  }
  return null
}
