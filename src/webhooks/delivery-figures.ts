import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'

/** Counting goes no further: an alarm needs no more. */
const countedMax = 10_000

/** What waits in all, and for how long the oldest has waited, deferred ones included. */
export async function deliveryFigures(db: Kysely<ReadModels>) {
  const { rows } = await sql<{ pending: string; age: number }>`
    SELECT (SELECT count(*) FROM (
        SELECT FROM webhook_deliveries WHERE state = 'pending' LIMIT ${countedMax}) some) AS pending,
      coalesce(extract(epoch FROM clock_timestamp() - least(
        (SELECT min(stored_at) FROM webhook_deliveries WHERE state = 'pending' AND livemode),
        (SELECT min(stored_at) FROM webhook_deliveries WHERE state = 'pending' AND NOT livemode)
      ))::float8, 0) AS age`.execute(db)
  const [row] = rows
  return { pending: Number(row?.pending ?? 0), oldestAgeSeconds: Math.max(0, row?.age ?? 0) }
}

/** Whose deliveries are meant; null = everybody's, or every workspace's. */
export type DeliveriesOf = {
  readonly organizationId: string | null
  readonly workspaceId: string | null
  readonly livemode: boolean
}

/** The event that has waited longest for an endpoint, among the oldest that wait; null = none does. */
export async function oldestUndelivered(db: Kysely<ReadModels>, of: DeliveriesOf) {
  const { organizationId, workspaceId, livemode } = of
  const own = organizationId === null ? sql`` : sql`AND organization_id = ${organizationId}`
  const within = workspaceId === null ? sql`` : sql`WHERE workspace_id = ${workspaceId}`
  const { rows } = await sql<{ event_id: string; age: number }>`
    SELECT event_id, extract(epoch FROM clock_timestamp() - stored_at)::float8 AS age FROM (
      SELECT event_id, workspace_id, stored_at FROM webhook_deliveries
      WHERE state = 'pending' AND livemode = ${livemode} ${own}
      ORDER BY stored_at LIMIT ${countedMax}) oldest
    ${within} ORDER BY stored_at LIMIT 1`.execute(db)
  const [row] = rows
  return row === undefined ? null : { event_id: row.event_id, age_seconds: Math.max(0, row.age) }
}
