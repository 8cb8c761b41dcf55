import { z } from 'zod'
import { rfc3339 } from '../../domain/decider.ts'
import { countRecoverable, recoveryLimits } from '../../webhooks/recovery.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId, typeOf } from '../openapi/schemas.ts'
import { answeredPeriod, requestedPeriod } from './recovery-period.ts'
import { endpoints } from './webhook-endpoint-schema.ts'

const recoverableSchema = z
  .object({
    object: typeOf('webhook_recoverable'),
    ...answeredPeriod,
    count: z.int().meta({
      description: 'How many events a recovery of the period would send again now.',
    }),
    is_complete: z.boolean().meta({
      description: `\`false\` if the period has more than ${recoveryLimits.readMax} events: only the first ones were counted.`,
    }),
  })
  .meta({
    id: 'WebhookRecoverable',
    description: 'What a recovery would send again.',
  })

export function countRecoverableWebhookEndpointRoute(
  app: App,
  deps: Pick<ApiServices, 'db'>,
): void {
  const endpoint = endpoints.resource(deps, 'webhooks:read')
  app.route({
    method: 'GET',
    url: '/v1/webhook-endpoints/:id/recoverable',
    config: { resource: endpoint },
    schema: {
      operationId: 'countRecoverableWebhookEndpoint',
      summary: 'Count the events of a period that an endpoint missed',
      description:
        'How many events `recover` with the same period would resend if it were called now. It changes nothing.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      querystring: requestedPeriod,
      response: { 200: recoverableSchema.meta({ description: 'The count.' }) },
    },
    handler: async (request) => {
      const row = endpoint.of(request)
      const since = new Date(request.query.since)
      const until = new Date(request.query.until)
      const { count, isComplete } = await countRecoverable(deps.db, {
        endpointId: row.id,
        workspaceId: row.workspace_id,
        since,
        until,
        eventTypes: row.event_types,
      })
      return {
        object: 'webhook_recoverable' as const,
        endpoint_id: row.id,
        since: rfc3339(since.getTime()),
        until: rfc3339(until.getTime()),
        count,
        is_complete: isComplete,
      }
    },
  })
}
