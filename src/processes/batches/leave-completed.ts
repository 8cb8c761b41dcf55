import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { type BatchRow, shownBatches } from './shown-batch.ts'

/** Has `batch.completed` sent. Call it in the transaction that ends the last line. */
export async function leaveCompleted(tx: Kysely<ReadModels>, row: BatchRow): Promise<void> {
  const [object] = await shownBatches(tx, [row])
  await sql`
    INSERT INTO webhook_notices
      (change, organization_id, workspace_id, livemode, type, resource, object, request_id, at)
    VALUES (${`batch:${row.id}`}, ${row.organization_id}, ${row.workspace_id}, ${row.livemode},
      'batch.completed', ${JSON.stringify({ type: 'batch', id: row.id, version: null })}::jsonb,
      ${JSON.stringify(object)}::jsonb, ${row.request_id}, now())`.execute(tx)
}
