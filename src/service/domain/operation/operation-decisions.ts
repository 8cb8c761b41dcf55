import { type Decision, type Instant, rfc3339 } from '../decider.ts'
import { shipmentIdOfOperation } from '../ids.ts'
import {
  type Decided,
  type EventData,
  event,
  type LateAnswer,
  type OperationDecision,
  shipmentEventSchemas,
} from '../shipment/shipment-events.ts'
import type {
  CallFailure,
  CallIntent,
  CallOutcome,
  Evidence,
  ExchangeRecord,
  Kind,
  LookFinding,
  LookReport,
  OperatorDecision,
  RecordedOutcome,
  Subject,
} from './kind.ts'
import {
  type Guide,
  isAnswerRecorded,
  isOpen,
  type LookCall,
  type OperationCore,
  resultOf,
  waitsForPerson,
} from './machine.ts'
import {
  concludesDenied,
  counts,
  isDenial,
  looksMax,
  reconciliationTimes,
} from './reconciliation.ts'
import type { Declared } from './transitions.ts'

/** The times of a call, as its intent event stores them. */
export function intentData({ now, callDeadline, credentialsVersion, recovered }: CallIntent) {
  return {
    call_deadline: rfc3339(callDeadline),
    settle_until: rfc3339(callDeadline + reconciliationTimes.settleMs),
    deadline_at: rfc3339(now + reconciliationTimes.deadlineMs),
    credentials_version: credentialsVersion,
    ...recoveredData(recovered),
  }
}

function recoveredData(recovered: true | undefined) {
  return recovered === undefined ? {} : { recovered }
}

/** Decides the events for the outcome of a call, or for its absence. No outcome is dropped. */
export function recordOutcome<Operation extends OperationCore>(
  kind: Kind<Operation>,
  subject: Subject<Operation>,
  outcome: CallOutcome,
  { record, recovered }: Pick<RecordedOutcome, 'record' | 'recovered'> = {},
): readonly Decided[] {
  return withExchanges(
    subject.operation.state === 'calling'
      ? [outcomeEvent(kind, subject.operation, outcome, recovered)]
      : lateOutcome(kind, subject, outcome),
    record,
  )
}

/** Adds the requests to the courier to the first event of the decision. */
export function withExchanges(
  decided: readonly Decided[],
  record?: ExchangeRecord,
): readonly Decided[] {
  const [first, ...rest] = decided
  if (first === undefined || record === undefined) return decided
  // Losing this evidence is better than losing the outcome to an event that cannot be written.
  if (!('exchanges' in shipmentEventSchemas[first.type].shape)) return decided
  const { exchanges, exchangesRef: exchanges_ref } = record
  return [{ ...first, data: { ...first.data, exchanges, exchanges_ref } } as Decided, ...rest]
}

function outcomeEvent(
  { events, success }: Declared,
  operation: OperationCore,
  outcome: CallOutcome,
  recovered: true | undefined,
): Decided {
  const names = { ...namesOf(operation), ...recoveredData(recovered) }
  switch (outcome.kind) {
    case 'issued':
    case 'cancelled':
      if (outcome.kind !== success) throw new Error(`bug: a call was ${outcome.kind}`)
      return outcome.kind === 'issued'
        ? event('GuideIssued', { ...names, ...foundGuideData(operation, outcome.guide) })
        : event('GuideCancelled', names)
    case 'rejected':
      return event(events.refused, { ...names, ...refusalData(outcome) })
    case 'not_sent':
      return event(events.not_sent, {
        ...names,
        reason: outcome.reason,
        retry_after_s: outcome.retryAfterSeconds,
      })
    case 'unknown':
      return event(events.outcome_unknown, {
        ...names,
        cause: outcome.cause,
        courier_can_be_asked: outcome.courierCanBeAsked,
      })
  }
}

/**
 * Decides on an outcome that arrives after another was recorded. A call has one answer, so an answer
 * that is already recorded is not recorded again.
 */
