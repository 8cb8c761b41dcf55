import type { App } from '../api-services.ts'
import { filterText, listOf, listQuery } from '../openapi/schemas.ts'
import type { ListDeps } from '../rules/answer-list.ts'
import { equals, parametersOf } from '../rules/filters.ts'
import { referenceLengthMax, workspaceSchema, workspaces } from './workspace-schema.ts'

const filters = {
  external_reference: equals(
    filterText(referenceLengthMax).meta({
      description: 'Only the workspace with exactly this `external_reference`.',
    }),
    'external_reference',
  ),
}

export function listWorkspacesRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List workspaces, newest first',
      description:
        'The workspaces of your organization in the mode of the key. A key of one workspace sees only that one.',
      tags: ['Workspaces'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(workspaceSchema, 'A page of workspaces, newest first.') },
    },
    handler: (request) => workspaces.page(deps, request, filters),
  })
}
