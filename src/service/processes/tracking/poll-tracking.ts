import type { CourierFailure, NativeTrackingEvent, TrackAnswer } from '../../couriers/courier.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import { currentAttempt, isTracked, type Shipment } from '../../domain/shipment/shipment.ts'
import type { MonitoringState, TrackingEventData } from '../../domain/shipment/shipment-events.ts'
import {
  failedPollDelayMs,
  issuedAtOf,
  monitoringAfterFailure,
  monitoringAfterRead,
  parcelSince,
  pollIntervalMs,
  pollJitterShare,
  restsUntil,
} from '../../domain/tracking/polling.ts'
import {
  anomaliesOf,
  hasEnded,
  observe,
  type Tracking,
  unseenEvents,
} from '../../domain/tracking/tracking.ts'
import type { Actor } from '../../event-store/codec.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import type { ItemsOfCommand } from '../../security/vault/vault.ts'
import { type CourierAtHand, courierOf } from '../calls/courier-calls.ts'
import { takeRateLimit } from '../due/take-rate-limit.ts'
import type { ProcessServices } from '../process-services.ts'
import { takeSlot, takeSlotOrRefuse } from './poll-budget.ts'
import { planPoll, postponePoll, readPoll } from './poll-plan.ts'
import { isExpressible, scan } from './scans.ts'
import { noteSharedGuide } from './shared-guides.ts'

const poller: Actor = { type: 'poller', keyId: null }
/** The wait before guides of a parked connection are tried again. */
const deferredMs = 5 * 60_000
/** New scans recorded in one event; the rest follows with the next poll. */
const observedMax = 200

export const refreshTimes = {
  /**
   * At most one request to the courier in this time, however often clients ask; the same as for
   * labels and looks.
   */
  apartMs: 10_000,
} as const

type CourierDeps = Pick<ProcessServices, 'accounts' | 'couriers'>
type PollDeps = CourierDeps &
  Pick<ProcessServices, 'db' | 'log' | 'noteAnomaly' | 'store' | 'vault'>
type PlanDeps = Pick<ProcessServices, 'db' | 'store'>
type ReadDeps = PlanDeps & Pick<ProcessServices, 'log' | 'noteAnomaly' | 'vault'>

type TrackedAnswer = Extract<TrackAnswer, { kind: 'tracked' }>

type Polled = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly state: Shipment
  /** When the guide to follow was issued. */
  readonly issuedAt: Instant
  readonly now: Instant
}

function polledOf(shipmentId: string, snapshot: Snapshot, state: Shipment, now: Instant): Polled {
  return { shipmentId, snapshot, state, issuedAt: issuedAtOf(state), now }
}

/**
 * Reads a guide's tracking once and plans the next read. Appends only new data. Returns whether
 * there was a guide to follow.
 */
export async function pollTracking(
  deps: PollDeps,
  shipmentId: string,
  now: Instant,
): Promise<boolean> {
  const snapshot = await loadShipment(deps.store, shipmentId)
  const { state } = snapshot
  if (state === null) return false
  if (!isTracked(state) || hasEnded(state.tracking)) {
    const nextAt = hasEnded(state.tracking) ? null : restsUntil(state.updatedAt, now)
    await postponePoll(deps.db, shipmentId, nextAt)
    return false
  }
  const polled = polledOf(shipmentId, snapshot, state, now)
  const at = await courierOf(deps, state, now)
  if (at.kind === 'deferred') return await deferPoll(deps, polled)
  const { livemode, courier_connection_id: connectionId } = state.request
  if (livemode && !(await takeSlot(deps.db, connectionId, shipmentId))) return true
  const answer = await ask(deps.accounts, polled, at)
  if (answer.kind === 'unauthorized') return await deferPoll(deps, polled)
  if (answer.kind !== 'tracked') return await recordFailure(deps, polled)
  await recordRead(deps, polled, answer)
  return true
}

/** Parks the connection if its credentials are refused. */
async function ask(
  accounts: ProcessServices['accounts'],
  { shipmentId, state }: Polled,
  at: Extract<CourierAtHand, { kind: 'ready' }>,
): Promise<TrackAnswer> {
  const guideNumber = currentAttempt(state).guide?.guideNumber ?? ''
  const answer = await at.courier.track({ ...at.context, clientReference: shipmentId, guideNumber })
  if (answer.kind === 'unauthorized') await accounts.park(at.account)
  return answer
}

type Refreshed =
  | { readonly kind: 'read'; readonly snapshot: Snapshot }
  | { readonly kind: 'failed'; readonly failure: CourierFailure }

/**
 * Reads a guide's tracking on request, rate-limited. Expired monitoring is resumed. A failed read
 * changes nothing: it neither counts as a failure of the courier nor moves the planned read, so
 * that clients cannot make a courier look unreachable.
 */
export async function refreshTracking(
  deps: PollDeps,
  shipmentId: string,
  snapshot: Snapshot,
  now: Instant,
): Promise<Refreshed> {
  const state = existing(snapshot)
  if (!isTracked(state)) return { kind: 'read', snapshot }
  const seconds = refreshTimes.apartMs / 1_000
  await takeRateLimit(deps.db, {
    work: `refresh-turn:${shipmentId}`,
    apartMs: refreshTimes.apartMs,
    detail: `Tracking of a shipment can be refreshed once every ${seconds} s.`,
  })
  const polled = polledOf(shipmentId, snapshot, state, now)
  const at = await courierOf(deps, state, now)
  if (at.kind === 'deferred') return { kind: 'failed', failure: { kind: 'unauthorized' } }
  if (state.request.livemode) await takeSlotOrRefuse(deps.db, state.request.courier_connection_id)
  const answer = await ask(deps.accounts, polled, at)
  if (answer.kind !== 'tracked') return { kind: 'failed', failure: answer }
  return { kind: 'read', snapshot: await recordRead(deps, polled, answer) }
}