function lateOutcome<Operation extends OperationCore>(
  kind: Kind<Operation>,
  subject: Subject<Operation>,
  outcome: CallOutcome,
): readonly Decided[] {
  const { operation } = subject
  switch (outcome.kind) {
    case 'unknown':
      return []
    case 'issued':
    case 'cancelled': {
      const guides = outcome.kind === 'issued' ? [outcome.guide] : []
      const evidence = { guides, source: 'late_answer' } as const
      return kind.isSuccessRecorded(operation, evidence) ? [] : onEvidence(kind, subject, evidence)
    }
    case 'rejected':
    case 'not_sent': {
      if (isAnswerRecorded(operation, outcome.kind)) return []
      const refusal = outcome.kind === 'rejected' ? refusalData(outcome) : { detail_ref: null }
      if (isOpen(operation) && !waitsForPerson(operation)) {
        const evidence = outcome.kind === 'rejected' ? 'late_refusal' : 'late_not_sent'
        const data = { operation_id: operation.operationId, evidence, ...refusal } as const
        return [event(kind.events.not_found, data)]
      }
      const { detail_ref } = refusal
      return [lateAnswer(operation, outcome.kind, { guide_number: null, detail_ref })]
    }
  }
}

/** What to record when evidence shows that the request was carried out, in any state. */
function onEvidence<Operation extends OperationCore>(
  kind: Kind<Operation>,
  subject: Subject<Operation>,
  evidence: Evidence,
): readonly Decided[] {
  const { operation } = subject
  if (waitsForPerson(operation)) {
    return evidence.source === 'late_answer' ? [kind.lateSuccessEvent(operation, evidence)] : []
  }
  switch (operation.state) {
    case 'calling':
      return []
    case 'reconciling':
    case 'needs_review':
      return kind.onEvidenceWhileOpen(subject, evidence)
    case 'refused':
    case 'not_sent':
    case 'denied':
      return kind.onEvidenceAfterFailure(subject, evidence)
    case 'succeeded':
    case 'affirmed':
      return kind.onEvidenceAfterSuccess(subject, evidence)
  }
}

/** Decides the events for a look. No look is made before the call has ended. */
export function recordLook<Operation extends OperationCore>(
  kind: Kind<Operation>,
  subject: Subject<Operation>,
  look: LookReport,
): Decision<Decided, 'operation_full'> {
  const { operation } = subject
  if (operation.state === 'calling') return []
  const read = readLook(kind, operation, look)
  if (read === null) return []
  if (operation.looks.length >= looksMax) return { refused: 'operation_full' }
  const { guides, answer, counted, looked } = read
  if (operation.state === 'reconciling' && concludesDenied(operation, { answer, counted })) {
    const data = {
      operation_id: operation.operationId,
      evidence: 'looks',
      detail_ref: null,
    } as const
    return [looked, event(kind.events.not_found, data)]
  }
  const isEvidence = guides.length > 0 || answer === 'cancelled'
  if (isEvidence) return [looked, ...onEvidence(kind, subject, { guides, source: 'look' })]
  return counted ? [looked, ...kind.onCountedDenial(operation)] : [looked]
}

/** What a look shows, and its event; null if this look is already recorded. */
function readLook<Operation extends OperationCore>(
  kind: Kind<Operation>,
  operation: Operation,
  look: LookReport,
): (LookFinding & { readonly counted: boolean; readonly looked: Decided }) | null {
  const finding = kind.findingOf(operation, look.result)
  if (isRecorded(operation, look, finding)) return null
  const { answer } = finding
  const counted = isDenial(answer) && counts(operation, look.startedAt)
  const data = {
    operation_id: operation.operationId,
    method: 'by_client_reference',
    answer,
    counted,
    by: look.by,
    ...lookCallData(look.call),
    ...kind.lookEventFields(operation, finding),
  } as EventData<typeof kind.events.looked_up>
  const [looked] = withExchanges(
    [event(kind.events.looked_up, data, look.startedAt)],
    look.record,
  ) as readonly [Decided]
  return { ...finding, counted, looked }
}

/** Whether this look is already recorded: its append was repeated, or two processes made the same look. */
function isRecorded(
  { looks }: OperationCore,
  { startedAt }: LookReport,
  { answer, guideNumbers }: LookFinding,
): boolean {
  return looks.some(
    (each) =>
      each.at === startedAt &&
      each.answer === answer &&
      each.guideNumbers.join() === guideNumbers.join(),
  )
}

/** How the look's request went, in the event's form. */
function lookCallData(call: LookCall | undefined) {
  if (call === undefined) return {}
  const { failure, latencyMs: latency_ms } = call
  if (failure === null) return { latency_ms }
  return { latency_ms, failure: { kind: failure.kind, status_code: failure.statusCode } }
}

