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
  operationToApi,
  reviewCodes,
  reviewTexts,
} from '../../domain/operation/operation-to-api.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import {
  causes,
  decisions,
  lookAnswers,
  lookFailures,
} from '../../domain/shipment/shipment-events.ts'
import { exampleComment, exampleOperation } from '../openapi/operation-examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  money,
  openEnum,
  ownId,
  parcelFields,
  providerCode,
  timestamp,
  typeOf,
  updatedAt,
  valuesText,
  version,
  workspaceRef,
} from '../openapi/schemas.ts'

/** The answers to looks for creations and cancellations. */
const answers = [...new Set([...lookAnswers, ...cancellationLookAnswers])] as [
  (typeof lookAnswers)[number] | (typeof cancellationLookAnswers)[number],
]

const resolutionSchema = z.object({
  decision: openEnum(decisions).meta({ description: 'What was concluded.' }),
  by: openEnum(['reconciliation', 'operator']).meta({
    description: '`reconciliation`: by looks at the courier. `operator`: by a person.',
  }),
  operator_id: z.string().nullable().meta({
    description:
      'The operator who decided. `null` for reconciliation, and for a key that belongs to no operator.',
    example: exampleComment.by.operator_id,
  }),
  decided_by: z.string().nullable().meta({
    description:
      "The operator's name, or the `decided_by` of a key that belongs to no operator. `null` for reconciliation, once erased, and when the platform reads an operation of another organization.",
  }),
  note: z.string().nullable().meta({
    description: 'The reason for the decision. `null` as for `decided_by`.',
  }),
  guide_number: z.string().nullable().meta({
    description: 'The guide that exists. `null` if the conclusion names none.',
    example: '100000000001',
  }),
  confirmed: z.boolean().nullable().meta({
    description:
      'Whether the courier has confirmed the guide. `null` if the conclusion names no guide.',
  }),
  at: timestamp.meta({ description: 'When it was concluded.' }),
})

const lookSchema = z.object({
  at: timestamp.meta({ description: 'When the look started.' }),
  method: z.string().meta({
    description: 'How the courier was asked.',
    example: 'by_client_reference',
  }),
  answer: openEnum(answers).meta({
    description: valuesText<(typeof answers)[number]>("The courier's answer.", {
      found: 'there is exactly one guide under our reference.',
      ambiguous: 'there is more than one.',
      absent: 'there is none.',
      cancelled: 'the guide is cancelled.',
      standing: 'the guide is not cancelled.',
      inconclusive: 'nothing that can be relied on; see `failure`.',
    }),
  }),
  guide_numbers: z.array(z.string()).meta({ description: 'The guides that the courier named.' }),
  counted: z.boolean().meta({
    description:
      'Whether it counts towards *nothing created* or *not cancelled*, which take three in a row.',
  }),
  failure: z
    .object({
      kind: openEnum(lookFailures).meta({ description: 'What went wrong.' }),
      status_code: z.int().nullable().meta({
        description: "The HTTP status of the courier's answer. `null` if there was none.",
      }),
    })
    .nullable()
    .meta({ description: 'Why the courier gave no answer. `null` if it gave one.' }),
  latency_ms: z.int().nullable().meta({
    description:
      'How long the look took, in milliseconds. `null` for looks recorded before this field existed.',
  }),
})

export const commentSchema = z
  .object({
    id: ownId('cmt'),
    object: typeOf('operation_comment'),
    livemode,
    operation_id: idOf('op').meta({ description: 'The operation that it is about.' }),
    by: z
      .object({
        operator_id: z.string().nullable().meta({
          description: 'The operator. `null` if the key belongs to none.',
          example: exampleComment.by.operator_id,
        }),
        name: z.string().nullable().meta({
          description:
            "The operator's current name. `null` if there is no operator, and when the platform reads a comment of another organization's operator.",
        }),
        key_id: z.string().nullable().meta({
          description: 'The key that was used. `null` for the command line.',
          example: exampleComment.by.key_id,
        }),
      })
      .meta({ description: 'Who wrote it.' }),
    text: z.string().nullable().meta({
      description:
        'The text. `null` once erased, and for the platform unless its own operator wrote it.',
    }),
    created_at: createdAt,
  })
  .meta({
    id: 'OperationComment',
    description: "A person's comment on an operation.",
    examples: [exampleComment],
  })

