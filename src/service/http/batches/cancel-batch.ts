import { cancelBatch } from '../../processes/batches/batch-rows.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { batchSchema } from './batch-schema.ts'
import { batchObject, batchResource, requireBatch } from './find-batch.ts'

export function cancelBatchRoute(app: App, deps: ApiServices): void {
  const batch = batchResource(deps, 'shipments:write')
  app.route({
    method: 'POST',
    url: '/v1/batches/:id/cancel',
    config: { resource: batch, whileSuspended: true },
    schema: {
      operationId: 'cancelBatch',
      summary: 'Cancel a batch',
      description:
        'Lines that have not begun are skipped. Lines that have begun are finished, because their guides may exist. No guide is cancelled. A batch that has ended does not change.',
      tags: ['Batches'],
      params: pathId('bat'),
      response: { 200: batchSchema.meta({ description: 'The batch after the cancellation.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { id } = batch.of(request)
      await cancelBatch(deps.db, id)
      return await batchObject(deps, await requireBatch(deps, principal, id))
    },
  })
}
