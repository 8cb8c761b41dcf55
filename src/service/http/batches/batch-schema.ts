import { z } from 'zod'
import { shipmentStatuses } from '../../domain/shipment/shipment.ts'
import { referenceLengthMax, shipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import {
  batchResults,
  batchStatuses,
  lineStateTexts,
} from '../../processes/batches/batch-to-api.ts'
import { batchLine } from '../../sheets/batch-line.ts'
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
import { checkSchema } from '../rules/sheets/sheet-check.ts'
import { checkQuery, nameQuery, sheetQuery } from '../rules/sheets/sheet-query.ts'

export const jsonLinesMax = 1_000

const { workspace_id, courier_connection_id } = shipmentPayload.shape

const externalReference = text(referenceLengthMax).meta({
  description:
    'Your name for the batch. A line without a key gets one derived from this name and the line, so the same batch sent again finds the same shipments, and tries again only the lines that certainly created nothing. It is stored unencrypted: do not put personal data in it.',
  example: exampleBatch.external_reference,
})
/** The fields that a batch may give for all of its lines. */
const forAllLines = {
  workspace_id: workspace_id.optional().meta({
    description:
      'The shop that ships. The default is that of the first line: all lines belong to one shop.',
  }),
  courier_connection_id: courier_connection_id.optional().meta({
    description: 'The connection of every line that does not name one.',
  }),
}

/** The line in the document: fields that the batch gives for all lines may be absent. */
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
        description: `The shipments, at most ${jsonLinesMax}. Send more as NDJSON or CSV. Each is checked on its own when it is created.`,
      }),
  })
  .meta({
    id: 'BatchRequest',
    description: 'Shipments to create together.',
    examples: [exampleBatchRequest()],
  })

/** The request with its lines not yet validated. A check may leave out the name of the batch. */
export const batchBody = batchRequest.extend({
  external_reference: externalReference.optional(),
  items: z.array(z.unknown()).min(1).max(jsonLinesMax),
})

/** For NDJSON and CSV, which have no other place for it. */
export const batchQuery = z.strictObject({
  external_reference: externalReference.optional().meta({
    description:
      'For NDJSON and CSV, which require it: your name for the batch. A check (`validate=true`) may leave it out; orders that this batch has shipped before then count as having a guide.',
  }),
  workspace_id: forAllLines.workspace_id.meta({
    description: 'For NDJSON and CSV: the shop that ships. The default is that of the first line.',
  }),
  courier_connection_id: forAllLines.courier_connection_id.meta({
    description: 'For NDJSON and CSV: the connection of every line that does not name one.',
  }),
  ...checkQuery,
  ...sheetQuery,
  ...nameQuery,
})
export type BatchQuery = z.infer<typeof batchQuery>

export const lineStates = [
  'waiting',
  'failed',
  'invalid',
  'not_begun',
  ...shipmentStatuses,
] as const

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
      description: valuesText('Current status.', {
        running: 'Some lines have not been answered yet.',
        completed: 'Every line was answered or refused.',
        cancelled: 'Lines that had not begun were skipped; those that had begun are finished.',
      }),
    }),
    result: openEnum(batchResults)
      .nullable()
      .meta({
        description: `${valuesText('How many lines got a guide, cancelled ones included.', {
          all: 'Every line.',
          some: 'Some lines. `counts` and `reasons` show what happened to the others.',
          none: 'No line.',
        })}\n\nA line whose outcome is unknown counts once its guide is found. \`null\` until the batch has ended.`,
        example: exampleBatch.result,
      }),
    total: z.int().meta({ description: 'The number of lines.', example: exampleBatch.total }),
    counts: z.record(z.string(), z.int()).meta({
      description:
        'How many lines are in each state now. `state` of a line lists the states; those without a line are omitted. Changes of shipments count within about a second.',
      example: exampleBatch.counts,
    }),
    reasons: z.record(z.string(), z.int()).meta({
      description: 'How many lines were refused without a guide, by the `reason` of their error.',
      example: exampleBatch.reasons,
    }),
    created_at: createdAt,
    cancelled_at: timestamp.nullable().meta({
      description: 'When it was cancelled. `null` if it was not.',
    }),
    ended_at: timestamp.nullable().meta({
      description: 'When its last line was answered or skipped. `null` until then.',
    }),
  })
  .meta({
    id: 'Batch',
    examples: [exampleBatch],
    description: 'Shipments that were requested together, and their outcome.',
  })

export const batchItemSchema = z
  .object({
    object: typeOf('batch_item'),
    line: z.int().meta({
      description:
        'Its position, from 1. In a CSV the header is line 1, so the first shipment is line 2.',
      example: 1,
    }),
    key: z.string().nullable().meta({
      description:
        'Its idempotency key. `POST /v1/shipments` with the same key and body returns the same. `null` if the line was refused before it had a key.',
      example: 'order-5001',
    }),
    state: openEnum(lineStates).meta({
      description: `${valuesText('Current state.', lineStateTexts)}\n\nAny other value is the current status of its shipment.`,
      example: 'created',
    }),
    shipment_id: idOf('shp').nullable().meta({
      description: 'Its shipment. `null` if there is none.',
    }),
    external_reference: z.string().nullable().meta({
      description:
        'Its order reference. `null` if it cannot be read, and for about a second after the line was answered.',
      example: 'order-5001',
    }),
    error: problemSchema.nullable().meta({
      description:
        'The error, as a single creation would return it. `null` if the line was not refused, or has received its guide since.',
    }),
  })
  .meta({ id: 'BatchItem', description: 'One line of a batch, and its outcome.' })

/** The answer to `validate=true`. */
export const batchCheckSchema = checkSchema('batch_check', 'BatchCheck', {
  over_quota: z.int().meta({
    description:
      "How many of the good lines exceed what is left of the plan's shipments this month: as many would be refused with `quota_exceeded`. Lines of other batches that have not begun are not counted. 0 if the plan has no limit.",
    example: 0,
  }),
  totals: z
    .object({
      pieces: z.int().meta({ description: 'The pieces of the good lines.', example: 120 }),
      weight_kg: z.number().meta({
        description: 'The weight of all their pieces in kilograms.',
        example: 96.4,
      }),
    })
    .meta({ description: 'Sums over the good lines.' }),
})
