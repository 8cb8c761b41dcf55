import { CompiledQuery, type Kysely, sql } from 'kysely'
import { createTableSql } from '../../../../projections/columns.ts'
import type { Step } from '../../../../projections/fold-batch.ts'
import type { Projection } from '../../../../projections/projection.ts'
import { addJsonSql, type Rollup } from '../../../../projections/rollup.ts'
import { hoursKeptDays, minutesKeptHours } from '../../../../projections/statistics.ts'
import type { Tables } from '../../../../projections/tables.ts'
import type { Difference } from './compare-table.ts'

/** Differing sums that are listed; the others are only counted. */
const sumsNamedMax = 100
/**
 * Sums that are about to be merged into hours, or deleted, are not compared as minutes, or at all.
 */
const marginHours = 1

type Found = {
  readonly key: string
  readonly name: string
  readonly expected: string | null
  readonly actual: string | null
  readonly count: number
}

/**
 * A projection's rollups computed from the folded events, in temporary tables of one database
 * session, to be compared with the read model's.
 */
export class FoldedRollups {
  readonly #session: Kysely<Tables>
  readonly #rollups: readonly (readonly [name: string, rollup: Rollup])[]

  constructor(session: Kysely<Tables>, projections: readonly Projection[]) {
    this.#session = session
    this.#rollups = projections.flatMap(({ rollups = {} }) => Object.entries(rollups))
  }

  async begin(): Promise<void> {
    await this.end()
    for (const [name, { key, columns }] of this.#rollups) {
      const table = createTableSql(folded(name), key, columns)
      await sql.raw(table.replace('CREATE TABLE', 'CREATE TEMPORARY TABLE')).execute(this.#session)
    }
  }

  async end(): Promise<void> {
    for (const [name] of this.#rollups) {
      await sql.raw(`DROP TABLE IF EXISTS pg_temp.${folded(name)}`).execute(this.#session)
    }
  }

  /** Adds events. Each event must be added once. */
  async add(steps: readonly Step[]): Promise<void> {
    for (const [name, rollup] of this.#rollups) {
      const rows = rollup.rows(steps, Date.now())
      if (rows.length === 0) continue
      const add = addJsonSql(folded(name), rollup, '$1::json')
      await this.#session.executeQuery(CompiledQuery.raw(add, [JSON.stringify(rows)]))
    }
  }

  /**
   * Compares the sums with the read model's: by minute while both keep minutes, by hour before
   * that. Returns the number of sums, the number that differ, and the first of those.
   */
  async compare(name: string): Promise<{
    readonly sums: number
    readonly count: number
    readonly differences: readonly Difference[]
  }> {
    const keys = keysOf(this.#rollups.find(([each]) => each === name)?.[1])
    const columns = sql.join(keys.map((key) => sql.ref(key)))
    const shown = sql.join(keys.map((key) => sql`${sql.ref(key)}::text`))
    const sums = (from: string) => sql`
      SELECT ${columns}, span, each.name, sum(each.value::bigint) AS value
      FROM (SELECT *, CASE WHEN at >= ${recent} THEN at ELSE date_trunc('hour', at, 'UTC') END AS span
            FROM ${sql.raw(from)} WHERE at >= ${oldest}) rows
      CROSS JOIN LATERAL jsonb_each_text(counts) AS each (name, value)
      GROUP BY ${columns}, span, each.name`
    const [all, differing] = [
      await sql<{ count: number }>`
        SELECT count(*)::int AS count FROM (${sums(`pg_temp.${folded(name)}`)}) sums`.execute(
        this.#session,
      ),
      await sql<Found>`
        SELECT concat_ws(' ', ${shown}, to_char(span AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'))
          AS key, name, e.value AS expected, a.value AS actual, count(*) OVER ()::int AS count
        FROM (${sums(`pg_temp.${folded(name)}`)}) e
        FULL JOIN (${sums(`projections.${name}`)}) a USING (${columns}, span, name)
        WHERE e.value IS DISTINCT FROM a.value
        ORDER BY 1, 2 LIMIT ${sumsNamedMax}`.execute(this.#session),
    ]
    return {
      sums: all.rows[0]?.count ?? 0,
      count: differing.rows[0]?.count ?? 0,
      differences: differing.rows.map((row) => difference(name, row)),
    }
  }
}

function folded(name: string): string {
  return `folded_${name}`
}

/** The key columns of a sum besides its time and name. */
function keysOf(rollup: Rollup | undefined): readonly string[] {
  const own = new Set(['at', 'is_hour', 'counts'])
  return Object.keys(rollup?.columns ?? {}).filter((column) => !own.has(column))
}

const recent = sql`date_trunc('hour', now() - ${minutesKeptHours - marginHours} * interval '1 hour')`
const oldest = sql`date_trunc('hour', now() - ${24 * hoursKeptDays - marginHours} * interval '1 hour')`

function difference(table: string, { key, name, expected, actual }: Found): Difference {
  const kind = actual === null ? 'missing' : expected === null ? 'surplus' : 'different'
  return { table, key, kind, column: name, expected, actual }
}
