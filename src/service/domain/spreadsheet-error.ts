/** What spreadsheets in English and Spanish show in place of a value that they cannot compute or show. */
export const spreadsheetErrors =
  /^(?:#N\/[AD]|#¡?REF!|#VALUE!|#¡VALOR!|#NAME\?|#¿NOMBRE\?|#¡?DIV\/0!|#ERROR!|#¡?NUM!|#NULL!|#¡NULO!|#SPILL!|#¡DESBORDAMIENTO!|#CALC!|#¡CALC!|#####+)$/i

export const spreadsheetErrorText =
  'A spreadsheet shows an error in place of the value. Correct the formula and save the file again.'

/** Whether the text is an error of a spreadsheet, such as `#N/A`. `#1001` is a reference. */
export function isSpreadsheetError(text: string): boolean {
  return spreadsheetErrors.test(text.trim())
}
