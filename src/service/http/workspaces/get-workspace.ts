import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { workspaceObject, workspaceSchema, workspaces } from './workspace-schema.ts'

export function getWorkspaceRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  const workspace = workspaces.resource(deps, 'workspaces:read')
  app.route({
    method: 'GET',
    url: '/v1/workspaces/:id',
    config: { resource: workspace, isVersioned: true },
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      description:
        'Use it to see the retention and a legal hold, or to get the `ETag` for a PATCH.',
      tags: ['Workspaces'],
      params: pathId('ws'),
      response: { 200: workspaceSchema.meta({ description: 'The workspace.' }) },
    },
    handler: async (request) => workspaceObject(workspace.of(request)),
  })
}
