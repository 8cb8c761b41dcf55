import type { Instant, Recorded } from '../decider.ts'
import type { EventData } from '../shipment/shipment-events.ts'
import type { CancellationLookAnswer } from './cancellation-events.ts'
import {
  type CancellationEvent,
  type CancellationStatus,
  cancellationTransitions,
} from './cancellation-transitions.ts'
import {
  beginCourse,
  type Course,
  callOf,
  damagedBy,
  type LookCall,
  late,
  type Resolution,
  resolvedBy,
} from './course.ts'

export type CancellationLook = {
  readonly at: Instant
  readonly answer: CancellationLookAnswer
  readonly counted: boolean
  readonly call?: LookCall
}

/** One try to cancel a shipment's guide, with everything known about how it ended. */
export type Cancellation = Omit<Course, 'looks'> & {
  readonly type: 'shipment_cancellation'
  readonly status: CancellationStatus
  /** The key that made this try: its namespace is the shipment. */
  readonly key: string
  readonly guideNumber: string
  readonly looks: readonly CancellationLook[]
}

export function beginCancellation(
  data: EventData<'CancellationRequested'>,
  event: Recorded<object>,
): Cancellation {
  return {
    ...beginCourse(data, event),
    type: 'shipment_cancellation',
    key: data.idempotency_key,
    guideNumber: data.guide_number,
  }
}

/** Whether this try is known to have voided its guide. */
export function hasCancelled({ status }: Cancellation): boolean {
  return status === 'confirmed' || status === 'cancelled'
}

function nextStatus(cancellation: Cancellation, event: CancellationEvent): CancellationStatus {
  const { operationId, status } = cancellation
  const target = cancellationTransitions[status][event.type]
  if (target === 'decision' && event.type === 'OperationResolved') {
    const { decision } = event.data
    if (decision === 'cancelled' || decision === 'not_cancelled') return decision
  }
  if (target === 'never' || target === 'decision') throw damagedBy(event.type, operationId, status)
  return target
}

export function evolveCancellation(
  before: Cancellation,
  event: Recorded<CancellationEvent>,
): Cancellation {
  const cancellation: Cancellation = {
    ...before,
    status: nextStatus(before, event),
    updatedAt: event.recordedAt,
    version: before.version + 1,
  }
  const at = event.recordedAt
  switch (event.type) {
    case 'GuideCancelled':
      return { ...cancellation, concludedAt: at }
    case 'CancellationRefused':
      return { ...cancellation, refused: true, refusalRef: event.data.detail_ref, concludedAt: at }
    case 'CancellationNotSent': {
      const { reason, retry_after_s: retryAfterSeconds } = event.data
      return { ...cancellation, notSent: { reason, retryAfterSeconds }, concludedAt: at }
    }
    case 'CancellationOutcomeUnknown': {
      const { cause, courier_can_be_asked: courierCanBeAsked } = event.data
      return { ...cancellation, unknownAt: at, cause, courierCanBeAsked }
    }
    case 'CancellationLookedUp': {
      const { answer, counted } = event.data
      const look = { at: event.occurredAt, answer, counted, ...callOf(event.data) }
      return { ...cancellation, looks: [...before.looks, look] }
    }
    case 'CancellationFound':
    case 'GuideNotCancelled':
    case 'OperationResolved':
      return conclude(cancellation, event, at)
    case 'OperationReviewRequired':
      return { ...cancellation, reviewReason: event.data.because, concludedAt: at }
    case 'OperationEscalated':
      return { ...cancellation, escalated: true }
    case 'OperationContradicted': {
      const lateAnswers = late(before, event.data.evidence === 'late_answer' && 'cancelled')
      const reopened = { resolution: null, contradicted: true, concludedAt: at, lateAnswers }
      return { ...cancellation, ...reopened }
    }
    case 'LateAnswerRecorded':
      return { ...cancellation, lateAnswers: late(before, event.data.answer) }
  }
}

type Conclusion = Extract<
  CancellationEvent,
  { type: 'CancellationFound' | 'GuideNotCancelled' | 'OperationResolved' }
>

function conclude(cancellation: Cancellation, event: Conclusion, at: Instant): Cancellation {
  switch (event.type) {
    case 'CancellationFound': {
      const lateAnswers = late(cancellation, event.data.evidence === 'late_answer' && 'cancelled')
      const resolution: Resolution = { ...byLooks, decision: 'cancelled', at }
      return { ...cancellation, lateAnswers, ...resolvedBy(cancellation, resolution) }
    }
    case 'GuideNotCancelled': {
      const { evidence, detail_ref: refusalRef } = event.data
      const answer = evidence === 'late_refusal' ? 'rejected' : 'not_sent'
      return {
        ...cancellation,
        refused: evidence === 'late_refusal',
        refusalRef,
        lateAnswers: late(cancellation, evidence !== 'looks' && answer),
        ...resolvedBy(cancellation, { ...byLooks, decision: 'not_cancelled', at }),
      }
    }
    case 'OperationResolved': {
      const { decision, resolution_ref: ref } = event.data
      const resolution: Resolution = { ...noGuide, decision, by: 'operator', at, ref }
      return { ...cancellation, ...resolvedBy(cancellation, resolution) }
    }
  }
}

const noGuide = { guideNumber: null, confirmed: null }
const byLooks = { ...noGuide, by: 'reconciliation', ref: null } as const
