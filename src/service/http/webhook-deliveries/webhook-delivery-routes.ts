import { z } from 'zod'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem, type Reason } from '../../errors.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { type RedeliveryRefusal, redeliver, redeliveryRefusal } from '../../webhooks/redelivery.ts'
import { auditAct } from '../audit-act.ts'
import { named } from '../named-filters.ts'
import { idOf, listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  type FilterValues,
  findNamed,
  matching,
  olderThan,
  parametersOf,
} from '../rules/filters.ts'
import { listPage, type PagePlace } from '../rules/lists.ts'
import { type Resource, resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { workspaceNow } from '../webhook-endpoints/webhook-endpoint-changes.ts'
import { findOwnEndpoint } from '../webhook-endpoints/webhook-endpoint-schema.ts'
import {
  type DeliveryRow,
  deliveryObject,
  deliverySchema,
  deliveryStates,
  findDelivery,
  listedDeliveries,
} from './webhook-delivery-schema.ts'
import { findWebhookEvent } from './webhook-event-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'secrets' | 'store' | 'webhookSealer' | 'workspaces'>

const tags = ['Webhook deliveries']

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

export function webhookDeliveryRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  readRoute(app, deps)
  redeliverRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/webhook-deliveries',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookDeliveries',
      summary: 'List deliveries, newest first; `state=dead` is the dead-letter queue',
      description:
        "Use it to find out why events did not arrive. The receivers' answers are left out here; read one delivery to see them.",
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(deliverySchema, 'A page of deliveries, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return listPage({
        deps,
        principal,
        route: '/v1/webhook-deliveries',
        query,
        read: (place) => listed(deps, principal, query, place),
        sortKey: (row) => [time(row.created_at), row.id],
        item: (row) => deliveryObject(row, null),
      })
    },
  })
}

async function listed(
  deps: Deps,
  principal: Principal,
  query: FilterValues<typeof filters>,
  { after, limit }: PagePlace,
): Promise<readonly DeliveryRow[]> {
  return await listedDeliveries(deps.db)
    .where(withinReach(principal))
    .where(matching(filters, query, after))
    .where(olderThan(after))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

function deliveryResource(deps: Deps, scope: Scope): Resource<DeliveryRow> {
  return resource(scope, ({ principal }, id) => findDelivery(deps, principal, id))
}

function readRoute(app: App, deps: Deps): void {
  const delivery = deliveryResource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-deliveries/:id',
    config: { resource: delivery, isVersioned: true },
    schema: {
      operationId: 'getWebhookDelivery',
      summary: "Read a delivery with every attempt and the receiver's response",
      description: 'Use it after `test` or `redeliver` to see how the attempt ended.',
      tags,
      params: pathId('dlv'),
      response: { 200: deliverySchema.meta({ description: 'The delivery.' }) },
    },
    handler: async (request) => deliveryObject(delivery.of(request), deps.webhookSealer),
  })
}

const refusals = {
  endpoint_deleted: 'webhook_endpoint_deleted',
  endpoint_disabled: 'endpoint_disabled',
  attempts_exhausted: 'delivery_attempts_exhausted',
} as const satisfies Record<RedeliveryRefusal, Reason>

function redeliverRoute(app: App, deps: Deps): void {
  const delivery = deliveryResource(deps, 'webhooks:write')
  app.route({
    method: 'POST',
    url: '/v1/webhook-deliveries/:id/redeliver',
    config: {
      resource: delivery,
      whileSuspended: true,
      problems: Object.values(refusals),
    },
    schema: {
      operationId: 'redeliverWebhookDelivery',
      summary: 'Send a delivery again, whatever its state',
      description:
        'Sends the original bytes and id with a new timestamp, at once, even while the endpoint is paused. If that fails, the same retry schedule follows. A success ends the pause. Repeated calls within one second count as one.',
      tags,
      params: pathId('dlv'),
      response: {
        202: deliverySchema.meta({ description: 'The delivery, which is sent again now.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id } = request.params
      const row = delivery.of(request)
      const refused = await redeliveryRefusal(deps.db, id)
      if (refused !== null) throw new Problem(refusals[refused])
      await auditAct(deps, caller, row.workspace_id, {
        type: 'WebhookRedelivered',
        data: { webhook_delivery_id: id },
      })
      const outcome = await redeliver(deps.db, id, await workspaceNow(deps, row))
      if (outcome in refusals) throw new Problem(refusals[outcome as keyof typeof refusals])
      const now = await findDelivery(deps, principal, id)
      return reply.code(202).send(deliveryObject(now, deps.webhookSealer))
    },
  })
}
