import { type Instant, instant, LedgerDamaged, type Recorded } from '../decider.ts'
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
import type { CancellationLookAnswer } from './cancellation-events.ts'
import {
  certaintyOf,
  type Declared,
  type OperationEvent,
  type OperationState,
  roleOfEvent,
  transitions,
} from './transitions.ts'
import { noWork, type Work } from './work.ts'

export type Money = { readonly amount: number; readonly currency: string }

export type Guide = {
  readonly guideNumber: string
  readonly price: Money | null
  readonly pickupCodeRef: string | null
}

export type Resolution = {
  readonly decision: OperationDecision
  readonly by: 'reconciliation' | 'operator'
  readonly at: Instant
  /** The operator who decided; null if reconciliation or a key without an operator did. */
  readonly operatorId: string | null
  /**
   * Reference to the note in the vault, which for a key without an operator also names the person
   * who decided; null if reconciliation concluded.
   */
  readonly ref: string | null
  /** Whether the note has a vault row of its own, which survives an erasure of the person. */
  readonly hasOwnNote: boolean
  /** The guide, if the decision is that one exists. */
  readonly guideNumber: string | null
  /** Whether the courier has reported that guide; null if the decision names no guide. */
  readonly confirmed: boolean | null
}

/** One look: the courier was asked about the outcome. */
export type Look = {
  readonly at: Instant
  readonly answer: LookAnswer | CancellationLookAnswer
  readonly guideNumbers: readonly string[]
  readonly counted: boolean
  /** Absent for looks recorded before this field existed. */
  readonly call?: LookCall
}

/** How the look's request went. */
export type LookCall = {
  readonly failure: { readonly kind: LookFailure; readonly statusCode: number | null } | null
  /** Real time, not the workspace's clock. */
  readonly latencyMs: number
}

/** What is known about a request and its outcome, common to creations and cancellations. */
export type OperationCore = Work & {
  readonly state: OperationState
  /** Number of the attempt among those of its kind, from 1. */
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
  /** Null if the outcome was never recorded as unknown. */
  readonly unknownAt: Instant | null
  readonly cause: Cause | null
  readonly courierCanBeAsked: boolean
  readonly looks: readonly Look[]
  readonly reviewReason: ReviewReason | null
  readonly escalated: boolean
  readonly contradicted: boolean
  /** The conclusion in force; null while the operation is open. */
  readonly resolution: Resolution | null
  /** Every conclusion, oldest first, including contradicted ones. */
  readonly resolutions: readonly Resolution[]
  /** When the call or its reconciliation last ended: with an outcome, or in review. */
  readonly endedAt: Instant | null
  /** Answers of the call that arrived after its outcome was recorded as unknown, each once. */
  readonly lateAnswers: readonly LateAnswer[]
  readonly updatedAt: Instant
  readonly version: number
}

export function initialOperation(
  data: EventData<'GuideRequested'> | EventData<'CancellationRequested'>,
  event: Recorded<object>,
): OperationCore {
  return {
    state: 'calling',
    number: data.attempt,
    operationId: data.operation_id,
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
    endedAt: null,
    lateAnswers: [],
    ...noWork,
    updatedAt: event.recordedAt,
    version: 1,
  }
}

function nextState(
  { events, results, isSuccessFinal }: Declared,
  { state, operationId }: OperationCore,
  event: OperationEvent,
): OperationState {
  const role = roleOfEvent[event.type]
  const isOwn = events[role] === event.type
  const isFinal = isSuccessFinal && state === 'succeeded' && role === 'contradicted'
  const target = isOwn && !isFinal ? transitions[state][role] : 'never'
  if (target === 'decision' && event.type === 'OperationResolved') {
    if (event.data.decision === results.carriedOut) return 'affirmed'
    if (event.data.decision === results.notCarriedOut) return 'denied'
  }
  if (target === 'never' || target === 'decision') {
    throw new LedgerDamaged(
      `The ledger has ${event.type} while operation ${operationId} is ${state}, which is impossible: it is damaged or was written by other code.`,
    )
  }
  return target
}

/** Applies an event to the state that all kinds of operations share; each kind adds its own. */
export function evolveOperation<Operation extends OperationCore>(
  declared: Declared,
  before: Operation,
  event: Recorded<OperationEvent>,
): Operation {
  const at = event.recordedAt
  const operation = {
    ...before,
    state: nextState(declared, before, event),
    updatedAt: at,
    version: before.version + 1,
  }
  switch (event.type) {
    case 'GuideIssued':
    case 'GuideCancelled':
      return { ...operation, endedAt: at }
    case 'GuideRejected':
    case 'CancellationRefused':
      return { ...operation, refused: true, refusalRef: event.data.detail_ref, endedAt: at }
    case 'GuideNotSent':
    case 'CancellationNotSent': {
      const { reason, retry_after_s: retryAfterSeconds } = event.data
      return { ...operation, notSent: { reason, retryAfterSeconds }, endedAt: at }
    }
    case 'GuideOutcomeUnknown':
    case 'CancellationOutcomeUnknown': {
      const { cause, courier_can_be_asked: courierCanBeAsked } = event.data
      return { ...operation, unknownAt: at, cause, courierCanBeAsked }
    }
    case 'GuideLookedUp':
    case 'CancellationLookedUp':
      return operation
    case 'GuideFound':
    case 'CancellationFound':
    case 'GuideNotCreated':
    case 'GuideNotCancelled':
    case 'OperationResolved':
      return concluded(declared, operation, event)
    case 'OperationReviewRequired':
      return { ...operation, ...awake, reviewReason: event.data.because, endedAt: at }
    case 'OperationEscalated':
      return { ...operation, escalated: true }
    case 'OperationContradicted': {
      const isLate = event.data.evidence === 'late_answer'
      const lateAnswers = withLate(before, isLate ? declared.success : null)
      return {
        ...operation,
        ...awake,
        resolution: null,
        contradicted: true,
        endedAt: at,
        lateAnswers,
      }
    }
    case 'LateAnswerRecorded':
      return { ...operation, lateAnswers: withLate(before, event.data.answer) }
  }
}

