import { z } from 'zod'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import type { App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { listOf, listQuery, time } from '../openapi/schemas.ts'
import { answerList, type ListDeps } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  findNamed,
  matching,
  olderThanWithin,
  parametersOf,
} from '../rules/filters.ts'
import {
  reachableEvents,
  sequence,
  webhookEventObject,
  webhookEventSchema,
} from './webhook-event-schema.ts'

const filters = {
  type: equals(z.enum(webhookTypeNames).meta({ description: 'Only events of this type.' }), 'type'),
  workspace_id: named.workspace_id,
  shipment_id: named.shipment_id,
  ...createdRange,
}

export function listWebhookEventsRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/events',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEvents',
      summary: 'List webhook events, newest first, subscribed to or not',
      description:
        'Use it to catch up without an endpoint, or to see what an endpoint should have received. Events are kept for 30 days.',
      tags: ['Webhook events'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(webhookEventSchema, 'A page of events, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return await answerList(request, deps, {
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
        show: (rows) => Promise.all(rows.map((row) => webhookEventObject(deps, row))),
      })
    },
  })
}
