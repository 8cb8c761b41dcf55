import { type Expression, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../errors.ts'
import type { CursorValues } from './lists.ts'

const times = z.iso.datetime({ offset: true }).optional()

/** The filters by `created_at` that the longer lists have. */
export const createdRange = {
  'created_at[gte]': times,
  'created_at[gt]': times,
  'created_at[lte]': times,
  'created_at[lt]': times,
}
export type CreatedRange = {
  readonly [K in keyof typeof createdRange]?: z.infer<(typeof createdRange)[K]>
}

const lower = [
  ['gte', sql`>=`],
  ['gt', sql`>`],
] as const
const upper = [
  ['lte', sql`<=`],
  ['lt', sql`<`],
] as const

/**
 * The rows of a page, newest first: within the range, and after the cursor's. That is a page's end
 * within the same bounds, and below the upper ones. Given both, the database may begin to read at the
 * wrong one. `within` orders what was made in the same millisecond, before the id does: the third value.
 */
export function createdWithin(
  query: CreatedRange,
  after: CursorValues | null,
  within?: Expression<number>,
): Expression<SqlBool> {
  const bounds = (after === null ? [...lower, ...upper] : lower).flatMap(([name, operator]) => {
    const value = query[`created_at[${name}]`]
    return value === undefined ? [] : [sql`created_at ${operator} ${new Date(value)}`]
  })
  if (after !== null) {
    const [at = '', id = '', place] = after
    if (within === undefined) bounds.push(sql`(created_at, id) < (${at}::timestamptz, ${id})`)
    else if (place === undefined) throw new Problem('invalid_cursor')
    else {
      bounds.push(sql`created_at <= ${at}::timestamptz`)
      bounds.push(sql`(created_at, ${within}, id) < (${at}::timestamptz, ${place}::int, ${id})`)
    }
  }
  return bounds.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(bounds, sql` AND `)}`
}
