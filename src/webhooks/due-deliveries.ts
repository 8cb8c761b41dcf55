import { sql } from 'kysely'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import type { DueDeliveries } from '../processes/process-deps.ts'
import { claimThese, laneMax } from './claim.ts'
import { attempts, type DeliverDeps, Recorder } from './deliver.ts'
import { nextExpiry } from './expire.ts'

/** Deliveries of one sandbox workspace in the order in which they fall due or end on its clock. */
export function dueDeliveries(deps: DeliverDeps): DueDeliveries {
  const { db } = deps
  return {
    async next(workspaceId, until) {
      const due = await nextDeliveries(deps, workspaceId, rfc3339(until))
      const [first] = due
      const expiry = await nextExpiry(db, deps.rules, workspaceId, first?.at ?? until)
      if (first === undefined || expiry !== null) return expiry
      const ids = due.filter((each) => each.at === first.at).map(({ id }) => id)
      return { key: first.id, at: first.at, perform: () => attemptAll(deps, ids, first.at) }
    },
    async isAtWork(workspaceId) {
      const { rows } = await sql`
        SELECT FROM webhook_lanes l JOIN webhook_leases k USING (endpoint_id)
        WHERE l.workspace_id = ${workspaceId} AND k.leased_until > now() LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}

async function attemptAll(deps: DeliverDeps, ids: readonly string[], at: Instant): Promise<void> {
  const { lease, deliveries } = await claimThese(deps.db, deps.rules, ids)
  const attempt = attempts(deps, new Recorder(deps), lease)
  await Promise.all(deliveries.map((claimed) => attempt(claimed, () => at)))
}

/** Endpoints whose deliveries one step makes. */
const lanesMax = 8

/**
 * An open breaker holds back its endpoint's deliveries until its pause ends, and then lets one
 * through; explicitly requested deliveries do not wait for that.
 */
async function nextDeliveries(
  { db, rules }: Pick<DeliverDeps, 'db' | 'rules'>,
  workspaceId: string,
  until: string,
) {
  const { rows } = await sql<{ id: string; due_at: Date }>`
    SELECT d.id, d.due_at FROM webhook_lanes l CROSS JOIN LATERAL (
      (SELECT p.id, p.next_attempt_at, p.next_attempt_at AS due_at FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz
       ORDER BY p.next_attempt_at, p.id LIMIT ${laneMax})
      UNION ALL
      (SELECT p.id, p.next_attempt_at,
         greatest(p.next_attempt_at, coalesce(l.open_until, '-infinity')) AS due_at
       FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND NOT p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz
         AND coalesce(l.open_until, '-infinity') <= ${until}::timestamptz
       ORDER BY p.next_attempt_at, p.id
       LIMIT CASE WHEN l.failures >= ${rules.breaker.failures} THEN 1 ELSE ${laneMax} END)
    ) d
    WHERE l.workspace_id = ${workspaceId} AND NOT l.livemode
    ORDER BY d.due_at, d.next_attempt_at, d.id LIMIT ${lanesMax * laneMax}`.execute(db)
  return rows.map((row) => ({ id: row.id, at: row.due_at.getTime() }))
}
