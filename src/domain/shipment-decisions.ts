import { type Attempt, type Guide, isOpen } from './attempt.ts'
import { type Decision, type Instant, rfc3339, unreachable } from './decider.ts'
import { attemptsMax } from './ids.ts'
import { concludesAbsent, counts, looksMax, reconciliationTimes } from './reconciliation.ts'
import { attemptOf, currentAttempt, type Shipment, type State, statusOf } from './shipment.ts'
import {
  type Cause,
  type Decided,
  type EventData,
  event,
  type MonitoringState,
  type NotSentReason,
  type TrackingEventData,
} from './shipment-events.ts'

/** How an attempt's call ended, as far as the caller knows. */
export type CallOutcome =
  | { readonly kind: 'issued'; readonly guide: Guide }
  | { readonly kind: 'rejected'; readonly detailRef: string | null }
  | {
      readonly kind: 'not_sent'
      readonly reason: NotSentReason
      readonly retryAfterSeconds: number | null
    }
  | { readonly kind: 'unknown'; readonly cause: Cause; readonly courierCanBeAsked: boolean }

export type LookResult =
  | { readonly kind: 'guides'; readonly guides: readonly Guide[] }
  | { readonly kind: 'inconclusive' }

export type Command =
  | {
      readonly do: 'request_shipment'
      readonly now: Instant
      readonly callDeadline: Instant
      readonly operationId: string
      readonly credentialsVersion: number
      readonly request: EventData<'ShipmentRequested'>
    }
  /** The next try of a key whose last one was certainly not executed. */
  | {
      readonly do: 'request_guide'
      readonly now: Instant
      readonly callDeadline: Instant
      readonly operationId: string
      readonly credentialsVersion: number
    }
  | { readonly do: 'record_outcome'; readonly attempt: number; readonly outcome: CallOutcome }
  | {
      readonly do: 'record_look'
      readonly operationId: string
      readonly by: 'reconciliation' | 'operator'
      readonly startedAt: Instant
      readonly result: LookResult
    }
  | { readonly do: 'require_review'; readonly operationId: string; readonly now: Instant }
  | { readonly do: 'escalate'; readonly operationId: string }
  | {
      readonly do: 'resolve'
      readonly operationId: string
      readonly now: Instant
      readonly decision: 'guide_exists' | 'nothing_created'
      readonly guide: Guide | null
      readonly resolutionRef: string | null
    }
  | {
      readonly do: 'observe_tracking'
      readonly events: readonly TrackingEventData[]
      readonly eta: Instant | null
      readonly evidenceRef: string | null
      readonly monitoring: MonitoringState
    }
  | { readonly do: 'record_label'; readonly label: EventData<'LabelReady'> }
  | { readonly do: 'erase_personal_data' }

export type RefusalReason =
  | 'not_found'
  | 'operation_not_settled'
  | 'operation_already_resolved'
  | 'rate_limited'
  | 'unknown_outcome'

export function decide(state: State, command: Command): Decision<Decided, RefusalReason> {
  if (command.do === 'request_shipment') return state === null ? request(command) : []
  if (state === null) return { refused: 'not_found' }
  switch (command.do) {
    case 'request_guide':
      return requestAgain(state, command)
    case 'record_outcome':
      return recordOutcome(state, command.attempt, command.outcome)
    case 'record_look':
      return onOperation(state, command.operationId, (attempt) => recordLook(attempt, command))
    case 'require_review':
      return onOperation(state, command.operationId, (attempt) =>
        requireReview(attempt, command.now),
      )
    case 'escalate':
      return onOperation(state, command.operationId, (attempt) =>
        isOpen(attempt) && !attempt.escalated ? escalated(attempt) : [],
      )
    case 'resolve':
      return onOperation(state, command.operationId, (attempt) => resolve(attempt, command))
    case 'observe_tracking':
      return observeTracking(state, command)
    case 'record_label':
      return state.label === null && state.erasedAt === null
        ? [event('LabelReady', command.label)]
        : []
    case 'erase_personal_data':
      return erase(state)
    default:
      return unreachable(command)
  }
}

type RequestGuide = Extract<Command, { do: 'request_shipment' | 'request_guide' }>

function guideRequested(command: RequestGuide, attempt: number): Decided {
  return event('GuideRequested', {
    attempt,
    operation_id: command.operationId,
    call_deadline: rfc3339(command.callDeadline),
    settle_until: rfc3339(command.callDeadline + reconciliationTimes.settleMs),
    deadline_at: rfc3339(command.now + reconciliationTimes.deadlineMs),
    credentials_version: command.credentialsVersion,
  })
}

