import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { failingAfter } from '../../domain/webhooks/webhook-delivery.ts'
import type { App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { listOf, listQuery } from '../openapi/schemas.ts'
import type { ListDeps } from '../rules/answer-list.ts'
import { equals, filter, parametersOf } from '../rules/filters.ts'
import {
  endpointHealths,
  endpointSchema,
  endpointStatuses,
  endpoints,
} from './webhook-endpoint-schema.ts'

const filters = {
  workspace_id: named.workspace_id,
  status: equals(
    z.enum(endpointStatuses).meta({ description: 'Only endpoints in this status.' }),
    'status',
  ),
  health: filter(
    z.enum(endpointHealths).meta({
      description: 'Only endpoints whose `health` has this state. Disabled ones keep theirs.',
    }),
    (state) => {
      // Read by key for each endpoint of the organization: an index on the failures would have to
      // change with every attempt.
      const failures = sql`(SELECT l.failures FROM webhook_lanes l
        WHERE l.endpoint_id = webhook_endpoints.id
          AND l.organization_id = webhook_endpoints.organization_id)`
      return state === 'failing'
        ? sql<SqlBool>`${failures} >= ${failingAfter}`
        : sql<SqlBool>`${failures} < ${failingAfter}`
    },
  ),
}

export function listWebhookEndpointsRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEndpoints',
      summary: 'List webhook endpoints, newest first',
      description: 'Removed endpoints are not listed.',
      tags: ['Webhook endpoints'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(endpointSchema, 'A page of webhook endpoints, newest first.') },
    },
    handler: (request) => endpoints.page(deps, request, filters),
  })
}
