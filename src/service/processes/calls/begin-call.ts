import { setTimeout as delay } from 'node:timers/promises'
import { courierTimes } from '../../couriers/courier.ts'
import { type Deadline, deadlineIn, hasPassed } from '../../couriers/deadline.ts'
import { rfc3339 } from '../../domain/decider.ts'
import { shipmentStream } from '../../domain/ids.ts'
import type { Command } from '../../domain/shipment/shipment-decisions.ts'
import { Problem } from '../../errors.ts'
import { type Beside, isWithheld, type Withheld } from '../../event-store/beside.ts'
import {
  type AppendOptions,
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
  HistoryDiverged,
  LedgerStopped,
} from '../../event-store/event-store.ts'
import { retryUntilStored } from '../../event-store/retry-until-stored.ts'
import {
  loadShipment,
  type Snapshot,
  type Transacted,
  transactAttempt,
} from '../../event-store/transact.ts'
import { endedInTime } from '../../pause.ts'
import type { Commitments } from '../../security/vault/commitment.ts'
import type { ProcessServices } from '../process-services.ts'
import type { FoundAtCourier } from '../recovery/find-first.ts'
import { ledgerDamaged } from '../recovery/ledger-guard.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import { type Call, type EndedCall, giveUpCall, makeCall } from './make-call.ts'

/** From preparing the intent to giving up its append. */
const appendMs = 30_000

/** When an attempt begins and how long it may take, on each relevant clock. */
type Timing = {
  /** On the workspace's clock, as in the events. */
  readonly now: number
  readonly callDeadline: number
  readonly deadline: Deadline
  readonly append: Required<Pick<AppendOptions, 'notAfter'>>
  /** The same moment as `performance.now()`. */
  readonly appendEndsAtMs: number
  readonly clockOffsetMs: number
}

export function timingAt(clockOffsetMs: number): Timing {
  const now = clockAt(clockOffsetMs)
  return {
    now,
    callDeadline: now + courierTimes.callDeadlineMs,
    deadline: deadlineIn(courierTimes.callDeadlineMs),
    append: { notAfter: new Date(clockAt(0) + appendMs) },
    appendEndsAtMs: performance.now() + appendMs,
    clockOffsetMs,
  }
}

/** A courier call whose intent is about to be recorded. */
export type PlannedCall = Omit<Call, 'deadline' | 'clockOffsetMs' | 'operationId'> & {
  readonly command: Extract<
    Command,
    { do: 'request_shipment' | 'request_guide' | 'request_cancellation' }
  >
  /** The stream as it was read. */
  readonly from: Snapshot
  readonly timing: Timing
  /** What is stored with the intent. */
  readonly beside: Beside
  /** Commitments to what is stored in the vault. */
  readonly commitments?: Commitments
}

export type Begun =
  /** This request's attempt, with its recorded outcome. */
  | ({ readonly kind: 'ended' } & EndedCall)
  /** This request's attempt, without a recorded outcome by its call deadline. */
  | { readonly kind: 'underway'; readonly snapshot: Snapshot }
  /** Another request's attempt was recorded first. */
  | { readonly kind: 'lost'; readonly snapshot: Snapshot }

type IntentDeps = Pick<ProcessServices, 'log' | 'store' | 'inFlightCalls'>
type BeginDeps = IntentDeps & Pick<ProcessServices, 'accounts' | 'guard' | 'vault'>

/** How long a request waits for `not sent` to be recorded before it is answered anyway. */
const giveUpWaitMs = 2_000

/**
 * Appends the intent and, if it wins, makes the one call. Throws only if no call is made: a call
 * whose outcome cannot be recorded stays `underway` until its deadline makes it unknown.
 */
export async function beginCall(deps: BeginDeps, planned: PlannedCall): Promise<Begun | Withheld> {
  const { shipmentId, timing, from, command, commitments, beside } = planned
  const { operationId } = command
  const callFor = { organizationId: planned.account.organizationId, operationId }
  const appending = transactAttempt(deps.store, shipmentId, command, {
    actor: planned.actor,
    requestId: planned.requestId,
    now: timing.now,
    from,
    append: timing.append,
    beside,
    ...(commitments === undefined ? {} : { commitments }),
  })
  const done = await appending.catch((cause: unknown) => {
    // The intent may have been written: this process keeps looking for it and records that nothing
    // was sent.
    if (cause instanceof AppendUnknown)
      deps.inFlightCalls.trackCall(callFor, giveUpIntent(deps, planned))
    throw notRecorded(cause)
  })
  if (isWithheld(done)) return done
  if (done.kind === 'expired') throw notTaken('The attempt could not be recorded in time.')
  if (done.kind === 'refused') throw whyRefused(done)
  if (!done.appended) return { kind: 'lost', snapshot: done.snapshot }
  const call = callOf(planned)
  if (hasPassed(timing.deadline) || deps.guard.damage !== null) {
    const giving = deps.inFlightCalls.trackCall(callFor, giveUpCall(deps, call, done.snapshot))
    const ended = await endedInTime(giving, giveUpWaitMs)
    deps.guard.refuseWhileDamaged()
    if (ended === null) throw notTaken('The attempt was recorded too late to be made.')
    return { kind: 'ended', ...ended }
  }
  const making = makeCall(deps, call, done.snapshot).catch((error: unknown) => {
    deps.log.error({ err: error, shipmentId, operationId }, 'an outcome could not be recorded')
    return null
  })
  const attempt = deps.inFlightCalls.trackCall(callFor, making)
  const ended = await endedInTime(attempt, timing.deadline.endsAtMs - performance.now())
  return ended === null
    ? { kind: 'underway', snapshot: done.snapshot }
    : { kind: 'ended', ...ended }
}

