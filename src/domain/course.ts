import type { AttemptStatus } from './attempt-transitions.ts'
import type { CancellationLookAnswer } from './cancellation-events.ts'
import type { CancellationStatus } from './cancellation-transitions.ts'
import type { Instant } from './decider.ts'
import { instant, type Recorded } from './decider.ts'
import type {
  Cause,
  EventData,
  LateAnswer,
  LookAnswer,
  NotSentReason,
  OperationDecision,
  ReviewReason,
} from './shipment-events.ts'

export type Resolution = {
  readonly decision: OperationDecision
  readonly by: 'reconciliation' | 'operator'
  readonly at: Instant
  readonly ref: string | null
}

/** A look at the courier, whatever it was after. */
export type CourseLook = {
  readonly at: Instant
  readonly answer: LookAnswer | CancellationLookAnswer
  readonly counted: boolean
}

/** What a call and what became of it have in common, whether it creates a guide or cancels one. */
export type Course = {
  /** Counts the tries of its kind, from 1. */
  readonly number: number
  readonly operationId: string
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
  /** Null: the outcome was never recorded as unknown. */
  readonly unknownAt: Instant | null
  readonly cause: Cause | null
  readonly courierCanBeAsked: boolean
  readonly looks: readonly CourseLook[]
  readonly reviewReason: ReviewReason | null
  readonly escalated: boolean
  readonly contradicted: boolean
  readonly resolution: Resolution | null
  /** When the status last became one that ends the reconciliation; looks go on from it. */
  readonly concludedAt: Instant | null
  /** How the call ended, as it became known after the outcome was unknown; each kept once. */
  readonly lateAnswers: readonly LateAnswer[]
  readonly updatedAt: Instant
  readonly version: number
}

/** A course at its beginning. */
export function beginCourse(
  data: EventData<'GuideRequested'> | EventData<'CancellationRequested'>,
  event: Recorded<object>,
) {
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
    unknownAt: null,
    cause: null,
    courierCanBeAsked: true,
    looks: [],
    reviewReason: null,
    escalated: false,
    contradicted: false,
    resolution: null,
    concludedAt: null,
    lateAnswers: [],
    updatedAt: event.recordedAt,
    version: 1,
  } as const
}

export function isOpen(course: { readonly status: AttemptStatus | CancellationStatus }): boolean {
  return course.status === 'reconciling' || course.status === 'needs_review'
}

/** The late answers with this one; `false` where the evidence was none. */
export function late(course: Course, answer: LateAnswer | false): readonly LateAnswer[] {
  return answer === false ? course.lateAnswers : [...course.lateAnswers, answer]
}

export function damagedBy(type: string, operationId: string, status: string): Error {
  return new Error(
    `The ledger holds ${type} where operation ${operationId} was ${status}: it is damaged or was written by other code.`,
  )
}
