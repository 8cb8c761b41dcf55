import { setTimeout as delay } from 'node:timers/promises'
import { courierTimes } from '../couriers/courier.ts'
import type { Attempt } from '../domain/attempt.ts'
import { rfc3339 } from '../domain/decider.ts'
import { shipmentStream } from '../domain/ids.ts'
import { attemptOf } from '../domain/shipment.ts'
import type { Command } from '../domain/shipment-decisions.ts'
import { Problem } from '../errors.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../event-store/event-store.ts'
import { existing, loadShipment, type Snapshot, transact } from '../event-store/transact.ts'
import { type ItemSealer, type Stored, VaultOverloaded } from '../security/vault.ts'
import { type CommittedAttempt, type EndedAttempt, giveUpAttempt, makeAttempt } from './attempt.ts'
import type { CheckedRequest } from './creation-checks.ts'
import type { CreationRequest, ShipmentRequestBody } from './creation-request.ts'
import type { ProcessDeps } from './deps.ts'
import { persist } from './persist.ts'

/** From the vault row to giving up the append of the intent. Source: architecture. */
export const appendMs = 30_000

/** When an attempt begins, on both clocks. */
export type Timing = {
  readonly now: number
  readonly callDeadline: number
  readonly realDeadline: Date
  readonly appendNotAfter: Date
  readonly clockOffsetMs: number
}

export function timingOf(stored: Stored): Timing {
  const clockOffsetMs = stored.clock?.offsetMs ?? 0
  const now = Date.now() + clockOffsetMs
  return {
    now,
    callDeadline: now + courierTimes.callDeadlineMs,
    realDeadline: new Date(Date.now() + courierTimes.callDeadlineMs),
    appendNotAfter: new Date(stored.storedAt.getTime() + appendMs),
    clockOffsetMs,
  }
}

/** An attempt that is about to be recorded. */
export type Intent = {
  readonly shipmentId: string
  readonly command: Extract<Command, { do: 'request_shipment' | 'request_guide' }>
  /** The stream as it was found. */
  readonly from: Snapshot
  readonly request: CreationRequest
  readonly checked: CheckedRequest
  readonly timing: Timing
  readonly vaultRow: ItemSealer
  readonly body: ShipmentRequestBody
}

export type Begun =
  /** This request's attempt, and how it ended. */
  | ({ readonly kind: 'ended' } & EndedAttempt)
  /** This request's attempt, still without an outcome at its call deadline. */
  | { readonly kind: 'underway'; readonly snapshot: Snapshot }
  /** Another request's attempt was recorded first. */
  | { readonly kind: 'lost'; readonly snapshot: Snapshot }

/** An attempt that is not made any more is answered after this, recorded or not. */
const giveUpWaitMs = 2_000

/** Appends the intent; if that wins, makes the one call. Throws a Problem if it was not taken. */
export async function begin(deps: ProcessDeps, intent: Intent): Promise<Begun> {
  const { shipmentId, request, timing, from } = intent
  const appending = transact(deps.store, shipmentId, intent.command, {
    actor: { type: 'api_key', keyId: request.keyId },
    requestId: request.requestId,
    now: timing.now,
    from,
    append: { notAfter: timing.appendNotAfter },
  })
  const done = await appending.catch((cause: unknown) => {
    throw intentProblem(deps, intent, cause)
  })
  if (done.kind === 'expired') throw notTaken('The attempt could not be recorded in time.')
  if (done.kind === 'refused') throw new Error(`bug: an intent was refused: ${done.reason}`)
  if (!done.appended) return { kind: 'lost', snapshot: done.snapshot }
  const committed = committedAttempt(intent, done.snapshot)
  if (Date.now() >= timing.realDeadline.getTime()) {
    const giving = deps.underway.add(shipmentId, giveUpAttempt(deps, committed))
    const ended = await endedInTime(giving, new Date(Date.now() + giveUpWaitMs))
    if (ended === null) throw notTaken('The attempt was recorded too late to be made.')
    return { kind: 'ended', ...ended }
  }
  const attempt = deps.underway.add(shipmentId, makeAttempt(deps, committed))
  const ended = await endedInTime(attempt, timing.realDeadline)
  return ended === null
    ? { kind: 'underway', snapshot: done.snapshot }
    : { kind: 'ended', ...ended }
}

function committedAttempt(intent: Intent, snapshot: Snapshot): CommittedAttempt {
  return {
    shipmentId: intent.shipmentId,
    snapshot,
    attempt: existing(snapshot).attempts.at(-1) as Attempt,
    courier: intent.checked.courier,
    account: intent.checked.account,
    body: intent.body,
    codes: intent.checked.codes,
    vaultRow: intent.vaultRow,
    actor: { type: 'api_key', keyId: intent.request.keyId },
    requestId: intent.request.requestId,
    realDeadline: intent.timing.realDeadline,
    clockOffsetMs: intent.timing.clockOffsetMs,
  }
}

async function endedInTime<T>(work: Promise<T>, until: Date): Promise<T | null> {
  const timer = new AbortController()
  const late = delay(Math.max(0, until.getTime() - Date.now()), null, { signal: timer.signal })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => undefined)
  }
}

function notTaken(detail: string, cause?: unknown): Problem {
  return new Problem('dependency_unavailable', { detail, retryAfterSeconds: 1, cause })
}

/**
 * The intent was not acknowledged. If it may have been written, this process goes on looking for it
 * and records that nothing was sent; no call is made for it any more.
 */
function intentProblem(deps: ProcessDeps, intent: Intent, cause: unknown): unknown {
  if (cause instanceof EventStoreOverloaded || cause instanceof VaultOverloaded) {
    return new Problem('overloaded', { retryAfterSeconds: 1, cause })
  }
  if (cause instanceof EventStoreUnavailable)
    return notTaken('The ledger cannot be reached.', cause)
  if (!(cause instanceof AppendUnknown)) return cause
  deps.underway.add(intent.shipmentId, settleIntent(deps, intent))
  return notTaken('The ledger did not confirm the attempt; no call is made for it.', cause)
}

const settlePollMs = 500

/**
 * Looks for the intent until it is there, or was not there after the last moment at which it can be
 * written. If it is there it was never sent, and that is evidence.
 */
async function settleIntent(deps: ProcessDeps, intent: Intent): Promise<void> {
  for (let isLast = false; !isLast; ) {
    await delay(settlePollMs)
    isLast = Date.now() > intent.timing.appendNotAfter.getTime() + settlePollMs
    const found = await persist('a look for an intent', deps.log, () => findIntent(deps, intent))
    if (found === null) continue
    await giveUpAttempt(deps, found)
    return
  }
}

/** The stream, if the intent is in it: told by its request and deadline from a racer's. */
async function findIntent(deps: ProcessDeps, intent: Intent): Promise<CommittedAttempt | null> {
  const { shipmentId, request, timing } = intent
  const events = await deps.store.readStream(shipmentStream(shipmentId))
  const own = events.find(
    ({ type, data, metadata }) =>
      type === 'GuideRequested' &&
      data.call_deadline === rfc3339(timing.callDeadline) &&
      metadata.request_id === request.requestId,
  )
  if (own === undefined) return null
  const snapshot = await loadShipment(deps.store, shipmentId)
  const attempt = attemptOf(existing(snapshot), String(own.data.operation_id))
  return attempt === null ? null : { ...committedAttempt(intent, snapshot), attempt }
}
