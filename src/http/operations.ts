import { z } from 'zod'
import { cancellationLookAnswers } from '../domain/cancellation-events.ts'
import { rfc3339 } from '../domain/decider.ts'
import {
  type Operation,
  operationResultOf,
  operationResults,
  operationStatuses,
  operationStatusOf,
  operationTypes,
  wasUnknown,
} from '../domain/operation.ts'
import { nextLookAt } from '../domain/reconciliation.ts'
import type { Shipment } from '../domain/shipment.ts'
import { causes, decisions, lookAnswers } from '../domain/shipment-events.ts'
import { exampleOperation } from './examples.ts'
import { idOf, openEnum, timestamp } from './schemas.ts'

/** Of a creation and of a cancellation. */
const answers = [...new Set([...lookAnswers, ...cancellationLookAnswers])] as [
  (typeof lookAnswers)[number] | (typeof cancellationLookAnswers)[number],
]

export const operationSchema = z
  .object({
    id: idOf('op'),
    object: z.literal('operation'),
    livemode: z.boolean(),
    type: openEnum(operationTypes),
    status: openEnum(operationStatuses),
    result: openEnum(operationResults).nullable(),
    cause: openEnum(causes).nullable(),
    shipment_id: idOf('shp'),
    workspace_id: idOf('ws'),
    external_reference: z.string(),
    looks: z.array(
      z.object({
        at: timestamp.meta({ description: 'When the look started' }),
        method: z.string(),
        answer: openEnum(answers),
        guide_numbers: z.array(z.string()),
        counted: z.boolean(),
      }),
    ),
    next_look_at: timestamp.nullable(),
    settle_until: timestamp,
    deadline_at: timestamp,
    resolution: z
      .object({
        decision: openEnum(decisions),
        by: openEnum(['reconciliation', 'operator']),
        decided_by: z.string().nullable(),
        note: z.string().nullable(),
        at: timestamp,
      })
      .nullable(),
    contradicted: z.boolean(),
    escalated: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
    version: z.int(),
  })
  .meta({ id: 'Operation', examples: [exampleOperation] })
export type OperationObject = z.infer<typeof operationSchema>

/** Who decided and why, from the vault; null for who may not see it, or once it is erased. */
export type Verdict = { readonly decided_by: string | null; readonly note: string | null }

function looksOf(operation: Operation): OperationObject['looks'] {
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

export function operationObject(
  shipmentId: string,
  state: Shipment,
  attempt: Operation,
  verdict: Verdict | null,
): OperationObject {
  const { request } = state
  const { resolution } = attempt
  const isListed = wasUnknown(attempt)
  const next = isListed ? nextLookAt(attempt) : null
  return {
    id: attempt.operationId,
    object: 'operation',
    livemode: request.livemode,
    type: attempt.type,
    status: operationStatusOf(attempt),
    result: operationResultOf(attempt),
    cause: attempt.cause,
    shipment_id: shipmentId,
    workspace_id: request.workspace_id,
    external_reference: request.external_reference,
    looks: looksOf(attempt),
    next_look_at: next === null ? null : rfc3339(next),
    settle_until: rfc3339(attempt.settleUntil),
    deadline_at: rfc3339(attempt.deadlineAt),
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
    contradicted: attempt.contradicted,
    escalated: attempt.escalated,
    created_at: rfc3339(attempt.requestedAt),
    updated_at: rfc3339(attempt.updatedAt),
    version: attempt.version,
  }
}
