import { z } from 'zod'
import { decisions } from '../../domain/shipment/shipment-events.ts'
import { resolveOperation } from '../../processes/calls/operator-acts.ts'
import type { App } from '../api-services.ts'
import { exampleDecision } from '../openapi/operation-examples.ts'
import { guideNumber, noteLengthMax, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  actOf,
  decidedBy,
  foundObject,
  type OperationDeps,
  operationResource,
} from './operation-act.ts'
import { operationSchema } from './operation-schema.ts'

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
      description: `The reason, in at most ${noteLengthMax} characters. Stored encrypted.`,
    }),
    decided_by: text(64).optional().meta({
      description:
        "Who decides, in at most 64 characters. Required from a key that belongs to no operator, and not allowed from an operator's key: the operator decides. Stored with the note.",
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
  .meta({ description: 'The decision and the reason for it.', examples: [exampleDecision] })

export function resolveOperationRoute(app: App, deps: OperationDeps): void {
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
      description:
        'For an operation in `needs_review`, and for one in `reconciling` whose `settle_until` has passed. 409 `operation_not_settled`: it is too early for this decision. Repeating the same decision succeeds; a different one is 409 `operation_already_resolved`. A guide that the courier does not know under our reference is 422 `guide_not_found`. Once the notes of the shipment are erased (`include_notes`), a decision is recorded without its note, and the response has `note: null`.',
      tags: ['Operations'],
      params: pathId('op'),
      body: resolveBody,
      response: { 200: operationSchema.meta({ description: 'The operation after the decision.' }) },
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
      const snapshot = await resolveOperation(deps, act, order)
      return await foundObject(deps, caller, found, snapshot)
    },
  })
}
