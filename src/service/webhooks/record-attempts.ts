import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import {
  type AfterAttempt,
  type Answered,
  breakerAfter,
  type DeliveryRules,
  type EndpointBreaker,
  isGone,
  isHopeless,
} from '../domain/webhooks/webhook-delivery.ts'
import { addAttempts } from './attempt-statistics.ts'
import { type BreakerRow, breakerOf } from './breaker-rows.ts'
import type { EndpointToDisable } from './disable.ts'

/** An attempt as `webhook_deliveries.attempts` keeps it. */
export type StoredAttempt = {
  readonly at: string
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  /** Sealed; null = the receiver sent no body. */
  readonly excerpt: string | null
}

/** The outcome of a claimed delivery: an attempt, or none because the request could not be made. */
export type Attempted = {
  readonly deliveryId: string
  readonly endpointId: string
  /** The URL it was sent to. If the endpoint's URL has changed since, the outcome says nothing about it. */
  readonly url: string
  readonly lease: string
  /**
   * The step of the retry schedule when it was leased, and whether it was sent on request. If the row
   * differs now, the delivery was requested again meanwhile.
   */
  readonly tries: number
  readonly atOnce: boolean
  /** Both are null if nothing was sent: this says nothing about the endpoint. */
  readonly attempt: StoredAttempt | null
  readonly answer: Answered | null
  readonly after: AfterAttempt
  /** When it ended, on the workspace's clock. */
  readonly now: Instant
}

type EndpointAnswer = Pick<Attempted, 'endpointId' | 'now'> & {
  readonly answer: Answered
  readonly beganAt: Instant
}

type RecordDeps = {
  readonly db: Kysely<Tables>
  readonly deliveryRules: DeliveryRules
}

/**
 * Records attempts in one transaction: the deliveries and their endpoints' health. Returns the
 * endpoints to disable, by id. The caller disables them, because that waits for the event store, and
 * these locks must not be held meanwhile.
 *
 * - Answers about an erased shipment are not stored.
 * - An attempt that lost its lease records only a success, which stays true whatever another worker
 *   tries.
 * - If the delivery was redelivered meanwhile, an earlier failure is only added to its attempts.
 * - A failure at an earlier URL of the endpoint does not count against the endpoint, and the delivery
 *   is due again.
 * - If nothing was sent, that does not count against the endpoint either, and the delivery is due
 *   again later, or dead.
 */
export async function recordAttempts(
  { db, deliveryRules }: RecordDeps,
  attempted: readonly Attempted[],
): Promise<ReadonlyMap<string, EndpointToDisable>> {
  return await db.transaction().execute(async (tx) => {
    const { breakers, endpoints } = await lockBreakers(tx, attempted)
    const isMoved = ({ endpointId, url, answer }: Attempted) =>
      answer !== null && endpoints.get(endpointId)?.url !== url
    const recorded = await updateDeliveries(
      tx,
      attempted.map((each) => (isMoved(each) ? dueAgain(each) : each)),
    )
    await addAttempts(
      tx,
      attempted.flatMap(({ deliveryId, endpointId, attempt, now }) =>
        attempt === null || !recorded.has(deliveryId) ? [] : [{ endpointId, attempt, now }],
      ),
    )
    const answered = attempted.flatMap((each) => {
      const { endpointId, answer, attempt, now } = each
      if (answer === null || isMoved(each)) return []
      return [{ endpointId, answer, now, beganAt: now - (attempt?.latency_ms ?? 0) }]
    })
    const changed = await updateBreakers(tx, deliveryRules, breakers, answered)
    const reasons = reasonsToDisable(changed, answered)
    return new Map(
      [...reasons].flatMap(([id, why]) => {
        const version = endpoints.get(id)?.version
        return version === undefined ? [] : [[id, { endpointId: id, version, ...why }] as const]
      }),
    )
  })
}

/**
 * Locks first and in a fixed order, so that concurrent recorders cannot deadlock. An erasure takes
 * these locks too before it forgets answers: whatever is recorded after it sees the erasure.
 */
async function lockBreakers(tx: Tx, attempted: readonly Attempted[]): Promise<Locked> {
  const ids = [...new Set(attempted.map(({ endpointId }) => endpointId))]
  const { rows } = await sql<BreakerRow & { endpoint_id: string }>`
    SELECT endpoint_id, failures, counted_failures, counted_at, trips, open_until, failing_since,
      last_success_at FROM webhook_lanes
    WHERE endpoint_id = ANY (${ids}) ORDER BY endpoint_id FOR UPDATE`.execute(tx)
  // Read under the locks: a change of the URL takes the lock too.
  const endpoints = await sql<Endpoint>`
    SELECT id, url, version FROM webhook_endpoints WHERE id = ANY (${ids})`.execute(tx)
  return {
    breakers: new Map(rows.map((row) => [row.endpoint_id, breakerOf(row)])),
    endpoints: new Map(endpoints.rows.map((row) => [row.id, row])),
  }
}

type Endpoint = { readonly id: string; readonly url: string; readonly version: number }

type Locked = {
  readonly breakers: ReadonlyMap<string, EndpointBreaker>
  readonly endpoints: ReadonlyMap<string, Endpoint>
}

function dueAgain(attempted: Attempted): Attempted {
  if (attempted.after.state === 'delivered') return attempted
  return { ...attempted, after: { state: 'pending', nextAttemptAt: attempted.now } }
}

/** The delivery was not requested again since the attempt began. */
const isCurrent = sql`d.tries = t.tries AND d.at_once = t.at_once`
/** A success decides, and so does any attempt that no request has overtaken. */
const decides = sql`t.state = 'delivered' OR (d.state = 'pending' AND ${isCurrent})`

