import { type Kysely, sql } from 'kysely'
import type { Tx } from '../../../projections/projection.ts'
import type { ReadModels } from '../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import {
  type AfterAttempt,
  type Answered,
  type DeliveryRules,
  isGone,
  isHopeless,
  type Lane,
  laneAfter,
} from '../domain/webhooks/webhook-delivery.ts'
import { addAttempts } from './attempt-statistics.ts'
import type { EndpointToDisable } from './disable.ts'
import { type LaneRow, laneOf } from './lanes.ts'

/** An attempt as `webhook_deliveries.attempts` keeps it. */
export type StoredAttempt = {
  readonly at: string
  readonly status_code: number | null
  readonly latency_ms: number
  readonly error: string | null
  /** Sealed; null = the receiver sent no body. */
  readonly excerpt: string | null
}

/** A delivery that had its turn: an attempt, or none because the request could not be made. */
export type Attempted = {
  readonly deliveryId: string
  readonly endpointId: string
  /** Where it was sent. If the endpoint has another URL by now, this says nothing about it. */
  readonly url: string
  readonly lease: string
  /**
   * The ladder step when it was leased, and whether it was sent on request. A difference now means
   * that it was requested meanwhile.
   */
  readonly tries: number
  readonly atOnce: boolean
  /** Both are null if nothing was sent, which says nothing about the endpoint. */
  readonly attempt: StoredAttempt | null
  readonly answer: Answered | null
  readonly after: AfterAttempt
  /** When it ended, on the workspace's clock. */
  readonly now: Instant
}

/** What an endpoint answered. */
type EndpointAnswer = Pick<Attempted, 'endpointId' | 'now'> & {
  readonly answer: Answered
  readonly beganAt: Instant
}

type RecordDeps = {
  readonly db: Kysely<ReadModels>
  readonly rules: DeliveryRules
}

/**
 * Records attempts in one transaction: the deliveries and their endpoints' health. Returns the
 * endpoints to disable because of them, by id: the caller does that, because it waits for the event
 * store, and these locks must not. Answers about an erased shipment are not kept. An attempt that lost its lease
 * records only a success, which stays true whatever another worker tries. If the delivery was
 * redelivered meanwhile, an earlier failure is only noted. A failure at an earlier URL of the
 * endpoint does not count against the endpoint: the delivery is due again. Nor does a turn at which
 * nothing was sent: the delivery is due again later, or dead.
 */
export async function recordAttempts(
  { db, rules }: RecordDeps,
  attempted: readonly Attempted[],
): Promise<ReadonlyMap<string, EndpointToDisable>> {
  return await db.transaction().execute(async (tx) => {
    const { lanes, endpoints } = await lockLanes(tx, attempted)
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
    const changed = await updateLanes(tx, rules, lanes, answered)
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
async function lockLanes(tx: Tx, attempted: readonly Attempted[]): Promise<Locked> {
  const ids = [...new Set(attempted.map(({ endpointId }) => endpointId))]
  const { rows } = await sql<LaneRow & { endpoint_id: string }>`
    SELECT endpoint_id, failures, counted_failures, counted_at, trips, open_until, failing_since,
      last_success_at FROM webhook_lanes
    WHERE endpoint_id = ANY (${ids}) ORDER BY endpoint_id FOR UPDATE`.execute(tx)
  // Read under the locks: a change of the URL takes the lock too.
  const endpoints = await sql<Endpoint>`
    SELECT id, url, version FROM webhook_endpoints WHERE id = ANY (${ids})`.execute(tx)
  return {
    lanes: new Map(rows.map((row) => [row.endpoint_id, laneOf(row)])),
    endpoints: new Map(endpoints.rows.map((row) => [row.id, row])),
  }
}

type Endpoint = { readonly id: string; readonly url: string; readonly version: number }

type Locked = {
  readonly lanes: ReadonlyMap<string, Lane>
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
 * Of the shipment of a delivery. Its row in `erasures` comes first and is deleted later; the row in
 * the vault has no key from then on. A subquery for each delivery: a join could read the vault.
 */
const isErased = sql`(
  EXISTS (SELECT FROM erasures e WHERE e.shipment_id = d.shipment_id)
  OR (SELECT v.ref FROM vault v WHERE v.shipment_id = d.shipment_id AND v.wrapped_key IS NULL
      LIMIT 1) IS NOT NULL)`

/** Returns the deliveries that it changed. */
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

async function updateLanes(
  tx: Tx,
  { breaker }: DeliveryRules,
  lanes: ReadonlyMap<string, Lane>,
  attempted: readonly EndpointAnswer[],
): Promise<ReadonlyMap<string, Lane>> {
  const after = new Map(lanes)
  for (const { endpointId, answer, ...times } of attempted) {
    const lane = after.get(endpointId)
    if (lane !== undefined) after.set(endpointId, laneAfter(lane, answer, times, breaker))
  }
  const changed = [...after].filter(([id, lane]) => !isSame(lane, lanes.get(id)))
  if (changed.length === 0) return new Map()
  const rows = changed.map(([id, lane]) => ({
    endpoint_id: id,
    failures: lane.failures,
    counted_failures: lane.countedFailures,
    counted_at: timeOrNull(lane.countedAt),
    trips: lane.trips,
    open_until: timeOrNull(lane.openUntil),
    failing_since: timeOrNull(lane.failingSince),
    last_success_at: timeOrNull(lane.lastSuccessAt),
  }))
  await sql`
    UPDATE webhook_lanes l
    SET failures = t.failures, counted_failures = t.counted_failures, counted_at = t.counted_at,
      trips = t.trips, open_until = t.open_until, failing_since = t.failing_since, last_success_at = t.last_success_at
    FROM json_populate_recordset(NULL::webhook_lanes, ${JSON.stringify(rows)}::json) t
    WHERE l.endpoint_id = t.endpoint_id`.execute(tx)
  return new Map(changed)
}

function isSame(a: Lane, b: Lane | undefined): boolean {
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

/** Each endpoint once; the reason `gone` takes precedence over `failing`. */
function reasonsToDisable(
  lanes: ReadonlyMap<string, Lane>,
  attempted: readonly EndpointAnswer[],
): ReadonlyMap<string, Pick<EndpointToDisable, 'reason' | 'now'>> {
  const found = new Map<string, Pick<EndpointToDisable, 'reason' | 'now'>>()
  for (const { endpointId, answer, now } of attempted) {
    const lane = lanes.get(endpointId)
    if (isGone(answer)) found.set(endpointId, { reason: 'gone', now })
    else if (lane !== undefined && isHopeless(lane, now) && !found.has(endpointId)) {
      found.set(endpointId, { reason: 'failing', now })
    }
  }
  return found
}
