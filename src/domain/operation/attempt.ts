import type { Instant, Recorded } from '../decider.ts'
import type { EventData, LookAnswer } from '../shipment/shipment-events.ts'
import type { AttemptEvent, AttemptStatus } from './attempt-transitions.ts'
import { attemptTransitions } from './attempt-transitions.ts'
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

export type Look = {
  readonly at: Instant
  readonly answer: LookAnswer
  readonly guideNumbers: readonly string[]
  readonly counted: boolean
  readonly call?: LookCall
}

export type Money = { readonly amount: number; readonly currency: string }

export type Guide = {
  readonly guideNumber: string
  readonly price: Money | null
  readonly pickupCodeRef: string | null
}

/** One try of a key to get a guide, with everything known about how it ended. */
export type Attempt = Omit<Course, 'looks'> & {
  readonly type: 'shipment_creation'
  readonly status: AttemptStatus
  /** Refused because the courier wants another price than the quoted one. */
  readonly priceChanged: { readonly to: Money | null } | null
  readonly guide: Guide | null
  readonly looks: readonly Look[]
  /** Guides in evidence. Those known when a guide was concluded to exist contradict nothing. */
  readonly knownGuides: readonly string[]
}

export function begin(data: EventData<'GuideRequested'>, event: Recorded<object>): Attempt {
  const own = { guide: null, priceChanged: null, knownGuides: [] }
  return { ...beginCourse(data, event), type: 'shipment_creation', ...own }
}

function nextStatus(attempt: Attempt, event: AttemptEvent): AttemptStatus {
  const target = attemptTransitions[attempt.status][event.type]
  if (target === 'decision' && event.type === 'OperationResolved') {
    const { decision } = event.data
    if (decision === 'guide_exists' || decision === 'nothing_created') return decision
  }
  if (target === 'never' || target === 'decision') {
    throw damagedBy(event.type, attempt.operationId, attempt.status)
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
      const call = callOf(event.data)
      const look: Look = { at: event.occurredAt, answer, guideNumbers, counted, ...call }
      const { confirms } = event.data
      return confirmedBy({ ...attempt, looks: [...attempt.looks, look] }, guideNumbers, confirms)
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
    case 'LateAnswerRecorded': {
      const { answer, guide_number: number, confirms } = event.data
      const lateAnswers = late(attempt, answer)
      const known = number === null ? [] : [number]
      const knownGuides = [...new Set([...attempt.knownGuides, ...known])]
      return confirmedBy({ ...attempt, lateAnswers, knownGuides }, known, confirms)
    }
  }
}

/**
 * The courier reported these guides: one that only an operator had named is confirmed and updated.
 */
function confirmedBy(
  attempt: Attempt,
  guideNumbers: readonly string[],
  told: EventData<'GuideLookedUp'>['confirms'],
): Attempt {
  const { guide, resolution, resolutions } = attempt
  if (guide === null || resolution?.confirmed !== false) return attempt
  if (!guideNumbers.includes(guide.guideNumber)) return attempt
  const confirmed = { ...resolution, confirmed: true }
  return {
    ...attempt,
    guide: told === undefined ? guide : guideOf({ ...told, guide_number: guide.guideNumber }),
    resolution: confirmed,
    resolutions: resolutions.with(-1, confirmed),
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
        {
          decision: 'guide_exists',
          by: 'reconciliation',
          at,
          ref: null,
          guideNumber: guide.guideNumber,
          confirmed: true,
        },
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
        { ...nothingCreated, at },
      )
    }
    case 'OperationResolved': {
      const { decision, guide_number: guideNumber, resolution_ref: ref } = event.data
      const guide =
        guideNumber === null ? null : guideOf({ ...event.data, guide_number: guideNumber })
      const confirmed =
        guideNumber === null ? null : (event.data.confirmed ?? isSeen(attempt, guideNumber))
      const resolution = { decision, by: 'operator', at, ref, guideNumber, confirmed } as const
      return concluded({ ...attempt, guide }, resolution)
    }
  }
}

const nothingCreated = {
  decision: 'nothing_created',
  by: 'reconciliation',
  ref: null,
  guideNumber: null,
  confirmed: null,
} as const

function isSeen({ looks }: Attempt, guideNumber: string): boolean {
  return looks.some((look) => look.guideNumbers.includes(guideNumber))
}

function concluded(attempt: Attempt, resolution: Resolution): Attempt {
  const guides = [...attempt.knownGuides, ...attempt.looks.flatMap((look) => look.guideNumbers)]
  if (attempt.guide !== null) guides.push(attempt.guide.guideNumber)
  return {
    ...attempt,
    ...resolvedBy(attempt, resolution),
    knownGuides: [...new Set(guides)],
  }
}
