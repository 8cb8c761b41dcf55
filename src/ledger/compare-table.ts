import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { changedFields, shownValue } from '../domain/changed-fields.ts'
import type { Json, JsonObject } from '../domain/decider.ts'
import { foldedTable } from './fold-ledger.ts'

/** A row, or a value in one, that is not what the ledger makes. */
export type Difference = {
  readonly table: string
  readonly key: string
  /** `missing`: it should be there. `surplus`: it should not. */
  readonly kind: 'missing' | 'surplus' | 'different'
  /** With the path within it, where it holds JSON. */
  readonly column: string | null
  readonly expected: string | null
  readonly actual: string | null
}

/** Values of one row that are named; a row with more is rotten, and they say so. */
const valuesMax = 20
/** Rows of one page of shipments that are fetched to be named; the others are counted. */
const rowsNamedMax = 100

export type Column = { readonly name: string; readonly type: string }

export async function columnsOf(db: Kysely<ReadModels>, table: string): Promise<readonly Column[]> {
  const { rows } = await sql<Column>`
    SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
    WHERE attrelid = to_regclass(${`projections.${table}`}) AND attnum > 0 AND NOT attisdropped
    ORDER BY attnum`.execute(db)
  return rows
}

type Found = {
  readonly key: string
  readonly kind: Difference['kind']
  readonly expected: JsonObject | null
  readonly actual: JsonObject | null
  readonly count: number
}

/**
 * Compares the rows that a table has of the shipments after `after` up to `upTo` (null = to the end)
 * with those that it should have, whose `state` is that of the session's folded ledger. Answers how many rows differ, and names them up to a bound.
 */
export async function compareRows(
  db: Kysely<ReadModels>,
  at: {
    readonly table: string
    readonly key: string
    readonly columns: readonly Column[]
    readonly after: string
    readonly upTo: string | null
  },
  rows: readonly object[],
): Promise<{ readonly count: number; readonly differences: readonly Difference[] }> {
  const { table, after, upTo } = at
  const view = sql.raw(`projections.${table}`)
  const key = sql.ref(at.key)
  const end = upTo === null ? sql`` : sql`AND shipment_id <= ${upTo}`
  const differs = sql.join(at.columns.map(differsIn), sql` OR `)
  // The folded state is not sent once more for each table: it is in the session already.
  const hasState = at.columns.some(({ name }) => name === 'state')
  const states = hasState
    ? sql`LEFT JOIN (SELECT shipment_id, state FROM ${sql.raw(foldedTable)}
        WHERE shipment_id > ${after} ${end}) f USING (shipment_id)`
    : sql``
  const expected = sql.join(
    at.columns.map(({ name }) => (name === 'state' ? sql`f.state` : sql`r.${sql.ref(name)}`)),
  )
  const { rows: found } = await sql<Found>`
    WITH e AS (
      SELECT true AS is_there, ${expected}
      FROM json_populate_recordset(NULL::${view}, ${JSON.stringify(rows)}::json) r ${states}
    ), a AS (SELECT true AS is_there, r.* FROM ${view} r WHERE shipment_id > ${after} ${end})
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

/** JSON is compared as text at first: what was written by the same code is the same to the letter. */
function differsIn({ name, type }: Column) {
  const [e, a] = [sql`e.${sql.ref(name)}`, sql`a.${sql.ref(name)}`]
  if (type !== 'json') return sql`${e} IS DISTINCT FROM ${a}`
  return sql`CASE WHEN ${e}::text = ${a}::text THEN false
    ELSE ${e}::jsonb IS DISTINCT FROM ${a}::jsonb END`
}

function named(table: string, { key, kind, expected, actual }: Found): readonly Difference[] {
  if (kind !== 'different') {
    return [{ table, key, kind, column: null, expected: null, actual: null }]
  }
  const { state } = expected ?? {}
  const wanted = typeof state === 'string' ? { ...expected, state: JSON.parse(state) } : expected
  const fields = changedFields(actual as Json, wanted as Json).slice(0, valuesMax)
  return fields.map(({ path, before, after }) => ({
    ...{ table, key, kind, column: path },
    expected: shownValue(path, after),
    actual: shownValue(path, before),
  }))
}
