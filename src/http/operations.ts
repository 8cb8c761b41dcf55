import { z } from 'zod'
import { cancellationLookAnswers } from '../domain/cancellation-events.ts'
import {
  type Operation,
  operationResults,
  operationStatuses,
  operationTypes,
} from '../domain/operation.ts'
import type { Shipment } from '../domain/shipment.ts'
import { causes, decisions, lookAnswers } from '../domain/shipment-events.ts'
import { shownOperation, type Verdict } from '../domain/shown-operation.ts'
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

export function operationObject(
  shipmentId: string,
  state: Shipment,
  operation: Operation,
  verdict: Verdict | null,
): OperationObject {
  return shownOperation(shipmentId, state, operation, verdict)
}