/**
 * Records what the courier already has instead of making the call. Throws if that cannot be
 * recorded.
 */
export async function recordInsteadOfCall(
  { store }: Pick<BeginDeps, 'store'>,
  { shipmentId, actor, requestId, from, timing, command, commitments, beside }: PlannedCall,
  foundFirst: FoundAtCourier,
): Promise<Extract<Transacted, { readonly kind: 'done' }> | Withheld> {
  const { found, stored } = foundFirst
  const done = await transactAttempt(
    store,
    shipmentId,
    { ...command, foundFirst: found } as Command,
    {
      actor,
      requestId,
      now: timing.now,
      from,
      append: timing.append,
      commitments: new Map([...(commitments ?? []), ...stored.commitments]),
      beside: { ...beside, ...stored.beside },
    },
  ).catch((cause: unknown) => {
    throw notRecorded(cause)
  })
  if (isWithheld(done)) return done
  if (done.kind === 'expired') {
    throw new Problem('dependency_unavailable', { retryAfterSeconds: 1 })
  }
  if (done.kind === 'refused') throw whyRefused(done)
  return done
}

/** Why the shipment, as it was read before, did not accept an event that it must accept. */
export function whyRefused({
  reason,
  snapshot,
}: Extract<Transacted, { readonly kind: 'refused' }>): Error {
  // Its stream existed before.
  return snapshot.state === null
    ? ledgerDamaged()
    : new Error(`bug: a shipment refused its attempt: ${reason}`)
}

function callOf(planned: PlannedCall): Call {
  const { command, timing, from: _, commitments: __, beside: ___, ...call } = planned
  const { deadline, clockOffsetMs } = timing
  return { ...call, operationId: command.operationId, deadline, clockOffsetMs }
}

function notTaken(detail: string, cause?: unknown): Problem {
  return new Problem('dependency_unavailable', { detail, retryAfterSeconds: 1, cause })
}

/** The append of the intent failed, so the call is never made. */
function notRecorded(cause: unknown): unknown {
  if (cause instanceof LedgerStopped || cause instanceof HistoryDiverged) return ledgerDamaged()
  if (cause instanceof EventStoreOverloaded)
    return new Problem('overloaded', { retryAfterSeconds: 1, cause })
  if (cause instanceof EventStoreUnavailable)
    return notTaken('The ledger cannot be reached.', cause)
  if (cause instanceof AppendUnknown)
    return notTaken('The ledger did not confirm the attempt; no call is made for it.', cause)
  return cause
}

const intentPollMs = 500

/**
 * Reads the stream until the intent is found, or is still missing after the last moment at which it
 * can be written. An intent that is found was never sent, which is recorded as evidence.
 */
async function giveUpIntent(
  deps: Omit<IntentDeps, 'inFlightCalls'>,
  planned: PlannedCall,
): Promise<void> {
  for (let isLast = false; !isLast; ) {
    await delay(intentPollMs)
    isLast = performance.now() > planned.timing.appendEndsAtMs + intentPollMs
    const found = await retryUntilStored('a search for an intent', deps.log, () =>
      findIntent(deps.store, planned),
    )
    if (found === null) continue
    await giveUpCall(deps, callOf(planned), found)
    return
  }
}

/**
 * The stream, if it contains the intent; request and deadline distinguish it from a concurrent
 * request's.
 */
async function findIntent(
  store: ProcessServices['store'],
  planned: PlannedCall,
): Promise<Snapshot | null> {
  const { shipmentId, requestId, timing, command } = planned
  const events = await store.readStream(shipmentStream(shipmentId))
  const isThere = events.some(
    ({ data, metadata }) =>
      data.operation_id === command.operationId &&
      data.call_deadline === rfc3339(timing.callDeadline) &&
      metadata.request_id === requestId,
  )
  return isThere ? await loadShipment(store, shipmentId) : null
}
