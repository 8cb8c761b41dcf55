import type { HoldAct } from '../../processes/holds/shipment-hold.ts'
import { actorOf } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentAct } from '../rules/idempotent-create.ts'
import { holdBody } from '../shipments/place-shipment-hold.ts'
import { holdWorkspace } from './workspace-hold.ts'
import { workspaceObject, workspaceSchema, workspaces } from './workspace-schema.ts'

export type WorkspaceHoldDeps = ApiServices

export function placeWorkspaceHoldRoute(app: App, deps: WorkspaceHoldDeps): void {
  workspaceHoldRoute(app, deps, 'place_hold', {
    url: '/v1/workspaces/:id/hold',
    schema: {
      operationId: 'placeWorkspaceHold',
      summary: 'Put a legal hold on a workspace',
      description:
        "Until the hold is lifted, no personal data of the workspace's shipments is erased, including shipments created later: erasures are refused with 409 `legal_hold`, and retention waits. Data erased before stays erased. The note is stored encrypted. Repeating the call changes nothing.",
    },
  })
}

/** The route of either act. */
export function workspaceHoldRoute(
  app: App,
  deps: WorkspaceHoldDeps,
  act: HoldAct,
  {
    url,
    schema,
  }: { url: string; schema: Record<'operationId' | 'summary' | 'description', string> },
): void {
  app.route({
    method: 'POST',
    url,
    config: {
      resource: workspaces.resource(deps, 'operations:review'),
      whileSuspended: true,
      isIdempotent: true,
      isVersioned: true,
      headers: ['if-match'],
    },
    schema: {
      ...schema,
      tags: ['Workspaces'],
      params: pathId('ws'),
      body: holdBody,
      response: {
        200: workspaceSchema.meta({ description: 'The workspace, with or without its hold.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id } = request.params
      const actor = actorOf(principal)
      const order = { act, note: request.body.note, actor, requestId }
      const row = await idempotentAct(deps, {
        request,
        reply,
        id,
        act: () => workspaces.change(deps, request, (row) => holdWorkspace(deps, row, order)),
        read: () => workspaces.find(deps, principal, id),
      })
      return workspaceObject(row)
    },
  })
}
