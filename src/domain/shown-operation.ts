import { rfc3339 } from './decider.ts'
import { type Operation, operationResultOf, operationStatusOf, wasUnknown } from './operation.ts'
import { nextLookAt } from './reconciliation.ts'
import type { Shipment } from './shipment.ts'

/** Who decided and why, from the vault; null for who may not see it, or once it is erased. */
export type Verdict = { readonly decided_by: string | null; readonly note: string | null }

function looksOf(operation: Operation) {
  const seen =
    operation.type === 'shipment_creation'
      ? operation.looks.map((look) => ({ ...look, numbers: look.guideNumbers }))
      : operation.looks.map((look) => {
          const numbers = look.answer === 'inconclusive' ? [] : [operation.guideNumber]
          return { ...look, numbers }
        })
  return seen.map(({ at, answer, counted, numbers }) => ({
    at: rfc3339(at),
    method: 'by_client_reference',
    answer,
    guide_numbers: [...numbers],
    counted,
  }))
}

/** The operation object of product, "Operations and reconciliation". */
export function shownOperation(
  shipmentId: string,
  state: Shipment,
  operation: Operation,
  verdict: Verdict | null,
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
    resolution:
      resolution === null
        ? null
        : {
            decision: resolution.decision,
            by: resolution.by,
            decided_by: verdict?.decided_by ?? null,
            note: verdict?.note ?? null,
            at: rfc3339(resolution.at),
          },
    contradicted: operation.contradicted,
    escalated: operation.escalated,
    created_at: rfc3339(operation.requestedAt),
    updated_at: rfc3339(operation.updatedAt),
    version: operation.version,
  }
}
