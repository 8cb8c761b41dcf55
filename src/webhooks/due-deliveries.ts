import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { rfc3339 } from '../domain/decider.ts'
import type { DueDeliveries } from '../processes/deps.ts'
import { claimOne } from './claim.ts'
import { attempt, type DeliverDeps } from './deliver.ts'
import { recordAttempts } from './record.ts'

/** Deliveries of one sandbox workspace in the order in which they fall due on its clock. */
export function dueDeliveries(deps: DeliverDeps): DueDeliveries {
  const { db } = deps
  return {
    next: (workspaceId, until, limit) => nextDeliveries(db, workspaceId, rfc3339(until), limit),
    async perform(deliveryId, at) {
      const { lease, deliveries } = await claimOne(db, deliveryId)
      const record = async (...attempted: Parameters<typeof recordAttempts>[1]) =>
        await recordAttempts(deps, attempted)
      for (const claimed of deliveries) await attempt(deps, { record }, lease, claimed, () => at)
    },
    async isAtWork(workspaceId) {
      const { rows } = await sql`
        SELECT FROM webhook_lanes l JOIN webhook_deliveries d USING (endpoint_id)
        WHERE l.workspace_id = ${workspaceId} AND d.leased_until > now() LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}

/** A breaker that is open holds its endpoint's back until it closes. */
async function nextDeliveries(
  db: Kysely<ReadModels>,
  workspaceId: string,
  until: string,
  limit: number,
) {
  const { rows } = await sql<{ id: string; due_at: Date }>`
    SELECT d.id, greatest(d.next_attempt_at, coalesce(l.open_until, '-infinity')) AS due_at
    FROM webhook_lanes l CROSS JOIN LATERAL (
      SELECT p.id, p.next_attempt_at FROM webhook_deliveries p
      WHERE p.endpoint_id = l.endpoint_id AND p.state = 'pending'
        AND p.next_attempt_at <= ${until}::timestamptz
      ORDER BY p.next_attempt_at, p.id LIMIT ${limit}
    ) d
    WHERE l.workspace_id = ${workspaceId} AND NOT l.livemode
      AND coalesce(l.open_until, '-infinity') <= ${until}::timestamptz
    ORDER BY due_at, d.next_attempt_at, d.id LIMIT ${limit}`.execute(db)
  return rows.map((row) => ({ deliveryId: row.id, at: row.due_at.getTime() }))
}
