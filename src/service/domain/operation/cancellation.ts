import type { Recorded } from '../decider.ts'
import { type EventData, event } from '../shipment/shipment-events.ts'
import type { Kind } from './kind.ts'
import {
  evolveOperation,
  initialOperation,
  isAnswerRecorded,
  isCarriedOut,
  isOpen,
  lookOf,
  type OperationCore,
} from './machine.ts'
import { contradicted, lateAnswer } from './operation-decisions.ts'
import { type OperationEvent, sharedEvents } from './transitions.ts'

/** One attempt to cancel a shipment's guide, with everything known about how it ended. */
export type Cancellation = OperationCore & {
  readonly type: 'shipment_cancellation'
  /** The idempotency key of this attempt, whose namespace is the shipment. */
  readonly key: string
  readonly guideNumber: string
}

export const cancellation: Kind<Cancellation> = {
  events: {
    succeeded: 'GuideCancelled',
    refused: 'CancellationRefused',
    not_sent: 'CancellationNotSent',
    outcome_unknown: 'CancellationOutcomeUnknown',
    looked_up: 'CancellationLookedUp',
    found: 'CancellationFound',
    not_found: 'GuideNotCancelled',
    ...sharedEvents,
  },
  success: 'cancelled',
  results: { carriedOut: 'cancelled', notCarriedOut: 'not_cancelled' },
  // A stale list does not contradict the courier's own confirmation that it voided the guide.
  isSuccessFinal: true,

  isSuccessRecorded: (operation) => isAnswerRecorded(operation, 'cancelled'),

  findingOf({ guideNumber }, result) {
    const answer =
      result.kind === 'cancelled' || result.kind === 'standing' ? result.kind : 'inconclusive'
    const guideNumbers = answer === 'inconclusive' ? [] : [guideNumber]
    return { answer, guideNumbers, guides: [] }
  },

  lookEventFields: () => ({}),

  onEvidenceWhileOpen: ({ operation }, { source }) => [
    event('CancellationFound', { operation_id: operation.operationId, evidence: source }),
  ],

  /** A guide voided by another attempt does not contradict the outcome of this one. */
  onEvidenceAfterFailure({ operation, others }, evidence) {
    const { source } = evidence
    const isOthers =
      source === 'late_answer' ? others.some(isCarriedOut) : others.some(mayHaveCancelled)
    if (!isOthers) return contradicted(operation, [operation.guideNumber], source)
    return source === 'late_answer' ? [cancellation.lateSuccessEvent(operation, evidence)] : []
  },

  onEvidenceAfterSuccess: () => [],

  /** The guide still stands, although an operator decided that it was cancelled. */
  onCountedDenial: (operation) =>
    operation.state === 'affirmed' && operation.resolution?.by === 'operator'
      ? contradicted(operation, [operation.guideNumber], 'look')
      : [],

  lateSuccessEvent: (operation) =>
    lateAnswer(operation, 'cancelled', { guide_number: null, detail_ref: null }),

  namesGuide: () => true,
}

/** Whether the attempt voided its guide, or may have because its outcome is not known. */
function mayHaveCancelled(each: Cancellation): boolean {
  return isCarriedOut(each) || each.state === 'calling' || isOpen(each)
}

export function initialCancellation(
  data: EventData<'CancellationRequested'>,
  recorded: Recorded<object>,
): Cancellation {
  return {
    ...initialOperation(data, recorded),
    type: 'shipment_cancellation',
    key: data.idempotency_key,
    guideNumber: data.guide_number,
  }
}

export function evolveCancellation(
  before: Cancellation,
  recorded: Recorded<OperationEvent>,
): Cancellation {
  const after = evolveOperation(cancellation, before, recorded)
  if (recorded.type !== 'CancellationLookedUp') return after
  const seen = recorded.data.answer === 'inconclusive' ? [] : [before.guideNumber]
  return { ...after, looks: [...before.looks, lookOf(recorded, seen)] }
}
