import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import type { Json, JsonObject } from '../../domain/decider.ts'
import { changedFields, formatValue } from '../../domain/ledger/changed-fields.ts'

/** A row or value that differs from what the ledger yields. */
export type Difference = {
  readonly table: string
  readonly key: string
  /** `missing`: the row should exist. `surplus`: it should not exist. */
  readonly kind: 'missing' | 'surplus' | 'different'
  /** The column, with the path within it if it is JSON. */
  readonly column: string | null
  readonly expected: string | null
  readonly actual: string | null
}

/** Differing values listed per row: enough to recognize a corrupt row. */
const valuesMax = 20
/** Differing rows listed per page; the others are only counted. */
const rowsNamedMax = 100

type Found = {
  readonly key: string
  readonly kind: Difference['kind']
  readonly expected: JsonObject | null
  readonly actual: JsonObject | null
  readonly count: number
}

/**
 * Compares the rows of a table whose source is after `after` and up to `upTo` (null = to the end)
 * with the expected rows. Returns how many rows differ, and lists the first of them.
 */
export async function compareRows(
  db: Kysely<Tables>,
  at: {
    readonly table: string
    readonly key: string
    readonly columns: readonly string[]
    /** The column of `after` and `upTo`. */
    readonly source: string
    readonly after: string
    readonly upTo: string | null
  },
  rows: readonly object[],
): Promise<{ readonly count: number; readonly differences: readonly Difference[] }> {
  const { table, after, upTo } = at
  const view = sql.raw(`projections.${table}`)
  const key = sql.ref(at.key)
  const source = sql.ref(at.source)
  const end = upTo === null ? sql`` : sql`AND ${source} <= ${upTo}`
  const differs = sql.join(
    at.columns.map((name) => sql`e.${sql.ref(name)} IS DISTINCT FROM a.${sql.ref(name)}`),
    sql` OR `,
  )
  const { rows: found } = await sql<Found>`
    WITH e AS (
      SELECT true AS is_there, r.*
      FROM json_populate_recordset(NULL::${view}, ${JSON.stringify(rows)}::json) r
    ), a AS (SELECT true AS is_there, r.* FROM ${view} r WHERE ${source} > ${after} ${end})
    SELECT coalesce(e.${key}, a.${key}) AS key, count(*) OVER ()::int AS count,
      CASE WHEN a.is_there IS NULL THEN 'missing' WHEN e.is_there IS NULL THEN 'surplus'
        ELSE 'different' END AS kind,
      to_json(e) AS expected, to_json(a) AS actual
    FROM e FULL JOIN a ON a.${key} = e.${key}
    WHERE e.is_there IS NULL OR a.is_there IS NULL OR ${differs}
    ORDER BY 1 LIMIT ${rowsNamedMax}`.execute(db)
  return {
    count: found[0]?.count ?? 0,
    differences: found.flatMap((row) => named(table, row)),
  }
}

function named(table: string, { key, kind, expected, actual }: Found): readonly Difference[] {
  if (kind !== 'different') {
    return [{ table, key, kind, column: null, expected: null, actual: null }]
  }
  const fields = changedFields(actual as Json, expected as Json).slice(0, valuesMax)
  return fields.map(({ path, before, after }) => ({
    table,
    key,
    kind,
    column: path,
    expected: formatValue(path, after),
    actual: formatValue(path, before),
  }))
}
