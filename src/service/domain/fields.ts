import { z } from 'zod'
import { type IdPrefix, isId } from './ids.ts'

/**
 * C0 and C1 controls, characters that change the text direction, and noncharacters: no name or
 * address needs them.
 */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff]/
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Of the note of a decision or a hold, and of a comment. */
export const noteLengthMax = 2_000

/**
 * A client's text: in NFC, so that one text has one spelling, trimmed, bounded, at least one visible
 * character, no control characters.
 */
export function text(lengthMax: number) {
  return seen(printable().normalize('NFC').trim()).min(1).max(lengthMax)
}

/** A client's name for something, taken as it is: changing it could make one name of two. */
export function nameText(lengthMax: number) {
  const bare = printable().refine((value) => value === value.trim(), {
    error: 'A name must not begin or end with a space.',
    params: { reason: 'surrounding_space' },
  })
  return seen(bare).min(1).max(lengthMax)
}

/** The same for text of several lines: line breaks become newlines, the only control characters in it. */
export function proseText(lengthMax: number) {
  const lines = z
    .string()
    .overwrite((value) => value.replace(/\r\n?/g, '\n'))
    .refine((value) => !controls.test(value.replaceAll('\n', ' ')), refused)
  return seen(wellFormed(lines).normalize('NFC').trim()).min(1).max(lengthMax)
}

function seen(schema: z.ZodString) {
  return schema.refine((value) => value === '' || visible.test(value), {
    error: 'The text has no visible characters.',
    params: { reason: 'invisible_text' },
  })
}

/** A secret: not trimmed, but bounded and free of control characters. */
export function secretText(lengthMax: number) {
  return printable().min(1).max(lengthMax)
}

/** Text that is safe to show as it is in a line, a page or a terminal. */
export function printable() {
  return wellFormed(z.string().refine((value) => !controls.test(value), refused))
}

const refused = {
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

/** A text to filter a list by. Text that cannot be stored cannot be searched for either. */
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

/** An id in a body or a query. In a path, a malformed id is simply not found. */
export function idOf(prefix: IdPrefix) {
  return z
    .string()
    .refine((value) => isId(prefix, value), {
      error: `Expected an id that starts with ${prefix}_.`,
      params: { reason: 'invalid_id' },
    })
    .meta({ example: `${prefix}_0aB1cD2eF3gH4iJ5kL6mN7` })
}
