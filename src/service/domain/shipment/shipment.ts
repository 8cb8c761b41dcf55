import { type Instant, LedgerDamaged, type Recorded, unreachable } from '../decider.ts'
import {
  type Cancellation,
  evolveCancellation,
  initialCancellation,
} from '../operation/cancellation.ts'
import type { DeclineReason } from '../operation/cancellation-events.ts'
import { type Creation, evolveCreation, initialCreation } from '../operation/creation.ts'
import { isCarriedOut, isOpen } from '../operation/machine.ts'
import type { Operation } from '../operation/operation.ts'
import {
  isOperationEvent,
  type OperationEvent,
  type OperationState,
} from '../operation/transitions.ts'
import { evolveWork } from '../operation/work.ts'
import { isWorkEvent, type WorkEvent } from '../operation/work-events.ts'
import { withCancellation, withoutOwnScan } from '../tracking/cancellation-scan.ts'
import {
  monitor,
  observe,
  registered,
  shareGuide,
  type Tracking,
  untracked,
} from '../tracking/tracking.ts'
import type { EventData, ShipmentEvent } from './shipment-events.ts'

type Label = {
  readonly ref: string
  readonly a4Ref: string | null
  readonly sizeBytes: number
}

/** One shipment, folded from its stream. Plain JSON. */
export type Shipment = {
  readonly request: EventData<'ShipmentRequested'>
  /** The attempts to get a guide, oldest first. */
  readonly attempts: readonly Creation[]
  /** The attempts to cancel a guide, oldest first. */
  readonly cancellations: readonly Cancellation[]
  /** Cancellation keys that were answered without a call, with their answers. */
  readonly declined: readonly { readonly key: string; readonly because: DeclineReason }[]
  readonly tracking: Tracking
  readonly label: Label | null
  /** The guide that the label and tracking belong to. */
  readonly followedGuide: string | null
  /** Its guide may be older than the recorded request, because the ledger has lost events. */
  readonly mayPredateRequest: boolean
  readonly erasedAt: Instant | null
  /** Comments and notes of decisions survive the erasure of the person, unless it includes them. */
  readonly areNotesErased: boolean
  /** Its own legal hold. A hold on its workspace covers it too, but is not in its stream. */
  readonly legalHold: { readonly since: Instant } | null
  /** How often its tracking link was rolled. Only the link of this number opens the page. */
  readonly linkNumber: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Number of events, from 1. */
  readonly version: number
}

/** Null if there is no such stream. */
export type State = Shipment | null

export const initialState: State = null

export function evolve(state: State, event: Recorded<ShipmentEvent>): State {
  if (event.type === 'ShipmentRequested') {
    if (state !== null) throw damaged(event.type)
    return {
      request: event.data,
      attempts: [],
      cancellations: [],
      declined: [],
      tracking: untracked,
      label: null,
      followedGuide: null,
      mayPredateRequest: event.data.recovered === true,
      erasedAt: null,
      areNotesErased: false,
      legalHold: null,
      linkNumber: 0,
      createdAt: event.recordedAt,
      updatedAt: event.recordedAt,
      version: event.version,
    }
  }
  if (state === null) throw damaged(event.type)
  return evolveExisting({ ...state, updatedAt: event.recordedAt, version: event.version }, event)
}

