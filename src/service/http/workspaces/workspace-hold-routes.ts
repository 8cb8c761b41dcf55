import type { HoldAct } from '../../processes/holds/shipment-hold.ts'
import { actorOf } from '../../security/api-keys.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { onceDone } from '../rules/once.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { holdBody } from '../shipments/shipment-hold-routes.ts'
import { holdWorkspace } from './workspace-hold.ts'
import { workspaceObject, workspaceSchema, workspaces } from './workspace-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets' | 'store' | 'vault'>

export function workspaceHoldRoutes(app: App, deps: Deps): void {
  holdRoute(app, deps, 'place_hold', {
    url: '/v1/workspaces/:id/hold',
    schema: {
      operationId: 'placeWorkspaceHold',
      summary: 'Put a legal hold on a workspace',
      description:
        'Until it is lifted, the personal data of none of its shipments is erased, later ones included: erasures are refused with 409 `legal_hold`, and retention waits. What was erased before stays erased. The note is kept encrypted. Repeating the call changes nothing.',
    },
  })
  holdRoute(app, deps, 'lift_hold', {
    url: '/v1/workspaces/:id/release-hold',
    schema: {
      operationId: 'liftWorkspaceHold',
      summary: 'Lift the legal hold on a workspace',
      description:
        'Shipments with a hold of their own stay held. Retention continues, and erases what has become due meanwhile. Repeating the call changes nothing.',
    },
  })
}

function holdRoute(
  app: App,
  deps: Deps,
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
      isOnce: true,
      isVersioned: true,
      headers: ['if-match'],
    },
    schema: {
      ...schema,
      tags: ['Workspaces'],
      params: pathId('ws'),
      body: holdBody,
      response: {
        200: workspaceSchema.meta({ description: 'The workspace with or without its hold.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id } = request.params
      const actor = actorOf(principal)
      const order = { act, note: request.body.note, actor, requestId }
      const row = await onceDone(deps, {
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