function request(command: Extract<Command, { do: 'request_shipment' }>): readonly Decided[] {
  return [event('ShipmentRequested', command.request), guideRequested(command, 1)]
}

function requestAgain(
  state: Shipment,
  command: Extract<Command, { do: 'request_guide' }>,
): readonly Decided[] {
  const last = state.attempts.length
  if (statusOf(state) !== 'not_executed' || last >= attemptsMax || state.erasedAt !== null)
    return []
  return [guideRequested(command, last + 1)]
}

function onOperation(
  state: Shipment,
  operationId: string,
  decideOn: (attempt: Attempt) => Decision<Decided, RefusalReason>,
): Decision<Decided, RefusalReason> {
  const attempt = attemptOf(state, operationId)
  return attempt === null ? { refused: 'not_found' } : decideOn(attempt)
}

function recordOutcome(state: Shipment, number: number, outcome: CallOutcome): readonly Decided[] {
  const attempt = state.attempts[number - 1]
  if (attempt === undefined)
    throw new Error(`bug: an outcome for attempt ${number}, which never began`)
  if (attempt.status === 'calling') return [outcomeOf(attempt, outcome)]
  return lateOutcome(attempt, outcome)
}

function names(attempt: Attempt): { attempt: number; operation_id: string } {
  return { attempt: attempt.number, operation_id: attempt.operationId }
}

function guideData(guide: Guide) {
  return {
    guide_number: guide.guideNumber,
    price: guide.price,
    pickup_code_ref: guide.pickupCodeRef,
  }
}

