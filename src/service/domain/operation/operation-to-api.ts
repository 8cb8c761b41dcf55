import { rfc3339 } from '../decider.ts'
import { attemptOf, findCurrentAttempt, type Shipment } from '../shipment/shipment.ts'
import type { ReviewReason } from '../shipment/shipment-events.ts'
import type { Resolution } from './machine.ts'
import {
  type Operation,
  operationResultOf,
  operationStatusOf,
  surplusGuidesOf,
  wasUnknown,
} from './operation.ts'
import { nextLookAt } from './reconciliation.ts'
import type { Comment } from './work.ts'

/** What a person wrote, as stored in the vault. */
export type WrittenNote = {
  /** The person who decided, if the key belongs to no operator. */
  readonly decided_by?: string
  /** The note of a decision. */
  readonly note?: string
  /** The text of a comment. */
  readonly text?: string
}

/** People's texts and names, without those that are erased or that the reader may not see. */
export type OperatorNotes = {
  /** Keyed by the reference in a resolution or a comment. */
  readonly written: ReadonlyMap<string, WrittenNote>
  /** Keyed by operator id. Names are in the operators' rows, so erasing a shipment does not remove them. */
  readonly names: ReadonlyMap<string, string>
}
export const noOperatorNotes: OperatorNotes = { written: new Map(), names: new Map() }

/** An operation includes only its newest comments; the list of comments has all of them. */
const commentsShown = 20

/** Texts that say why a person must decide. */
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

function resolutionToApi(resolution: Resolution, { written: all, names }: OperatorNotes) {
  const written = all.get(resolution.ref ?? '')
  const { operatorId } = resolution
  return {
    decision: resolution.decision,
    by: resolution.by,
    operator_id: operatorId,
    decided_by: (operatorId === null ? written?.decided_by : names.get(operatorId)) ?? null,
    note: written?.note ?? null,
    guide_number: resolution.guideNumber,
    confirmed: resolution.confirmed,
    at: rfc3339(resolution.at),
  }
}

/** The comments that the operation itself includes. */
export function newestComments({ comments }: Operation): readonly Comment[] {
  return comments.slice(-commentsShown)
}

/** The API's comment object. */
export function commentToApi(
  comment: Comment,
  { livemode, operationId }: { readonly livemode: boolean; readonly operationId: string },
  { written, names }: OperatorNotes,
) {
  const { id, operatorId, keyId, ref } = comment
  return {
    id,
    object: 'operation_comment' as const,
    livemode,
    operation_id: operationId,
    by: {
      operator_id: operatorId,
      name: operatorId === null ? null : (names.get(operatorId) ?? null),
      key_id: keyId,
    },
    text: written.get(ref)?.text ?? null,
    created_at: rfc3339(comment.at),
  }
}

function assigneeToApi({ assigneeId }: Operation, { names }: OperatorNotes) {
  if (assigneeId === null) return null
  return { operator_id: assigneeId, name: names.get(assigneeId) ?? null }
}

/** What the guide costs: its price if known, otherwise the quoted price. */
function amountOf(state: Shipment, { type, operationId }: Operation) {
  const attempt =
    type === 'shipment_creation' ? attemptOf(state, operationId) : findCurrentAttempt(state)
  return attempt?.guide?.price ?? state.request.quoted_amount ?? null
}

/** The API's operation object. */
export function operationToApi(
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
    courier_connection_id: request.courier_connection_id,
    provider_code: request.provider_code,
    destination: request.destination,
    amount: amountOf(state, operation),
    looks: looksOf(operation),
    next_look_at: next === null ? null : rfc3339(next),
    settle_until: rfc3339(operation.settleUntil),
    deadline_at: rfc3339(operation.deadlineAt),
    resolution: resolution && resolutionToApi(resolution, notes),
    resolutions: operation.resolutions.map((each) => resolutionToApi(each, notes)),
    surplus_guide_numbers: [...surplusGuidesOf(operation)],
    reason_for_review: reasonForReview(operation),
    assignee: assigneeToApi(operation, notes),
    snoozed_until: operation.snoozedUntil === null ? null : rfc3339(operation.snoozedUntil),
    comments: newestComments(operation).map((each) =>
      commentToApi(each, { livemode: request.livemode, operationId: operation.operationId }, notes),
    ),
    comment_count: operation.comments.length,
    contradicted: operation.contradicted,
    escalated: operation.escalated,
    created_at: rfc3339(operation.requestedAt),
    updated_at: rfc3339(operation.updatedAt),
    version: operation.version,
  }
}
