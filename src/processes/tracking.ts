import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { agencyIdOf } from '../couriers/catalogue.ts'
import type { NativeTrackingEvent, TrackAnswer } from '../couriers/courier.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { base62 } from '../domain/ids.ts'
import {
  failedPollDelayMs,
  monitoringAfterFailure,
  monitoringAfterRead,
  pollIntervalMs,
} from '../domain/polling.ts'
import { currentAttempt, type Shipment, statusOf } from '../domain/shipment.ts'
import type { MonitoringState, TrackingEventData } from '../domain/shipment-events.ts'
import {
  isTrackingCode,
  observe,
  phaseOf,
  type Tracking,
  unseenEvents,
} from '../domain/tracking.ts'
import type { Actor } from '../event-store/codec.ts'
import { loadShipment, type Snapshot, transact } from '../event-store/transact.ts'
import { courierOf } from './courier-calls.ts'
import type { ProcessDeps } from './deps.ts'

const poller: Actor = { type: 'poller', keyId: null }
/** A parked connection's guides are looked at again after this. */
const deferredMs = 5 * 60_000
/** New scans recorded in one event; what is over comes with the next poll. */
const observedMax = 200
/** Spreads live polls, so that a day's guides are not read in one burst. */
const jitterShare = 0.1

type Poll = { last_checked_at: Date | null; next_check_at: Date; failures: number }

type Polled = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly state: Shipment
  /** Since when there is a guide to follow. */
  readonly issuedAt: Instant
  readonly now: Instant
}

/** Reads a guide's tracking once and plans the next read. Appends only what is new. */
export async function pollTracking(
  deps: ProcessDeps,
  shipmentId: string,
  now: Instant,
): Promise<boolean> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const { state } = snapshot
  // Nothing is planned: should there be a guide again, it is read at once.
  if (state === null || statusOf(state) !== 'created') return false
  const { guide, concludedAt } = currentAttempt(state)
  const polled = { shipmentId, snapshot, state, issuedAt: concludedAt ?? state.createdAt, now }
  const at = await courierOf(deps, state, now)
  if (at.kind === 'deferred') return await deferPoll(deps, polled)
  const guideNumber = guide?.guideNumber ?? ''
  const answer = await at.courier.track({ ...at.context, clientReference: shipmentId, guideNumber })
  if (answer.kind === 'unauthorised') {
    await deps.accounts.park(at.account)
    return await deferPoll(deps, polled)
  }
  return answer.kind === 'tracked'
    ? await recordRead(deps, polled, answer)
    : await recordFailure(deps, polled)
}

/** Nobody was asked: no failure is counted, but a parcel that is given up is given up all the same. */
async function deferPoll(deps: ProcessDeps, polled: Polled): Promise<boolean> {
  const { shipmentId, state, issuedAt, now } = polled
  const failures = (await readPoll(deps.db, shipmentId))?.failures ?? 0
  const ended = monitoringAfterFailure(state.tracking, issuedAt, now, 0)
  if (ended !== null) await record(deps, polled, null, ended)
  const nextAt = ended === null ? now + deferredMs : null
  return await plan(deps, shipmentId, { checkedAt: null, nextAt, failures })
}

async function recordFailure(deps: ProcessDeps, polled: Polled): Promise<boolean> {
  const { shipmentId, state, issuedAt, now } = polled
  const failures = ((await readPoll(deps.db, shipmentId))?.failures ?? 0) + 1
  const monitoring = monitoringAfterFailure(state.tracking, issuedAt, now, failures)
  if (monitoring !== null) await record(deps, polled, null, monitoring)
  const nextAt = isOver(monitoring) ? null : now + failedPollDelayMs(failures)
  return await plan(deps, shipmentId, { checkedAt: now, nextAt, failures })
}

function isOver(monitoring: MonitoringState | null): boolean {
  return monitoring === 'completed' || monitoring === 'expired'
}

async function recordRead(
  deps: ProcessDeps,
  polled: Polled,
  answer: Extract<TrackAnswer, { kind: 'tracked' }>,
): Promise<boolean> {
  const { shipmentId, state, issuedAt, now } = polled
  const told = answer.events.filter((event) => isTellable(event.occurredAt))
  const native = new Map(told.map((event) => [scan(shipmentId, state, event, now), event]))
  const events = unseenEvents(state.tracking, [...native.keys()]).slice(0, observedMax)
  const evidence = events.map((data) => {
    const { code, text } = native.get(data) as NativeTrackingEvent
    return { id: data.id, code, text }
  })
  const evidenceRef =
    evidence.length === 0
      ? null
      : await deps.vault.putItem(state.request.vault_ref, { native: evidence })
  const eta = answer.eta !== null && isTellable(answer.eta) ? answer.eta.getTime() : null
  const after = observed(state.tracking, events, eta, now)
  const isConfirmation = phaseOf(state.tracking) === 'final' && events.length === 0
  const monitoring = monitoringAfterRead(after, issuedAt, now, isConfirmation)
  await record(deps, polled, { events, eta, evidenceRef }, monitoring)
  const intervalMs = jittered(pollIntervalMs(after, issuedAt, now), state.request.livemode)
  const nextAt = isOver(monitoring) ? null : now + intervalMs
  return await plan(deps, shipmentId, { checkedAt: now, nextAt, failures: 0 })
}

