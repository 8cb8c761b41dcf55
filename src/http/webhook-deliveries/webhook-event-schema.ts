import { type Selectable, sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { webhookApiVersion } from '../../domain/webhooks/webhook-event.ts'
import { webhookTypeNames } from '../../domain/webhooks/webhook-types.ts'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import { withinReach } from '../../security/reach.ts'
import { bodyOf } from '../../webhooks/outbox.ts'
import { idOf, knownValues, time, timestamp } from '../openapi/schemas.ts'
import { exampleWebhookBody } from '../openapi/webhook-examples.ts'
import type { RouteDeps } from '../server-deps.ts'
import { typesDescription } from '../webhook-endpoints/webhook-endpoint-schema.ts'

/** The payload: the body of every delivery. */
export const webhookPayloadSchema = z
  .object({
    id: idOf('evt').meta({ description: 'The same on every delivery: deduplicate by it' }),
    type: knownValues(webhookTypeNames).meta({ description: typesDescription }),
    timestamp: timestamp.meta({ description: "When it happened, on the workspace's clock" }),
    api_version: z.string().meta({ example: webhookApiVersion }),
    livemode: z.boolean(),
    workspace_id: idOf('ws'),
    sequence: z.int().nullable().meta({
      description:
        "Counts a shipment's events from 1 without a gap, subscribed to or not; null for alerts and for events that are not about a shipment",
    }),
    resource: z.object({
      type: z.string(),
      id: z.string(),
      version: z.int().nullable(),
    }),
    data: z.object({
      object: z.record(z.string(), z.unknown()).meta({
        description:
          'The resource at that version as a read shows it, without personal data, free text and pickup code; a tracking has only the new scans',
      }),
    }),
    previous: z.record(z.string(), z.unknown()).nullable().meta({
      description: 'The previous values of the changed fields',
    }),
    request_id: z.string().nullable(),
  })
  .meta({ id: 'WebhookPayload', examples: [exampleWebhookBody] })

export const webhookEventSchema = webhookPayloadSchema
  .extend({ object: z.literal('webhook_event'), created_at: timestamp })
  .meta({
    id: 'WebhookEvent',
    examples: [
      {
        ...exampleWebhookBody,
        object: 'webhook_event',
        created_at: exampleWebhookBody.timestamp,
      },
    ],
  })

type EventRow = Selectable<Database['webhook_events']>

/** With its place among the events of its shipment. */
export type NumberedEvent = EventRow & { readonly number: number }

export async function webhookEventObject(
  { store }: Pick<RouteDeps, 'store'>,
  row: EventRow,
): Promise<z.infer<typeof webhookEventSchema>> {
  const body: z.infer<typeof webhookPayloadSchema> = JSON.parse(await bodyOf(store, row))
  return { ...body, object: 'webhook_event', created_at: time(row.created_at) }
}

/** Orders the events of one shipment within the same millisecond. */
export const sequence = sql<number>`coalesce(sequence, (body::json ->> 'sequence')::int, 0)`

export function reachableEvents(db: RouteDeps['db'], principal: Principal) {
  return db
    .selectFrom('webhook_events')
    .selectAll()
    .select(sequence.as('number'))
    .where(withinReach(principal))
}

/** The event, or 404 as for any id that never existed. */
export async function findWebhookEvent(
  deps: Pick<RouteDeps, 'db'>,
  principal: Principal,
  id: string,
): Promise<EventRow> {
  const row = await reachableEvents(deps.db, principal).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
