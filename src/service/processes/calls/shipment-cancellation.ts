import { operationIdOf } from '../../domain/ids.ts'
import type { Cancellation } from '../../domain/operation/cancellation.ts'
import type { DeclineReason } from '../../domain/operation/cancellation-events.ts'
import {
  type CancellationSituation,
  cancellationSituation,
} from '../../domain/shipment/cancellation-request.ts'
import {
  currentAttempt,
  nextOrdinal,
  operationOf,
  type Shipment,
} from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { isWithheld, type Withheld } from '../../event-store/beside.ts'
import type { Actor } from '../../event-store/codec.ts'
import { retryUntilStored } from '../../event-store/retry-until-stored.ts'
import { existing, loadShipment, type Snapshot, transact } from '../../event-store/transact.ts'
import { endedInTime } from '../../pause.ts'
import {
  connectionOf,
  type UsableConnection,
  usableConnection,
} from '../connections/courier-accounts.ts'
import { noteOwners } from '../lost-owners.ts'
import type { ProcessServices } from '../process-services.ts'
import { withoutPlace } from '../quota/quota-place.ts'
import { type FoundAtCourier, findCancelledFirst } from '../recovery/find-first.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import { atWorkspaceClock } from './attempt-clock.ts'
import { awaitCall, duplicatesWaitMs } from './await-call.ts'
import {
  type Begun,
  beginCall,
  type PlannedCall,
  recordInsteadOfCall,
  timingAt,
  whyRefused,
} from './begin-call.ts'
import { callContext } from './courier-calls.ts'
import type { RecordedAgain } from './make-call.ts'
import { beforeExecution } from './not-executed.ts'

type CancelDeps = BeginDeps & Pick<ProcessServices, 'watch'>
type BeginDeps = UsableDeps &
  Pick<ProcessServices, 'clocks' | 'db' | 'guard' | 'log' | 'store' | 'inFlightCalls' | 'vault'>
type UsableDeps = Pick<ProcessServices, 'accounts' | 'couriers'>

/** A client's request to cancel, with the shipment as it was read. */
type CancellationRequest = {
  readonly shipmentId: string
  readonly found: Snapshot
  readonly idempotencyKey: string
  readonly actor: Actor
  readonly requestId: string
}

export type CancellationAnswer = {
  readonly shipmentId: string
  readonly snapshot: Snapshot
  readonly situation: CancellationSituation
  /**
   * `created`: this request called the courier. `awaited`: another request did. `replayed`: it had
   * already ended.
   */
  readonly origin: 'created' | 'awaited' | 'replayed'
  /** This key already had its final answer, or the answer is about its own attempt. */
  readonly isReplay: boolean
}

/**
 * How many lost races and attempts of other requests one request waits for; each attempt ends by
 * its deadline.
 */
const waitsMax = 10
/**
 * The longest wait for the courier's description. Without them, the call itself shows whether the
 * courier can cancel.
 */
const describedWaitMs = 2_000

/**
 * Cancels a shipment's guide with the same guarantee as its creation: the request whose append wins
 * calls the courier, and all other requests, whatever their key, wait for its outcome. Throws a
 * Problem when nothing was executed.
 */
export async function cancelShipment(
  deps: CancelDeps,
  request: CancellationRequest,
): Promise<CancellationAnswer> {
  try {
    const answer = await cancel(deps, request)
    return { ...answer, isReplay: isReplay(answer, request.idempotencyKey) }
  } catch (error) {
    // Nothing throws after the committed intent: an error comes from before it, or from waiting.
    throw beforeExecution(error)
  }
}

type Answered = Omit<CancellationAnswer, 'isReplay'>

/**
 * Whether the key gets its earlier answer again: not if that may still change, or belongs to
 * another key.
 */
function isReplay({ snapshot, situation, origin }: Answered, key: string): boolean {
  switch (situation.kind) {
    case 'creation':
    case 'underway':
    case 'may_begin':
      return false
    case 'ended':
      return origin !== 'created' && situation.cancellation.state !== 'not_sent'
    case 'already_declined':
    case 'must_decline':
      return origin !== 'created'
    case 'cancelled':
    case 'open': {
      const { cancellations } = existing(snapshot)
      const hasTried = cancellations.some((each) => each.key === key && each.state !== 'not_sent')
      return origin !== 'created' && hasTried
    }
  }
}

