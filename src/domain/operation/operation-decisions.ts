import type { Instant } from '../decider.ts'
import {
  type Cause,
  type Decided,
  type EventData,
  event,
  type NotSentReason,
  type OperationDecision,
} from '../shipment/shipment-events.ts'
import { isOpen, type LookCall } from './course.ts'
import { type Operation, operationResultOf } from './operation.ts'

/** How a call ended that is not known to have done its work, creation or cancellation. */
export type CallFailure =
  | { readonly kind: 'rejected'; readonly detailRef: string | null }
  | {
      readonly kind: 'not_sent'
      readonly reason: NotSentReason
      readonly retryAfterSeconds: number | null
    }
  | { readonly kind: 'unknown'; readonly cause: Cause; readonly courierCanBeAsked: boolean }

export function names(operation: Operation): { attempt: number; operation_id: string } {
  return { attempt: operation.number, operation_id: operation.operationId }
}

/** How the call of a look went, as its event says it. */
export function lookCallData(call: LookCall | undefined) {
  if (call === undefined) return {}
  const { failure, latencyMs: latency_ms } = call
  if (failure === null) return { latency_ms }
  return { latency_ms, failure: { kind: failure.kind, status_code: failure.statusCode } }
}

export function contradicted(
  operation: Operation,
  guide_numbers: readonly string[],
  evidence: 'look' | 'late_answer',
): readonly Decided[] {
  const { operationId: operation_id } = operation
  return [
    event('OperationContradicted', { operation_id, guide_numbers: [...guide_numbers], evidence }),
    ...escalatedOnce(operation),
  ]
}

export function reviewRequired(
  operation: Operation,
  because: EventData<'OperationReviewRequired'>['because'],
  guide_numbers: readonly string[],
): readonly Decided[] {
  const { operationId: operation_id } = operation
  return [
    event('OperationReviewRequired', { operation_id, because, guide_numbers: [...guide_numbers] }),
    ...escalatedOnce(operation),
  ]
}

function escalatedOnce({ escalated, operationId }: Operation): readonly Decided[] {
  return escalated ? [] : [event('OperationEscalated', { operation_id: operationId })]
}

export function escalate(operation: Operation): readonly Decided[] {
  return isOpen(operation) ? escalatedOnce(operation) : []
}

export function requireReview(operation: Operation, now: Instant): readonly Decided[] {
  if (operation.status !== 'reconciling') return []
  if (!operation.courierCanBeAsked) {
    return reviewRequired(operation, 'courier_cannot_be_asked', [])
  }
  return now >= operation.deadlineAt ? reviewRequired(operation, 'deadline_passed', []) : []
}

/** The decision on an operation; null while it is open. */
export function decisionOf(operation: Operation): OperationDecision | null {
  const result = operationResultOf(operation)
  return result === 'human_review' ? null : result
}

/**
 * Whether it is too early for a person to decide; a denial always waits for the end of settling.
 */
export function mustSettle(operation: Operation, isDenial: boolean, now: Instant): boolean {
  if (operation.status === 'calling') return true
  const waits = isDenial || operation.status !== 'needs_review'
  return waits && now < operation.settleUntil
}
