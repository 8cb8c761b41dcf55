import { z } from 'zod'
import { cancellationLookAnswers } from '../../domain/operation/cancellation-events.ts'
import {
  type Operation,
  operationResults,
  operationStatuses,
  operationTypes,
} from '../../domain/operation/operation.ts'
import {
  type OperatorNotes,
  reviewCodes,
  shownOperation,
} from '../../domain/operation/shown-operation.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import {
  causes,
  decisions,
  lookAnswers,
  lookFailures,
} from '../../domain/shipment/shipment-events.ts'
import { exampleComment, exampleOperation } from '../openapi/examples.ts'
import { agencyRef, idOf, money, openEnum, timestamp } from '../openapi/schemas.ts'

/** The answers to looks of creations and of cancellations. */
const answers = [...new Set([...lookAnswers, ...cancellationLookAnswers])] as [
  (typeof lookAnswers)[number] | (typeof cancellationLookAnswers)[number],
]

const resolutionSchema = z.object({
  decision: openEnum(decisions),
  by: openEnum(['reconciliation', 'operator']),
  operator_id: z.string().nullable(),
  decided_by: z.string().nullable(),
  note: z.string().nullable(),
  guide_number: z.string().nullable(),
  confirmed: z.boolean().nullable().meta({
    description:
      'Whether the courier has confirmed the guide; `null` if the decision names no guide.',
  }),
  at: timestamp,
})

export const commentSchema = z
  .object({
    id: idOf('cmt'),
    object: z.literal('operation_comment'),
    livemode: z.boolean(),
    operation_id: idOf('op'),
    by: z
      .object({
        operator_id: z.string().nullable(),
        name: z.string().nullable(),
        key_id: z.string().nullable(),
      })
      .meta({
        description:
          "Who wrote it. `operator_id` and `name` are `null` for a key that belongs to no operator, `key_id` for the command line. The platform does not see the names of an organization's operators.",
      }),
    text: z.string().nullable().meta({
      description: '`null` once erased, and for the platform unless its own operator wrote it',
    }),
    created_at: timestamp,
  })
  .meta({ id: 'OperationComment', examples: [exampleComment] })

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
    courier_connection_id: idOf('ccn'),
    provider_code: z.string(),
    destination: agencyRef,
    amount: money.nullable().meta({
      description:
        'What the guide costs: its price if it is known, else the quoted price; `null` if the shipment has neither',
    }),
    looks: z.array(
      z.object({
        at: timestamp.meta({ description: 'When the look started' }),
        method: z.string(),
        answer: openEnum(answers),
        guide_numbers: z.array(z.string()),
        counted: z.boolean(),
        failure: z
          .object({ kind: openEnum(lookFailures), status_code: z.int().nullable() })
          .nullable()
          .meta({ description: 'Why the courier gave no answer' }),
        latency_ms: z
          .int()
          .nullable()
          .meta({ description: '`null` for looks recorded before this field existed' }),
      }),
    ),
    next_look_at: timestamp.nullable(),
    settle_until: timestamp,
    deadline_at: timestamp,
    resolution: resolutionSchema.nullable().meta({
      description: 'The conclusion in force; `null` while the operation is open',
    }),
    resolutions: z.array(resolutionSchema).meta({
      description: 'Every conclusion, oldest first, including contradicted ones',
    }),
    surplus_guide_numbers: z.array(z.string()).meta({
      description:
        "Guides that the courier's last clear answer listed and that the decision in force does not use. You may pay for them, so ask the courier to cancel them. Empty while nothing is decided, and once a look no longer finds them.",
    }),
    reason_for_review: z
      .object({ code: openEnum(reviewCodes), text: z.string() })
      .nullable()
      .meta({
        description: 'Why a person must review it; set only while the operation needs review',
      }),
    assignee: z.object({ operator_id: z.string(), name: z.string().nullable() }).nullable().meta({
      description:
        'The operator who works on it, with the name as it is now; `name` is `null` in webhooks, and for an operator of another organization to the platform.',
    }),
    snoozed_until: timestamp.nullable().meta({
      description:
        'Until then it is out of the work list. A time in the past is over. It is set back to `null` when the operation comes into review, is contradicted or is resolved.',
    }),
    comments: z.array(commentSchema).meta({
      description:
        'The newest 20, oldest first; `GET /v1/operations/{id}/comments` lists all. Webhooks show fewer, without their texts.',
    }),
    comment_count: z.int(),
    contradicted: z.boolean().meta({
      description:
        'Evidence once contradicted a conclusion; only a person can close such an operation',
    }),
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
  notes: OperatorNotes,
): OperationObject {
  return shownOperation(shipmentId, state, operation, notes)
}