async function cancel(deps: CancelDeps, request: CancellationRequest): Promise<Answered> {
  const { shipmentId, idempotencyKey } = request
  const until = performance.now() + duplicatesWaitMs
  let snapshot = request.found
  /** The other request's attempt that this one waited for last. */
  let awaitedId: string | null = null
  for (let waits = 0; waits < waitsMax; waits++) {
    const situation = cancellationSituation(existing(snapshot), idempotencyKey)
    const origin = awaitedId === null ? 'replayed' : 'awaited'
    if (situation.kind === 'underway') {
      const { operationId } = situation.cancellation
      const operationIn = (state: Shipment) => operationOf(state, operationId)
      snapshot = await awaitCall(deps, { shipmentId, operationIn }, snapshot, until)
      awaitedId = operationId
      if (operationIn(existing(snapshot))?.state === 'calling')
        return { shipmentId, snapshot, situation, origin: 'awaited' }
      continue
    }
    if (situation.kind !== 'may_begin' && situation.kind !== 'must_decline') {
      return { shipmentId, snapshot, situation, origin }
    }
    const ended = failedAttempt(existing(snapshot), awaitedId)
    if (ended?.state === 'not_sent') {
      return { shipmentId, snapshot, situation: { kind: 'ended', cancellation: ended }, origin }
    }
    const because =
      ended === null ? await declineReasonFor(deps, snapshot, situation) : 'courier_refused'
    if (because !== null) {
      const declined = await recordDecline(deps, request, snapshot, because)
      if (declined.situation.kind === 'already_declined') return declined
      snapshot = declined.snapshot
      continue
    }
    const begun = await begin(deps, request, snapshot)
    if (begun.kind !== 'lost') return answerOwnAttempt(request, begun)
    awaitedId = begun.operationId
    snapshot = begun.snapshot
  }
  throw new Problem('overloaded', { retryAfterSeconds: 1 })
}

/** The attempt, if the courier refused it or it was not sent. */
function failedAttempt(state: Shipment, operationId: string | null): Cancellation | null {
  const found = state.cancellations.find((each) => each.operationId === operationId)
  return found?.state === 'not_sent' || found?.state === 'refused' ? found : null
}

/** Why the courier must not be called; null if it may be. */
async function declineReasonFor(
  deps: UsableDeps,
  snapshot: Snapshot,
  situation: Extract<CancellationSituation, { kind: 'may_begin' | 'must_decline' }>,
): Promise<DeclineReason | null> {
  if (situation.kind === 'must_decline') return situation.because
  const { courier } = await connectionFor(deps, existing(snapshot))
  const asked = courier.describe().catch(() => null)
  const described = await endedInTime(asked, describedWaitMs)
  return described?.capabilities.cancel === false ? 'courier_cannot_cancel' : null
}

/** The shipment's connection, if it may be used for new calls. */
async function connectionFor(deps: UsableDeps, state: Shipment): Promise<UsableConnection> {
  const { request } = state
  const account = await deps.accounts.load(connectionOf(state))
  if (account === null) {
    throw new Problem('connection_disabled', { detail: 'The connection was deleted.' })
  }
  const mode = { livemode: request.livemode, providerCode: request.provider_code }
  return usableConnection(deps.couriers, account, mode)
}

/** Records the refusal for this key; the situation may have changed meanwhile. */
async function recordDecline(
  { db, store }: Pick<ProcessServices, 'db' | 'store'>,
  request: CancellationRequest,
  from: Snapshot,
  because: DeclineReason,
): Promise<Answered> {
  const { shipmentId, idempotencyKey: key } = request
  const { workspace_id: workspaceId, livemode } = existing(from).request
  const { now } = await readClock(db, { workspaceId, livemode })
  const command = { do: 'decline_cancellation', key, because } as const
  const { actor, requestId } = request
  const options = { actor, requestId, now, from }
  const done = await transact(store, shipmentId, command, options)
  if (done.kind === 'refused') throw whyRefused(done)
  if (done.kind === 'expired') throw new Error('bug: an answer without a call has no deadline')
  const { snapshot } = done
  const after = cancellationSituation(existing(snapshot), key)
  // Once the shipment holds its maximum of answered keys, the answer is decided anew each time.
  const isUnkept = after.kind === 'must_decline' || after.kind === 'may_begin'
  const situation: CancellationSituation = isUnkept ? { kind: 'already_declined', because } : after
  return { shipmentId, snapshot, situation, origin: 'created' }
}

