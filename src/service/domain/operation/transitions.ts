import type {
  OperationDecision,
  ShipmentEvent,
  ShipmentEventType,
} from '../shipment/shipment-events.ts'

// The state machine of one courier request whose outcome must become certain, shared by creations
// and cancellations. Each kind declares its event names and results, and adds its own decisions.
//
//                        ┌─ succeeded ──────────┐
//              calling ──┼─ refused             │ evidence against the conclusion
//                 │      └─ not_sent ──┐        ▼
//                 ▼                    └─► needs_review ──► affirmed
//            reconciling ────────────────────► │      └───► denied
//  (calling ──► affirmed: the courier was asked first)
//                 └──► affirmed, denied ───────────────┘ (contradicted: back to review)

export const operationStates = [
  'calling',
  'succeeded',
  'refused',
  'not_sent',
  'reconciling',
  'needs_review',
  'affirmed',
  'denied',
] as const
/**
 * `succeeded`, `refused` and `not_sent`: the call itself reported how it ended. `affirmed` and `denied`:
 * it was concluded afterwards that the request was carried out, or was not.
 */
export type OperationState = (typeof operationStates)[number]

/** What each state says about whether the request was carried out. */
export const certaintyOf = {
  calling: 'in_progress',
  succeeded: 'carried_out',
  refused: 'not_carried_out',
  not_sent: 'not_carried_out',
  reconciling: 'unknown',
  needs_review: 'unknown',
  affirmed: 'carried_out',
  denied: 'not_carried_out',
} as const satisfies Record<OperationState, string>

/** Events that creations and cancellations share. */
export const sharedEvents = {
  review_required: 'OperationReviewRequired',
  escalated: 'OperationEscalated',
  resolved: 'OperationResolved',
  contradicted: 'OperationContradicted',
  late_answer: 'LateAnswerRecorded',
} as const

/** The role of each event in the state machine. */
export const roleOfEvent = {
  GuideIssued: 'succeeded',
  GuideCancelled: 'succeeded',
  GuideRejected: 'refused',
  CancellationRefused: 'refused',
  GuideNotSent: 'not_sent',
  CancellationNotSent: 'not_sent',
  GuideOutcomeUnknown: 'outcome_unknown',
  CancellationOutcomeUnknown: 'outcome_unknown',
  GuideLookedUp: 'looked_up',
  CancellationLookedUp: 'looked_up',
  GuideFound: 'found',
  CancellationFound: 'found',
  GuideNotCreated: 'not_found',
  GuideNotCancelled: 'not_found',
  OperationReviewRequired: 'review_required',
  OperationEscalated: 'escalated',
  OperationResolved: 'resolved',
  OperationContradicted: 'contradicted',
  LateAnswerRecorded: 'late_answer',
} as const satisfies Partial<Record<ShipmentEventType, string>>

type OperationEventType = keyof typeof roleOfEvent
export type OperationEvent = Extract<ShipmentEvent, { type: OperationEventType }>
export type EventRole = (typeof roleOfEvent)[OperationEventType]

export function isOperationEvent<E extends ShipmentEvent>(
  event: E,
): event is Extract<E, { type: OperationEventType }> {
  return event.type in roleOfEvent
}

/** The event of each role. */
type EventNames = {
  readonly [R in EventRole]: {
    [T in OperationEventType]: (typeof roleOfEvent)[T] extends R ? T : never
  }[OperationEventType]
}

/** `decision`: the operator's decision sets the state. `never`: the ledger is damaged. */
type Target = OperationState | 'decision' | 'never'

const ended = {
  succeeded: 'never',
  refused: 'never',
  not_sent: 'never',
  outcome_unknown: 'never',
  found: 'never',
  not_found: 'never',
  review_required: 'never',
  escalated: 'never',
  resolved: 'never',
  contradicted: 'needs_review',
} as const
const open = {
  succeeded: 'never',
  refused: 'never',
  not_sent: 'never',
  outcome_unknown: 'never',
  found: 'affirmed',
  not_found: 'denied',
  resolved: 'decision',
  contradicted: 'never',
  late_answer: 'never',
} as const

/** The state that each event leads to, for every state: a missing case does not compile. */
export const transitions: Readonly<Record<OperationState, Readonly<Record<EventRole, Target>>>> = {
  calling: {
    succeeded: 'succeeded',
    refused: 'refused',
    not_sent: 'not_sent',
    outcome_unknown: 'reconciling',
    looked_up: 'never',
    // The courier was asked first, because the ledger had lost events: no call is made.
    found: 'affirmed',
    not_found: 'never',
    review_required: 'never',
    escalated: 'never',
    resolved: 'never',
    contradicted: 'never',
    late_answer: 'never',
  },
  succeeded: { ...ended, looked_up: 'succeeded', late_answer: 'succeeded' },
  refused: { ...ended, looked_up: 'refused', late_answer: 'refused' },
  not_sent: { ...ended, looked_up: 'not_sent', late_answer: 'not_sent' },
  reconciling: {
    ...open,
    looked_up: 'reconciling',
    review_required: 'needs_review',
    escalated: 'reconciling',
  },
  needs_review: {
    ...open,
    looked_up: 'needs_review',
    review_required: 'never',
    escalated: 'needs_review',
    // Only for a contradicted operation: a late answer does not close it.
    late_answer: 'needs_review',
  },
  affirmed: { ...ended, looked_up: 'affirmed', late_answer: 'affirmed' },
  denied: { ...ended, looked_up: 'denied', late_answer: 'denied' },
}

/** How a kind of operation is written in the ledger. */
export type Declared = {
  readonly events: EventNames
  /** The answer of a successful call. */
  readonly success: 'issued' | 'cancelled'
  /** The result once it is certain that the request was carried out, or was not. */
  readonly results: {
    readonly carriedOut: OperationDecision
    readonly notCarriedOut: OperationDecision
  }
  /** Whether the courier's own confirmation holds regardless of later evidence. */
  readonly isSuccessFinal: boolean
}
