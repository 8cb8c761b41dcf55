import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.resolve('pdfmake'))), '../fonts/Roboto')

/** The font of all printed documents. */
export const roboto = {
  folder,
  normal: join(folder, 'Roboto-Regular.ttf'),
  bold: join(folder, 'Roboto-Medium.ttf'),
  italics: join(folder, 'Roboto-Italic.ttf'),
  bolditalics: join(folder, 'Roboto-MediumItalic.ttf'),
} as const

/**
 * The font has Latin, Greek and Cyrillic letters. All other characters are printed as question
 * marks, including those that would change the direction of the text.
 */
const unprintable =
  /[^\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u024f\u0370-\u0373\u0375-\u0377\u037a-\u037f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ff\u0400-\u0486\u0488-\u052f\u1e00-\u1eff\u2010-\u2015\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2116\u2122]/gu

export function printable(text: string): string {
  return text.normalize('NFC').replace(unprintable, '?')
}