function outcomeOf(attempt: Attempt, outcome: CallOutcome): Decided {
  switch (outcome.kind) {
    case 'issued':
      return event('GuideIssued', { ...names(attempt), ...guideData(outcome.guide) })
    case 'rejected':
      return event('GuideRejected', { ...names(attempt), detail_ref: outcome.detailRef })
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

/** Evidence that comes after the outcome was recorded otherwise is decided on what is known now. */
function lateOutcome(attempt: Attempt, outcome: CallOutcome): readonly Decided[] {
  const operation = { operation_id: attempt.operationId }
  switch (outcome.kind) {
    case 'unknown':
      return []
    case 'issued':
      return guideTurnedUp(attempt, [outcome.guide], 'late_answer')
    case 'rejected':
    case 'not_sent': {
      const detail_ref = outcome.kind === 'rejected' ? outcome.detailRef : null
      const evidence = outcome.kind === 'rejected' ? 'late_refusal' : 'late_not_sent'
      if (isOpen(attempt)) return [event('GuideNotCreated', { ...operation, evidence, detail_ref })]
      if (attempt.status === outcome.kind) return []
      const answer = outcome.kind
      return [
        event('LateAnswerRecorded', { ...names(attempt), answer, guide_number: null, detail_ref }),
      ]
    }
  }
}

/** What a guide seen now means for an attempt, whatever had been concluded. */
function guideTurnedUp(
  attempt: Attempt,
  guides: readonly Guide[],
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  const [guide] = guides
  if (guide === undefined) return []
  const operation = { operation_id: attempt.operationId }
  const numbers = guides.map((each) => each.guideNumber)
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
    case 'guide_exists': {
      const unseen = numbers.filter((number) => !attempt.knownGuides.includes(number))
      return unseen.length === 0 ? [] : contradicted(attempt, unseen, evidence)
    }
  }
}

function contradicted(
  attempt: Attempt,
  guide_numbers: readonly string[],
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  const operation = { operation_id: attempt.operationId }
  return [
    event('OperationContradicted', { ...operation, guide_numbers: [...guide_numbers], evidence }),
    ...(attempt.escalated ? [] : [event('OperationEscalated', operation)]),
  ]
}

function recordLook(
  attempt: Attempt,
  command: Extract<Command, { do: 'record_look' }>,
): Decision<Decided, RefusalReason> {
  if (attempt.looks.length >= looksMax) return { refused: 'rate_limited' }
  const { startedAt, result, by } = command
  const guides = result.kind === 'guides' ? result.guides : []
  const answer =
    result.kind === 'inconclusive'
      ? 'inconclusive'
      : guides.length === 0
        ? 'absent'
        : guides.length === 1
          ? 'found'
          : 'ambiguous'
  const counted = answer === 'absent' && counts(attempt, startedAt)
  const looked = event(
    'GuideLookedUp',
    {
      operation_id: attempt.operationId,
      method: 'by_client_reference',
      answer,
      guide_numbers: guides.map((guide) => guide.guideNumber),
      counted,
      by,
    },
    startedAt,
  )
  if (attempt.status === 'calling') return []
  if (attempt.status === 'reconciling' && concludesAbsent(attempt, { answer, counted })) {
    const operation_id = attempt.operationId
    return [looked, event('GuideNotCreated', { operation_id, evidence: 'looks', detail_ref: null })]
  }
  return [looked, ...guideTurnedUp(attempt, guides, 'look')]
}

function reviewRequired(
  attempt: Attempt,
  because: EventData<'OperationReviewRequired'>['because'],
  guide_numbers: readonly string[],
): readonly Decided[] {
  const { operationId: operation_id } = attempt
  return [
    event('OperationReviewRequired', { operation_id, because, guide_numbers: [...guide_numbers] }),
    ...(attempt.escalated ? [] : escalated(attempt)),
  ]
}

function escalated(attempt: Attempt): readonly Decided[] {
  return [event('OperationEscalated', { operation_id: attempt.operationId })]
}

function requireReview(attempt: Attempt, now: Instant): readonly Decided[] {
  if (attempt.status !== 'reconciling') return []
  if (!attempt.courierCanBeAsked) return reviewRequired(attempt, 'courier_cannot_be_asked', [])
  return now >= attempt.deadlineAt ? reviewRequired(attempt, 'deadline_passed', []) : []
}

const decided: Readonly<Record<Attempt['status'], 'guide_exists' | 'nothing_created' | null>> = {
  calling: null,
  issued: 'guide_exists',
  rejected: 'nothing_created',
  not_sent: 'nothing_created',
  reconciling: null,
  needs_review: null,
  guide_exists: 'guide_exists',
  nothing_created: 'nothing_created',
}

/** What an operation has come to; null while it is open. */
export function decisionOf(attempt: Attempt): 'guide_exists' | 'nothing_created' | null {
  return decided[attempt.status]
}

function resolve(
  attempt: Attempt,
  command: Extract<Command, { do: 'resolve' }>,
): Decision<Decided, RefusalReason> {
  const before = decisionOf(attempt)
  if (before !== null) {
    const same =
      before === command.decision &&
      (before === 'nothing_created' || attempt.guide?.guideNumber === command.guide?.guideNumber)
    return same ? [] : { refused: 'operation_already_resolved' }
  }
  const mustSettle = command.decision === 'nothing_created' || attempt.status !== 'needs_review'
  if (attempt.status === 'calling' || (mustSettle && command.now < attempt.settleUntil)) {
    return { refused: 'operation_not_settled' }
  }
  return [
    event('OperationResolved', {
      operation_id: attempt.operationId,
      decision: command.decision,
      guide_number: command.guide?.guideNumber ?? null,
      price: command.guide?.price ?? null,
      pickup_code_ref: command.guide?.pickupCodeRef ?? null,
      resolution_ref: command.resolutionRef,
    }),
  ]
}

function observeTracking(
  state: Shipment,
  command: Extract<Command, { do: 'observe_tracking' }>,
): readonly Decided[] {
  if (statusOf(state) !== 'created') return []
  const known = new Set(state.tracking.events.map((each) => each.id))
  const fresh = command.events.filter((each) => !known.has(each.id))
  const etaChanged = command.eta !== null && command.eta !== state.tracking.eta
  const decisions: Decided[] = []
  if (fresh.length > 0 || etaChanged) {
    decisions.push(
      event('TrackingObserved', {
        events: [...fresh],
        eta: command.eta === null ? null : rfc3339(command.eta),
        evidence_ref: fresh.length > 0 ? command.evidenceRef : null,
      }),
    )
  }
  if (command.monitoring !== state.tracking.monitoring) {
    decisions.push(event('TrackingMonitoringChanged', { state: command.monitoring }))
  }
  return decisions
}

function erase(state: Shipment): Decision<Decided, RefusalReason> {
  if (state.erasedAt !== null) return []
  if (currentAttempt(state).status === 'calling') return { refused: 'unknown_outcome' }
  return [event('PersonalDataErased', { vault_ref: state.request.vault_ref })]
}
