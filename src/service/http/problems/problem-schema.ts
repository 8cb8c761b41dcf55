import { z } from 'zod'
import { type Action, actions, type ErrorEntry, type Outcome } from '../../error-kinds.ts'
import { errorTable, type Reason, reasons } from '../../errors.ts'
import { exampleUnknownOutcome } from '../openapi/operation-examples.ts'
import { money, openEnum, valuesText } from '../openapi/schemas.ts'
import { reference, type Union } from '../openapi/unions.ts'

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
    action: openEnum(Object.keys(actions) as [Action, ...Action[]]).meta({
      description: valuesText<Action>('What to do next.', actions),
    }),
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

type ProblemMember = 'OperationProblem' | 'ValidationProblem' | 'OtherProblem'

/** Reasons whose problems always name an operation and its shipment. */
const aboutOperation: readonly Reason[] = [
  'unknown_outcome',
  'operation_open',
  'nothing_created',
  'not_cancelled',
]

function memberOf(reason: Reason): ProblemMember {
  if (aboutOperation.includes(reason)) return 'OperationProblem'
  return reason === 'validation_failed' ? 'ValidationProblem' : 'OtherProblem'
}

export const problemUnion: Union<ProblemMember> = {
  name: 'Problem',
  by: 'reason',
  members: {
    OperationProblem: {
      description: 'An error about an operation, which `operation_id` names.',
      present: ['operation_id', 'shipment_id'],
    },
    ValidationProblem: {
      description: 'An error about fields, which `errors` names.',
      present: ['errors'],
    },
    OtherProblem: { description: 'Any other error.' },
  },
  memberOf: Object.fromEntries(reasons.map((reason) => [reason, memberOf(reason)])),
}

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

type Json = Record<string, unknown>
type Own = { readonly properties: { readonly reason: { readonly enum: readonly Reason[] } } }
/** A member of the union, and what a route says of it. */
type ProblemPart = { readonly allOf: readonly [member: Json, own: Own] }
type ProblemOfResponse = ProblemPart | { readonly oneOf: readonly ProblemPart[] }

/** The parts of the schema of a response that is a problem. */
export function problemParts(schema: unknown): readonly ProblemPart[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('oneOf' in schema)
    return (schema as { oneOf: readonly unknown[] }).oneOf.flatMap(problemParts)
  return 'allOf' in schema ? [schema as ProblemPart] : []
}

/** The reasons that a response declares, sorted. */
export function declaredReasons(schema: unknown): readonly string[] {
  return problemParts(schema)
    .flatMap(({ allOf: [, own] }) => own.properties.reason.enum)
    .toSorted()
}

/** Says of each response which members of the union its reasons belong to. */
export function narrowProblems(document: Json): void {
  const paths = Object.values(document.paths as Record<string, Record<string, Json>>)
  for (const { responses } of paths.flatMap((path) => Object.values(path))) {
    for (const { content = {} } of Object.values(responses as Record<string, { content?: Json }>)) {
      const problem = content['application/problem+json'] as
        | { schema: ProblemOfResponse }
        | undefined
      if (problem !== undefined) problem.schema = ofMembers(problem.schema)
    }
  }
}

function ofMembers(schema: ProblemOfResponse): ProblemOfResponse {
  const [part] = problemParts(schema)
  if (part === undefined) return schema
  const [, own] = part.allOf
  const { reason } = own.properties
  const byMember = Map.groupBy(reason.enum, memberOf)
  const parts = [...byMember].map(([member, list]): ProblemPart => {
    const properties = { ...own.properties, reason: { ...reason, enum: list } }
    return { allOf: [reference(member), { ...own, properties }] }
  })
  const [first, ...others] = parts
  return first !== undefined && others.length === 0 ? first : { oneOf: parts }
}
