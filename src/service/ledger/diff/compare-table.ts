import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import type { Json, JsonObject } from '../../domain/decider.ts'
import { changedFields, shownValue } from '../../domain/ledger/changed-fields.ts'

/** A row, or a value in one, that differs from what the ledger yields. */
export type Difference = {
  readonly table: string
  readonly key: string
  /** `missing`: it should exist. `surplus`: it should not. */
  readonly kind: 'missing' | 'surplus' | 'different'
  /** Including the path within it, if it holds JSON. */
  readonly column: string | null
  readonly expected: string | null
  readonly actual: string | null
}

/**
 * Differing values listed for one row; a row with more is corrupt, and these are enough to show it.
 */
const valuesMax = 20
/** Rows per page of shipments that are fetched to be listed; the others are counted. */
const rowsNamedMax = 100

type Found = {
  readonly key: string
  readonly kind: Difference['kind']
  readonly expected: JsonObject | null
  readonly actual: JsonObject | null
  readonly count: number
}

/**
 * Compares a table's rows of the shipments or acts after `after` up to `upTo` (null = to the end)
 * with the expected rows. Returns how many rows differ, and lists them up to a bound.
 */
export async function compareRows(
  db: Kysely<ReadModels>,
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
    expected: shownValue(path, after),
    actual: shownValue(path, before),
  }))
}
