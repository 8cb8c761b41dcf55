import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { DeliveryServices } from './deliver.ts'
import { discardLeft } from './disable.ts'
import { expireDeliveries } from './expire.ts'
import { enqueueFormerNotices } from './former-notices.ts'

/** Discards, expires and forgets deliveries. Returns how many rows it changed. */
export async function tidyWebhooks({
  db,
  deliveryRules,
}: Pick<DeliveryServices, 'db' | 'deliveryRules'>): Promise<number> {
  const ended = (await discardLeft(db)) + (await expireDeliveries(db, deliveryRules))
  return ended + (await enqueueFormerNotices(db)) + (await forgetEvents(db))
}

/** How long events can be read, redelivered and recovered, by the wall clock. */
const keptDays = 30
/** Deleted in one statement, with their deliveries: some milliseconds. */
const forgottenMax = 500
/** Leases that killed processes never released. */
const leasesKeptMinutes = 10

/** Deletes old events and their deliveries, except events with a pending delivery. */
async function forgetEvents(db: Kysely<Tables>): Promise<number> {
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
