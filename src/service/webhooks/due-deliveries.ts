import { sql } from 'kysely'
import { Batcher } from '../database/batcher.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { type Claimed, claimThese, inFlightPerEndpointMax } from './claim-deliveries.ts'
import { attemptRecorder, attempts, type DeliveryServices } from './deliver.ts'
import { type DeliveryStep, nextExpiry } from './expire.ts'

/** Webhook deliveries fall due while a sandbox clock is advanced. */
export type DueDeliveries = {
  /**
   * The workspace's deliveries that fall due or end first, in that order: not after `until`, and
   * without those whose keys are in `skipped`.
   */
  next(
    workspaceId: string,
    until: Instant,
    excluded: readonly string[],
  ): Promise<readonly DeliveryStep[]>
  /** Whether an attempt for this workspace is in progress. */
  isAtWork(workspaceId: string): Promise<boolean>
}

export function dueDeliveries(deps: DeliveryServices): DueDeliveries {
  const { db } = deps
  const attempt = attemptsTogether(deps)
  return {
    async next(workspaceId, until, excluded) {
      const due = await nextDeliveries(deps, workspaceId, rfc3339(until), excluded)
      const [first] = due
      const expiry = await nextExpiry(db, deps.deliveryRules, workspaceId, first?.at ?? until)
      if (expiry !== null && !excluded.includes(expiry.key)) return [expiry]
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
/** Null: another process makes an attempt, or the delivery has ended. */
type Leased = { readonly claimed: Claimed; readonly make: MakeAttempt } | null

/** Makes one attempt as of a moment. Concurrent attempts are leased and recorded together. */
function attemptsTogether(
  deps: DeliveryServices,
): (id: string, at: Instant) => ReturnType<DeliveryStep['perform']> {
  const record = attemptRecorder(deps)
  const leases = new Batcher<string, Leased>({
    batchMax: endpointsAtOnceMax * inFlightPerEndpointMax,
    queueMax: 10_000,
    write: async (ids) => {
      const { lease, deliveries } = await claimThese(deps.db, deps.deliveryRules, ids)
      const make = attempts(deps, record, lease)
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

/** Endpoints that are sent to at the same time. */
const endpointsAtOnceMax = 8

/**
 * An open breaker holds back its endpoint's deliveries until its pause ends, and then lets one
 * through; explicitly requested deliveries do not wait for that.
 */
async function nextDeliveries(
  { db, deliveryRules }: Pick<DeliveryServices, 'db' | 'deliveryRules'>,
  workspaceId: string,
  until: string,
  excluded: readonly string[],
) {
  const { rows } = await sql<DueRow>`
    SELECT d.id, l.endpoint_id, d.shipment_id, d.due_at FROM webhook_lanes l CROSS JOIN LATERAL (
      (SELECT p.id, p.shipment_id, p.next_attempt_at, p.next_attempt_at AS due_at FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz AND p.id <> ALL (${excluded})
       ORDER BY p.next_attempt_at, p.id LIMIT ${inFlightPerEndpointMax})
      UNION ALL
      (SELECT p.id, p.shipment_id, p.next_attempt_at,
         greatest(p.next_attempt_at, coalesce(l.open_until, '-infinity')) AS due_at
       FROM webhook_deliveries p
       WHERE p.endpoint_id = l.endpoint_id AND NOT p.at_once AND p.state = 'pending'
         AND p.next_attempt_at <= ${until}::timestamptz
         AND coalesce(l.open_until, '-infinity') <= ${until}::timestamptz AND p.id <> ALL (${excluded})
       ORDER BY p.next_attempt_at, p.id
       LIMIT CASE WHEN l.failures >= ${deliveryRules.breaker.failures} THEN 1 ELSE ${inFlightPerEndpointMax} END)
    ) d
    WHERE l.workspace_id = ${workspaceId} AND NOT l.livemode
    ORDER BY d.due_at, d.next_attempt_at, d.id LIMIT ${endpointsAtOnceMax * inFlightPerEndpointMax}`.execute(
    db,
  )
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

/**
 * The first delivery of each endpoint and shipment, or without a shipment: an endpoint gets those in
 * the order in which they fall due.
 */
function firstOfEach(rows: readonly DueRow[]): readonly DueRow[] {
  const firsts = new Map<string, DueRow>()
  for (const row of rows) {
    const about = `${row.endpoint_id} ${row.shipment_id}`
    if (!firsts.has(about)) firsts.set(about, row)
  }
  return [...firsts.values()]
}
