import { z } from 'zod'
import { type IdPrefix, isId } from './ids.ts'

/**
 * C0 and C1 controls, characters that change the text direction, and noncharacters: no name or
 * address needs them.
 */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
  /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/
/** The Hangul filler is a letter and the empty Braille pattern a symbol, but neither shows anything. */
const visible = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v

/** Maximum length of a comment, and of the note of a decision or a hold. */
export const noteLengthMax = 2_000

/**
 * A client's text: normalized to NFC, so equal texts have equal bytes, trimmed, bounded, with at least
 * one visible character and no control characters.
 */
export function text(lengthMax: number) {
  return requireVisible(printable().normalize('NFC').trim()).min(1).max(lengthMax)
}

/** A client's name for something, stored unchanged: normalizing could make two names equal. */
export function nameText(lengthMax: number) {
  const bare = printable().refine((value) => value === value.trim(), {
    error: 'A name must not begin or end with a space.',
    params: { reason: 'surrounding_space' },
  })
  return requireVisible(bare).min(1).max(lengthMax)
}

/** Like `text`, but with several lines: line breaks become newlines, the only control characters allowed. */
export function proseText(lengthMax: number) {
  const lines = z
    .string()
    .overwrite((value) => value.replace(/\r\n?/g, '\n'))
    .refine((value) => !controls.test(value.replaceAll('\n', ' ')), controlCharacterError)
  return requireVisible(wellFormed(lines).normalize('NFC').trim()).min(1).max(lengthMax)
}

function requireVisible(schema: z.ZodString) {
  return schema.refine((value) => value === '' || visible.test(value), {
    error: 'The text has no visible characters.',
    params: { reason: 'invisible_text' },
  })
}

/** A secret: not trimmed, but bounded and free of control characters. */
export function secretText(lengthMax: number) {
  return printable().min(1).max(lengthMax)
}

/** Text that is safe to print unchanged in a log line, a page or a terminal. */
export function printable() {
  return wellFormed(z.string().refine((value) => !controls.test(value), controlCharacterError))
}

const controlCharacterError = {
  error: ({ input }: { readonly input?: unknown }) =>
    /[\r\n]/.test(`${input}`)
      ? 'The text has a line break, which is not allowed here.'
      : 'Control characters are not allowed.',
  params: { reason: 'control_character' },
  abort: true,
}

function wellFormed(schema: z.ZodString) {
  return schema.refine((value) => value.isWellFormed(), {
    error: 'The text is not well-formed Unicode.',
    params: { reason: 'malformed_text' },
    abort: true,
  })
}

/** Text to filter a list by. Text that cannot be stored is refused, since it can never match. */
export function filterText(lengthMax: number) {
  return z
    .string()
    .max(lengthMax)
    .refine((value) => !controls.test(value) && value.isWellFormed(), {
      error: 'Control characters are not allowed.',
      params: { reason: 'control_character' },
    })
    .normalize('NFC')
}

/** An id in a body or a query. A malformed id in a path is answered as not found instead. */
export function idOf(prefix: IdPrefix) {
  return z
    .string()
    .refine((value) => isId(prefix, value), {
      error: `Expected an id that starts with ${prefix}_.`,
      params: { reason: 'invalid_id' },
    })
    .meta({ example: `${prefix}_0aB1cD2eF3gH4iJ5kL6mN7` })
}

/** The currency of an amount. */
export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, { error: 'Expected three capital letters.' })
  .meta({ description: 'The ISO 4217 code.', example: 'PEN' })
