import { z } from 'zod'
import { shipmentStatuses } from '../../domain/shipment/shipment.ts'
import { shipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { batchResults, batchStatuses, lineStateTexts } from '../../processes/batches/shown-batch.ts'
import { exampleBatch, exampleBatchRequest } from '../openapi/examples.ts'
import {
  createdAt,
  idOf,
  livemode,
  openEnum,
  ownId,
  text,
  timestamp,
  typeOf,
  valuesText,
  workspaceRef,
} from '../openapi/schemas.ts'
import { problemSchema } from '../problems/problem-schema.ts'

export const jsonLinesMax = 1_000
/** Of NDJSON and CSV. */
export const linesMax = 10_000
const referenceLengthMax = 255
const keyLengthMax = 255

const { workspace_id, courier_connection_id, ...ofLine } = shipmentPayload.shape

const externalReference = text(referenceLengthMax).meta({
  description:
    'Your name for the batch. The key of each line that names none is derived from it and the line, so the same batch sent again finds the same shipments, and tries those again that certainly made nothing. It is stored unencrypted: do not put personal data in it.',
  example: exampleBatch.external_reference,
})
/** What a batch may say for all its lines. */
const forAllLines = {
  workspace_id: workspace_id.optional().meta({
    description: 'The shop that ships. Absent: that of the first line; all lines are of one shop.',
  }),
  courier_connection_id: courier_connection_id.optional().meta({
    description: 'The connection of every line that names none.',
  }),
}

/** A line, which is validated by itself: it never spoils the others. */
export const batchLine = z.strictObject({
  idempotency_key: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'Expected visible ASCII characters.' })
    .max(keyLengthMax)
    .optional()
    .meta({
      description:
        "The line's key, as in the header of a single creation: 1 to 255 visible ASCII characters. Absent: derived from the batch's `external_reference` and the line's, wherever the line is.",
      example: 'order-5001',
    }),
  workspace_id,
  courier_connection_id,
  ...ofLine,
})
export type BatchLine = z.infer<typeof batchLine>

/** The same for the document: what the batch says for all may be absent. */
const documentedLine = z
  .strictObject({ ...batchLine.shape, ...forAllLines })
  .meta({ id: 'BatchLine', description: 'One shipment of a batch.' })

export const batchRequest = z
  .strictObject({
    external_reference: externalReference,
    ...forAllLines,
    items: z
      .array(documentedLine)
      .min(1)
      .max(jsonLinesMax)
      .meta({
        description: `The shipments, at most ${jsonLinesMax}. Send more as NDJSON or CSV. Each is checked by itself when its turn comes.`,
      }),
  })
  .meta({
    id: 'BatchRequest',
    description: 'Shipments that are asked for together.',
    examples: [exampleBatchRequest()],
  })

/** The same before its lines are looked at. */
export const batchBody = batchRequest.extend({
  items: z.array(z.unknown()).min(1).max(jsonLinesMax),
})

/** For NDJSON and CSV, which have no other place for it. */
export const batchQuery = z.strictObject({
  external_reference: externalReference.optional().meta({
    description: 'For NDJSON and CSV, which require it: your name for the batch.',
  }),
  workspace_id: forAllLines.workspace_id.meta({
    description: 'For NDJSON and CSV: the shop that ships. Absent: that of the first line.',
  }),
  courier_connection_id: forAllLines.courier_connection_id.meta({
    description: 'For NDJSON and CSV: the connection of every line that names none.',
  }),
})
export type BatchQuery = z.infer<typeof batchQuery>

export const lineStates = ['waiting', 'failed', 'not_begun', ...shipmentStatuses] as const

export const batchSchema = z
  .object({
    id: ownId('bat'),
    object: typeOf('batch'),
    livemode,
    workspace_id: workspaceRef,
    external_reference: z.string().meta({
      description: 'Your name for the batch.',
      example: exampleBatch.external_reference,
    }),
    status: openEnum(batchStatuses).meta({
      description: valuesText('Where it is.', {
        running: 'Some lines have not been answered yet.',
        completed: 'Every line was answered, or refused.',
        cancelled: 'Lines that had not begun were left out; those that had begun are finished.',
      }),
    }),
    result: openEnum(batchResults)
      .nullable()
      .meta({
        description: `${valuesText(
          'How many lines have got a guide, cancelled ones included, now that all have been answered.',
          {
            all: 'Every line.',
            some: 'Some lines. `counts` and `reasons` say what came of the others.',
            none: 'No line.',
          },
        )}\n\nA line whose outcome is unknown counts once its guide is found. \`null\` until \`ended_at\`.`,
        example: exampleBatch.result,
      }),
    total: z.int().meta({ description: 'The number of lines.', example: exampleBatch.total }),
    counts: z.record(z.string(), z.int()).meta({
      description:
        'How many lines are in each state now; `state` of a line lists them. States without a line are left out. Of shipments within about a second.',
      example: exampleBatch.counts,
    }),
    reasons: z.record(z.string(), z.int()).meta({
      description: 'How many lines without a guide were refused, by the `reason` of their error.',
      example: exampleBatch.reasons,
    }),
    created_at: createdAt,
    cancelled_at: timestamp.nullable().meta({
      description: 'When it was cancelled. `null`: it was not.',
    }),
    ended_at: timestamp.nullable().meta({
      description: 'When its last line was answered or left out. `null`: not yet.',
    }),
  })
  .meta({
    id: 'Batch',
    examples: [exampleBatch],
    description: 'Shipments that were asked for together, and what came of them.',
  })

export const batchItemSchema = z
  .object({
    object: typeOf('batch_item'),
    line: z.int().meta({
      description:
        'Its place, from 1. In a CSV the header is line 1, so the first shipment is line 2.',
      example: 1,
    }),
    key: z.string().nullable().meta({
      description:
        'Its idempotency key. `POST /v1/shipments` with the same key and body answers the same. `null`: it was refused before it had one.',
      example: 'order-5001',
    }),
    state: openEnum(lineStates).meta({
      description: `${valuesText('Where it is.', lineStateTexts)}\n\nAny other value is the status of its shipment, as it is now.`,
      example: 'created',
    }),
    shipment_id: idOf('shp').nullable().meta({
      description: 'Its shipment. `null`: it has none.',
    }),
    external_reference: z.string().nullable().meta({
      description:
        'The order reference of its shipment, within about a second. `null`: it has no shipment yet.',
      example: 'order-5001',
    }),
    error: problemSchema.nullable().meta({
      description:
        'The error, as a single creation would have answered. `null`: it was not refused, or has got its guide since.',
    }),
  })
  .meta({ id: 'BatchItem', description: 'One line of a batch, and what came of it.' })
