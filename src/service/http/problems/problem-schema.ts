import { z } from 'zod'
import type { ErrorEntry, Outcome } from '../../error-kinds.ts'
import { errorTable, type Reason, reasons } from '../../errors.ts'
import { exampleUnknownOutcome } from '../openapi/examples.ts'
import { money, valuesText } from '../openapi/schemas.ts'

const outcomeSchema = z.enum(['not_executed', 'executed', 'unknown']).meta({
  'x-extensible': true,
  description: valuesText<Outcome>(
    'What this request did. Present on every error of a changing call, absent on others.',
    {
      not_executed: 'nothing.',
      executed: 'what it was meant to do.',
      unknown: 'it is not known: the guide may exist, or be cancelled.',
    },
  ),
})

const fieldErrorSchema = z.object({
  pointer: z.string().meta({
    description:
      'Where: an RFC 6901 pointer into the body, or `#/query/<name>` or `#/headers/<name>`.',
    example: '/package/weight_kg',
  }),
  reason: z.string().meta({ description: 'What is wrong, for programs.', example: 'required' }),
  detail: z.string().meta({ description: 'The same for people. The text may change at any time.' }),
})

/** A problem as it is sent: the component `Problem` of the OpenAPI document. */
export const problemSchema = z
  .object({
    type: z.string().meta({
      format: 'uri-reference',
      description: 'Where the reason is explained.',
      example: exampleUnknownOutcome.type,
    }),
    title: z
      .string()
      .meta({ description: 'The reason for people. The text may change at any time.' }),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: z.string().meta({
      description: 'What happened in this case, for people. The text may change at any time.',
    }),
    instance: z.string().meta({
      format: 'uri-reference',
      description: 'Identifies this error: the address of its request.',
      example: exampleUnknownOutcome.instance,
    }),
    reason: z.enum(reasons as [Reason, ...Reason[]]).meta({
      'x-extensible': true,
      description: 'The reason for programs. docs/errors.md lists all reasons.',
    }),
    outcome: outcomeSchema.optional(),
    retryable: z.boolean().meta({ description: 'Whether repeating the same request can help.' }),
    request_id: z.string().meta({
      description: 'The `X-Request-Id` of the answer. Include it when you report a problem.',
      example: exampleUnknownOutcome.request_id,
    }),
    operation_id: z.string().optional().meta({
      description: 'The operation to follow. Absent if there is none.',
      example: exampleUnknownOutcome.operation_id,
    }),
    shipment_id: z.string().optional().meta({
      description: 'The shipment that it is about. Absent if there is none.',
      example: exampleUnknownOutcome.shipment_id,
    }),
    shipment_version: z.int().min(1).optional().meta({
      description:
        'The version of that shipment at the time of the answer. The higher version of a shipment is newer, whether it came in an answer or a webhook. Absent if there is no shipment or it was not read.',
      example: exampleUnknownOutcome.shipment_version,
    }),
    price: money.optional().meta({
      description: "With `quote_price_changed`: the courier's new price. Absent otherwise.",
    }),
    errors: z.array(fieldErrorSchema).optional().meta({
      description: 'What is wrong with which field. Absent if no field caused the error.',
    }),
  })
  .meta({
    id: 'Problem',
    description: 'An error, after RFC 9457.',
    examples: [exampleUnknownOutcome],
  })

/** By reasons: most routes share their lists. */
const known = new Map<string, ReturnType<typeof problemOfReasons>>()

function sharedProblem(list: readonly Reason[], changing: boolean) {
  const key = [changing, ...list].join()
  const schema = known.get(key) ?? problemOfReasons(list, changing)
  known.set(key, schema)
  return schema
}

/** The problems of one status, with the outcome for a changing call. */
function problemOfReasons(list: readonly Reason[], changing: boolean) {
  const reason = z.enum(list as [Reason, ...Reason[]]).meta({
    'x-extensible': true,
    description: 'The possible reasons for this status.',
  })
  const own = changing ? z.object({ reason, outcome: outcomeSchema }) : z.object({ reason })
  return z.intersection(problemSchema, own)
}

/**
 * The problems of an operation by status, for the OpenAPI document. Each response lists the reasons
 * that are possible on this route. The tests check every answer against it.
 */
export function problemResponses(
  list: readonly Reason[],
  changing: boolean,
): Record<number, object> {
  const byStatus = new Map<number, Set<Reason>>()
  for (const reason of list) {
    const { status } = errorTable[reason] as ErrorEntry
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(reason))
  }
  return Object.fromEntries(
    [...byStatus].map(([status, reasonsOfIt]) => {
      const sorted = [...reasonsOfIt].sort()
      const schema = sharedProblem(sorted, changing)
      const content = { 'application/problem+json': { schema } }
      return [status, { description: sorted.map(reasonText).join('\n'), content }]
    }),
  )
}

function reasonText(reason: Reason): string {
  const { title, remedy } = errorTable[reason]
  return `- \`${reason}\`: ${title}. ${remedy}`
}
