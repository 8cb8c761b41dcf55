import { z } from 'zod'
import { webhookTypeNames } from '../../domain/webhook-types.ts'
import { authenticated, requireScope } from '../authenticate.ts'
import { createdRange, createdWithin } from '../created-range.ts'
import type { App, HttpDeps } from '../deps.ts'
import { answerRead } from '../etag.ts'
import { findShipment } from '../find-shipment.ts'
import { listPage } from '../lists.ts'
import { idOf, listOf, listQuery, pathId, time } from '../schemas.ts'
import {
  findWebhookEvent,
  reachableEvents,
  sequence,
  sequenceOf,
  webhookEventObject,
  webhookEventSchema,
} from '../webhook-events.ts'

const tags = ['Webhook events']

export function webhookEventRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/events',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'listWebhookEvents',
      summary: 'List what webhooks tell, newest first, subscribed to or not',
      tags,
      querystring: listQuery({
        type: z.enum(webhookTypeNames).optional(),
        workspace_id: idOf('ws').optional(),
        shipment_id: idOf('shp').optional(),
        ...createdRange,
      }),
      response: { 200: listOf(webhookEventSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const { type, workspace_id, shipment_id } = query
      if (workspace_id !== undefined) await deps.workspaces.require(principal, workspace_id)
      if (shipment_id !== undefined) await findShipment(deps.store, principal, shipment_id)
      return listPage({
        deps,
        principal,
        route: '/v1/events',
        query,
        read: (after, limit) => {
          let rows = reachableEvents(deps.db, principal).where(
            createdWithin(query, after, sequence),
          )
          if (workspace_id !== undefined) rows = rows.where('workspace_id', '=', workspace_id)
          if (shipment_id !== undefined) rows = rows.where('shipment_id', '=', shipment_id)
          if (type !== undefined) rows = rows.where('type', '=', type)
          return rows
            .orderBy('created_at', 'desc')
            .orderBy(sequence, 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute()
        },
        sortKey: (row) => [time(row.created_at), row.id, String(sequenceOf(row))],
        item: webhookEventObject,
      })
    },
  })
  app.route({
    method: 'GET',
    url: '/v1/events/:id',
    config: { resourceScope: 'webhooks:read', headers: ['if-none-match'] },
    schema: {
      operationId: 'getWebhookEvent',
      summary: 'Read what a webhook told',
      tags,
      params: pathId('evt'),
      response: { 200: webhookEventSchema },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      const row = await findWebhookEvent(deps, principal, request.params.id)
      requireScope(principal, 'webhooks:read')
      return answerRead(reply, webhookEventObject(row))
    },
  })
}
