import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'

/** How long events can be read, redelivered and recovered, by the wall clock. */
const keptDays = 30
/** Deleted in one statement, with their deliveries: some milliseconds. */
const forgottenMax = 500
/** Leases that were never given back, by processes that were killed. */
const leasesKeptMinutes = 10

/** Deletes old events and their deliveries, unless something is still to be sent. */
export async function forgetEvents(db: Kysely<ReadModels>): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    DELETE FROM webhook_events WHERE id = ANY (ARRAY(
      SELECT e.id FROM webhook_events e
      WHERE e.stored_at < now() - ${keptDays} * interval '1 day' AND NOT EXISTS (
        SELECT FROM webhook_deliveries d WHERE d.event_id = e.id AND d.state = 'pending')
      ORDER BY e.stored_at LIMIT ${forgottenMax}))`.execute(db)
  await sql`
    DELETE FROM webhook_leases
    WHERE leased_until < now() - ${leasesKeptMinutes} * interval '1 minute'`.execute(db)
  return Number(numAffectedRows)
}
