import { rfc3339 } from '../decider.ts'
import type { Shipment } from '../shipment/shipment.ts'
import type { ReviewReason } from '../shipment/shipment-events.ts'
import type { Resolution } from './machine.ts'
import { type Operation, operationResultOf, operationStatusOf, wasUnknown } from './operation.ts'
import { nextLookAt } from './reconciliation.ts'

/**
 * The person who decided and why: null once erased, or if it may not be shown. The reason is in the
 * vault; an operator's name is in the operator's row and stays.
 */
export type OperatorNote = { readonly decided_by: string | null; readonly note: string | null }

/** By the reference in a resolution. */
export type OperatorNotes = ReadonlyMap<string, OperatorNote>
export const noOperatorNotes: OperatorNotes = new Map()

/** Why a person is asked, in words. */
export const reviewTexts: Readonly<Record<ReviewReason | 'contradicted', string>> = {
  ambiguous: 'The courier lists more than one guide under our reference.',
  courier_cannot_be_asked: 'The courier cannot be asked about the outcome of the call.',
  deadline_passed: 'No look had a clear answer before the deadline.',
  contradicted: 'Evidence contradicted the conclusion.',
}
type ReviewCode = keyof typeof reviewTexts
export const reviewCodes = Object.keys(reviewTexts) as [ReviewCode, ...ReviewCode[]]

function looksOf({ looks }: Operation) {
  return looks.map(({ at, answer, counted, guideNumbers, call }) => {
    const failure = call?.failure ?? null
    return {
      at: rfc3339(at),
      method: 'by_client_reference',
      answer,
      guide_numbers: [...guideNumbers],
      counted,
      failure: failure && { kind: failure.kind, status_code: failure.statusCode },
      latency_ms: call?.latencyMs ?? null,
    }
  })
}

function reasonForReview({ state, contradicted, reviewReason }: Operation) {
  if (state !== 'needs_review') return null
  const code: ReviewCode | null = contradicted ? 'contradicted' : reviewReason
  return code === null ? null : { code, text: reviewTexts[code] }
}

function shownResolution(resolution: Resolution, notes: OperatorNotes) {
  const written = notes.get(resolution.ref ?? '')
  return {
    decision: resolution.decision,
    by: resolution.by,
    operator_id: resolution.operatorId,
    decided_by: written?.decided_by ?? null,
    note: written?.note ?? null,
    guide_number: resolution.guideNumber,
    confirmed: resolution.confirmed,
    at: rfc3339(resolution.at),
  }
}

/** The API's operation object. */
export function shownOperation(
  shipmentId: string,
  state: Shipment,
  operation: Operation,
  notes: OperatorNotes,
) {
  const { request } = state
  const { resolution } = operation
  const next = wasUnknown(operation) ? nextLookAt(operation) : null
  return {
    id: operation.operationId,
    object: 'operation' as const,
    livemode: request.livemode,
    type: operation.type,
    status: operationStatusOf(operation),
    result: operationResultOf(operation),
    cause: operation.cause,
    shipment_id: shipmentId,
    workspace_id: request.workspace_id,
    external_reference: request.external_reference,
    looks: looksOf(operation),
    next_look_at: next === null ? null : rfc3339(next),
    settle_until: rfc3339(operation.settleUntil),
    deadline_at: rfc3339(operation.deadlineAt),
    resolution: resolution && shownResolution(resolution, notes),
    resolutions: operation.resolutions.map((each) => shownResolution(each, notes)),
    reason_for_review: reasonForReview(operation),
    contradicted: operation.contradicted,
    escalated: operation.escalated,
    created_at: rfc3339(operation.requestedAt),
    updated_at: rfc3339(operation.updatedAt),
    version: operation.version,
  }
}
