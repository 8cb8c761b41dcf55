import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { shipmentIdOfStream, shipmentStreamPrefix } from '../domain/ids.ts'
import { decodeEvent } from '../event-store/codec.ts'
import type { EventStore, StoredEvent } from '../event-store/event-store.ts'
import { projectionStatuses } from '../projector/checkpoint.ts'

/**
 * How long a start waits for lost owners to be recorded; the follower records the rest as it
 * catches up.
 */
const startWaitMs = 5_000

/** Runs before anything is served, for events that the read models have not processed. */
export async function noteLostOwnersAtStart(
  db: Kysely<Tables>,
  store: Pick<EventStore, 'subscribe'>,
): Promise<void> {
  const statuses = await projectionStatuses(db)
  const shipments = statuses.find(({ name, active }) => name === 'shipments' && active)
  const prefixes = [shipmentStreamPrefix]
  const signal = AbortSignal.timeout(startWaitMs)
  for await (const next of store.subscribe(shipments?.place ?? null, { prefixes, signal })) {
    if (next.kind === 'caught_up') return
    await noteLostOwners(db, next.events)
  }
}

/**
 * Records the owners of shipments that the vault does not know. A database restored together with a
 * newer event store lacks their rows, by which shipments are found. The content of the rows stays
 * lost, as after an erasure. Safe to repeat.
 */
export async function noteLostOwners(
  db: Kysely<Tables>,
  events: readonly StoredEvent[],
): Promise<void> {
  const requested = events.flatMap((stored) => {
    if (stored.type !== 'ShipmentRequested') return []
    const event = decodeEvent(stored)
    return event.type === 'ShipmentRequested'
      ? [{ shipmentId: shipmentIdOfStream(stored.stream), ...event.data }]
      : []
  })
  await noteOwners(db, requested)
}

/** Writes rows without content, by which shipments are found. Existing rows stay. */
export async function noteOwners(
  db: Kysely<Tables>,
  requested: readonly {
    readonly shipmentId: string
    readonly vault_ref: string
    readonly organization_id: string
    readonly workspace_id: string
  }[],
): Promise<void> {
  if (requested.length === 0) return
  await sql`
    INSERT INTO vault (ref, organization_id, workspace_id, shipment_id, master_key_id)
    SELECT lost.*, '' FROM unnest(
      ${requested.map((each) => each.vault_ref)}::uuid[],
      ${requested.map((each) => each.organization_id)}::text[],
      ${requested.map((each) => each.workspace_id)}::text[],
      ${requested.map((each) => each.shipmentId)}::text[]) AS lost
    ON CONFLICT DO NOTHING`.execute(db)
}
