import { z } from 'zod'
import { noOperatorNotes } from '../../domain/operation/shown-operation.ts'
import { operationOf } from '../../domain/shipment/shipment.ts'
import { decisions } from '../../domain/shipment/shipment-events.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import { lookNow, type OperatorAct, resolveOperation } from '../../processes/calls/operator.ts'
import { clockAt, offsetTo } from '../../processes/sandbox/workspace-clock.ts'
import type { Scope } from '../../security/api-keys.ts'
import type { App, RouteDeps } from '../deps.ts'
import { exampleDecision } from '../openapi/examples.ts'
import { guideNumber, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { type Resource, resource } from '../rules/resource.ts'
import { clockOf } from '../shipments/shipment-clock.ts'
import { auditForeign, type FoundOperation, findOperation } from './find-operation.ts'
import { operationListRoute, operatorNotesOf } from './operation-list.ts'
import { operationObject, operationSchema } from './operations.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'processes' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Operations']

export function operationRoutes(app: App, deps: Deps): void {
  operationListRoute(app, deps)
  readRoute(app, deps)
  lookRoute(app, deps)
  resolveRoute(app, deps)
}

async function foundObject(deps: Deps, id: string, found: FoundOperation, now?: Snapshot) {
  const state = now === undefined ? found.state : existing(now)
  const attempt = operationOf(state, id) ?? found.attempt
  const notes = found.isMasked
    ? noOperatorNotes
    : await operatorNotesOf(deps, [{ operation_id: id, state }])
  return operationObject(found.shipmentId, state, attempt, notes)
}

function operationResource(deps: Deps, scope: Scope): Resource<FoundOperation> {
  return resource(
    scope,
    ({ principal }, id) => findOperation(deps, principal, id),
    (caller, found) => auditForeign(deps, caller, found),
  )
}

function readRoute(app: App, deps: Deps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id',
    config: { resource: operation, isVersioned: true },
    schema: {
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'Works for every attempt; one whose outcome was never unknown has `cause: null`.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema },
    },
    handler: async (request, reply) => {
      const found = operation.of(request)
      const body = await foundObject(deps, request.params.id, found)
      if (body.next_look_at !== null && body.status === 'reconciling') {
        const waitMs = Date.parse(body.next_look_at) - (await clockOf(deps, found.state))
        reply.header('retry-after', Math.min(60, Math.max(1, Math.ceil(waitMs / 1_000))))
      }
      return body
    },
  })
}

async function actOf(
  deps: Deps,
  caller: ReturnType<typeof authenticated>,
  id: string,
  found: FoundOperation,
): Promise<OperatorAct> {
  const offsetMs = offsetTo(await clockOf(deps, found.state))
  return {
    shipmentId: found.shipmentId,
    operationId: id,
    snapshot: found.snapshot,
    actor: { type: 'api_key', keyId: caller.principal.keyId },
    requestId: caller.requestId,
    now: () => clockAt(offsetMs),
  }
}

function lookRoute(app: App, deps: Deps): void {
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
        'At most once in 10 s; the answer counts by the same rules as the automatic looks.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      const found = operation.of(request)
      const act = await actOf(deps, authenticated(request), id, found)
      return await foundObject(deps, id, found, await lookNow(deps.processes, act))
    },
  })
}

const resolveBody = z
  .strictObject({
    decision: z
      .enum(decisions)
      .meta({ description: 'The first two are for a creation, the last two for a cancellation' }),
    guide_number: guideNumber().optional().meta({
      description: 'Required for guide_exists; the courier is asked about it',
    }),
    accept_unconfirmed: z.boolean().optional().meta({
      description:
        'With guide_exists: decide even if the courier cannot be asked now. Without it, that case is 409 `guide_unconfirmed`.',
    }),
    note: text(2_000),
    decided_by: text(64).meta({ description: "The operator's handle" }),
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
  .meta({ examples: [exampleDecision] })

function resolveRoute(app: App, deps: Deps): void {
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
      tags,
      params: pathId('op'),
      body: resolveBody,
      response: { 200: operationSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      const { body } = request
      const found = operation.of(request)
      const act = await actOf(deps, authenticated(request), id, found)
      const order = {
        decision: body.decision,
        guideNumber: body.guide_number ?? null,
        acceptUnconfirmed: body.accept_unconfirmed === true,
        note: body.note,
        decidedBy: body.decided_by,
      }
      const snapshot = await resolveOperation(deps.processes, act, order)
      return await foundObject(deps, id, found, snapshot)
    },
  })
}
