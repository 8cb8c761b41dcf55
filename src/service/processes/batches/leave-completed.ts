import type { Kysely } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'
import { leaveNotices } from '../leave-notices.ts'
import { type BatchRow, shownBatches } from './shown-batch.ts'

/** Has `batch.completed` sent. Call it in the transaction that ends the last line. */
export async function leaveCompleted(tx: Kysely<ReadModels>, row: BatchRow): Promise<void> {
  const [object] = await shownBatches(tx, [row])
  if (object === undefined) throw new Error('bug: a completed batch that is not shown')
  const { id, organization_id, workspace_id, livemode, request_id } = row
  const notice = {
    change: `batch:${id}`,
    organization_id,
    workspace_id,
    livemode,
    type: 'batch.completed' as const,
    resource: { type: 'batch', id, version: null },
    object,
    previous: null,
    request_id,
    at: new Date().toISOString(),
  }
  await leaveNotices(tx, [notice])
}
