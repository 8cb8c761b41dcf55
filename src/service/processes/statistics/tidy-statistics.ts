import { type Kysely, sql } from 'kysely'
import { addRowsSql, type SumColumns } from '../../../../projections/rollup.ts'
import { hoursKeptDays, minutesKeptHours, statistics } from '../../../../projections/statistics.ts'
import type { Tables } from '../../../../projections/tables.ts'
import { webhookStatistics } from '../../webhooks/attempt-statistics.ts'

/** Rows per statement: some tens of milliseconds. */
const tidiedMax = 2_000
/** Minutes are kept an hour longer than queries may ask for them. */
const graceHours = 1

const view = 'projections.statistics'

type Summed = SumColumns & {
  readonly table: string
  /** The key columns besides time and interval. */
  readonly of: readonly string[]
}

const summed: readonly Summed[] = [
  {
    table: view,
    of: ['workspace_id', 'provider_code'],
    key: statistics.key,
    columns: Object.keys(statistics.columns),
  },
  { table: 'webhook_statistics', of: ['endpoint_id'], ...webhookStatistics },
]

/** SQL for the rows to remove, oldest first. */
function oldSql({ table, of }: Summed, condition: string): string {
  return `SELECT ${of.join(', ')}, at FROM ${table} WHERE ${condition} ORDER BY at LIMIT ${tidiedMax}`
}

function sameRow(of: readonly string[]): string {
  return ['at', ...of].map((column) => `t.${column} = old.${column}`).join(' AND ')
}

function mergeMinutesSql(each: Summed): string {
  const { table, of, columns } = each
  const owners = columns.filter((name) => !['at', 'is_hour', 'counts'].includes(name)).join(', ')
  const isOld = `NOT is_hour AND at < now() - interval '${minutesKeptHours + graceHours} hours'`
  const hours = `
    SELECT ${owners}, at, true AS is_hour, jsonb_object_agg(name, total) AS counts
    FROM (
      SELECT ${owners}, date_trunc('hour', t.at, 'UTC') AS at, each.name,
        sum(each.value::bigint) AS total
      FROM taken t CROSS JOIN LATERAL jsonb_each_text(t.counts) AS each (name, value)
      GROUP BY ${owners}, date_trunc('hour', t.at, 'UTC'), each.name
    ) sums GROUP BY ${owners}, at`
  return `
    WITH old AS MATERIALIZED (${oldSql(each, isOld)}), taken AS (
      DELETE FROM ${table} t USING old WHERE ${sameRow(of)} AND NOT t.is_hour RETURNING t.*
    ), merged AS (${addRowsSql(table, each, hours)})
    SELECT count(*)::int AS count FROM taken`
}

function dropHoursSql(each: Summed): string {
  const isOld = `is_hour AND at < now() - interval '${hoursKeptDays} days'`
  return `
    WITH old AS MATERIALIZED (${oldSql(each, isOld)}), gone AS (
      DELETE FROM ${each.table} t USING old WHERE ${sameRow(each.of)} AND t.is_hour RETURNING t.at
    )
    SELECT count(*)::int AS count FROM gone`
}

/**
 * Merges old minutes into their hours and deletes old hours. Each statement moves a sum as a whole,
 * so no reader sees it twice or misses it. Returns the number of rows removed.
 */
export async function tidyStatistics(db: Kysely<Tables>): Promise<number> {
  const isBuilt = await areStatisticsBuilt(db)
  const known = summed.filter(({ table }) => isBuilt || table !== view)
  let tidied = 0
  for (const statement of known.flatMap((each) => [mergeMinutesSql(each), dropHoursSql(each)])) {
    const { rows } = await sql.raw<{ count: number }>(statement).execute(db)
    tidied += rows[0]?.count ?? 0
  }
  return tidied
}

/** Databases that have the read model, which is never dropped. */
const built = new WeakSet<Kysely<Tables>>()

/** Whether statistics exist: after the upgrade that adds them, they are built in the background. */
export async function areStatisticsBuilt(db: Kysely<Tables>): Promise<boolean> {
  if (built.has(db)) return true
  const { rows } = await sql<{ is_there: boolean }>`
    SELECT to_regclass(${view}) IS NOT NULL AS is_there`.execute(db)
  const isThere = rows[0]?.is_there === true
  if (isThere) built.add(db)
  return isThere
}