/** Records a person's decision, after the look that was made for it. */
export function resolve<Operation extends OperationCore>(
  kind: Kind<Operation>,
  operation: Operation,
  { now, decision, guide, resolutionRef, look }: OperatorDecision,
): Decision<Decided, 'operation_already_resolved' | 'operation_not_settled'> {
  if ((decision === 'guide_exists') !== (guide !== null)) {
    throw new Error('bug: only the decision guide_exists names a guide, and it always does')
  }
  const before = resultOf<OperationDecision>(kind.results, operation)
  if (before !== null) {
    const isSame = before === decision && kind.namesGuide(operation, guide)
    return isSame ? [] : { refused: 'operation_already_resolved' }
  }
  if (mustSettle(operation, decision === kind.results.notCarriedOut, now)) {
    return { refused: 'operation_not_settled' }
  }
  return [
    ...lookRecordedFirst(kind, operation, look),
    event('OperationResolved', {
      operation_id: operation.operationId,
      decision,
      ...claimData(guide, look),
      resolution_ref: resolutionRef,
    }),
  ]
}

/** The guide that the operator names; confirmed if the look made for this decision showed it. */
function claimData(guide: Guide | null, look: LookReport | undefined) {
  if (guide === null) return { guide_number: null, price: null, pickup_code_ref: null }
  const shown = look?.result.kind === 'guides' ? look.result.guides : []
  const confirmed = shown.some((each) => each.guideNumber === guide.guideNumber)
  return { ...guideData(guide), confirmed }
}

function lookRecordedFirst<Operation extends OperationCore>(
  kind: Kind<Operation>,
  operation: Operation,
  look: LookReport | undefined,
): readonly Decided[] {
  if (look === undefined || operation.looks.length >= looksMax) return []
  const read = readLook(kind, operation, look)
  return read === null ? [] : [read.looked]
}

/**
 * Whether it is too early for a person to decide. A denial always waits until settling ends.
 */
function mustSettle(operation: OperationCore, isDenial: boolean, now: Instant): boolean {
  if (operation.state === 'calling') return true
  const waits = isDenial || operation.state !== 'needs_review'
  return waits && now < operation.settleUntil
}

export function escalate(operation: OperationCore): readonly Decided[] {
  return isOpen(operation) ? escalatedOnce(operation) : []
}

export function requireReview(operation: OperationCore, now: Instant): readonly Decided[] {
  if (operation.state !== 'reconciling') return []
  if (!operation.courierCanBeAsked) {
    return reviewRequired(operation, 'courier_cannot_be_asked', [])
  }
  return now >= operation.deadlineAt ? reviewRequired(operation, 'deadline_passed', []) : []
}

export function contradicted(
  operation: OperationCore,
  guide_numbers: readonly string[],
  evidence: Evidence['source'],
): readonly Decided[] {
  const { operationId: operation_id } = operation
  return [
    event('OperationContradicted', { operation_id, guide_numbers: [...guide_numbers], evidence }),
    ...escalatedOnce(operation),
  ]
}

export function reviewRequired(
  operation: OperationCore,
  because: EventData<'OperationReviewRequired'>['because'],
  guide_numbers: readonly string[],
): readonly Decided[] {
  const { operationId: operation_id } = operation
  return [
    event('OperationReviewRequired', { operation_id, because, guide_numbers: [...guide_numbers] }),
    ...escalatedOnce(operation),
  ]
}

function escalatedOnce({ escalated, operationId }: OperationCore): readonly Decided[] {
  return escalated ? [] : [event('OperationEscalated', { operation_id: operationId })]
}

export function lateAnswer(
  operation: OperationCore,
  answer: LateAnswer,
  details: Pick<EventData<'LateAnswerRecorded'>, 'guide_number' | 'detail_ref' | 'confirms'>,
): Decided {
  return event('LateAnswerRecorded', { ...namesOf(operation), answer, ...details })
}

function namesOf({ number, operationId }: OperationCore) {
  return { attempt: number, operation_id: operationId }
}

function guideData(guide: Guide) {
  return {
    guide_number: guide.guideNumber,
    price: guide.price,
    pickup_code_ref: guide.pickupCodeRef,
  }
}

/** A guide that the courier confirmed under our reference. */
export function foundGuideData({ operationId }: Pick<OperationCore, 'operationId'>, guide: Guide) {
  return { ...guideData(guide), client_reference: shipmentIdOfOperation(operationId) }
}

function refusalData({
  detailRef,
  priceChanged,
}: Extract<CallFailure, { readonly kind: 'rejected' }>) {
  const refusal = { detail_ref: detailRef }
  return priceChanged === undefined ? refusal : { ...refusal, price_changed: priceChanged }
}
