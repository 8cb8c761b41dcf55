import { type Kysely, sql } from 'kysely'
import { addRowsSql } from '../../../projections/rollup.ts'
import { hoursKeptDays, minutesKeptHours, statistics } from '../../../projections/statistics.ts'
import type { ReadModels } from '../../../projections/tables.ts'

/** Rows of one statement: some tens of milliseconds. */
const tidiedMax = 2_000
/** Minutes stay for an hour longer than queries may ask for them. */
const graceHours = 1

const table = 'projections.statistics'
const isOld = `NOT is_hour AND at < now() - interval '${minutesKeptHours + graceHours} hours'`
/** The hours of the rows in `taken`, with their sums added up. */
const hours = `
  SELECT organization_id, workspace_id, livemode, provider_code, at, true AS is_hour,
    jsonb_object_agg(name, total) AS counts
  FROM (
    SELECT organization_id, workspace_id, livemode, provider_code,
      date_trunc('hour', t.at, 'UTC') AS at, each.name, sum(each.value::bigint) AS total
    FROM taken t CROSS JOIN LATERAL jsonb_each_text(t.counts) AS each (name, value)
    GROUP BY 1, 2, 3, 4, 5, 6
  ) summed GROUP BY 1, 2, 3, 4, 5`
const mergeMinutes = `
  WITH old AS MATERIALIZED (
    SELECT workspace_id, at, provider_code FROM ${table} WHERE ${isOld} ORDER BY at LIMIT ${tidiedMax}
  ), taken AS (
    DELETE FROM ${table} t USING old
    WHERE t.workspace_id = old.workspace_id AND t.at = old.at
      AND t.provider_code = old.provider_code AND NOT t.is_hour
    RETURNING t.*
  ), merged AS (${addRowsSql(table, statistics, hours)})
  SELECT count(*)::int AS count FROM taken`
const dropHours = `
  WITH gone AS (
    DELETE FROM ${table} t USING (
      SELECT workspace_id, at, provider_code FROM ${table}
      WHERE is_hour AND at < now() - interval '${hoursKeptDays} days' ORDER BY at LIMIT ${tidiedMax}
    ) old
    WHERE t.workspace_id = old.workspace_id AND t.at = old.at
      AND t.provider_code = old.provider_code AND t.is_hour
    RETURNING t.at
  )
  SELECT count(*)::int AS count FROM gone`

/**
 * Merges old minutes into their hours and deletes old hours. Each statement moves a sum as a whole,
 * so no reader sees it twice or not at all. Returns how many rows were taken away.
 */
export async function tidyStatistics(db: Kysely<ReadModels>): Promise<number> {
  if (!(await areStatisticsBuilt(db))) return 0
  let tidied = 0
  for (const statement of [mergeMinutes, dropHours]) {
    const { rows } = await sql.raw<{ count: number }>(statement).execute(db)
    tidied += rows[0]?.count ?? 0
  }
  return tidied
}

/** Databases in which the read model was found: it stays. */
const built = new WeakSet<Kysely<ReadModels>>()

/** Whether there are statistics: right after the upgrade that adds them, they are being built. */
export async function areStatisticsBuilt(db: Kysely<ReadModels>): Promise<boolean> {
  if (built.has(db)) return true
  const { rows } = await sql<{ is_there: boolean }>`
    SELECT to_regclass(${table}) IS NOT NULL AS is_there`.execute(db)
  const isThere = rows[0]?.is_there === true
  if (isThere) built.add(db)
  return isThere
}
