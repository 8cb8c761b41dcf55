import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { ReadModels } from '../../../../projections/tables.ts'
import { Problem } from '../../errors.ts'
import { hasColumn } from '../../processes/has-column.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices } from '../api-services.ts'
import type { CursorValues } from './lists.ts'

/** The dependencies of filters by an id, which find the resource. */
export type FindDeps = ApiServices

/** A filter of a list: its query parameter and its effect. */
export type Filter<Schema extends z.ZodType<string> = z.ZodType<string>> = {
  readonly schema: Schema
  /** The rows that pass the filter. */
  readonly where: (value: string) => Expression<SqlBool>
  /** For an id: throws the 404 of an id that never existed, unless the key reaches the resource. */
  readonly find?: (deps: FindDeps, principal: Principal, value: string) => Promise<unknown>
  /**
   * A column that the read model of an earlier version does not have. After an upgrade, that model
   * serves until the new one is built; until then the filter is refused.
   */
  readonly since?: ReadModelColumn
  /**
   * A bound on the creation time. After a cursor, the bound at the start of the list always holds.
   */
  readonly bound?: 'lower' | 'upper'
}
type ReadModelColumn = {
  [Table in keyof ReadModels]: readonly [table: Table, column: keyof ReadModels[Table] & string]
}[keyof ReadModels]
export type FilterTable = Readonly<Record<string, Filter>>
/** The filter values that a query may give. */
export type FilterValues<Declared extends FilterTable> = {
  readonly [Name in keyof Declared]?: z.output<Declared[Name]['schema']> | undefined
}

export function filter<Schema extends z.ZodType<string>>(
  schema: Schema,
  where: Filter['where'],
): Filter<Schema> {
  return { schema, where }
}

/** Rows whose column has the value. */
export function equals<Schema extends z.ZodType<string>>(
  schema: Schema,
  column: string,
): Filter<Schema> {
  return filter(schema, (value) => sql<SqlBool>`${sql.ref(column)} = ${value}`)
}

/** The filters of the longer lists by creation time. */
export function createdRangeOf(column: string) {
  const at = sql.ref(column)
  const lower = 'lower' as const
  const upper = 'upper' as const
  const where = (operator: RawBuilder<unknown>, words: string) =>
    filter(
      z.iso.datetime({ offset: true }).meta({
        description: `Only those created ${words} this time: RFC 3339, with an offset or \`Z\`.`,
        example: '2026-03-01T12:00:00.000Z',
      }),
      (value) => sql<SqlBool>`${at} ${operator} ${new Date(value)}`,
    )
  return {
    'created_at[gte]': { ...where(sql`>=`, 'at or after'), bound: lower },
    'created_at[gt]': { ...where(sql`>`, 'after'), bound: lower },
    'created_at[lte]': { ...where(sql`<=`, 'at or before'), bound: upper },
    'created_at[lt]': { ...where(sql`<`, 'before'), bound: upper },
  } satisfies FilterTable
}

export const createdRange = createdRangeOf('created_at')

/** The query parameters declared by the filters of a list. */
export function parametersOf<Declared extends FilterTable>(table: Declared) {
  const parameters = Object.entries(table).map(([name, { schema }]) => [name, schema.optional()])
  return Object.fromEntries(parameters) as {
    [Name in keyof Declared]: z.ZodOptional<Declared[Name]['schema']>
  }
}

/**
 * Finds every resource that the query names, or throws the 404 of an id that never existed. Throws
 * `dependency_unavailable` for a filter whose column is not built yet.
 */
export async function findNamed<Declared extends FilterTable>(
  table: Declared,
  query: FilterValues<Declared>,
  deps: FindDeps,
  principal: Principal,
): Promise<void> {
  for (const [name, { find, since }] of Object.entries(table)) {
    const value = query[name]
    if (value === undefined) continue
    if (find !== undefined) await find(deps, principal, String(value))
    if (since !== undefined) await requireColumn(deps, since)
  }
}

/** Throws `dependency_unavailable` until the read model is rebuilt with the column. */
export async function requireColumn(
  { db }: Pick<FindDeps, 'db'>,
  [table, column]: ReadModelColumn,
): Promise<void> {
  if (await hasColumn(db, table, column as never)) return
  const detail = 'The list is being rebuilt and cannot be filtered by this yet.'
  throw new Problem('dependency_unavailable', { detail, retryAfterSeconds: 5 })
}

/**
 * The rows that pass every given filter. With a cursor, the bound at the start of the list is left
 * out: given both, the database may start reading at the wrong one.
 */
export function matching<Declared extends FilterTable>(
  table: Declared,
  query: FilterValues<Declared>,
  after: CursorValues | null,
  isOldestFirst = false,
): Expression<SqlBool> {
  const beginsAt = isOldestFirst ? 'lower' : 'upper'
  const conditions = Object.entries(table).flatMap(([name, { where, bound }]) => {
    const value = query[name]
    if (value === undefined || (after !== null && bound === beginsAt)) return []
    return [where(value)]
  })
  return allOf(conditions)
}

function allOf(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.length === 0
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${sql.join(conditions, sql` AND `)}`
}

/** The rows after a cursor in a list sorted newest first, by creation time and then by id. */
export function olderThan(after: CursorValues | null, idColumn = 'id'): Expression<SqlBool> {
  if (after === null) return sql<SqlBool>`true`
  const [at = '', id = ''] = after
  return sql<SqlBool>`(created_at, ${sql.ref(idColumn)}) < (${at}::timestamptz, ${id})`
}

/** The same, with `place` ordering rows of the same millisecond before the id does. */
export function olderThanWithin(
  after: CursorValues | null,
  place: Expression<number>,
): Expression<SqlBool> {
  if (after === null) return sql<SqlBool>`true`
  const [at = '', id = '', placed] = after
  if (placed === undefined) throw new Problem('invalid_cursor')
  return sql<SqlBool>`created_at <= ${at}::timestamptz
    AND (created_at, ${place}, id) < (${at}::timestamptz, ${placed}::int, ${id})`
}
