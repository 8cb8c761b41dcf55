import type { Decision } from '../decider.ts'
import { operationsPerShipmentMax } from '../ids.ts'
import type { Cancellation } from '../operation/cancellation.ts'
import type { DeclineReason } from '../operation/cancellation-events.ts'
import type { Creation } from '../operation/creation.ts'
import { cancelledFoundFirst } from '../operation/found-first.ts'
import type { CallIntent, FoundFirst } from '../operation/kind.ts'
import { isOpen } from '../operation/machine.ts'
import { intentData } from '../operation/operation-decisions.ts'
import { phaseOf } from '../tracking/tracking.ts'
import {
  cancellationsOfGuide,
  currentAttempt,
  isCancelled,
  nextOrdinal,
  operationOf,
  type Shipment,
} from './shipment.ts'
import { type Decided, event } from './shipment-events.ts'

/** Declined keys whose answer is stored; the answer to further keys is decided each time. */
export const declinedMax = 100

/** The situation that a cancellation request with this key meets, which determines what it may do. */
export type CancellationSituation =
  /** The guide is already cancelled, by this key or another. */
  | { readonly kind: 'cancelled' }
  /** The creation is under way, or its outcome is not known. */
  | { readonly kind: 'creation'; readonly attempt: Creation }
  /** A courier call is under way. */
  | { readonly kind: 'underway'; readonly cancellation: Cancellation }
  /** The outcome of a cancellation is unknown or under review. */
  | { readonly kind: 'open'; readonly cancellation: Cancellation }
  /** This key's own attempt ended without cancelling the guide. */
  | { readonly kind: 'ended'; readonly cancellation: Cancellation }
  /** This key already got this answer, without a call. */
  | { readonly kind: 'already_declined'; readonly because: DeclineReason }
  /** The courier need not be asked; the answer is to be recorded for the key. */
  | { readonly kind: 'must_decline'; readonly because: DeclineReason }
  /** A call may be made. */
  | { readonly kind: 'may_begin'; readonly guideNumber: string }

export function cancellationSituation(state: Shipment, key: string): CancellationSituation {
  const attempt = currentAttempt(state)
  if (attempt.state === 'calling' || isOpen(attempt)) return { kind: 'creation', attempt }
  if (isCancelled(state)) return { kind: 'cancelled' }
  const tries = cancellationsOfGuide(state)
  const underway = tries.find((each) => each.state === 'calling')
  if (underway !== undefined) return { kind: 'underway', cancellation: underway }
  const open = tries.find(isOpen)
  if (open !== undefined) return { kind: 'open', cancellation: open }
  return situationOfKey(state, key) ?? situationOfNewKey(state, attempt)
}

function situationOfKey(state: Shipment, key: string): CancellationSituation | null {
  const declined = state.declined.find((each) => each.key === key)
  if (declined !== undefined) return { kind: 'already_declined', because: declined.because }
  const own = state.cancellations.findLast((each) => each.key === key)
  // An attempt that was certainly not sent may be repeated with the same key.
  return own === undefined || own.state === 'not_sent' ? null : { kind: 'ended', cancellation: own }
}

function situationOfNewKey(state: Shipment, { guide }: Creation): CancellationSituation {
  if (guide === null) return { kind: 'must_decline', because: 'no_guide' }
  if (isHandedOver(state)) return { kind: 'must_decline', because: 'handed_over' }
  if (nextOrdinal(state) > operationsPerShipmentMax)
    return { kind: 'must_decline', because: 'too_many_tries' }
  return { kind: 'may_begin', guideNumber: guide.guideNumber }
}

/** The courier's own scans show that it has the parcel. */
function isHandedOver({ tracking }: Shipment): boolean {
  const phase = phaseOf(tracking)
  return phase !== null && phase !== 'pre_transit' && tracking.status !== 'cancelled'
}

/** Begins an attempt, unless another request was faster or the guide can no longer be cancelled. */
export function requestCancellation(
  state: Shipment,
  intent: CallIntent & { readonly key: string; readonly foundFirst?: FoundFirst },
): readonly Decided[] {
  const situation = cancellationSituation(state, intent.key)
  if (situation.kind !== 'may_begin' || operationOf(state, intent.operationId) !== null) return []
  return [
    event('CancellationRequested', {
      attempt: state.cancellations.length + 1,
      operation_id: intent.operationId,
      idempotency_key: intent.key,
      guide_number: situation.guideNumber,
      ...intentData(intent),
    }),
    ...(intent.foundFirst === undefined
      ? []
      : cancelledFoundFirst(intent.operationId, intent.foundFirst)),
  ]
}

/** Stores the answer for the key, so a repeat gets the same answer even if the shipment has changed. */
export function declineCancellation(
  state: Shipment,
  { key, because }: { readonly key: string; readonly because: DeclineReason },
): Decision<Decided, never> {
  const { kind } = cancellationSituation(state, key)
  const isOver = kind !== 'may_begin' && kind !== 'must_decline'
  if (isOver || state.declined.length >= declinedMax) return []
  return [event('CancellationDeclined', { idempotency_key: key, because })]
}
