import type { Kysely, Transaction } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { type WebhookEvent, webhookBody } from '../domain/webhooks/webhook-event.ts'
import { deliveryId } from './store-webhooks.ts'

/**
 * Stores an example event and its delivery to this endpoint alone. Returns false, and stores
 * nothing, when the endpoint is disabled or gone.
 */
export async function sendExample(
  db: Kysely<Tables>,
  endpoint: { readonly id: string; readonly organization_id: string },
  event: WebhookEvent,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const enabled = await tx
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('id', '=', endpoint.id)
      .where('status', '=', 'enabled')
      .where('deleted_at', 'is', null)
      .forShare()
      .executeTakeFirst()
    if (enabled === undefined) return false
    await insertExample(tx, endpoint, event)
    return true
  })
}

async function insertExample(
  tx: Transaction<Tables>,
  endpoint: { readonly id: string; readonly organization_id: string },
  event: WebhookEvent,
): Promise<void> {
  const at = new Date(event.at)
  const place = {
    organization_id: endpoint.organization_id,
    workspace_id: event.workspaceId,
    livemode: event.livemode,
    // The shipment of an example does not exist.
    shipment_id: null,
    created_at: at,
  }
  await tx
    .insertInto('webhook_events')
    .values({
      ...place,
      id: event.id,
      type: event.type,
      body: webhookBody(event),
      is_example: true,
    })
    .execute()
  const id = deliveryId(event.id, endpoint.id)
  await tx
    .insertInto('webhook_deliveries')
    .values({
      ...place,
      id,
      event_id: event.id,
      endpoint_id: endpoint.id,
      event_type: event.type,
      state: 'pending',
      attempts: JSON.stringify([]),
      next_attempt_at: at,
      updated_at: at,
      at_once: true,
    })
    .execute()
}