function evolveExisting(
  state: Shipment,
  event: Recorded<Exclude<ShipmentEvent, { type: 'ShipmentRequested' }>>,
): Shipment {
  if (isOperationEvent(event)) return evolveNamedOperation(state, event)
  if (isWorkEvent(event)) return evolveNamedWork(state, event)
  switch (event.type) {
    case 'GuideRequested':
      return { ...state, attempts: [...state.attempts, initialCreation(event.data, event)] }
    case 'CancellationRequested': {
      const requested = initialCancellation(event.data, event)
      return { ...state, cancellations: [...state.cancellations, requested] }
    }
    case 'CancellationDeclined': {
      const { idempotency_key: key, because } = event.data
      return { ...state, declined: [...state.declined, { key, because }] }
    }
    case 'TrackingObserved':
      return {
        ...state,
        tracking: withoutOwnScan(observe(state.tracking, event.data, event), state, event),
      }
    case 'TrackingMonitoringChanged':
      return { ...state, tracking: monitor(state.tracking, event.data.state, event) }
    case 'GuideShared':
      return { ...state, tracking: shareGuide(state.tracking, event.data.shipment_id) }
    case 'LabelReady': {
      const { label_ref: ref, a4_ref: a4Ref, size_bytes: sizeBytes } = event.data
      return { ...state, label: { ref, a4Ref, sizeBytes } }
    }
    case 'PersonalDataErased':
      return {
        ...state,
        erasedAt: state.erasedAt ?? event.recordedAt,
        areNotesErased: state.areNotesErased || event.data.includes_notes === true,
      }
    case 'LegalHoldPlaced':
      return { ...state, legalHold: { since: event.recordedAt } }
    case 'LegalHoldLifted':
      return { ...state, legalHold: null }
    case 'TrackingLinkRolled':
      return { ...state, linkNumber: event.data.number }
    default:
      return unreachable(event)
  }
}

/** Applies the event to the operation it names, and to what the shipment derives from it. */
function evolveNamedOperation(state: Shipment, event: Recorded<OperationEvent>): Shipment {
  const { operation_id: operationId } = event.data
  const isNamed = (each: { readonly operationId: string }) => each.operationId === operationId
  if (state.attempts.some(isNamed)) {
    const attempts = state.attempts.map((each) =>
      isNamed(each) ? evolveCreation(each, event) : each,
    )
    const mayPredateRequest = state.mayPredateRequest || isFoundFirst(state, event)
    return withFollowedGuide({ ...state, attempts, mayPredateRequest }, event)
  }
  if (!state.cancellations.some(isNamed)) throw damaged(event.type)
  const cancellations = state.cancellations.map((each) =>
    isNamed(each) ? evolveCancellation(each, event) : each,
  )
  const after = { ...state, cancellations }
  if (isCancelled(after) === isCancelled(state)) return after
  const scan = isCancelled(after) ? { operationId, at: event.occurredAt } : null
  return { ...after, tracking: withCancellation(state.tracking, after, scan, event) }
}

/** Whether the courier was asked before the call and already had guides. */
function isFoundFirst(state: Shipment, event: OperationEvent): boolean {
  if (event.type === 'GuideFound') return event.data.evidence === 'recovery'
  if (event.type !== 'OperationReviewRequired' || event.data.because !== 'ambiguous') return false
  return attemptOf(state, event.data.operation_id)?.looks.length === 0
}

/** Applies people's work to the operation it names, and to nothing else. */
function evolveNamedWork(state: Shipment, event: Recorded<WorkEvent>): Shipment {
  const { operation_id: operationId } = event.data
  if (operationOf(state, operationId) === null) throw damaged(event.type)
  const worked = <Each extends Operation>(each: Each): Each => {
    if (each.operationId !== operationId) return each
    const { recordedAt: updatedAt } = event
    return { ...evolveWork(each, event), updatedAt, version: each.version + 1 }
  }
  return {
    ...state,
    attempts: state.attempts.map(worked),
    cancellations: state.cancellations.map(worked),
  }
}

/** Label and scans belong to a guide: another guide starts without them. */
function withFollowedGuide(state: Shipment, event: Recorded<OperationEvent>): Shipment {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber ?? null
  if (guideNumber === null || guideNumber === state.followedGuide) return state
  return { ...state, tracking: registered(event), label: null, followedGuide: guideNumber }
}

function damaged(type: string): LedgerDamaged {
  return new LedgerDamaged(
    `The ledger has ${type} at an impossible place: it is damaged or was written by other code.`,
  )
}

/**
 * The attempt that represents the shipment: an open one, otherwise one with a guide (which may be an
 * earlier, contradicted attempt), otherwise the last. Null between a stream's first two events.
 */
export function findCurrentAttempt({ attempts }: Pick<Shipment, 'attempts'>): Creation | null {
  return attempts.find(isOpen) ?? attempts.findLast(isCarriedOut) ?? attempts.at(-1) ?? null
}

/** The same for a shipment that must have an attempt. */
export function currentAttempt(state: Shipment): Creation {
  const attempt = findCurrentAttempt(state)
  if (attempt === null) throw damaged('ShipmentRequested without GuideRequested')
  return attempt
}

