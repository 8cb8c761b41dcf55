import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { WebhookEvent } from '../domain/webhooks/webhook-event.ts'
import type { RowWebhookType } from '../domain/webhooks/webhook-types.ts'
import { enqueueWebhooks, type RowWebhook } from './enqueue-webhooks.ts'

/** Enqueued in one transaction: some milliseconds. */
const noticesMax = 100

type NoticeRow = {
  readonly number: string
  readonly change: string
  readonly organization_id: string
  readonly workspace_id: string | null
  readonly livemode: boolean
  readonly type: RowWebhookType
  readonly resource: WebhookEvent['resource']
  readonly object: WebhookEvent['object']
  readonly previous: WebhookEvent['previous']
  readonly request_id: string | null
  readonly at: Date
}

/**
 * Enqueues the rows of `webhook_notices`, which only the version before this one writes: left by a
 * process of it, or added by one that still runs during a rolling update. Any number of processes
 * may run it at once. Returns how many notices it enqueued. The next version drops the table and
 * this file (docs/decisions/0018-webhook-deliveries-and-alerts.md).
 */
export async function enqueueFormerNotices(db: Kysely<Tables>): Promise<number> {
  // Without a transaction at first: usually there is nothing.
  const { rows: some } = await sql`SELECT FROM webhook_notices LIMIT 1`.execute(db)
  if (some.length === 0) return 0
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<NoticeRow>`
      DELETE FROM webhook_notices WHERE number = ANY (ARRAY(
        SELECT number FROM webhook_notices ORDER BY number LIMIT ${noticesMax}
        FOR UPDATE SKIP LOCKED))
      RETURNING *`.execute(tx)
    await enqueueWebhooks(tx, rows.map(webhookOf))
    return rows.length
  })
}

function webhookOf({
  organization_id,
  workspace_id,
  request_id,
  ...notice
}: NoticeRow): RowWebhook {
  return {
    ...notice,
    organizationId: organization_id,
    workspaceId: workspace_id,
    requestId: request_id,
  }
}
