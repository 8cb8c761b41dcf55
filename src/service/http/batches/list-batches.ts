import { batchesToApi } from '../../processes/batches/batch-to-api.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { filterText, listOf, listQuery } from '../openapi/schemas.ts'
import { listNewestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { createdRange, equals, parametersOf } from '../rules/filters.ts'
import { batchSchema } from './batch-schema.ts'

const filters = {
  workspace_id: named.workspace_id,
  external_reference: equals(
    filterText(255).meta({ description: 'Only batches with exactly this reference.' }),
    'external_reference',
  ),
  ...createdRange,
}

export function listBatchesRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/batches',
    config: { collectionScope: 'shipments:read', problems: ['not_found'] },
    schema: {
      operationId: 'listBatches',
      summary: 'List batches, newest first',
      description: 'Each batch has the current number of its lines in each state.',
      tags: ['Batches'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(batchSchema, 'A page of batches, newest first.') },
    },
    handler: (request) =>
      listNewestFirst(deps, request, filters, {
        rows: deps.db
          .selectFrom('batches')
          .selectAll()
          .where(inTenantScope(authenticated(request).principal)),
        show: (rows) => batchesToApi(deps.db, rows),
      }),
  })
}
