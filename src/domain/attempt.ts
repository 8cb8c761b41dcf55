import type { AttemptEvent, AttemptStatus } from './attempt-transitions.ts'
import { attemptTransitions } from './attempt-transitions.ts'
import { type Instant, instant, type Recorded } from './decider.ts'
import type {
  Cause,
  EventData,
  LateAnswer,
  LookAnswer,
  NotSentReason,
  ReviewReason,
} from './shipment-events.ts'

export type Look = {
  readonly at: Instant
  readonly answer: LookAnswer
  readonly guideNumbers: readonly string[]
  readonly counted: boolean
}

export type Money = { readonly amount: number; readonly currency: string }

export type Guide = {
  readonly guideNumber: string
  readonly price: Money | null
  readonly pickupCodeRef: string | null
}

export type Resolution = {
  readonly decision: 'guide_exists' | 'nothing_created'
  readonly by: 'reconciliation' | 'operator'
  readonly at: Instant
  readonly ref: string | null
}

/** One try of a key to get a guide, with everything known about how it ended. */
export type Attempt = {
  readonly number: number
  readonly operationId: string
  readonly status: AttemptStatus
  readonly requestedAt: Instant
  readonly callDeadline: Instant
  readonly settleUntil: Instant
  readonly deadlineAt: Instant
  readonly credentialsVersion: number
  readonly notSent: {
    readonly reason: NotSentReason
    readonly retryAfterSeconds: number | null
  } | null
  readonly refusalRef: string | null
  readonly refused: boolean
  /** Refused because the courier wants another price than the quoted one. */
  readonly priceChanged: { readonly to: Money | null } | null
  readonly guide: Guide | null
  /** Null: the outcome was never recorded as unknown. */
  readonly unknownAt: Instant | null
  readonly cause: Cause | null
  readonly courierCanBeAsked: boolean
  readonly looks: readonly Look[]
  readonly reviewReason: ReviewReason | null
  readonly escalated: boolean
  readonly contradicted: boolean
  readonly resolution: Resolution | null
  /** When the status last became one that ends the reconciliation; looks go on from it. */
  readonly concludedAt: Instant | null
  /** Guides that were in evidence when it was concluded that a guide exists. */
  readonly knownGuides: readonly string[]
  /** How the call ended, as it became known after the outcome was unknown; each kept once. */
  readonly lateAnswers: readonly LateAnswer[]
  readonly updatedAt: Instant
  readonly version: number
}

export function isOpen(attempt: Attempt): boolean {
  return attempt.status === 'reconciling' || attempt.status === 'needs_review'
}

export function begin(data: EventData<'GuideRequested'>, event: Recorded<object>): Attempt {
  return {
    number: data.attempt,
    operationId: data.operation_id,
    status: 'calling',
    requestedAt: event.recordedAt,
    callDeadline: instant(data.call_deadline),
    settleUntil: instant(data.settle_until),
    deadlineAt: instant(data.deadline_at),
    credentialsVersion: data.credentials_version,
    notSent: null,
    refusalRef: null,
    refused: false,
    priceChanged: null,
    guide: null,
    unknownAt: null,
    cause: null,
    courierCanBeAsked: true,
    looks: [],
    reviewReason: null,
    escalated: false,
    contradicted: false,
    resolution: null,
    concludedAt: null,
    knownGuides: [],
    lateAnswers: [],
    updatedAt: event.recordedAt,
    version: 1,
  }
}

function nextStatus(attempt: Attempt, event: AttemptEvent): AttemptStatus {
  const target = attemptTransitions[attempt.status][event.type]
  if (target === 'decision' && event.type === 'OperationResolved') return event.data.decision
  if (target === 'never' || target === 'decision') {
    throw new Error(
      `The ledger holds ${event.type} where operation ${attempt.operationId} was ${attempt.status}: it is damaged or was written by other code.`,
    )
  }
  return target
}

function guideOf(data: {
  readonly guide_number: string
  readonly price: Guide['price']
  readonly pickup_code_ref: string | null
}): Guide {
  return { guideNumber: data.guide_number, price: data.price, pickupCodeRef: data.pickup_code_ref }
}

