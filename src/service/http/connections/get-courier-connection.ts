import { connectionToApi } from '../../processes/connections/connection-to-api.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { connectionSchema, connections } from './connection-schema.ts'

export function getCourierConnectionRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  const connection = connections.resource(deps, 'connections:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-connections/:id',
    config: { resource: connection, isVersioned: true },
    schema: {
      operationId: 'getCourierConnection',
      summary: 'Read a courier connection',
      description: 'Use it to see whether the courier still accepts the credentials.',
      tags: ['Courier connections'],
      params: pathId('ccn'),
      response: { 200: connectionSchema.meta({ description: 'The connection.' }) },
    },
    handler: async (request) => connectionToApi(connection.of(request)),
  })
}
