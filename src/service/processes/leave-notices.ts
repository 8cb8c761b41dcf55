import { type QueryExecutorProvider, sql } from 'kysely'
import type { JsonObject } from '../domain/decider.ts'
import type { WebhookEvent } from '../domain/webhooks/webhook-event.ts'
import type { RowWebhookType } from '../domain/webhooks/webhook-types.ts'

/** A changed row that webhooks report. Their workspace's clock is added to `at`. */
export type Notice = {
  readonly change: string
  readonly organization_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly type: RowWebhookType
  readonly resource: WebhookEvent['resource']
  readonly object: JsonObject
  readonly previous: JsonObject | null
  readonly request_id: string | null
  readonly at: Date
}

/** Without a workspace it is for each of the organization's in its mode. */
type NewNotice = Omit<Notice, 'workspace_id' | 'at'> & {
  readonly workspace_id: string | null
  readonly at: string
}

/** Has webhooks of changed rows sent. Call it in the transaction that changes the rows. */
export async function leaveNotices(
  tx: QueryExecutorProvider,
  notices: readonly NewNotice[],
): Promise<void> {
  await sql`
    INSERT INTO webhook_notices
      (change, organization_id, workspace_id, livemode, type, resource, object, previous,
        request_id, at)
    SELECT change, organization_id, workspace_id, livemode, type, resource, object, previous,
      request_id, at
    FROM json_populate_recordset(NULL::webhook_notices, ${JSON.stringify(notices)}::json)`.execute(
    tx,
  )
}
