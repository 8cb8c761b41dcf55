import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { webhookApiVersion } from '../../domain/webhooks/webhook-event.ts'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import { bodyOf } from '../../webhooks/outbox.ts'
import type { ApiServices } from '../api-services.ts'
import { exampleShipment } from '../openapi/examples.ts'
import {
  createdAt,
  knownValues,
  livemode,
  ownId,
  time,
  timestamp,
  typeOf,
  workspaceRef,
} from '../openapi/schemas.ts'
import { exampleWebhookBody } from '../openapi/webhook-examples.ts'
import { typesText } from '../webhook-endpoints/webhook-endpoint-schema.ts'

/** The payload: the body of every delivery. */
export const webhookPayloadSchema = z
  .object({
    id: ownId('evt').meta({
      description: 'Identifies the event. It is the same on every delivery: deduplicate by it.',
    }),
    type: knownValues(webhookTypeNames).meta({ description: typesText('What happened.') }),
    timestamp: timestamp.meta({ description: "When it happened, on the workspace's clock." }),
    api_version: z.string().meta({
      description: 'The version of the API that `data.object` follows.',
      example: webhookApiVersion,
    }),
    livemode,
    workspace_id: workspaceRef,
    sequence: z.int().nullable().meta({
      description:
        "Counts a shipment's events from 1 without gaps, whether you subscribe to them or not, so that you see what you missed. Order events by `resource.version`, which answers have too. `null` for alerts and for events that are not about a shipment.",
      example: 1,
    }),
    resource: z
      .object({
        type: z
          .string()
          .meta({ description: 'The `object` of the resource.', example: 'shipment' }),
        id: z
          .string()
          .meta({ description: 'The id of the resource.', example: exampleShipment.id }),
        version: z.int().nullable().meta({
          description:
            'The version that the event shows. The higher version of a resource is newer, whether it came in a webhook, in an answer (`version`) or in an error (`shipment_version`). For a shipment, `as_of` reads this version again. `null` if the resource has no versions.',
        }),
      })
      .meta({ description: 'What the event is about.' }),
    data: z
      .object({
        object: z.record(z.string(), z.unknown()).meta({
          description:
            'The resource at that version, as the API shows it, without personal data, free text and pickup code. A tracking has only the new scans.',
        }),
      })
      .meta({ description: 'The resource after what happened.' }),
    previous: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The previous values of the changed fields. `null` if there was nothing before.',
    }),
    request_id: z.string().nullable().meta({
      description: 'The request that caused it. `null` if no request did.',
      example: exampleWebhookBody.request_id,
    }),
  })
  .meta({
    id: 'WebhookPayload',
    description: 'The body of a delivery: something that happened in a workspace.',
    examples: [exampleWebhookBody],
  })

export const webhookEventSchema = webhookPayloadSchema
  .extend({ object: typeOf('webhook_event'), created_at: createdAt })
  .meta({
    id: 'WebhookEvent',
    description: 'Something that happened in a workspace, as it was sent to webhook endpoints.',
    examples: [
      {
        ...exampleWebhookBody,
        object: 'webhook_event',
        created_at: exampleWebhookBody.timestamp,
      },
    ],
  })

type EventRow = Selectable<Database['webhook_events']>

export async function webhookEventObject(
  deps: Pick<ApiServices, 'store' | 'links'>,
  row: EventRow,
): Promise<z.infer<typeof webhookEventSchema>> {
  const body: z.infer<typeof webhookPayloadSchema> = JSON.parse(await bodyOf(deps, row))
  return { ...body, object: 'webhook_event', created_at: time(row.created_at) }
}

/** Orders the events of one shipment within the same millisecond. */
export const sequence = sql<number>`coalesce(sequence, (body::json ->> 'sequence')::int, 0)`

export function reachableEvents(db: ApiServices['db'], principal: Principal) {
  return db
    .selectFrom('webhook_events')
    .selectAll()
    .select(sequence.as('number'))
    .where(inTenantScope(principal))
}

/** The event, or 404 as for any id that never existed. */
export async function findWebhookEvent(
  deps: Pick<ApiServices, 'db'>,
  principal: Principal,
  id: string,
): Promise<EventRow> {
  const row = await reachableEvents(deps.db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