export function attemptOf({ attempts }: Shipment, operationId: string): Creation | null {
  return attempts.find((attempt) => attempt.operationId === operationId) ?? null
}

type Operations = Pick<Shipment, 'attempts' | 'cancellations'>

/** All operations of the shipment, creations before cancellations. */
export function operationsOf({ attempts, cancellations }: Operations): readonly Operation[] {
  return [...attempts, ...cancellations]
}

export function operationOf(state: Operations, operationId: string): Operation | null {
  return operationsOf(state).find((each) => each.operationId === operationId) ?? null
}

/** The operation whose outcome is unknown or under review, a creation before a cancellation. */
export function openOperationOf(state: Operations): Operation | null {
  return operationsOf(state).find(isOpen) ?? null
}

/** Operations that may still have work due. A denied attempt has none once its guide is cancelled. */
export function operationsWithWork(state: Operations): readonly Operation[] {
  const isMoot = (each: Cancellation) =>
    each.state === 'denied' && othersOf(state, each).some(isCarriedOut)
  return [...state.attempts, ...state.cancellations.filter((each) => !isMoot(each))]
}

/** The ordinal of the stream's next operation; creations and cancellations share one sequence. */
export function nextOrdinal({ attempts, cancellations }: Operations): number {
  return attempts.length + cancellations.length + 1
}

/** The other attempts to cancel the same guide. */
export function othersOf(
  { cancellations }: Pick<Shipment, 'cancellations'>,
  { guideNumber, operationId }: Cancellation,
): readonly Cancellation[] {
  return cancellations.filter(
    (each) => each.guideNumber === guideNumber && each.operationId !== operationId,
  )
}

/** The attempts to cancel the shipment's current guide. */
export function cancellationsOfGuide(state: Operations): readonly Cancellation[] {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber
  return state.cancellations.filter((each) => each.guideNumber === guideNumber)
}

/** Whether the shipment's current guide is known to be cancelled. */
export function isCancelled(state: Operations): boolean {
  return cancellationsOfGuide(state).some(isCarriedOut)
}

export const shipmentStatuses = [
  'creating',
  'created',
  'rejected',
  'not_executed',
  'unknown_outcome',
  'not_created',
  'cancelling',
  'cancelled',
] as const
export type ShipmentStatus = (typeof shipmentStatuses)[number]

/** The status of a shipment without cancellations, by the state of its creation. */
export const statusByCreation: Readonly<Record<OperationState, ShipmentStatus>> = {
  calling: 'creating',
  succeeded: 'created',
  refused: 'rejected',
  not_sent: 'not_executed',
  reconciling: 'unknown_outcome',
  needs_review: 'unknown_outcome',
  affirmed: 'created',
  denied: 'not_created',
}

/**
 * The status of a shipment with a guide, by the state of each attempt to cancel it. `cancelled` wins,
 * then `cancelling`.
 */
export const statusByCancellation: Readonly<
  Record<OperationState, 'created' | 'cancelling' | 'cancelled'>
> = {
  calling: 'cancelling',
  succeeded: 'cancelled',
  refused: 'created',
  not_sent: 'created',
  reconciling: 'cancelling',
  needs_review: 'cancelling',
  affirmed: 'cancelled',
  denied: 'created',
}

export function statusOf(state: Shipment): ShipmentStatus {
  const attempt = findCurrentAttempt(state)
  const status = attempt === null ? 'creating' : statusByCreation[attempt.state]
  if (status !== 'created' || state.cancellations.length === 0) return status
  const shown = cancellationsOfGuide(state).map((each) => statusByCancellation[each.state])
  if (shown.includes('cancelled')) return 'cancelled'
  return shown.includes('cancelling') ? 'cancelling' : 'created'
}

/** Whether the shipment has a guide that is not known to be cancelled. Labels need one. */
export function hasActiveGuide(state: Shipment): boolean {
  const status = statusOf(state)
  return status === 'created' || status === 'cancelling'
}

/** Whether tracking is read. A cancelled guide is read too, to see that the parcel does not move. */
export function isTracked(state: Shipment): boolean {
  return hasActiveGuide(state) || statusOf(state) === 'cancelled'
}
