import { sql } from 'kysely'
import { Batcher } from '../database/batcher.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import type { Performed } from '../processes/due/claims.ts'
import type { DueDeliveries } from '../processes/process-deps.ts'
import { type Claimed, claimThese, laneMax } from './claim.ts'
import { attempts, type DeliverDeps, Recorder } from './deliver.ts'
import { nextExpiry } from './expire.ts'

/** Deliveries of one sandbox workspace in the order in which they fall due or end on its clock. */
export function dueDeliveries(deps: DeliverDeps): DueDeliveries {
  const { db } = deps
  const attempt = attemptsTogether(deps)
  return {
    async next(workspaceId, until, leftOut) {
      const due = await nextDeliveries(deps, workspaceId, rfc3339(until), leftOut)
      const [first] = due
      const expiry = await nextExpiry(db, deps.rules, workspaceId, first?.at ?? until)
      if (expiry !== null && !leftOut.includes(expiry.key)) return [expiry]
      return due.map(({ id, shipmentId, at }) => {
        return { key: id, what: 'deliver', shipmentId, at, perform: () => attempt(id, at) }
      })
    },
    async isAtWork(workspaceId) {
      const { rows } = await sql`
        SELECT FROM webhook_lanes l JOIN webhook_leases k USING (endpoint_id)
        WHERE l.workspace_id = ${workspaceId} AND k.leased_until > now() LIMIT 1`.execute(db)
      return rows.length > 0
    },
  }
}

type MakeAttempt = (claimed: Claimed, clock: () => Instant) => Promise<void>
/** Null: an attempt is under way elsewhere, or the delivery has ended. */
type Leased = { readonly claimed: Claimed; readonly make: MakeAttempt } | null

/** Makes one attempt, as of a moment; those asked for together are leased and recorded together. */
function attemptsTogether(deps: DeliverDeps): (id: string, at: Instant) => Promise<Performed> {
  const recorder = new Recorder(deps)
  const leases = new Batcher<string, Leased>({
    batchMax: lanesMax * laneMax,
    queueMax: 10_000,
    write: async (ids) => {
      const { lease, deliveries } = await claimThese(deps.db, deps.rules, ids)
      const make = attempts(deps, recorder, lease)
      const leased = new Map(deliveries.map((claimed) => [claimed.id, { claimed, make }]))
      return ids.map((id) => leased.get(id) ?? null)
    },
  })
  return async (id, at) => {
    const leased = await leases.add(id)
    if (leased === null) return 'idle'
    await leased.make(leased.claimed, () => at)
    return 'done'
  }
}

/** Endpoints whose deliveries are made at once. */
const lanesMax = 8

/**
 * An open breaker holds back its endpoint's deliveries until its pause ends, and then lets one
 * through; explicitly requested deliveries do not wait for that.
 */
async function nextDeliveries(
  { db, rules }: Pick<DeliverDeps, 'db' | 'rules'>,
  workspaceId: string,
  until: string,
  leftOut: readonly string[],
) {
  const { rows } = await sql<DueRow>`
    SELECT d.id, l.endpoint_id, d.shipment_id, d.due_at FROM webhook_lanes l CROSS JOIN LATERAL (
      (SELECT p.id, p.shipment_id, p.next_attempt_at, p.next_attempt_at AS due_at FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz AND p.id <> ALL (${leftOut})
       ORDER BY p.next_attempt_at, p.id LIMIT ${laneMax})
      UNION ALL
      (SELECT p.id, p.shipment_id, p.next_attempt_at,
         greatest(p.next_attempt_at, coalesce(l.open_until, '-infinity')) AS due_at
       FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND NOT p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz
         AND coalesce(l.open_until, '-infinity') <= ${until}::timestamptz AND p.id <> ALL (${leftOut})
       ORDER BY p.next_attempt_at, p.id
       LIMIT CASE WHEN l.failures >= ${rules.breaker.failures} THEN 1 ELSE ${laneMax} END)
    ) d
    WHERE l.workspace_id = ${workspaceId} AND NOT l.livemode
    ORDER BY d.due_at, d.next_attempt_at, d.id LIMIT ${lanesMax * laneMax}`.execute(db)
  return firstOfEach(rows).map((row) => ({
    id: row.id,
    shipmentId: row.shipment_id,
    at: row.due_at.getTime(),
  }))
}

type DueRow = {
  readonly id: string
  readonly endpoint_id: string
  readonly shipment_id: string | null
  readonly due_at: Date
}

/** An endpoint gets what is about one shipment, or about none, in the order in which it falls due. */
function firstOfEach(rows: readonly DueRow[]): readonly DueRow[] {
  const firsts = new Map<string, DueRow>()
  for (const row of rows) {
    const about = `${row.endpoint_id} ${row.shipment_id}`
    if (!firsts.has(about)) firsts.set(about, row)
  }
  return [...firsts.values()]
}