/** Times that RFC 3339 can tell; a scan of the year 10000 is no scan. */
const tellableFrom = 0
const tellableUntil = Date.parse('9999-12-31T00:00:00Z')

function isTellable(at: Date): boolean {
  return at.getTime() >= tellableFrom && at.getTime() < tellableUntil
}

function observed(
  tracking: Tracking,
  events: readonly TrackingEventData[],
  eta: Instant | null,
  now: Instant,
): Tracking {
  if (events.length === 0 && (eta === null || eta === tracking.eta)) return tracking
  const data = { events: [...events], eta: eta === null ? null : rfc3339(eta), evidence_ref: null }
  return observe(tracking, data, { version: 0, occurredAt: now, recordedAt: now })
}

function jittered(intervalMs: number, livemode: boolean): number {
  return livemode ? intervalMs * (1 + jitterShare * (2 * Math.random() - 1)) : intervalMs
}

/** The courier's event in our words; the id is the same whenever the same event is read again. */
function scan(
  shipmentId: string,
  state: Shipment,
  event: NativeTrackingEvent,
  now: Instant,
): TrackingEventData {
  const mapped = isTrackingCode(event.code)
  const native =
    event.id ?? `${event.code}|${event.occurredAt.toISOString()}|${event.agencyCode ?? ''}`
  const digest = createHash('sha256').update(`${shipmentId}|${native}`).digest()
  const provider = state.request.livemode ? state.request.provider_code : 'mock'
  return {
    id: `tev_${base62(digest, 22)}`,
    code: mapped ? event.code : 'unmapped',
    mapped,
    occurred_at: event.occurredAt.toISOString(),
    received_at: rfc3339(now),
    agency_id: event.agencyCode === null ? null : agencyIdOf(provider, event.agencyCode),
    action_required: event.actionRequired,
  }
}

async function record(
  deps: ProcessDeps,
  { shipmentId, snapshot: from, now }: Polled,
  read: {
    readonly events: readonly TrackingEventData[]
    readonly eta: Instant | null
    readonly evidenceRef: string | null
  } | null,
  monitoring: MonitoringState,
): Promise<void> {
  const nothing = { events: [], eta: null, evidenceRef: null }
  const command = { do: 'observe_tracking', ...(read ?? nothing), monitoring } as const
  await transact(deps.store, shipmentId, command, {
    actor: poller,
    requestId: null,
    now,
    from,
    append: { reserved: true },
  })
}

export async function readPoll(
  db: Kysely<ReadModels>,
  shipmentId: string,
): Promise<{
  readonly lastCheckedAt: Instant | null
  readonly nextCheckAt: Instant
  readonly failures: number
} | null> {
  const { rows } = await sql<Poll>`
    SELECT last_checked_at, next_check_at, failures FROM polls
    WHERE shipment_id = ${shipmentId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    lastCheckedAt: row.last_checked_at?.getTime() ?? null,
    nextCheckAt: row.next_check_at.getTime(),
    failures: row.failures,
  }
}

/** A read that is not to be repeated is planned for the end of time, so that its row still says when. */
const neverAgain = '9999-12-31T00:00:00Z'

async function plan(
  deps: ProcessDeps,
  shipmentId: string,
  poll: {
    /** Null: the courier was not asked, the last time stands. */
    readonly checkedAt: Instant | null
    readonly nextAt: Instant | null
    readonly failures: number
  },
): Promise<boolean> {
  const { checkedAt, nextAt, failures } = poll
  await sql`
    INSERT INTO polls AS p (shipment_id, last_checked_at, next_check_at, failures)
    VALUES (${shipmentId}, ${checkedAt === null ? null : rfc3339(checkedAt)}::timestamptz,
      ${nextAt === null ? neverAgain : rfc3339(nextAt)}, ${failures})
    ON CONFLICT (shipment_id) DO UPDATE SET
      last_checked_at = coalesce(excluded.last_checked_at, p.last_checked_at),
      next_check_at = excluded.next_check_at, failures = excluded.failures`.execute(deps.db)
  return true
}
