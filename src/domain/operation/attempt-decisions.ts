import type { Decision, Instant } from '../decider.ts'
import {
  type Decided,
  event,
  guidesNamedMax,
  type LookAnswer,
} from '../shipment/shipment-events.ts'
import type { Attempt, Guide, Look, Money } from './attempt.ts'
import { isOpen, isTold, type LookCall, waitsForPerson } from './course.ts'
import { isUnconfirmed } from './operation.ts'
import {
  type CallFailure,
  contradicted,
  decisionOf,
  lookCallData,
  mustSettle,
  names,
  reviewRequired,
} from './operation-decisions.ts'
import { concludesDenied, counts, looksMax } from './reconciliation.ts'

/** How an attempt's call ended, as far as the caller knows. */
export type CallOutcome =
  | { readonly kind: 'issued'; readonly guide: Guide }
  | Exclude<CallFailure, { kind: 'rejected' }>
  | (Extract<CallFailure, { kind: 'rejected' }> & {
      /** The courier wants a price other than the one the creation is bound to. */
      readonly priceChanged?: { readonly to: Money | null }
    })

export type LookResult =
  | { readonly kind: 'guides'; readonly guides: readonly Guide[] }
  | { readonly kind: 'inconclusive' }

function guideData(guide: Guide) {
  return {
    guide_number: guide.guideNumber,
    price: guide.price,
    pickup_code_ref: guide.pickupCodeRef,
  }
}

function refusalData({ detailRef, priceChanged }: Extract<CallOutcome, { kind: 'rejected' }>) {
  const refusal = { detail_ref: detailRef }
  return priceChanged === undefined ? refusal : { ...refusal, price_changed: priceChanged }
}

/** What the end of the call, or its absence, means for an attempt. Nothing is dropped. */
export function recordOutcome(attempt: Attempt, outcome: CallOutcome): readonly Decided[] {
  return attempt.status === 'calling'
    ? [outcomeOf(attempt, outcome)]
    : lateOutcome(attempt, outcome)
}

function outcomeOf(attempt: Attempt, outcome: CallOutcome): Decided {
  switch (outcome.kind) {
    case 'issued':
      return event('GuideIssued', { ...names(attempt), ...guideData(outcome.guide) })
    case 'rejected':
      return event('GuideRejected', { ...names(attempt), ...refusalData(outcome) })
    case 'not_sent':
      return event('GuideNotSent', {
        ...names(attempt),
        reason: outcome.reason,
        retry_after_s: outcome.retryAfterSeconds,
      })
    case 'unknown':
      return event('GuideOutcomeUnknown', {
        ...names(attempt),
        cause: outcome.cause,
        courier_can_be_asked: outcome.courierCanBeAsked,
      })
  }
}

/**
 * Decides evidence that arrives after another outcome was recorded, on what is known now. A call
 * has one answer: what was recorded of it is not recorded again.
 */
function lateOutcome(attempt: Attempt, outcome: CallOutcome): readonly Decided[] {
  const operation = { operation_id: attempt.operationId }
  if (outcome.kind === 'unknown') return []
  switch (outcome.kind) {
    case 'issued':
      return isTold(attempt, outcome.kind) &&
        attempt.knownGuides.includes(outcome.guide.guideNumber)
        ? []
        : guideTurnedUp(attempt, [outcome.guide], 'late_answer')
    case 'rejected':
    case 'not_sent': {
      if (isTold(attempt, outcome.kind)) return []
      const refusal = outcome.kind === 'rejected' ? refusalData(outcome) : { detail_ref: null }
      const { detail_ref } = refusal
      const evidence = outcome.kind === 'rejected' ? 'late_refusal' : 'late_not_sent'
      if (isOpen(attempt) && !waitsForPerson(attempt)) {
        return [event('GuideNotCreated', { ...operation, evidence, ...refusal })]
      }
      const answer = outcome.kind
      return [
        event('LateAnswerRecorded', { ...names(attempt), answer, guide_number: null, detail_ref }),
      ]
    }
  }
}

/** The call reported this guide late: evidence, which concludes nothing. */
function issuedLate(attempt: Attempt, guide: Guide): Decided {
  return event('LateAnswerRecorded', {
    ...names(attempt),
    answer: 'issued',
    guide_number: guide.guideNumber,
    detail_ref: null,
    ...confirmation(attempt, [guide]),
  })
}

/** The part of these guides that confirms a decision the courier had not confirmed. */
function confirmation(attempt: Attempt, guides: readonly Guide[]) {
  const named = guides.find((each) => each.guideNumber === attempt.guide?.guideNumber)
  if (named === undefined || !isUnconfirmed(attempt)) return {}
  return { confirms: { price: named.price, pickup_code_ref: named.pickupCodeRef } }
}

/** What a guide seen now means for an attempt, whatever the conclusion was. */
function guideTurnedUp(
  attempt: Attempt,
  guides: readonly Guide[],
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  const [guide] = guides
  if (guide === undefined) return []
  const operation = { operation_id: attempt.operationId }
  const numbers = guides.map((each) => each.guideNumber)
  if (waitsForPerson(attempt)) {
    return evidence === 'late_answer' ? [issuedLate(attempt, guide)] : []
  }
  switch (attempt.status) {
    case 'calling':
    case 'reconciling':
    case 'needs_review':
      return guides.length === 1
        ? [event('GuideFound', { ...operation, ...guideData(guide), evidence })]
        : attempt.status === 'needs_review'
          ? []
          : reviewRequired(attempt, 'ambiguous', numbers)
    case 'rejected':
    case 'not_sent':
    case 'nothing_created':
      return contradicted(attempt, numbers, evidence)
    case 'issued':
    case 'guide_exists':
      return guideBesides(attempt, guides, evidence)
  }
}