async function begin(
  deps: BeginDeps,
  request: CancellationRequest,
  from: Snapshot,
): Promise<Begun & { readonly operationId: string }> {
  const { shipmentId, requestId, actor } = request
  const state = existing(from)
  deps.guard.refuseWhileDamaged()
  const { account, courier } = await connectionFor(deps, state)
  deps.inFlightCalls.refuseIfFullFor(account.organizationId)
  const { workspace_id: workspaceId, livemode } = state.request
  const operationId = operationIdOf(shipmentId, nextOrdinal(state))
  const begun = await atWorkspaceClock(deps, { workspaceId, livemode }, async (clockOffsetMs) => {
    const { now } = timingAt(clockOffsetMs)
    const vaultRow = state.request.vault_ref
    const context = callContext(state, account, now, requestId)
    const guideNumber = currentAttempt(state).guide?.guideNumber ?? ''
    const foundFirst = await findCancelledFirst(
      deps,
      { shipmentId, courier, account, context, now, vaultRow },
      guideNumber,
    )
    const timing = timingAt(clockOffsetMs)
    const command = {
      do: 'request_cancellation',
      now: timing.now,
      callDeadline: timing.callDeadline,
      operationId,
      credentialsVersion: account.credentialsVersion,
      key: request.idempotencyKey,
    } as const
    const clock = livemode ? null : { offsetMs: clockOffsetMs, operationId }
    const { organizationId } = account
    const planned: PlannedCall = {
      shipmentId,
      from,
      actor,
      requestId,
      timing,
      courier,
      account,
      vaultRow,
      command,
      beside: { attempt: { organizationId, workspaceId, shipmentId, reservation: null, clock } },
      recordAgain: (lost) => recordCancellationAgain(deps, request, { lost, command }),
      ask: (committed, context) => {
        const { guideNumber } = operationOf(committed, operationId) as Cancellation
        return courier.cancelGuide({ ...context, guideNumber })
      },
    }
    return await beginOrRecord(deps, planned, foundFirst)
  })
  if (isWithheld(begun)) throw withoutPlace(begun)
  return { ...begun, operationId }
}

async function beginOrRecord(
  deps: BeginDeps,
  planned: PlannedCall,
  foundFirst: FoundAtCourier | null,
): Promise<Begun | Withheld> {
  if (foundFirst === null) return await beginCall(deps, planned)
  const done = await recordInsteadOfCall(deps, planned, foundFirst)
  if (isWithheld(done)) return done
  const { snapshot, appended } = done
  return appended ? { kind: 'ended', snapshot, items: new Map() } : { kind: 'lost', snapshot }
}

type LostCancellation = {
  /** The state before the loss. */
  readonly lost: Shipment
  readonly command: Extract<PlannedCall['command'], { do: 'request_cancellation' }>
}

/**
 * Records the attempt again after the ledger has lost it. If it has lost the whole shipment, its
 * guide is recorded first; the recipient stays lost.
 */
async function recordCancellationAgain(
  deps: Pick<ProcessServices, 'db' | 'log' | 'store'>,
  { shipmentId, actor, requestId }: CancellationRequest,
  { lost, command }: LostCancellation,
): Promise<RecordedAgain> {
  const { commitments: _, ...request } = lost.request
  const { guide, requestedAt, callDeadline, credentialsVersion } = currentAttempt(lost)
  const options = { actor, requestId, now: command.now, append: { reserved: true } }
  const recorded = async () => {
    const { state } = await loadShipment(deps.store, shipmentId)
    if (state === null) {
      await noteOwners(deps.db, [{ shipmentId, ...request }])
      await transact(
        deps.store,
        shipmentId,
        {
          do: 'request_shipment',
          now: requestedAt,
          callDeadline,
          credentialsVersion,
          operationId: operationIdOf(shipmentId, 1),
          recovered: true,
          request: { ...request, recovered: true },
          foundFirst: { guides: guide === null ? [] : [{ ...guide, pickupCodeRef: null }] },
        },
        options,
      )
    }
    const from = await loadShipment(deps.store, shipmentId)
    const operationId = operationIdOf(shipmentId, nextOrdinal(existing(from)))
    const again = { ...command, operationId, recovered: true } as const
    return await transact(deps.store, shipmentId, again, { ...options, from })
  }
  const again = await retryUntilStored('a lost cancellation', deps.log, recorded)
  if (again.kind !== 'done') throw new Error(`bug: a lost cancellation was ${again.kind}`)
  const { snapshot } = again
  const own = existing(snapshot).cancellations.at(-1)
  return {
    snapshot,
    operationId: own?.operationId ?? command.operationId,
    vaultRow: request.vault_ref,
  }
}

/** The outcome of this request's own attempt. */
function answerOwnAttempt(
  { shipmentId }: CancellationRequest,
  { snapshot, operationId }: { readonly snapshot: Snapshot; readonly operationId: string },
): Answered {
  const cancellation = operationOf(existing(snapshot), operationId) as Cancellation
  return { shipmentId, snapshot, situation: situationAfter(cancellation), origin: 'created' }
}

function situationAfter(cancellation: Cancellation): CancellationSituation {
  switch (cancellation.state) {
    case 'calling':
      return { kind: 'underway', cancellation }
    case 'reconciling':
    case 'needs_review':
      return { kind: 'open', cancellation }
    case 'succeeded':
    case 'affirmed':
      return { kind: 'cancelled' }
    case 'refused':
    case 'not_sent':
    case 'denied':
      return { kind: 'ended', cancellation }
  }
}
