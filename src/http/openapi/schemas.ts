import { z } from 'zod'
import { idOf } from '../../domain/fields.ts'
import { guideNumberForm, type IdPrefix } from '../../domain/ids.ts'

export {
  filterText,
  idOf,
  noteLengthMax,
  printable,
  proseText,
  secretText,
  text,
} from '../../domain/fields.ts'

/** A guide number that a person typed. */
export function guideNumber() {
  return z.string().trim().regex(guideNumberForm, {
    error: 'Expected 1 to 64 letters, digits and hyphens.',
  })
}

export function pathId(prefix: IdPrefix) {
  return z.strictObject({ id: idOf(prefix) })
}

/** A courier's branch, by its id. */
export const agencyRef = z.object({ agency_id: idOf('agy') })

/** Integer minor units. */
export const money = z.object({ amount: z.int(), currency: z.string() }).meta({ id: 'Money' })

/** RFC 3339 in UTC with milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' })

/** Null = there is none. */
export const legalHold = z.object({ since: timestamp }).nullable()

/** An enumeration that may grow: clients must accept unknown values. */
export function openEnum<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values).meta({ 'x-extensible': true })
}

/** Text with known values. A value stored by another version is shown unchanged. */
export function knownValues(values: readonly string[]) {
  return z.string().meta({ enum: [...values], 'x-extensible': true })
}

export function time(date: Date): string {
  return date.toISOString()
}

export function timeOrNull(date: Date | null): string | null {
  return date === null ? null : date.toISOString()
}

/** Page size: the default and the maximum. */
export const pageDefault = 25
const pageMax = 100

/** The query parameters of every list. Add the list's own filters. */
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
      .meta({ description: '`next_cursor` of the previous page, with the same filters.' }),
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
