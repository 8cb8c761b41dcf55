import type { Language } from '../../domain/language.ts'
import { errorTable, type Reason } from '../../errors.ts'
import { spanishTitles } from '../problems/spanish-titles.ts'

/** How a document lists a line of a batch that has no shipment, and why. */
type LineTexts = {
  readonly reference: (line: number) => string
  readonly waiting: string
  readonly creating: string
  readonly notBegun: string
  readonly refused: string
  readonly refusedAs: (reason: Reason) => string
}

export const lineTexts: Readonly<Record<Language, LineTexts>> = {
  en: {
    reference: (line) => `Line ${line}`,
    waiting: 'It has not begun yet.',
    creating: 'Its guide is still being created.',
    notBegun: 'The batch was cancelled before it began.',
    refused: 'It was refused: see the items of the batch.',
    refusedAs: (reason) => `It was refused: ${errorTable[reason].title}.`,
  },
  es: {
    reference: (line) => `Línea ${line}`,
    waiting: 'Todavía no ha comenzado.',
    creating: 'Su guía todavía se está creando.',
    notBegun: 'El lote se canceló antes de que comenzara.',
    refused: 'Fue rechazada. Consulte las líneas del lote.',
    refusedAs: (reason) => `Fue rechazada. ${spanishTitles[reason]}.`,
  },
}