/** What guides mean for an attempt that was concluded to have one. */
function guideBesides(
  attempt: Attempt,
  guides: readonly Guide[],
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  const numbers = guides.map((each) => each.guideNumber)
  const isShown = numbers.includes(attempt.guide?.guideNumber ?? '')
  // If only a person has named the attempt's guide, a different guide contradicts it.
  const isAgainst = isUnconfirmed(attempt) && !isShown
  const against = isAgainst
    ? numbers
    : numbers.filter((number) => !attempt.knownGuides.includes(number))
  if (against.length > 0) return contradicted(attempt, against, evidence)
  const [guide] = guides
  const confirms = evidence === 'late_answer' && isUnconfirmed(attempt)
  return confirms && guide !== undefined ? [issuedLate(attempt, guide)] : []
}

export type LookMade = {
  readonly by: 'reconciliation' | 'operator'
  readonly startedAt: Instant
  readonly result: LookResult
  readonly call?: LookCall
}

function answerOf(result: LookResult, guides: readonly Guide[]): LookAnswer {
  if (result.kind === 'inconclusive') return 'inconclusive'
  if (guides.length === 0) return 'absent'
  return guides.length === 1 ? 'found' : 'ambiguous'
}

/** Each guide once, however often the courier lists it, up to the number an event may name. */
function guidesOf(result: LookResult): readonly Guide[] {
  if (result.kind === 'inconclusive') return []
  const each = new Map(result.guides.map((guide) => [guide.guideNumber, guide]))
  return [...each.values()].slice(0, guidesNamedMax)
}

/** This very look is already recorded: its append was repeated, or two processes made it as one. */
function isRecorded(attempt: Attempt, look: Pick<Look, 'at' | 'answer' | 'guideNumbers'>): boolean {
  return attempt.looks.some(
    ({ at, answer, guideNumbers }) =>
      at === look.at && answer === look.answer && guideNumbers.join() === look.guideNumbers.join(),
  )
}

/** A look for the record: what it saw, and its event, or null when it is already recorded. */
function sightOf(attempt: Attempt, { startedAt, result, by, call }: LookMade) {
  const guides = guidesOf(result)
  const answer = answerOf(result, guides)
  const guideNumbers = guides.map((guide) => guide.guideNumber)
  if (isRecorded(attempt, { at: startedAt, answer, guideNumbers })) return null
  const counted = answer === 'absent' && counts(attempt, startedAt)
  const data = {
    operation_id: attempt.operationId,
    method: 'by_client_reference',
    answer,
    guide_numbers: guideNumbers,
    counted,
    by,
    ...lookCallData(call),
    ...confirmation(attempt, guides),
  } as const
  return { guides, answer, counted, looked: event('GuideLookedUp', data, startedAt) }
}

/** What a look means for an attempt whose call has ended; no look is made before that. */
export function recordLook(attempt: Attempt, look: LookMade): Decision<Decided, 'rate_limited'> {
  if (attempt.status === 'calling') return []
  const sight = sightOf(attempt, look)
  if (sight === null) return []
  if (attempt.looks.length >= looksMax) return { refused: 'rate_limited' }
  const { guides, looked } = sight
  if (attempt.status === 'reconciling' && concludesDenied(attempt, sight)) {
    const operation_id = attempt.operationId
    return [looked, event('GuideNotCreated', { operation_id, evidence: 'looks', detail_ref: null })]
  }
  return [looked, ...guideTurnedUp(attempt, guides, 'look')]
}

export type OperatorDecision = {
  readonly now: Instant
  readonly decision: 'guide_exists' | 'nothing_created'
  readonly guide: Guide | null
  readonly resolutionRef: string | null
  /** The courier's answer when it was asked about this decision; absent = it was not asked. */
  readonly look?: LookMade
}

export function resolve(
  attempt: Attempt,
  command: OperatorDecision,
): Decision<Decided, 'operation_already_resolved' | 'operation_not_settled'> {
  if ((command.decision === 'guide_exists') !== (command.guide !== null)) {
    throw new Error('bug: a decision that a guide exists names it, and no other does')
  }
  const before = decisionOf(attempt)
  if (before !== null) {
    const same =
      before === command.decision &&
      (before === 'nothing_created' || attempt.guide?.guideNumber === command.guide?.guideNumber)
    return same ? [] : { refused: 'operation_already_resolved' }
  }
  if (mustSettle(attempt, command.decision === 'nothing_created', command.now)) {
    return { refused: 'operation_not_settled' }
  }
  return [
    ...lookBefore(attempt, command.look),
    event('OperationResolved', {
      operation_id: attempt.operationId,
      decision: command.decision,
      ...claimData(command),
      resolution_ref: command.resolutionRef,
    }),
  ]
}

/** The guide that the operator names; confirmed if the look at this decision showed it. */
function claimData({ guide, look }: OperatorDecision) {
  if (guide === null) return { guide_number: null, price: null, pickup_code_ref: null }
  const shown = look?.result.kind === 'guides' ? look.result.guides : []
  const confirmed = shown.some((each) => each.guideNumber === guide.guideNumber)
  return { ...guideData(guide), confirmed }
}

/** Records the look before the operator's decision; the decision, not the look, concludes. */
function lookBefore(attempt: Attempt, look: LookMade | undefined): readonly Decided[] {
  if (look === undefined || attempt.looks.length >= looksMax) return []
  const sight = sightOf(attempt, look)
  return sight === null ? [] : [sight.looked]
}
