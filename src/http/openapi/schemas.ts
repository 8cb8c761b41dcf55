import { z } from 'zod'
import { idOf } from '../../domain/fields.ts'
import { guideNumberForm, type IdPrefix } from '../../domain/ids.ts'

export {
  filterText,
  idOf,
  nameText,
  printable,
  secretText,
  text,
} from '../../domain/fields.ts'

/** A guide number that a person has typed. */
export function guideNumber() {
  return z.string().trim().regex(guideNumberForm, {
    error: 'Expected 1 to 64 letters, digits and hyphens.',
  })
}

export function pathId(prefix: IdPrefix) {
  return z.strictObject({ id: idOf(prefix) })
}

/** Integer minor units. */
export const money = z.object({ amount: z.int(), currency: z.string() }).meta({ id: 'Money' })

/** RFC 3339 in UTC with milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' })

/** A list of values that may grow: clients accept what they do not know. */
export function openEnum<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values).meta({ 'x-extensible': true })
}

/** A text that is one of these as far as we know; what another version stored is shown as it is. */
export function knownValues(values: readonly string[]) {
  return z.string().meta({ enum: [...values], 'x-extensible': true })
}

export function time(date: Date): string {
  return date.toISOString()
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/** Items a page holds unless asked otherwise, and at most. */
export const pageDefault = 25
export const pageMax = 100

/** The query parameters of every list; add the list's own filters to it. */
export function listQuery<T extends z.ZodRawShape>(filters: T) {
  return z.strictObject({
    limit: z
      .string()
      .regex(/^[0-9]{1,3}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(pageMax))
      .optional()
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: pageMax,
        description: `Items in a page; ${pageDefault} unless given.`,
      }),
    cursor: z
      .string()
      .optional()
      .meta({ description: '`next_cursor` of the page before, with the same filters.' }),
    ...filters,
  })
}

export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    has_more: z.boolean(),
    next_cursor: z.string().nullable(),
  })
}
