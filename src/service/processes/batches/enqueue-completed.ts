import { enqueueWebhooks } from '../../webhooks/enqueue-webhooks.ts'
import type { WebhookTx } from '../../webhooks/store-webhooks.ts'
import { type BatchRow, batchesToApi } from './batch-to-api.ts'

/** Enqueues `batch.completed` for batches whose last line this transaction ended. */
export async function enqueueCompleted(tx: WebhookTx, rows: readonly BatchRow[]): Promise<void> {
  if (rows.length === 0) return
  const objects = await batchesToApi(tx, rows)
  const at = new Date()
  await enqueueWebhooks(
    tx,
    objects.map((object, index) => {
      const { id, ...row } = rows[index] as BatchRow
      return {
        change: `batch:${id}`,
        organizationId: row.organization_id,
        workspaceId: row.workspace_id,
        livemode: row.livemode,
        type: 'batch.completed',
        resource: { type: 'batch', id, version: null },
        object,
        previous: null,
        requestId: row.request_id,
        at,
      }
    }),
  )
}
