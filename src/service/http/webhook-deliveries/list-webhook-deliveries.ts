import { z } from 'zod'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { idOf, listOf, listQuery } from '../openapi/schemas.ts'
import { type ListDeps, listNewestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { createdRange, equals, parametersOf } from '../rules/filters.ts'
import { findOwnEndpoint } from '../webhook-endpoints/webhook-endpoint-schema.ts'
import {
  deliveryObject,
  deliverySchema,
  deliveryStates,
  listedDeliveries,
} from './webhook-delivery-schema.ts'
import { findWebhookEvent } from './webhook-event-schema.ts'

const filters = {
  endpoint_id: {
    ...equals(
      idOf('whe').meta({ description: 'Only deliveries to this endpoint, removed or not.' }),
      'endpoint_id',
    ),
    find: findOwnEndpoint,
  },
  event_id: {
    ...equals(idOf('evt').meta({ description: 'Only deliveries of this event.' }), 'event_id'),
    find: findWebhookEvent,
  },
  event_type: equals(
    z.enum(webhookTypeNames).meta({ description: 'Only deliveries of events of this type.' }),
    'event_type',
  ),
  state: equals(
    z
      .enum(deliveryStates)
      .meta({ description: 'Only deliveries in this state. `dead` lists the dead letters.' }),
    'state',
  ),
  shipment_id: named.shipment_id,
  workspace_id: named.workspace_id,
  ...createdRange,
}

export function listWebhookDeliveriesRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook-deliveries',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries, newest first; `state=dead` is the dead-letter queue',
      description:
        "Use it to find out why events did not arrive. The list leaves out the receivers' responses; read one delivery to see them.",
      tags: ['Webhook deliveries'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(deliverySchema, 'A page of deliveries, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listNewestFirst(deps, request, filters, {
        rows: listedDeliveries(deps.db).where(inTenantScope(principal)),
        show: (rows) => rows.map((row) => deliveryObject(row, null)),
      })
    },
  })
}
