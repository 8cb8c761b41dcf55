import { type Instant, LedgerDamaged, type Recorded, unreachable } from '../decider.ts'
import { type Attempt, begin, evolveAttempt } from '../operation/attempt.ts'
import type { AttemptEvent, AttemptStatus } from '../operation/attempt-transitions.ts'
import { beginCancellation, evolveCancellation } from '../operation/cancellation.ts'
import type { DeclineReason } from '../operation/cancellation-events.ts'
import type {
  CancellationEvent,
  CancellationStatus,
} from '../operation/cancellation-transitions.ts'
import { withCancellation, withoutOwnScan } from '../tracking/cancellation-scan.ts'
import { monitor, observe, registered, type Tracking, untracked } from '../tracking/tracking.ts'
import type { EventData, ShipmentEvent } from './shipment-events.ts'
import {
  type Asked,
  cancellationsOfGuide,
  isCancelled,
  latestAttempt,
} from './shipment-operations.ts'

export {
  attemptOf,
  latestAttempt,
  openOperationOf,
} from './shipment-operations.ts'

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

export const shipmentStatusOf: Readonly<Record<AttemptStatus, ShipmentStatus>> = {
  calling: 'creating',
  issued: 'created',
  rejected: 'rejected',
  not_sent: 'not_executed',
  reconciling: 'unknown_outcome',
  needs_review: 'unknown_outcome',
  guide_exists: 'created',
  nothing_created: 'not_created',
}

/**
 * The status of a shipment with a guide, by the status of each try to cancel it; a cancelled one
 * wins.
 */
export const cancellationShows: Readonly<
  Record<CancellationStatus, 'created' | 'cancelling' | 'cancelled'>
> = {
  calling: 'cancelling',
  confirmed: 'cancelled',
  refused: 'created',
  not_sent: 'created',
  reconciling: 'cancelling',
  needs_review: 'cancelling',
  cancelled: 'cancelled',
  not_cancelled: 'created',
}

export type Label = {
  readonly ref: string
  readonly a4Ref: string | null
  readonly sizeBytes: number
}

/** One shipment: everything its stream says, folded. Plain JSON. */
export type Shipment = Asked & {
  readonly request: EventData<'ShipmentRequested'>
  /** Keys of cancellations that were answered without a call, with their answers. */
  readonly declined: readonly { readonly key: string; readonly because: DeclineReason }[]
  readonly tracking: Tracking
  readonly label: Label | null
  /** The guide that the label and tracking belong to. */
  readonly followedGuide: string | null
  readonly erasedAt: Instant | null
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
      erasedAt: null,
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
  switch (event.type) {
    case 'GuideRequested':
      return { ...state, attempts: [...state.attempts, begin(event.data, event)] }
    case 'GuideIssued':
    case 'GuideRejected':
    case 'GuideNotSent':
    case 'GuideOutcomeUnknown':
    case 'GuideLookedUp':
    case 'GuideFound':
    case 'GuideNotCreated':
      return evolveAttempts(state, event)
    case 'OperationReviewRequired':
    case 'OperationEscalated':
    case 'OperationResolved':
    case 'OperationContradicted':
    case 'LateAnswerRecorded':
      return evolveOperation(state, event)
    case 'CancellationRequested': {
      const cancellation = beginCancellation(event.data, event)
      return { ...state, cancellations: [...state.cancellations, cancellation] }
    }
    case 'GuideCancelled':
    case 'CancellationRefused':
    case 'CancellationNotSent':
    case 'CancellationOutcomeUnknown':
    case 'CancellationLookedUp':
    case 'CancellationFound':
    case 'GuideNotCancelled':
      return evolveCancellations(state, event)
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
    case 'LabelReady': {
      const { label_ref: ref, a4_ref: a4Ref, size_bytes: sizeBytes } = event.data
      return { ...state, label: { ref, a4Ref, sizeBytes } }
    }
    case 'PersonalDataErased':
      return { ...state, erasedAt: event.recordedAt }
    default:
      return unreachable(event)
  }
}

/** Events that creations and cancellations share go to the operation that they name. */
function evolveOperation(
  state: Shipment,
  event: Recorded<AttemptEvent & CancellationEvent>,
): Shipment {
  const { operation_id: operationId } = event.data
  return state.cancellations.some((each) => each.operationId === operationId)
    ? evolveCancellations(state, event)
    : evolveAttempts(state, event)
}

function evolveCancellations(state: Shipment, event: Recorded<CancellationEvent>): Shipment {
  const { operation_id: operationId } = event.data
  const index = state.cancellations.findIndex((each) => each.operationId === operationId)
  const cancellation = state.cancellations[index]
  if (cancellation === undefined) throw damaged(event.type)
  const evolved = evolveCancellation(cancellation, event)
  const after = { ...state, cancellations: state.cancellations.with(index, evolved) }
  if (isCancelled(after) === isCancelled(state)) return after
  const scan = isCancelled(after) ? { operationId, at: event.occurredAt } : null
  return { ...after, tracking: withCancellation(state.tracking, after, scan, event) }
}

function evolveAttempts(state: Shipment, event: Recorded<AttemptEvent>): Shipment {
  const { operation_id: operationId } = event.data
  const index = state.attempts.findIndex((attempt) => attempt.operationId === operationId)
  const attempt = state.attempts[index]
  if (attempt === undefined) throw damaged(event.type)
  const after = { ...state, attempts: state.attempts.with(index, evolveAttempt(attempt, event)) }
  const guideNumber = latestAttempt(after)?.guide?.guideNumber ?? null
  if (guideNumber === null || guideNumber === state.followedGuide) return after
  // Label and scans belong to a guide: another guide starts without them.
  return { ...after, tracking: registered(event), label: null, followedGuide: guideNumber }
}

function damaged(type: string): LedgerDamaged {
  return new LedgerDamaged(
    `The ledger holds ${type} where it cannot be: it is damaged or was written by other code.`,
  )
}

/** The attempt that represents a shipment; its first intent must be recorded. */
export function currentAttempt(state: Shipment): Attempt {
  const attempt = latestAttempt(state)
  if (attempt === null) throw damaged('ShipmentRequested without GuideRequested')
  return attempt
}

export function statusOf(state: Shipment): ShipmentStatus {
  const attempt = latestAttempt(state)
  const status = attempt === null ? 'creating' : shipmentStatusOf[attempt.status]
  if (status !== 'created' || state.cancellations.length === 0) return status
  const shown = cancellationsOfGuide(state).map((each) => cancellationShows[each.status])
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
