import { connectorLimits } from './protocol-codes.ts'

/**
 * Makes a courier's text safe to store and show: well-formed Unicode without control characters. A
 * line break becomes a space.
 */
export function wellFormedText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\t-\r\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
}

/** Truncates to `textCharactersMax` characters, never within a character. */
export function shortened(text: string | null): string | null {
  if (text === null || text.length <= connectorLimits.textCharactersMax) return text
  return [...text].slice(0, connectorLimits.textCharactersMax).join('')
}
