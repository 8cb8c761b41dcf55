import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import type { Period } from '../../domain/statistics/periods.ts'

/** Whose rows are summed; null for all organizations or all workspaces. */
export type StatisticsOf = {
  readonly organizationId: string | null
  readonly workspaceId: string | null
  readonly livemode: boolean
}

/** The sums of one interval and subject, by name. */
export type Sums = {
  readonly at: Instant
  /** The code of a courier or the id of an endpoint. */
  readonly subject: string
  readonly sums: ReadonlyMap<string, number>
}

/** The most rows summed for one answer: about a second of the database's time. */
const rowsReadMax = 100_000

/** The period has more rows than one answer may sum. */
export class TooManyRows extends Error {
  override readonly name = 'TooManyRows'
}

type Source = {
  readonly table: 'projections.statistics' | 'webhook_statistics'
  readonly subject: 'provider_code' | 'endpoint_id'
}

const sources = {
  couriers: { table: 'projections.statistics', subject: 'provider_code' },
  endpoints: { table: 'webhook_statistics', subject: 'endpoint_id' },
} as const satisfies Record<string, Source>

type Asked = {
  readonly of: StatisticsOf
  readonly by: keyof typeof sources
  readonly period: Period
  /** Only this courier or endpoint; undefined for all. */
  readonly subject: string | undefined
  /** Only sums whose names begin with one of these. */
  readonly names: readonly string[]
}

type Row = { at: Date; subject: string; name: string; total: number; read: number }

/**
 * Reads the sums of a period in one statement, without intervals that have no sums. Throws
 * TooManyRows if the period has more rows than one answer may sum.
 */
export async function readStatistics(
  db: Kysely<Tables>,
  { of, by, period, subject, names }: Asked,
): Promise<readonly Sums[]> {
  const source = sources[by]
  const own = sql.ref(source.subject)
  const conditions: RawBuilder<unknown>[] = [
    sql`livemode = ${of.livemode}`,
    sql`at >= ${rfc3339(period.from)} AND at < ${rfc3339(period.to)}`,
  ]
  if (of.organizationId !== null) conditions.push(sql`organization_id = ${of.organizationId}`)
  if (of.workspaceId !== null) conditions.push(sql`workspace_id = ${of.workspaceId}`)
  if (subject !== undefined) conditions.push(sql`${own} = ${subject}`)
  const { rows } = await sql<Row>`
    WITH found AS MATERIALIZED (
      SELECT at, ${own} AS subject, counts FROM ${sql.table(source.table)}
      WHERE ${sql.join(conditions, sql` AND `)} LIMIT ${rowsReadMax + 1}
    )
    SELECT date_trunc(${sql.lit(period.interval)}, found.at, 'UTC') AS at, subject, each.name,
      sum(each.value::bigint)::float8 AS total, (SELECT count(*)::int FROM found) AS read
    FROM found CROSS JOIN LATERAL jsonb_each_text(counts) AS each (name, value)
    WHERE split_part(each.name, '.', 1) = ANY (${names})
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`.execute(db)
  if ((rows[0]?.read ?? 0) > rowsReadMax) throw new TooManyRows()
  return summed(rows)
}

function summed(rows: readonly Row[]): readonly Sums[] {
  const found: { at: Instant; subject: string; sums: Map<string, number> }[] = []
  for (const { at, subject, name, total } of rows) {
    const last = found.at(-1)
    if (last?.at === at.getTime() && last.subject === subject) last.sums.set(name, total)
    else found.push({ at: at.getTime(), subject, sums: new Map([[name, total]]) })
  }
  return found
}

/** The sums whose names begin with the prefix, by the rest of their names. */
export function within(sums: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  const found = [...sums].filter(([name]) => name.startsWith(prefix))
  return new Map(found.map(([name, total]) => [name.slice(prefix.length), total]))
}

/** Adds up sums by name. */
export function totalOf(all: readonly Sums[]): Map<string, number> {
  const total = new Map<string, number>()
  for (const { sums } of all) {
    for (const [name, value] of sums) total.set(name, (total.get(name) ?? 0) + value)
  }
  return total
}

/** The sum of the values whose names satisfy the predicate. */
export function sumOf(
  sums: ReadonlyMap<string, number>,
  isCounted: (name: string) => boolean = () => true,
): number {
  return [...sums].reduce((sum, [name, value]) => (isCounted(name) ? sum + value : sum), 0)
}