/** The courier was not called: no failure is counted, but an expired shipment is still given up. */
async function deferPoll(deps: PlanDeps, polled: Polled): Promise<boolean> {
  const { shipmentId, state, issuedAt, now } = polled
  const failures = (await readPoll(deps.db, shipmentId))?.failures ?? 0
  const ended = monitoringAfterFailure(state.tracking, issuedAt, now, 0)
  if (ended !== null) await record(deps.store, polled, null, ended)
  const nextAt = ended === null ? now + deferredMs : null
  await planPoll(deps.db, shipmentId, state, { checkedAt: null, nextAt, failures })
  return true
}

async function recordFailure(deps: PlanDeps, polled: Polled): Promise<boolean> {
  const { shipmentId, state, issuedAt, now } = polled
  const failures = ((await readPoll(deps.db, shipmentId))?.failures ?? 0) + 1
  const monitoring = monitoringAfterFailure(state.tracking, issuedAt, now, failures)
  if (monitoring !== null) await record(deps.store, polled, null, monitoring)
  const nextAt = isOver(monitoring) ? null : now + failedPollDelayMs(failures)
  await planPoll(deps.db, shipmentId, state, { checkedAt: now, nextAt, failures })
  return true
}

function isOver(monitoring: MonitoringState | null): boolean {
  return monitoring === 'completed' || monitoring === 'expired'
}

async function recordRead(
  deps: ReadDeps,
  polled: Polled,
  answer: TrackedAnswer,
): Promise<Snapshot> {
  const { shipmentId, state, issuedAt, now } = polled
  const dated = answer.events.filter((event) => isExpressible(event.occurredAt))
  const native = new Map(dated.map((event) => [scan(shipmentId, state, event, now), event]))
  const events = unseenEvents(state.tracking, [...native.keys()]).slice(0, observedMax)
  const evidence = events.map((data) => {
    const { code, text } = native.get(data) as NativeTrackingEvent
    return { id: data.id, code, text }
  })
  // Most reads have no news, and then the vault is not opened.
  const writer = evidence.length === 0 ? null : await deps.vault.writer(state.request.vault_ref)
  const evidenceRef = writer?.write({ native: evidence }) ?? null
  const eta = etaOf(state, answer)
  const known = observed(state.tracking, events, eta, now)
  // A shipment that was given up gets its full time again when it is requested again.
  const after = known.monitoring === 'expired' ? { ...known, resumedAt: now } : known
  const hasNews = events.some((event) => event.earlier_parcel !== true)
  const monitoring = monitoringAfterRead(after, issuedAt, now, hasNews)
  const snapshot = await record(
    deps.store,
    polled,
    { events, eta, evidenceRef, stored: writer ?? {} },
    monitoring,
  )
  const intervalMs = jittered(pollIntervalMs(after, issuedAt, now), state.request.livemode)
  const nextAt = isOver(monitoring) ? null : now + intervalMs
  const planned = existing(snapshot)
  await planPoll(deps.db, shipmentId, planned, { checkedAt: now, nextAt, failures: 0 })
  countAnomalies(deps, state, planned.tracking)
  return await noteSharedGuide(deps, shipmentId, snapshot, now)
}

function countAnomalies(
  { noteAnomaly }: Pick<ReadDeps, 'noteAnomaly'>,
  { request, tracking: before }: Shipment,
  after: Tracking,
): void {
  const { livemode } = request
  const were = anomaliesOf(before)
  const are = anomaliesOf(after)
  for (const code of ['earlier_parcel', 'impossible_move'] as const) {
    if (are[code].length > were[code].length) noteAnomaly(code, livemode)
  }
}

/** An expected arrival from before the guide was issued belongs to an earlier parcel. */
function etaOf(state: Shipment, { eta }: Pick<TrackedAnswer, 'eta'>): Instant | null {
  const isOfParcel = eta !== null && isExpressible(eta) && eta.getTime() >= parcelSince(state)
  return isOfParcel ? eta.getTime() : null
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
  return livemode ? intervalMs * (1 + pollJitterShare * (2 * Math.random() - 1)) : intervalMs
}

async function record(
  store: ProcessServices['store'],
  { shipmentId, snapshot: from, now }: Polled,
  read: {
    readonly events: readonly TrackingEventData[]
    readonly eta: Instant | null
    readonly evidenceRef: string | null
    readonly stored: Partial<ItemsOfCommand>
  } | null,
  monitoring: MonitoringState,
): Promise<Snapshot> {
  const nothing = { events: [], eta: null, evidenceRef: null, stored: {} }
  const { stored, ...seen } = read ?? nothing
  const command = { do: 'observe_tracking', ...seen, monitoring } as const
  const done = await transact(store, shipmentId, command, {
    actor: poller,
    requestId: null,
    now,
    from,
    append: { reserved: true },
    ...stored,
  })
  if (done.kind !== 'done') throw new Error('bug: an observation was refused or came too late')
  return done.snapshot
}
