import { z } from 'zod'
import { type ErrorEntry, errorTable, type Reason, reasons } from '../../errors.ts'
import { exampleUnknownOutcome } from '../openapi/examples.ts'
import { money } from '../openapi/schemas.ts'

/** A problem on the wire; the OpenAPI document's component `Problem`. */
const problemSchema = z
  .object({
    type: z.string().meta({ format: 'uri-reference' }),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string().meta({ description: 'For people; may change at any time.' }),
    instance: z.string().meta({ format: 'uri-reference' }),
    reason: z
      .enum(reasons as [Reason, ...Reason[]])
      .meta({ 'x-extensible': true, description: 'For programs; docs/errors.md lists them.' }),
    outcome: z.enum(['not_executed', 'executed', 'unknown']).optional().meta({
      'x-extensible': true,
      description: 'What this request did. Present on every error of a changing call.',
    }),
    retryable: z.boolean().meta({ description: 'Whether repeating the same request can help.' }),
    request_id: z.string(),
    operation_id: z.string().optional(),
    shipment_id: z.string().optional(),
    price: money
      .optional()
      .meta({ description: "With `quote_price_changed`: the courier's new price." }),
    errors: z
      .array(z.object({ pointer: z.string(), reason: z.string(), detail: z.string() }))
      .optional(),
  })
  .meta({
    id: 'Problem',
    description: 'An error, after RFC 9457.',
    examples: [exampleUnknownOutcome],
  })

/** Routes share most lists of reasons. */
const known = new Map<string, ReturnType<typeof problemOfReasons>>()

function sharedProblem(list: readonly Reason[], changing: boolean) {
  const key = [changing, ...list].join()
  const schema = known.get(key) ?? problemOfReasons(list, changing)
  known.set(key, schema)
  return schema
}

/** The problems of one status, and what a changing call says of its outcome. */
function problemOfReasons(list: readonly Reason[], changing: boolean) {
  const reason = z.enum(list as [Reason, ...Reason[]]).meta({ 'x-extensible': true })
  const own = changing
    ? z.object({ reason, outcome: problemSchema.shape.outcome.unwrap() })
    : z.object({ reason })
  return z.intersection(problemSchema, own)
}

/**
 * An operation's problems by status, for the OpenAPI document. Each response lists the reasons
 * possible on this route; the tests check every answer they get against it.
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
      return [status, { description: `\`${sorted.join('`, `')}\``, content }]
    }),
  )
}
