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

/** One shipment: everything its stream says, folded. Plain JSON. */
export type Shipment = {
  readonly request: EventData<'ShipmentRequested'>
  /** The tries to get a guide, oldest first. */
  readonly attempts: readonly Creation[]
  /** The tries to cancel a guide, oldest first. */
  readonly cancellations: readonly Cancellation[]
  /** Keys of cancellations that were answered without a call, with their answers. */
  readonly declined: readonly { readonly key: string; readonly because: DeclineReason }[]
  readonly tracking: Tracking
  readonly label: Label | null
  /** The guide that the label and tracking belong to. */
  readonly followedGuide: string | null
  /** A guide of it may be older than the request on record: the ledger has lost events. */
  readonly mayPredateRequest: boolean
  readonly erasedAt: Instant | null
  /** Notes of decisions and comments are kept when the person is erased, unless that asked for them too. */
  readonly areNotesErased: boolean
  /** Its own legal hold; a hold on its workspace covers it too, and is not in its stream. */
  readonly legalHold: { readonly since: Instant } | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Number of events, from 1. */
  readonly version: number
}

/** Null: no such stream. */
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
    default:
      return unreachable(event)
  }
}

/** The event changes the operation that it names, and what the shipment shows because of it. */
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

/** The courier was asked before anything was created, and has guides. */
function isFoundFirst(state: Shipment, event: OperationEvent): boolean {
  if (event.type === 'GuideFound') return event.data.evidence === 'recovery'
  if (event.type !== 'OperationReviewRequired' || event.data.because !== 'ambiguous') return false
  return attemptOf(state, event.data.operation_id)?.looks.length === 0
}

/** People's work changes the operation that it names, and nothing else. */
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
    `The ledger holds ${type} where it cannot be: it is damaged or was written by other code.`,
  )
}

/**
 * The attempt that stands for the shipment: an open one, else one with a guide (an earlier,
 * contradicted attempt may have it), else the last. Null between a stream's first two events.
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

/** Every request made to the courier once: the creations before the cancellations. */
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

/** Operations that may still have work due: a denied try has none once its guide is cancelled. */
export function operationsWithWork(state: Operations): readonly Operation[] {
  const isMoot = (each: Cancellation) =>
    each.state === 'denied' && othersOf(state, each).some(isCarriedOut)
  return [...state.attempts, ...state.cancellations.filter((each) => !isMoot(each))]
}

/** The ordinal of the stream's next operation; creations and cancellations share them. */
export function nextOrdinal({ attempts, cancellations }: Operations): number {
  return attempts.length + cancellations.length + 1
}

/** The other tries to cancel the guide of this one. */
export function othersOf(
  { cancellations }: Pick<Shipment, 'cancellations'>,
  { guideNumber, operationId }: Cancellation,
): readonly Cancellation[] {
  return cancellations.filter(
    (each) => each.guideNumber === guideNumber && each.operationId !== operationId,
  )
}

/** The tries to cancel the guide that the shipment has now. */
export function cancellationsOfGuide(state: Operations): readonly Cancellation[] {
  const guideNumber = findCurrentAttempt(state)?.guide?.guideNumber
  return state.cancellations.filter((each) => each.guideNumber === guideNumber)
}

/** Whether the guide that the shipment has is known to be cancelled. */
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

/** The status of a shipment without cancellations, by its creation. */
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
 * The status of a shipment with a guide, by the status of each try to cancel it; a cancelled one
 * wins.
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

/** The shipment has a guide that is not known to be cancelled. Labels need one. */
export function hasStandingGuide(state: Shipment): boolean {
  const status = statusOf(state)
  return status === 'created' || status === 'cancelling'
}

/** Whether tracking is read: also for a cancelled guide, to see that it does not move. */
export function isTracked(state: Shipment): boolean {
  return hasStandingGuide(state) || statusOf(state) === 'cancelled'
}
