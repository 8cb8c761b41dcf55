import type { ShipmentEvent, ShipmentEventType } from '../shipment/shipment-events.ts'

//                        ┌─ issued ────────────┐
//              calling ──┼─ rejected           │ a guide against the conclusion
//                 │      └─ not_sent ──┐       ▼
//                 ▼                    └─► needs_review ──► guide_exists
//            reconciling ────────────────────► │      └───► nothing_created
//                 └──► guide_exists, nothing_created ──────────┘ (contradicted: back to review)

export const attemptStatuses = [
  'calling',
  'issued',
  'rejected',
  'not_sent',
  'reconciling',
  'needs_review',
  'guide_exists',
  'nothing_created',
] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

export type AttemptEventType = Extract<
  ShipmentEventType,
  | 'GuideIssued'
  | 'GuideRejected'
  | 'GuideNotSent'
  | 'GuideOutcomeUnknown'
  | 'GuideLookedUp'
  | 'GuideFound'
  | 'GuideNotCreated'
  | 'OperationReviewRequired'
  | 'OperationEscalated'
  | 'OperationResolved'
  | 'OperationContradicted'
  | 'LateAnswerRecorded'
>
export type AttemptEvent = Extract<ShipmentEvent, { type: AttemptEventType }>

/** `decision`: the operator's decision sets the status. `never`: the ledger is damaged. */
export type Target = AttemptStatus | 'decision' | 'never'

const ended = {
  GuideIssued: 'never',
  GuideRejected: 'never',
  GuideNotSent: 'never',
  GuideOutcomeUnknown: 'never',
  GuideFound: 'never',
  GuideNotCreated: 'never',
  OperationReviewRequired: 'never',
  OperationEscalated: 'never',
  OperationResolved: 'never',
  OperationContradicted: 'needs_review',
} as const
const open = {
  GuideIssued: 'never',
  GuideRejected: 'never',
  GuideNotSent: 'never',
  GuideOutcomeUnknown: 'never',
  GuideFound: 'guide_exists',
  GuideNotCreated: 'nothing_created',
  OperationResolved: 'decision',
  OperationContradicted: 'never',
  LateAnswerRecorded: 'never',
} as const

/** The status that each event leads to, for every status: a missing case does not compile. */
export const attemptTransitions: Readonly<
  Record<AttemptStatus, Readonly<Record<AttemptEventType, Target>>>
> = {
  calling: {
    GuideIssued: 'issued',
    GuideRejected: 'rejected',
    GuideNotSent: 'not_sent',
    GuideOutcomeUnknown: 'reconciling',
    GuideLookedUp: 'never',
    GuideFound: 'never',
    GuideNotCreated: 'never',
    OperationReviewRequired: 'never',
    OperationEscalated: 'never',
    OperationResolved: 'never',
    OperationContradicted: 'never',
    LateAnswerRecorded: 'never',
  },
  issued: { ...ended, GuideLookedUp: 'issued', LateAnswerRecorded: 'issued' },
  rejected: { ...ended, GuideLookedUp: 'rejected', LateAnswerRecorded: 'rejected' },
  not_sent: { ...ended, GuideLookedUp: 'not_sent', LateAnswerRecorded: 'not_sent' },
  reconciling: {
    ...open,
    GuideLookedUp: 'reconciling',
    OperationReviewRequired: 'needs_review',
    OperationEscalated: 'reconciling',
  },
  needs_review: {
    ...open,
    GuideLookedUp: 'needs_review',
    OperationReviewRequired: 'never',
    OperationEscalated: 'needs_review',
    // For a contradicted attempt, which an answer does not close.
    LateAnswerRecorded: 'needs_review',
  },
  guide_exists: { ...ended, GuideLookedUp: 'guide_exists', LateAnswerRecorded: 'guide_exists' },
  nothing_created: {
    ...ended,
    GuideLookedUp: 'nothing_created',
    LateAnswerRecorded: 'nothing_created',
  },
}
