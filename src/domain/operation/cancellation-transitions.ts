import type { ShipmentEvent, ShipmentEventType } from '../shipment/shipment-events.ts'

//                        ┌─ confirmed
//              calling ──┼─ refused ───┐ a cancelled guide against the conclusion
//                 │      └─ not_sent ──┤
//                 ▼                    ▼
//            reconciling ────────► needs_review ──► cancelled, not_cancelled
//                 └──► cancelled, not_cancelled ──────────┘ (contradicted: back to review)

export const cancellationStatuses = [
  'calling',
  'confirmed',
  'refused',
  'not_sent',
  'reconciling',
  'needs_review',
  'cancelled',
  'not_cancelled',
] as const
export type CancellationStatus = (typeof cancellationStatuses)[number]

export type CancellationEventType = Extract<
  ShipmentEventType,
  | 'GuideCancelled'
  | 'CancellationRefused'
  | 'CancellationNotSent'
  | 'CancellationOutcomeUnknown'
  | 'CancellationLookedUp'
  | 'CancellationFound'
  | 'GuideNotCancelled'
  | 'OperationReviewRequired'
  | 'OperationEscalated'
  | 'OperationResolved'
  | 'OperationContradicted'
  | 'LateAnswerRecorded'
>
export type CancellationEvent = Extract<ShipmentEvent, { type: CancellationEventType }>

/** `decision`: the operator's decision sets the status. `never`: the ledger is damaged. */
export type CancellationTarget = CancellationStatus | 'decision' | 'never'

const ended = {
  GuideCancelled: 'never',
  CancellationRefused: 'never',
  CancellationNotSent: 'never',
  CancellationOutcomeUnknown: 'never',
  CancellationFound: 'never',
  GuideNotCancelled: 'never',
  OperationReviewRequired: 'never',
  OperationEscalated: 'never',
  OperationResolved: 'never',
  OperationContradicted: 'needs_review',
} as const
const open = {
  GuideCancelled: 'never',
  CancellationRefused: 'never',
  CancellationNotSent: 'never',
  CancellationOutcomeUnknown: 'never',
  CancellationFound: 'cancelled',
  GuideNotCancelled: 'not_cancelled',
  OperationResolved: 'decision',
  OperationContradicted: 'never',
  LateAnswerRecorded: 'never',
} as const

/** The status that each event leads to, for every status: a missing case does not compile. */
export const cancellationTransitions: Readonly<
  Record<CancellationStatus, Readonly<Record<CancellationEventType, CancellationTarget>>>
> = {
  calling: {
    GuideCancelled: 'confirmed',
    CancellationRefused: 'refused',
    CancellationNotSent: 'not_sent',
    CancellationOutcomeUnknown: 'reconciling',
    CancellationLookedUp: 'never',
    CancellationFound: 'never',
    GuideNotCancelled: 'never',
    OperationReviewRequired: 'never',
    OperationEscalated: 'never',
    OperationResolved: 'never',
    OperationContradicted: 'never',
    LateAnswerRecorded: 'never',
  },
  // A list that lags does not contradict the courier's own confirmation that it voided the guide.
  confirmed: {
    ...ended,
    OperationContradicted: 'never',
    CancellationLookedUp: 'confirmed',
    LateAnswerRecorded: 'confirmed',
  },
  refused: { ...ended, CancellationLookedUp: 'refused', LateAnswerRecorded: 'refused' },
  not_sent: { ...ended, CancellationLookedUp: 'not_sent', LateAnswerRecorded: 'not_sent' },
  reconciling: {
    ...open,
    CancellationLookedUp: 'reconciling',
    OperationReviewRequired: 'needs_review',
    OperationEscalated: 'reconciling',
  },
  needs_review: {
    ...open,
    CancellationLookedUp: 'needs_review',
    OperationReviewRequired: 'never',
    OperationEscalated: 'needs_review',
    // For a contradicted cancellation, which an answer does not close.
    LateAnswerRecorded: 'needs_review',
  },
  cancelled: { ...ended, CancellationLookedUp: 'cancelled', LateAnswerRecorded: 'cancelled' },
  not_cancelled: {
    ...ended,
    CancellationLookedUp: 'not_cancelled',
    LateAnswerRecorded: 'not_cancelled',
  },
}
