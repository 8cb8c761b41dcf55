import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { webhookEventId } from '../domain/webhooks/webhook-event.ts'
import type { Notice } from '../processes/leave-notices.ts'
import { type OutboxEvent, storeWebhooks } from './store-webhooks.ts'

/** Converted in one transaction: some milliseconds. */
const noticesMax = 100

/**
 * Turns notices of changed rows into events and deliveries, and deletes the notices in the same
 * transaction. Any number may run it at once. Returns how many notices were converted.
 */
export async function convertNotices(db: Kysely<ReadModels>): Promise<number> {
  // Without a transaction at first: usually there is nothing.
  const { rows: some } = await sql`SELECT FROM webhook_notices LIMIT 1`.execute(db)
  if (some.length === 0) return 0
  return await db.transaction().execute(async (tx) => {
    const { rows: taken } = await sql<{ number: string }>`
      SELECT number FROM webhook_notices ORDER BY number LIMIT ${noticesMax}
      FOR UPDATE SKIP LOCKED`.execute(tx)
    const numbers = taken.map(({ number }) => number)
    const { rows } = await sql<Notice>`
      SELECT n.change, n.organization_id, w.id AS workspace_id, n.livemode, n.type, n.resource,
        n.object, n.previous, n.request_id,
        n.at + coalesce(c.offset_ms, 0) * interval '1 millisecond' AS at
      FROM webhook_notices n
      JOIN workspaces w ON w.organization_id = n.organization_id AND w.livemode = n.livemode
        AND (n.workspace_id IS NULL OR w.id = n.workspace_id)
      LEFT JOIN sandbox_clocks c ON c.workspace_id = w.id AND NOT n.livemode
      WHERE n.number = ANY (${numbers}::bigint[]) ORDER BY n.number, w.id`.execute(tx)
    await storeWebhooks(tx, rows.map(outboxEventOf))
    await sql`DELETE FROM webhook_notices WHERE number = ANY (${numbers}::bigint[])`.execute(tx)
    return taken.length
  })
}

function outboxEventOf(notice: Notice): OutboxEvent {
  const { change, workspace_id: workspaceId, type } = notice
  return {
    organizationId: notice.organization_id,
    shipmentId: null,
    shipmentVersion: null,
    event: {
      id: webhookEventId(change, workspaceId, type),
      type,
      at: notice.at.getTime(),
      livemode: notice.livemode,
      workspaceId,
      sequence: null,
      resource: notice.resource,
      object: notice.object,
      previous: notice.previous,
      requestId: notice.request_id,
    },
  }
}