export const operationSchema = z
  .object({
    id: ownId('op'),
    object: typeOf('operation'),
    livemode,
    type: openEnum(operationTypes).meta({
      description: 'What the courier was asked for: to create a guide, or to cancel one.',
    }),
    status: openEnum(operationStatuses).meta({
      description: valuesText<(typeof operationStatuses)[number]>('Current status.', {
        reconciling: 'the courier is asked until the outcome is certain.',
        needs_review: 'a person must decide, unless a later look ends it.',
        resolved: 'the outcome is certain; `result` says which.',
      }),
    }),
    result: openEnum(operationResults)
      .nullable()
      .meta({
        description: `${valuesText<(typeof operationResults)[number]>('The outcome.', {
          guide_exists: 'there is a guide: the order is shipped.',
          nothing_created: 'there is no guide: ship the order with a new key.',
          cancelled: 'the guide is cancelled.',
          not_cancelled: 'the guide stands: the shipment can be cancelled with a new key.',
          human_review: 'not yet: a person must decide, unless a later look ends it. Ship nothing.',
        })}\n\n\`null\` while it is reconciling.`,
      }),
    cause: openEnum(causes)
      .nullable()
      .meta({
        description: `${valuesText<(typeof causes)[number]>('Why the outcome was unknown.', {
          response_lost: "the connection was lost before the courier's answer was complete.",
          response_unreadable: 'the answer could not be understood.',
          courier_error: 'the courier answered with an error of its own.',
          deadline_passed: 'there was no answer by the deadline of the call.',
          process_died: 'the process that made the call ended before it recorded an answer.',
        })}\n\n\`null\` if it never was.`,
      }),
    shipment_id: idOf('shp').meta({ description: 'The shipment that is created or cancelled.' }),
    workspace_id: workspaceRef,
    external_reference: z.string().meta({
      description: "The shipment's own order reference.",
      example: exampleOperation.external_reference,
    }),
    courier_connection_id: idOf('ccn').meta({ description: 'The courier account that was used.' }),
    provider_code: providerCode,
    destination: parcelFields.destination,
    amount: money.nullable().meta({
      description:
        'The cost of the guide: its price if it is known, otherwise the quoted price. `null` if the shipment has neither.',
    }),
    looks: z.array(lookSchema).meta({
      description: 'Every look at the courier, oldest first.',
    }),
    next_look_at: timestamp.nullable().meta({
      description: 'When the courier is asked next. `null` if it will not be asked.',
    }),
    settle_until: timestamp.meta({
      description:
        'Until then the call may still take effect at the courier, so *nothing created* cannot be concluded earlier.',
    }),
    deadline_at: timestamp.meta({
      description: 'If the outcome is not certain by then, a person must decide.',
    }),
    resolution: resolutionSchema.nullable().meta({
      description: 'The conclusion in force. `null` while the operation is open.',
    }),
    resolutions: z.array(resolutionSchema).meta({
      description: 'Every conclusion, oldest first, including contradicted ones.',
    }),
    surplus_guide_numbers: z.array(z.string().meta({ description: 'A guide number.' })).meta({
      description:
        "Guides that the courier's last clear answer listed and that the decision in force does not use. You may pay for them, so ask the courier to cancel them. Empty while nothing is decided, and once a look no longer finds them.",
    }),
    reason_for_review: z
      .object({
        code: openEnum(reviewCodes).meta({
          description: valuesText('For programs.', reviewTexts),
        }),
        text: z.string().meta({ description: 'The same for people.' }),
      })
      .nullable()
      .meta({ description: 'Why a person must decide. `null` unless the operation needs review.' }),
    assignee: z
      .object({
        operator_id: z.string().meta({
          description: 'The operator who works on it.',
          example: exampleComment.by.operator_id,
        }),
        name: z.string().nullable().meta({
          description:
            "The operator's current name. `null` in webhooks, and when the platform reads an operator of another organization.",
        }),
      })
      .nullable()
      .meta({ description: 'The operator that it is assigned to. `null` if it is unassigned.' }),
    snoozed_until: timestamp.nullable().meta({
      description:
        'The end of its snooze, which has no effect once it has passed. `null` if it was not snoozed, or has come into review, been contradicted or been resolved since.',
    }),
    comments: z.array(commentSchema).meta({
      description:
        'The newest 20, oldest first; `GET /v1/operations/{id}/comments` lists all. Webhooks show fewer, without their texts.',
    }),
    comment_count: z.int().meta({ description: 'The total number of comments.' }),
    contradicted: z.boolean().meta({
      description:
        'Whether evidence ever contradicted a conclusion. Only a person can close such an operation.',
    }),
    escalated: z.boolean().meta({
      description:
        'Whether it was escalated to the platform, because it needs review or was open for an hour.',
    }),
    created_at: createdAt.meta({ description: 'When the call was requested.' }),
    updated_at: updatedAt,
    version,
  })
  .meta({
    id: 'Operation',
    description:
      'A call to a courier, to create or cancel a guide, whose outcome must become certain.',
    examples: [exampleOperation],
  })
export type OperationObject = z.infer<typeof operationSchema>

export function operationObject(
  shipmentId: string,
  state: Shipment,
  operation: Operation,
  notes: OperatorNotes,
): OperationObject {
  return operationToApi(shipmentId, state, operation, notes)
}
