import { z } from 'zod'
import { decisions } from '../../domain/shipment/shipment-events.ts'
import { lookNow, resolveOperation } from '../../processes/calls/operator-acts.ts'
import { exampleDecision } from '../openapi/examples.ts'
import { guideNumber, noteLengthMax, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { clockOf } from '../shipments/shipment-clock.ts'
import { decidedBy } from './decided-by.ts'
import { actOf, foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { operationListRoute } from './operation-list.ts'
import { operationSchema } from './operation-schema.ts'
import { operationWorkRoutes } from './operation-work-routes.ts'

const tags = ['Operations']

export function operationRoutes(app: App, deps: OperationDeps): void {
  operationListRoute(app, deps)
  readRoute(app, deps)
  lookRoute(app, deps)
  resolveRoute(app, deps)
  operationWorkRoutes(app, deps)
}

function readRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id',
    config: { resource: operation, isVersioned: true },
    schema: {
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'After a 409 `unknown_outcome`, read it until `status` is `resolved`, at the pace of `Retry-After`; `result` then says what to do. It works for every attempt: one whose outcome was never unknown has `cause: null`.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema.meta({ description: 'The operation.' }) },
    },
    handler: async (request, reply) => {
      const found = operation.of(request)
      const body = await foundObject(deps, authenticated(request), found)
      if (body.next_look_at !== null && body.status === 'reconciling') {
        const waitMs = Date.parse(body.next_look_at) - (await clockOf(deps, found.state))
        reply.header('retry-after', Math.min(60, Math.max(1, Math.ceil(waitMs / 1_000))))
      }
      return body
    },
  })
}

function lookRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/look',
    config: {
      resource: operation,
      whileSuspended: true,
      problems: ['operation_not_settled', 'operation_already_resolved', 'connection_needs_reauth'],
    },
    schema: {
      operationId: 'lookAtOperation',
      summary: 'Ask the courier now',
      description:
        'Use it when there is reason to believe that the courier knows more now. At most once in 10 s, otherwise 429 `rate_limited`. The answer counts by the same rules as the automatic looks. A resolved operation can be looked at too: to see whether a surplus guide is gone, or to confirm a guide. A guide that was not known when it was concluded contradicts the conclusion; after `nothing_created`, any guide does.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema.meta({ description: 'The operation after the look.' }) },
    },
    handler: async (request) => {
      const found = operation.of(request)
      const caller = authenticated(request)
      const act = await actOf(deps, caller, found)
      return await foundObject(deps, caller, found, await lookNow(deps.processes, act))
    },
  })
}

const aboutDeciding =
  'For an operation in `needs_review`, and for one in `reconciling` whose `settle_until` has passed. 409 `operation_not_settled`: it is too early for this decision. Repeating the same decision is a success; another one is 409 `operation_already_resolved`. A guide that the courier does not know under our reference is 422 `guide_not_found`. Once the notes of the shipment are erased (`include_notes`), a decision is recorded without its note, and the answer has `note: null`.'

const resolveBody = z
  .strictObject({
    decision: z.enum(decisions).meta({
      description:
        'What is certain now. `guide_exists` and `nothing_created` are for a creation, `cancelled` and `not_cancelled` for a cancellation.',
    }),
    guide_number: guideNumber().optional().meta({
      description:
        'The guide that exists: 1 to 64 letters, digits and hyphens. Required with `guide_exists`, and allowed only then. The courier is asked about it.',
      example: '100000000001',
    }),
    accept_unconfirmed: z.boolean().optional().meta({
      description:
        'With `guide_exists`: decide even if the courier cannot be asked now. Without it, that case is 409 `guide_unconfirmed`. The default is `false`.',
    }),
    note: text(noteLengthMax).meta({
      description: `Why, in at most ${noteLengthMax} characters. Kept encrypted.`,
    }),
    decided_by: text(64).optional().meta({
      description:
        "Who decides, in at most 64 characters. Required from a key that belongs to no operator. Not allowed from an operator's key: the operator decides. Kept with the note.",
    }),
  })
  .superRefine((body, context) => {
    if ((body.decision === 'guide_exists') === (body.guide_number !== undefined)) return
    const message =
      body.decision === 'guide_exists'
        ? 'It is required for guide_exists.'
        : 'It is allowed only with guide_exists.'
    const params = { reason: body.decision === 'guide_exists' ? 'required' : 'not_allowed' }
    context.addIssue({ code: 'custom', path: ['guide_number'], message, params })
  })
  .meta({ description: 'The decision, and why.', examples: [exampleDecision] })

function resolveRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/resolve',
    config: {
      resource: operation,
      whileSuspended: true,
      problems: [
        'operation_not_settled',
        'operation_already_resolved',
        'guide_not_found',
        'guide_unconfirmed',
      ],
    },
    schema: {
      operationId: 'resolveOperation',
      summary: 'Decide an operation that reconciliation cannot conclude',
      description: aboutDeciding,
      tags,
      params: pathId('op'),
      body: resolveBody,
      response: { 200: operationSchema.meta({ description: 'The operation, as it was decided.' }) },
    },
    handler: async (request) => {
      const { body } = request
      const found = operation.of(request)
      const caller = authenticated(request)
      const handle = decidedBy(caller.principal, body.decided_by)
      const act = await actOf(deps, caller, found)
      const order = {
        decision: body.decision,
        guideNumber: body.guide_number ?? null,
        acceptUnconfirmed: body.accept_unconfirmed === true,
        note: body.note,
        decidedBy: handle,
      }
      const snapshot = await resolveOperation(deps.processes, act, order)
      return await foundObject(deps, caller, found, snapshot)
    },
  })
}
