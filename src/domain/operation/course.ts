import type { Instant } from '../decider.ts'
import { instant, LedgerDamaged, type Recorded } from '../decider.ts'
import type {
  Cause,
  EventData,
  LateAnswer,
  LookAnswer,
  LookFailure,
  NotSentReason,
  OperationDecision,
  ReviewReason,
} from '../shipment/shipment-events.ts'
import type { AttemptStatus } from './attempt-transitions.ts'
import type { CancellationLookAnswer } from './cancellation-events.ts'
import type { CancellationStatus } from './cancellation-transitions.ts'

export type Resolution = {
  readonly decision: OperationDecision
  readonly by: 'reconciliation' | 'operator'
  readonly at: Instant
  /**
   * Reference to the person who decided and the note, in the vault; null if reconciliation
   * concluded.
   */
  readonly ref: string | null
  /** The guide, if the decision is that one exists. */
  readonly guideNumber: string | null
  /** Whether the courier has reported that guide; null where the decision names none. */
  readonly confirmed: boolean | null
}

/** A look at the courier, whatever it was looking for. */
export type CourseLook = {
  readonly at: Instant
  readonly answer: LookAnswer | CancellationLookAnswer
  readonly counted: boolean
  /** Absent for looks recorded before it was kept. */
  readonly call?: LookCall
}

/** How the call of a look went. */
export type LookCall = {
  readonly failure: { readonly kind: LookFailure; readonly statusCode: number | null } | null
  /** In real time. */
  readonly latencyMs: number
}

/** What a call and its outcome have in common, whether it creates a guide or cancels one. */
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
  /** The conclusion in force; null while the operation is open. */
  readonly resolution: Resolution | null
  /** Every conclusion, oldest first, including contradicted ones. */
  readonly resolutions: readonly Resolution[]
  /**
   * When the status last became one that ends the reconciliation; follow-up looks count from it.
   */
  readonly concludedAt: Instant | null
  /** Ends of the call that became known after the outcome was unknown; each kept once. */
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
    resolutions: [],
    concludedAt: null,
    lateAnswers: [],
    updatedAt: event.recordedAt,
    version: 1,
  } as const
}

/** How the call of a recorded look went, if its event has it. */
export function callOf({
  failure,
  latency_ms: latencyMs,
}: EventData<'GuideLookedUp'> | EventData<'CancellationLookedUp'>): { readonly call?: LookCall } {
  if (latencyMs === undefined) return {}
  if (failure === undefined) return { call: { failure: null, latencyMs } }
  const { kind, status_code: statusCode } = failure
  return { call: { failure: { kind, statusCode }, latencyMs } }
}

/** Puts the conclusion into force and keeps the earlier ones. */
export function resolvedBy(course: Course, resolution: Resolution) {
  const resolutions = [...course.resolutions, resolution]
  return { resolution, resolutions, concludedAt: resolution.at }
}

/** A contradicted operation accepts evidence, but only a person closes it. */
export function waitsForPerson(course: Course & { readonly status: string }): boolean {
  return course.contradicted && course.status === 'needs_review'
}

export function isOpen(course: { readonly status: AttemptStatus | CancellationStatus }): boolean {
  return course.status === 'reconciling' || course.status === 'needs_review'
}

/** The late answers including this one; `false` where it was no evidence. */
export function late(course: Course, answer: LateAnswer | false): readonly LateAnswer[] {
  return answer === false ? course.lateAnswers : [...course.lateAnswers, answer]
}

/** Whether this answer of the call is already recorded, as its end or as a late answer. */
export function isTold(course: Course, answer: LateAnswer): boolean {
  if (answer === 'rejected' && course.refused) return true
  if (answer === 'not_sent' && course.notSent !== null) return true
  return course.lateAnswers.includes(answer)
}

export function damagedBy(type: string, operationId: string, status: string): LedgerDamaged {
  return new LedgerDamaged(
    `The ledger holds ${type} where operation ${operationId} was ${status}: it is damaged or was written by other code.`,
  )
}
