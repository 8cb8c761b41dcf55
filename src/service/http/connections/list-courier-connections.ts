import { z } from 'zod'
import type { App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { listOf, listQuery } from '../openapi/schemas.ts'
import type { ListDeps } from '../rules/answer-list.ts'
import { equals, parametersOf } from '../rules/filters.ts'
import {
  connectionSchema,
  connectionStatuses,
  connections,
  providerCodeLengthMax,
} from './connection-schema.ts'

/** Text in PostgreSQL cannot hold a NUL, so a query with one would fail. */
const providerCode = z
  .string()
  .max(providerCodeLengthMax)
  .refine((code) => !code.includes('\0'))
  .meta({ description: 'Only connections to this courier, by its code.', example: 'mock' })

const filters = {
  workspace_id: named.workspace_id,
  provider_code: equals(providerCode, 'provider_code'),
  status: equals(
    z.enum(connectionStatuses).meta({ description: 'Only connections in this status.' }),
    'status',
  ),
}

export function listCourierConnectionsRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/courier-connections',
    config: { collectionScope: 'connections:read', problems: ['not_found'] },
    schema: {
      operationId: 'listCourierConnections',
      summary: 'List courier connections, newest first',
      description: 'Removed connections are not listed.',
      tags: ['Courier connections'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(connectionSchema, 'A page of courier connections, newest first.') },
    },
    handler: (request) => connections.page(deps, request, filters),
  })
}
