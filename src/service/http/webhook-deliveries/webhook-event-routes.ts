import { z } from 'zod'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { named } from '../named-filters.ts'
import { listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  findNamed,
  matching,
  olderThanWithin,
  parametersOf,
} from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  findWebhookEvent,
  type NumberedEvent,
  reachableEvents,
  sequence,
  webhookEventObject,
  webhookEventSchema,
} from './webhook-event-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Webhook events']

const filters = {
  type: equals(z.enum(webhookTypeNames).meta({ description: 'Only events of this type.' }), 'type'),
  workspace_id: named.workspace_id,
  shipment_id: named.shipment_id,
  ...createdRange,
}

export function webhookEventRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/events',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEvents',
      summary: 'List webhook events, newest first, subscribed to or not',
      description:
        'Use it to catch up without an endpoint, or to see what an endpoint should have received. Events are kept for 30 days.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(webhookEventSchema, 'A page of events, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      const page = await listPage<NumberedEvent, NumberedEvent>({
        deps,
        principal,
        route: '/v1/events',
        query,
        read: ({ after, limit }) =>
          reachableEvents(deps.db, principal)
            .where(matching(filters, query, after))
            .where(olderThanWithin(after, sequence))
            .orderBy('created_at', 'desc')
            .orderBy(sequence, 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id, String(row.number)],
        item: (row) => row,
      })
      const data = await Promise.all(page.data.map((row) => webhookEventObject(deps, row)))
      return { ...page, data }
    },
  })
  const event = resource('webhooks:read', ({ principal }, id) =>
    findWebhookEvent(deps, principal, id),
  )
  app.route({
    method: 'GET',
    url: '/v1/events/:id',
    config: { resource: event, isVersioned: true },
    schema: {
      operationId: 'getWebhookEvent',
      summary: 'Read a webhook event',
      description: 'Use it to read again what a delivery contained.',
      tags,
      params: pathId('evt'),
      response: { 200: webhookEventSchema.meta({ description: 'The event.' }) },
    },
    handler: async (request) => await webhookEventObject(deps, event.of(request)),
  })
}
