import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { shipmentIdOfStream, shipmentStreamPrefix } from '../domain/ids.ts'
import { decodeEvent } from '../event-store/codec.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'

/** Events looked at together. */
const pageMax = 1_000

/**
 * Notes whose shipments those are that the ledger has and the vault has not: a database that was
 * restored together with a newer event store lacks their rows, and by those a shipment is found. What
 * was in them stays lost, as after an erasure. Looks from where the read models are on, so it is to be
 * called before they are kept up to date. Safe to repeat.
 */
export async function noteLostOwners(
  db: Kysely<ReadModels>,
  store: Pick<EventStore, 'readAll'>,
): Promise<void> {
  const { rows } = await sql<{ position: Position | null }>`
    SELECT position FROM projections WHERE name = 'shipments' AND active`.execute(db)
  const prefixes = [shipmentStreamPrefix]
  for (let after = rows[0]?.position ?? null; ; ) {
    const { events, last } = await store.readAll(after, { prefixes, limit: pageMax })
    if (last === after) return
    await note(
      db,
      events.filter(({ type }) => type === 'ShipmentRequested'),
    )
    after = last
  }
}

async function note(db: Kysely<ReadModels>, events: readonly StoredEvent[]): Promise<void> {
  if (events.length === 0) return
  const requested = events.flatMap((stored) => {
    const event = decodeEvent(stored)
    return event.type === 'ShipmentRequested'
      ? [{ shipmentId: shipmentIdOfStream(stored.stream), ...event.data }]
      : []
  })
  await sql`
    INSERT INTO vault (ref, organization_id, workspace_id, shipment_id, master_key_id)
    SELECT lost.*, '' FROM unnest(
      ${requested.map((each) => each.vault_ref)}::uuid[],
      ${requested.map((each) => each.organization_id)}::text[],
      ${requested.map((each) => each.workspace_id)}::text[],
      ${requested.map((each) => each.shipmentId)}::text[]) AS lost
    ON CONFLICT DO NOTHING`.execute(db)
}
