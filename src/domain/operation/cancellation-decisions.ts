import type { Decision, Instant } from '../decider.ts'
import { type Decided, event } from '../shipment/shipment-events.ts'
import { type Cancellation, type CancellationLook, hasCancelled } from './cancellation.ts'
import { isOpen, isTold, type LookCall, waitsForPerson } from './course.ts'
import {
  type CallFailure,
  contradicted,
  decisionOf,
  lookCallData,
  mustSettle,
  names,
} from './operation-decisions.ts'
import { concludesDenied, counts, looksMax } from './reconciliation.ts'

/** How a cancellation's call ended, as far as the caller knows. */
export type CancellationOutcome = { readonly kind: 'cancelled' } | CallFailure

/** A cancellation, and the other tries to cancel the same guide. */
export type Judged = {
  readonly cancellation: Cancellation
  readonly others: readonly Cancellation[]
}

/** What the end of the call, or its absence, means for a cancellation. Nothing is dropped. */
export function recordCancellation(
  judged: Judged,
  outcome: CancellationOutcome,
): readonly Decided[] {
  return judged.cancellation.status === 'calling'
    ? [outcomeOf(judged.cancellation, outcome)]
    : lateOutcome(judged, outcome)
}

function outcomeOf(cancellation: Cancellation, outcome: CancellationOutcome): Decided {
  switch (outcome.kind) {
    case 'cancelled':
      return event('GuideCancelled', names(cancellation))
    case 'rejected':
      return event('CancellationRefused', {
        ...names(cancellation),
        detail_ref: outcome.detailRef,
      })
    case 'not_sent':
      return event('CancellationNotSent', {
        ...names(cancellation),
        reason: outcome.reason,
        retry_after_s: outcome.retryAfterSeconds,
      })
    case 'unknown':
      return event('CancellationOutcomeUnknown', {
        ...names(cancellation),
        cause: outcome.cause,
        courier_can_be_asked: outcome.courierCanBeAsked,
      })
  }
}

/** Decides evidence that arrives after another outcome was recorded, on what is known now. */
function lateOutcome(judged: Judged, outcome: CancellationOutcome): readonly Decided[] {
  const { cancellation } = judged
  const operation = { operation_id: cancellation.operationId }
  if (outcome.kind === 'unknown' || isTold(cancellation, outcome.kind)) return []
  switch (outcome.kind) {
    case 'cancelled':
      return guideWasVoided(judged, 'late_answer')
    case 'rejected':
    case 'not_sent': {
      const detail_ref = outcome.kind === 'rejected' ? outcome.detailRef : null
      const evidence = outcome.kind === 'rejected' ? 'late_refusal' : 'late_not_sent'
      return isOpen(cancellation) && !waitsForPerson(cancellation)
        ? [event('GuideNotCancelled', { ...operation, evidence, detail_ref })]
        : [lateAnswer(cancellation, outcome.kind, detail_ref)]
    }
  }
}

function lateAnswer(
  cancellation: Cancellation,
  answer: 'cancelled' | 'rejected' | 'not_sent',
  detail_ref: string | null,
): Decided {
  return event('LateAnswerRecorded', {
    ...names(cancellation),
    answer,
    guide_number: null,
    detail_ref,
  })
}

/** What it means for a cancellation that its guide is now known to be voided. */
function guideWasVoided(
  { cancellation, others }: Judged,
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  if (waitsForPerson(cancellation)) {
    return evidence === 'late_answer' ? [lateAnswer(cancellation, 'cancelled', null)] : []
  }
  switch (cancellation.status) {
    case 'reconciling':
    case 'needs_review':
      return [event('CancellationFound', { operation_id: cancellation.operationId, evidence })]
    case 'refused':
    case 'not_sent':
    case 'not_cancelled':
      // A guide that another try voided does not contradict the outcome of this one.
      if (evidence === 'late_answer') {
        return others.some(hasCancelled)
          ? [lateAnswer(cancellation, 'cancelled', null)]
          : contradicted(cancellation, [cancellation.guideNumber], evidence)
      }
      return others.some(mayHaveCancelled)
        ? []
        : contradicted(cancellation, [cancellation.guideNumber], evidence)
    case 'calling':
    case 'confirmed':
    case 'cancelled':
      return []
  }
}

export type CancellationLookResult = CancellationLook['answer']

export type CancellationLookMade = {
  readonly by: 'reconciliation' | 'operator'
  readonly startedAt: Instant
  readonly result: CancellationLookResult
  readonly call?: LookCall
}

/** Whether a try voided its guide, or may have: nothing else is known about it yet. */
function mayHaveCancelled(each: Cancellation): boolean {
  return hasCancelled(each) || each.status === 'calling' || isOpen(each)
}

/** What a look means for a cancellation whose call has ended; no look is made before that. */
export function recordCancellationLook(
  judged: Judged,
  { startedAt, result: answer, by, call }: CancellationLookMade,
): Decision<Decided, 'rate_limited'> {
  const { cancellation } = judged
  if (cancellation.status === 'calling') return []
  // This very look is already recorded: its append was repeated, or two processes made it as one.
  const same = (look: CancellationLook) => look.at === startedAt && look.answer === answer
  if (cancellation.looks.some(same)) return []
  if (cancellation.looks.length >= looksMax) return { refused: 'rate_limited' }
  const counted = answer === 'standing' && counts(cancellation, startedAt)
  const operation = { operation_id: cancellation.operationId }
  const method = 'by_client_reference'
  const said = { ...operation, method, answer, counted, by, ...lookCallData(call) } as const
  const looked = event('CancellationLookedUp', said, startedAt)
  if (answer === 'cancelled') return [looked, ...guideWasVoided(judged, 'look')]
  if (cancellation.status === 'reconciling' && concludesDenied(cancellation, { answer, counted })) {
    const evidence = 'looks'
    return [looked, event('GuideNotCancelled', { ...operation, evidence, detail_ref: null })]
  }
  const isOperatorsWord =
    cancellation.status === 'cancelled' && cancellation.resolution?.by === 'operator'
  return counted && isOperatorsWord
    ? [looked, ...contradicted(cancellation, [cancellation.guideNumber], 'look')]
    : [looked]
}

export type CancellationVerdict = {
  readonly now: Instant
  readonly decision: 'cancelled' | 'not_cancelled'
  readonly resolutionRef: string | null
}

export function resolveCancellation(
  cancellation: Cancellation,
  { decision, now, resolutionRef }: CancellationVerdict,
): Decision<Decided, 'operation_already_resolved' | 'operation_not_settled'> {
  const before = decisionOf(cancellation)
  if (before !== null) return before === decision ? [] : { refused: 'operation_already_resolved' }
  if (mustSettle(cancellation, decision === 'not_cancelled', now)) {
    return { refused: 'operation_not_settled' }
  }
  return [
    event('OperationResolved', {
      operation_id: cancellation.operationId,
      decision,
      guide_number: null,
      price: null,
      pickup_code_ref: null,
      resolution_ref: resolutionRef,
    }),
  ]
}