/**
 * Whether the shipment of the delivery `d` was erased. A row in `erasures` is written first and
 * deleted later; from then on the row in the vault has no key. A subquery for each delivery, because
 * a join could read the whole vault.
 */
const isErased = sql`(
  EXISTS (SELECT FROM erasures e WHERE e.shipment_id = d.shipment_id)
  OR (SELECT v.ref FROM vault v WHERE v.shipment_id = d.shipment_id AND v.wrapped_key IS NULL
      LIMIT 1) IS NOT NULL)`

/** Returns the ids of the deliveries that it changed. */
async function updateDeliveries(
  tx: Tx,
  attempted: readonly Attempted[],
): Promise<ReadonlySet<string>> {
  const rows = attempted.map(({ deliveryId, lease, tries, atOnce, attempt, after, now }) => ({
    id: deliveryId,
    lease,
    tries,
    at_once: atOnce,
    attempt,
    state: after.state,
    next_attempt_at: after.state === 'pending' ? rfc3339(after.nextAttemptAt) : null,
    dead_reason: after.state === 'dead' ? after.reason : null,
    at: rfc3339(now),
  }))
  const { rows: changed } = await sql<{ id: string }>`
    WITH t AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS t (
        id text, lease uuid, tries int, at_once boolean, attempt jsonb, state text, next_attempt_at timestamptz,
        dead_reason text, at timestamptz)
    ), held AS (
      DELETE FROM webhook_leases k USING t WHERE k.delivery_id = t.id COLLATE "C" AND k.lease = t.lease
      RETURNING k.delivery_id
    )
    UPDATE webhook_deliveries d
    SET attempts = CASE WHEN t.attempt IS NULL THEN d.attempts ELSE d.attempts || jsonb_build_array(
        CASE WHEN ${isErased} THEN t.attempt || '{"excerpt": null}' ELSE t.attempt END) END,
      tries = CASE WHEN ${isCurrent} THEN d.tries + 1 ELSE d.tries END,
      at_once = CASE WHEN ${decides} THEN false ELSE d.at_once END,
      state = CASE WHEN ${decides} THEN t.state ELSE d.state END,
      next_attempt_at = CASE WHEN ${decides} THEN t.next_attempt_at ELSE d.next_attempt_at END,
      dead_reason = CASE WHEN ${decides} THEN t.dead_reason ELSE d.dead_reason END,
      updated_at = greatest(d.updated_at, t.at),
      version = d.version + 1
    FROM t
    WHERE d.id = t.id COLLATE "C"
      AND (d.id IN (SELECT delivery_id FROM held) OR (t.state = 'delivered' AND d.state <> 'delivered'))
    RETURNING d.id`.execute(tx)
  return new Set(changed.map(({ id }) => id))
}

async function updateBreakers(
  tx: Tx,
  { breaker }: DeliveryRules,
  breakers: ReadonlyMap<string, EndpointBreaker>,
  attempted: readonly EndpointAnswer[],
): Promise<ReadonlyMap<string, EndpointBreaker>> {
  const after = new Map(breakers)
  for (const { endpointId, answer, ...times } of attempted) {
    const current = after.get(endpointId)
    if (current !== undefined) after.set(endpointId, breakerAfter(current, answer, times, breaker))
  }
  const changed = [...after].filter(([id, current]) => !isSame(current, breakers.get(id)))
  if (changed.length === 0) return new Map()
  const rows = changed.map(([id, current]) => ({
    endpoint_id: id,
    failures: current.failures,
    counted_failures: current.countedFailures,
    counted_at: timeOrNull(current.countedAt),
    trips: current.trips,
    open_until: timeOrNull(current.openUntil),
    failing_since: timeOrNull(current.failingSince),
    last_success_at: timeOrNull(current.lastSuccessAt),
  }))
  await sql`
    UPDATE webhook_lanes l
    SET failures = t.failures, counted_failures = t.counted_failures, counted_at = t.counted_at,
      trips = t.trips, open_until = t.open_until, failing_since = t.failing_since, last_success_at = t.last_success_at
    FROM json_populate_recordset(NULL::webhook_lanes, ${JSON.stringify(rows)}::json) t
    WHERE l.endpoint_id = t.endpoint_id`.execute(tx)
  return new Map(changed)
}

function isSame(a: EndpointBreaker, b: EndpointBreaker | undefined): boolean {
  return (
    b !== undefined &&
    a.failures === b.failures &&
    a.countedAt === b.countedAt &&
    a.trips === b.trips &&
    a.openUntil === b.openUntil &&
    a.failingSince === b.failingSince &&
    a.lastSuccessAt === b.lastSuccessAt
  )
}

function timeOrNull(at: Instant | null): string | null {
  return at === null ? null : rfc3339(at)
}

/** One reason per endpoint: `gone` takes precedence over `failing`. */
function reasonsToDisable(
  breakers: ReadonlyMap<string, EndpointBreaker>,
  attempted: readonly EndpointAnswer[],
): ReadonlyMap<string, Pick<EndpointToDisable, 'reason' | 'now'>> {
  const found = new Map<string, Pick<EndpointToDisable, 'reason' | 'now'>>()
  for (const { endpointId, answer, now } of attempted) {
    const current = breakers.get(endpointId)
    if (isGone(answer)) found.set(endpointId, { reason: 'gone', now })
    else if (current !== undefined && isHopeless(current, now) && !found.has(endpointId)) {
      found.set(endpointId, { reason: 'failing', now })
    }
  }
  return found
}
