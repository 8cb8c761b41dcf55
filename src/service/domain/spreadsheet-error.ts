/** Error values that spreadsheets in English and Spanish show instead of a value. */
const spreadsheetErrors =
  /^(?:#N\/[AD]|#¡?REF!|#VALUE!|#¡VALOR!|#NAME\?|#¿NOMBRE\?|#¡?DIV\/0!|#ERROR!|#¡?NUM!|#NULL!|#¡NULO!|#SPILL!|#¡DESBORDAMIENTO!|#CALC!|#¡CALC!|#####+)$/i

export const spreadsheetErrorText =
  'The cell holds a spreadsheet error instead of a value. Correct the formula and save the file again.'

/** Whether the text is a spreadsheet error such as `#N/A`. `#1001` is a reference, not an error. */
export function isSpreadsheetError(text: string): boolean {
  return spreadsheetErrors.test(text.trim())
}
