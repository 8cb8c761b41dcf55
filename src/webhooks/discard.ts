import { sql, type Transaction } from 'kysely'
import type { Database } from '../database/database.ts'

/** Rows of one statement: far below the seconds that a statement may take. */
const batchRows = 10_000

/**
 * Call it first in a transaction that changes an endpoint's status: who claims takes this lock first
 * too and passes over lanes that are locked, so that nobody waits in a circle.
 */
export async function holdLane(tx: Transaction<Database>, endpointId: string): Promise<void> {
  await sql`SELECT FROM webhook_lanes WHERE endpoint_id = ${endpointId} FOR UPDATE`.execute(tx)
}

/**
 * Ends every delivery of an endpoint that is still to be sent: what its owner does not want, or what
 * nobody hears any more. Call it in the transaction that disables or deletes the endpoint, after
 * that row was changed: whoever makes deliveries pending holds a lock on the row, so that none is
 * made behind this. An attempt under way loses its lease; what becomes of it is not recorded.
 */
export async function discardPending(
  tx: Transaction<Database>,
  endpointId: string,
  reason: 'endpoint_disabled' | 'endpoint_deleted',
  now: Date,
): Promise<number> {
  let discarded = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      UPDATE webhook_deliveries SET state = 'discarded', dead_reason = ${reason},
        next_attempt_at = NULL, leased_until = NULL, lease = NULL,
        updated_at = ${now}, version = version + 1
      WHERE id = ANY (ARRAY(
        SELECT id FROM webhook_deliveries
        WHERE endpoint_id = ${endpointId} AND state = 'pending' LIMIT ${batchRows}))`.execute(tx)
    discarded += Number(numAffectedRows)
    if (numAffectedRows < BigInt(batchRows)) return discarded
  }
}
