import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { failingAfter } from '../domain/webhooks/webhook-delivery.ts'
import { ladderBeganAt } from './claim-deliveries.ts'

/** Counting stops here: an alarm needs no more. */
const countedMax = 10_000

/** Selects webhooks; null = all organizations, all workspaces or both modes. */
type WebhooksOf = {
  readonly organizationId: string | null
  readonly workspaceId: string | null
  readonly livemode: boolean | null
}

const allWebhooks: WebhooksOf = { organizationId: null, workspaceId: null, livemode: null }

function within({ organizationId, workspaceId, livemode }: WebhooksOf): RawBuilder<boolean> {
  const conditions = [
    organizationId === null ? sql`true` : sql`o.organization_id = ${organizationId}`,
    workspaceId === null ? sql`true` : sql`o.workspace_id = ${workspaceId}`,
    livemode === null ? sql`true` : sql`o.livemode = ${livemode}`,
  ]
  return sql`${sql.join(conditions, sql` AND `)}`
}

/** Counts pending deliveries, and those that ended without success and are still stored. */
export async function deliveryCounts(db: Kysely<Tables>, of: WebhooksOf) {
  const count = (state: string) => sql`(SELECT count(*) FROM (
    SELECT FROM webhook_deliveries o
    WHERE o.state = ${sql.lit(state)} AND ${within(of)} LIMIT ${countedMax}) counted)::int`
  const { rows } = await sql<{ pending: number; dead: number; discarded: number }>`
    SELECT ${count('pending')} AS pending, ${count('dead')} AS dead,
      ${count('discarded')} AS discarded`.execute(db)
  return rows[0] ?? { pending: 0, dead: 0, discarded: 0 }
}

/** Counts endpoints by health. `gaveUp`: those that the service disabled. */
export async function endpointCounts(db: Kysely<Tables>, of: WebhooksOf) {
  type Counts = { ok: number; failing: number; disabled: number; gaveUp: number }
  const isEnabled = sql`o.status = 'enabled'`
  const { rows } = await sql<Counts>`
    SELECT count(*) FILTER (WHERE ${isEnabled} AND l.failures < ${failingAfter})::int AS ok,
      count(*) FILTER (WHERE ${isEnabled} AND l.failures >= ${failingAfter})::int AS failing,
      count(*) FILTER (WHERE NOT ${isEnabled})::int AS disabled,
      count(*) FILTER (WHERE NOT ${isEnabled} AND o.disabled_reason <> 'by_owner')::int AS "gaveUp"
    FROM webhook_endpoints o JOIN webhook_lanes l ON l.endpoint_id = o.id
    WHERE o.deleted_at IS NULL AND ${within(of)}`.execute(db)
  return rows[0] ?? { ok: 0, failing: 0, disabled: 0, gaveUp: 0 }
}

/**
 * The event that has waited longest on its workspace's clock, including deferred ones. Null if none
 * is waiting.
 */
export async function oldestUndelivered(db: Kysely<Tables>, of: WebhooksOf) {
  const { rows } = await sql<{ event_id: string; age: number }>`
    SELECT d.event_id, extract(epoch FROM clock_timestamp() - d.began_at)::float8
      + coalesce(c.offset_ms, 0) / 1000.0::float8 AS age
    FROM webhook_endpoints o
    LEFT JOIN sandbox_clocks c ON c.workspace_id = o.workspace_id AND NOT o.livemode
    CROSS JOIN LATERAL (
      SELECT w.event_id, ${ladderBeganAt(sql`w`)} AS began_at FROM webhook_deliveries w
      WHERE w.endpoint_id = o.id AND w.state = 'pending'
      ORDER BY ${ladderBeganAt(sql`w`)} LIMIT 1
    ) d
    WHERE o.deleted_at IS NULL AND ${within(of)} ORDER BY age DESC LIMIT 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : { event_id: row.event_id, age_seconds: Math.max(0, row.age) }
}

/** The figures of all webhooks, for the metrics. */
export async function webhookMetrics(db: Kysely<Tables>) {
  const [counts, endpoints, oldest] = await Promise.all([
    deliveryCounts(db, allWebhooks),
    endpointCounts(db, allWebhooks),
    oldestUndelivered(db, allWebhooks),
  ])
  return { ...counts, failing: endpoints.failing, oldestAgeSeconds: oldest?.age_seconds ?? 0 }
}
