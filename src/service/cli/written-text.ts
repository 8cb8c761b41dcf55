import type { z } from 'zod'
import { noteLengthMax, proseText, text } from '../domain/fields.ts'
import { type Call, UsageError } from './command.ts'

/** The note that a flag gives, by the rules of the API. Throws UsageError. */
export function noteIn(call: Call): string {
  return textIn(call, 'note', text(noteLengthMax))
}

/** A comment, which may have several lines. Throws UsageError. */
export function commentIn(call: Call): string {
  return textIn(call, 'text', proseText(noteLengthMax))
}

function textIn({ flags }: Call, flag: string, schema: z.ZodType<string>): string {
  const { data } = schema.safeParse(flags.get(flag) ?? '')
  if (data !== undefined) return data
  throw new UsageError(
    `--${flag} must be 1 to ${noteLengthMax} characters of text, without control characters.`,
  )
}
