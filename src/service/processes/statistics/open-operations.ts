import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import { reconciliationTimes } from '../../domain/operation/reconciliation.ts'
import type { StatisticsOf } from './read-statistics.ts'

/** Operations counted per kind, oldest first: more are too many to work through anyway. */
export const operationsCountedMax = 10_000

type OperationCounts = {
  readonly reconciling: number
  readonly needs_review: number
  /** Those needing review that are snoozed. */
  readonly snoozed: number
  /** Those needing review that are contradicted. */
  readonly contradicted: number
  readonly escalated: number
  readonly unconfirmed: number
  /** The courier lists a guide that the decision does not use. */
  readonly surplus: number
  /** Open for longer than reconciliation may take. */
  readonly past_deadline: number
  /** The oldest open operation; null if none is open. */
  readonly oldest: {
    readonly operation_id: string
    readonly status: 'reconciling' | 'needs_review'
    readonly created_at: Date
    readonly age_seconds: number
  } | null
}

type Counted = Omit<OperationCounts, 'oldest'> & {
  readonly operation_id: string | null
  readonly status: 'reconciling' | 'needs_review'
  readonly created_at: Date
  readonly age: number
}

const deadlineSeconds = reconciliationTimes.deadlineMs / 1_000

/** Counts what needs attention in one statement; ages are on the workspaces' clocks. */
export async function countOperations(
  db: Kysely<Tables>,
  of: StatisticsOf,
  providerCode: string | undefined,
): Promise<OperationCounts> {
  const { organizationId, workspaceId, livemode } = of
  const own = organizationId === null ? sql`` : sql`AND o.organization_id = ${organizationId}`
  const within = workspaceId === null ? sql`` : sql`AND o.workspace_id = ${workspaceId}`
  const by = providerCode === undefined ? sql`` : sql`AND o.provider_code = ${providerCode}`
  const some = (condition: ReturnType<typeof sql>) => sql`(
    SELECT o.operation_id, o.status, o.contradicted, o.escalated, o.unconfirmed, o.created_at,
      o.snoozed_until > now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AS snoozed,
      extract(epoch FROM now() - o.created_at)::float8
        + coalesce(c.offset_ms, 0) / 1000.0::float8 AS age
    FROM projections.operations o
    LEFT JOIN sandbox_clocks c ON c.workspace_id = o.workspace_id AND NOT o.livemode
    WHERE o.livemode = ${livemode} AND ${condition} ${own} ${within} ${by}
    ORDER BY o.created_at LIMIT ${operationsCountedMax})`
  const { rows } = await sql<Counted>`
    WITH open AS MATERIALIZED (
      ${some(sql`o.status = 'reconciling'`)} UNION ALL ${some(sql`o.status = 'needs_review'`)}
    ), oldest AS (SELECT * FROM open ORDER BY age DESC LIMIT 1)
    SELECT
      count(*) FILTER (WHERE status = 'reconciling')::int AS reconciling,
      count(*) FILTER (WHERE status = 'needs_review')::int AS needs_review,
      count(*) FILTER (WHERE status = 'needs_review' AND contradicted)::int AS contradicted,
      count(*) FILTER (WHERE status = 'needs_review' AND snoozed)::int AS snoozed,
      count(*) FILTER (WHERE escalated)::int AS escalated,
      count(*) FILTER (WHERE age > ${deadlineSeconds})::int AS past_deadline,
      (SELECT count(*)::int FROM ${some(sql`o.unconfirmed`)} u) AS unconfirmed,
      (SELECT count(*)::int FROM ${some(sql`o.surplus`)} s) AS surplus,
      (SELECT operation_id FROM oldest) AS operation_id, (SELECT status FROM oldest) AS status,
      (SELECT created_at FROM oldest) AS created_at, (SELECT age FROM oldest) AS age
    FROM open`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('bug: a count without a row')
  const { operation_id, status, created_at, age, ...counts } = row
  const oldest =
    operation_id === null
      ? null
      : { operation_id, status, created_at, age_seconds: Math.max(0, age) }
  return { ...counts, oldest }
}

/** The same counts for all organizations in both modes, by name, for the metrics. */
export async function operationMetrics(
  db: Kysely<Tables>,
): Promise<
  readonly { readonly livemode: boolean; readonly why: string; readonly count: number }[]
> {
  const modes = await Promise.all(
    [true, false].map(async (livemode) => {
      const of = { organizationId: null, workspaceId: null, livemode }
      const { oldest: _, ...counts } = await countOperations(db, of, undefined)
      return Object.entries(counts).map(([why, count]) => ({ livemode, why, count }))
    }),
  )
  return modes.flat()
}
