import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { batchSchema } from './batch-schema.ts'
import { batchObject, batchResource } from './find-batch.ts'

export function getBatchRoute(app: App, deps: ApiServices): void {
  const batch = batchResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/batches/:id',
    config: { resource: batch },
    schema: {
      operationId: 'getBatch',
      summary: 'Read a batch and how many of its lines are in each state',
      description:
        'Use it to follow the progress of a batch, and to see how many lines need attention.',
      tags: ['Batches'],
      params: pathId('bat'),
      response: { 200: batchSchema.meta({ description: 'The batch as it is now.' }) },
    },
    handler: async (request) => await batchObject(deps, batch.of(request)),
  })
}