export function evolveAttempt(before: Attempt, event: Recorded<AttemptEvent>): Attempt {
  const attempt: Attempt = {
    ...before,
    status: nextStatus(before, event),
    updatedAt: event.recordedAt,
    version: before.version + 1,
  }
  const at = event.recordedAt
  switch (event.type) {
    case 'GuideIssued': {
      const guide = guideOf(event.data)
      return { ...attempt, guide, concludedAt: at, knownGuides: [guide.guideNumber] }
    }
    case 'GuideRejected':
      return {
        ...attempt,
        refused: true,
        refusalRef: event.data.detail_ref,
        priceChanged: event.data.price_changed ?? null,
        concludedAt: at,
      }
    case 'GuideNotSent':
      return {
        ...attempt,
        notSent: { reason: event.data.reason, retryAfterSeconds: event.data.retry_after_s },
        concludedAt: at,
      }
    case 'GuideOutcomeUnknown':
      return {
        ...attempt,
        unknownAt: at,
        cause: event.data.cause,
        courierCanBeAsked: event.data.courier_can_be_asked,
      }
    case 'GuideLookedUp': {
      const { answer, guide_numbers: guideNumbers, counted } = event.data
      return {
        ...attempt,
        looks: [...attempt.looks, { at: event.occurredAt, answer, guideNumbers, counted }],
      }
    }
    case 'GuideFound':
    case 'GuideNotCreated':
    case 'OperationResolved':
      return conclude(attempt, event, at)
    case 'OperationReviewRequired':
      return { ...attempt, reviewReason: event.data.because, concludedAt: at }
    case 'OperationEscalated':
      return { ...attempt, escalated: true }
    case 'OperationContradicted':
      return {
        ...attempt,
        guide: null,
        resolution: null,
        contradicted: true,
        concludedAt: at,
        knownGuides: [...new Set([...attempt.knownGuides, ...event.data.guide_numbers])],
        lateAnswers: late(attempt, event.data.evidence === 'late_answer' && 'issued'),
      }
    case 'LateAnswerRecorded':
      return { ...attempt, lateAnswers: [...attempt.lateAnswers, event.data.answer] }
  }
}

type Conclusion = Extract<
  AttemptEvent,
  { type: 'GuideFound' | 'GuideNotCreated' | 'OperationResolved' }
>

function conclude(attempt: Attempt, event: Conclusion, at: Instant): Attempt {
  switch (event.type) {
    case 'GuideFound': {
      const guide = guideOf(event.data)
      const { evidence } = event.data
      return concluded(
        { ...attempt, guide, lateAnswers: late(attempt, evidence === 'late_answer' && 'issued') },
        { decision: 'guide_exists', by: 'reconciliation', at, ref: null },
      )
    }
    case 'GuideNotCreated': {
      const { evidence, detail_ref: refusalRef } = event.data
      const answer = evidence === 'late_refusal' ? 'rejected' : 'not_sent'
      return concluded(
        {
          ...attempt,
          refused: evidence === 'late_refusal',
          refusalRef,
          priceChanged: event.data.price_changed ?? null,
          lateAnswers: late(attempt, evidence !== 'looks' && answer),
        },
        { decision: 'nothing_created', by: 'reconciliation', at, ref: null },
      )
    }
    case 'OperationResolved': {
      const { decision, guide_number, resolution_ref: ref } = event.data
      const guide = guide_number === null ? null : guideOf({ ...event.data, guide_number })
      return concluded({ ...attempt, guide }, { decision, by: 'operator', at, ref })
    }
  }
}

function late(attempt: Attempt, answer: LateAnswer | false): readonly LateAnswer[] {
  return answer === false ? attempt.lateAnswers : [...attempt.lateAnswers, answer]
}

function concluded(attempt: Attempt, resolution: Resolution): Attempt {
  const guides = [...attempt.knownGuides, ...attempt.looks.flatMap((look) => look.guideNumbers)]
  if (attempt.guide !== null) guides.push(attempt.guide.guideNumber)
  return {
    ...attempt,
    resolution,
    concludedAt: resolution.at,
    knownGuides: [...new Set(guides)],
  }
}