/** Ends a snooze: a person must look at the operation now, or no longer has to. */
const awake = { snoozedUntil: null }

type Conclusion = Extract<
  OperationEvent,
  {
    type:
      | 'GuideFound'
      | 'CancellationFound'
      | 'GuideNotCreated'
      | 'GuideNotCancelled'
      | 'OperationResolved'
  }
>

/** Puts the conclusion into force and keeps the earlier ones. */
function concluded<Operation extends OperationCore>(
  { results, success }: Declared,
  operation: Operation,
  event: Recorded<Conclusion>,
): Operation {
  const at = event.recordedAt
  const inForce = (resolution: Resolution) => ({
    ...operation,
    ...awake,
    resolution,
    resolutions: [...operation.resolutions, resolution],
    endedAt: at,
  })
  switch (event.type) {
    case 'GuideFound':
    case 'CancellationFound': {
      const guideNumber = event.type === 'GuideFound' ? event.data.guide_number : null
      const confirmed = guideNumber === null ? null : true
      const resolution = { ...byLooks, decision: results.carriedOut, at, guideNumber, confirmed }
      const isLate = event.data.evidence === 'late_answer'
      return { ...inForce(resolution), lateAnswers: withLate(operation, isLate ? success : null) }
    }
    case 'GuideNotCreated':
    case 'GuideNotCancelled': {
      const { evidence, detail_ref: refusalRef } = event.data
      const refused = evidence === 'late_refusal'
      const answer = evidence === 'looks' ? null : refused ? 'rejected' : 'not_sent'
      const resolution = { ...byLooks, ...noGuide, decision: results.notCarriedOut, at }
      return {
        ...inForce(resolution),
        refused,
        refusalRef,
        lateAnswers: withLate(operation, answer),
      }
    }
    case 'OperationResolved': {
      const { decision, guide_number: guideNumber, resolution_ref: ref } = event.data
      const confirmed =
        guideNumber === null ? null : (event.data.confirmed ?? isSeen(operation, guideNumber))
      const { operatorId = null } = event
      const named = { operatorId, guideNumber, confirmed }
      const hasOwnNote = ref !== null && event.data.commitments?.[ref] !== undefined
      return inForce({ decision, by: 'operator', at, ref, hasOwnNote, ...named })
    }
  }
}

const byLooks = {
  by: 'reconciliation',
  operatorId: null,
  ref: null,
  hasOwnNote: false,
} as const
const noGuide = { guideNumber: null, confirmed: null }

function isSeen({ looks }: OperationCore, guideNumber: string): boolean {
  return looks.some((look) => look.guideNumbers.includes(guideNumber))
}

/** The late answers plus this one; null adds nothing. */
function withLate(operation: OperationCore, answer: LateAnswer | null): readonly LateAnswer[] {
  return answer === null ? operation.lateAnswers : [...operation.lateAnswers, answer]
}

/** Builds a look from its event and the guides that it showed. */
export function lookOf(
  {
    occurredAt,
    data,
  }: Recorded<Extract<OperationEvent, { type: 'GuideLookedUp' | 'CancellationLookedUp' }>>,
  guideNumbers: readonly string[],
): Look {
  const { answer, counted, failure, latency_ms: latencyMs } = data
  const look = { at: occurredAt, answer, guideNumbers, counted }
  if (latencyMs === undefined) return look
  const failed =
    failure === undefined ? null : { kind: failure.kind, statusCode: failure.status_code }
  return { ...look, call: { failure: failed, latencyMs } }
}

/** A contradicted operation accepts evidence, but only a person closes it. */
export function waitsForPerson({ contradicted, state }: OperationCore): boolean {
  return contradicted && state === 'needs_review'
}

export function isOpen({ state }: Pick<OperationCore, 'state'>): boolean {
  return certaintyOf[state] === 'unknown'
}

/** Whether the request is known to have been carried out. */
export function isCarriedOut({ state }: Pick<OperationCore, 'state'>): boolean {
  return certaintyOf[state] === 'carried_out'
}

/** The result of an operation of this kind; null while it is not certain. */
export function resultOf<Result>(
  { carriedOut, notCarriedOut }: { readonly carriedOut: Result; readonly notCarriedOut: Result },
  { state }: Pick<OperationCore, 'state'>,
): Result | null {
  switch (certaintyOf[state]) {
    case 'in_progress':
    case 'unknown':
      return null
    case 'carried_out':
      return carriedOut
    case 'not_carried_out':
      return notCarriedOut
  }
}

/** Whether this answer of the call is already recorded, as its end or as a late answer. */
export function isAnswerRecorded(operation: OperationCore, answer: LateAnswer): boolean {
  if (answer === 'rejected' && operation.refused) return true
  if (answer === 'not_sent' && operation.notSent !== null) return true
  return operation.lateAnswers.includes(answer)
}

/** Whether a person decided on a guide that the courier has not reported yet. */
export function isUnconfirmed({ resolution }: OperationCore): boolean {
  return resolution?.confirmed === false
}
