import { type Attempt, begin, evolveAttempt, isOpen } from './attempt.ts'
import type { AttemptEvent, AttemptStatus } from './attempt-transitions.ts'
import { type Instant, type Recorded, unreachable } from './decider.ts'
import type { EventData, ShipmentEvent } from './shipment-events.ts'
import { monitor, observe, type Tracking, untracked } from './tracking.ts'

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

export type Label = {
  readonly ref: string
  readonly a4Ref: string | null
  readonly sha256: string
  readonly sizeBytes: number
}

/** One shipment attempt: everything its stream says, folded. Plain JSON. */
export type Shipment = {
  readonly request: EventData<'ShipmentRequested'>
  readonly attempts: readonly Attempt[]
  readonly tracking: Tracking
  readonly label: Label | null
  /** The guide that label and tracking are of. */
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
    case 'OperationReviewRequired':
    case 'OperationEscalated':
    case 'OperationResolved':
    case 'OperationContradicted':
    case 'LateAnswerRecorded':
      return evolveAttempts(state, event)
    case 'TrackingObserved':
      return { ...state, tracking: observe(state.tracking, event.data, event) }
    case 'TrackingMonitoringChanged':
      return { ...state, tracking: monitor(state.tracking, event.data.state, event) }
    case 'LabelReady': {
      const { label_ref: ref, a4_ref: a4Ref, sha256, size_bytes: sizeBytes } = event.data
      return { ...state, label: { ref, a4Ref, sha256, sizeBytes } }
    }
    case 'PersonalDataErased':
      return { ...state, erasedAt: event.recordedAt }
    default:
      return unreachable(event)
  }
}

function evolveAttempts(state: Shipment, event: Recorded<AttemptEvent>): Shipment {
  const { operation_id: operationId } = event.data
  const index = state.attempts.findIndex((attempt) => attempt.operationId === operationId)
  const attempt = state.attempts[index]
  if (attempt === undefined) throw damaged(event.type)
  const after = { ...state, attempts: state.attempts.with(index, evolveAttempt(attempt, event)) }
  const guideNumber = latestAttempt(after)?.guide?.guideNumber ?? null
  if (guideNumber === null || guideNumber === state.followedGuide) return after
  // Label and scans belong to a guide: another one starts without them.
  const isFirst = state.followedGuide === null
  const followed = isFirst ? after : { ...after, tracking: untracked, label: null }
  return { ...followed, followedGuide: guideNumber }
}

function damaged(type: string): Error {
  return new Error(
    `The ledger holds ${type} where it cannot be: it is damaged or was written by other code.`,
  )
}

function hasGuide(attempt: Attempt): boolean {
  return attempt.status === 'issued' || attempt.status === 'guide_exists'
}

/**
 * The attempt that speaks for the shipment: one that is open, else one with a guide (an earlier one
 * that was contradicted may have it), else the last.
 */
export function currentAttempt(state: Shipment): Attempt {
  const attempt = latestAttempt(state)
  if (attempt === null) throw damaged('ShipmentRequested without GuideRequested')
  return attempt
}

/** The same where a stream may be seen between its first two events; null before the second. */
export function latestAttempt(state: Shipment): Attempt | null {
  const open = state.attempts.find(isOpen)
  return open ?? state.attempts.findLast(hasGuide) ?? state.attempts.at(-1) ?? null
}

export function attemptOf(state: Shipment, operationId: string): Attempt | null {
  return state.attempts.find((attempt) => attempt.operationId === operationId) ?? null
}

export function statusOf(state: Shipment): ShipmentStatus {
  const attempt = latestAttempt(state)
  return attempt === null ? 'creating' : shipmentStatusOf[attempt.status]
}

/** The open operation: of an attempt whose outcome is unknown or under review. */
export function openOperationOf(state: Shipment): Attempt | null {
  return state.attempts.find(isOpen) ?? null
}
