import type { Pool } from 'pg'
import { type Folded, foldBatch, type StateCache } from '../../../projections/fold-batch.ts'
import type { StreamReader } from '../../../projections/load-states.ts'
import { shipmentStreamPrefix } from '../domain/ids.ts'
import { actOf, decodeEvent, decodeOnce } from '../event-store/codec.ts'
import type { Place, Position, StoredEvent } from '../event-store/event-store.ts'
import { type Part, write } from './write.ts'

/**
 * Projections that are updated together: each event is read, decoded and folded once for all parts.
 */
type Following = {
  readonly parts: readonly Part[]
  /** Discarded with the other fields when a batch was not applied. */
  readonly kept: StateCache
}

/**
 * Computes a batch's changes and returns a function that applies them, together with the checkpoints,
 * in one transaction, for every part that has not applied them yet. That function throws Fenced if a
 * checkpoint has moved.
 */
export async function prepareBatch(
  { pool, store }: { readonly pool: Pool; readonly store: StreamReader },
  { parts, kept }: Following,
  to: Place,
  events: readonly StoredEvent[],
): Promise<() => Promise<void>> {
  const behind = parts.filter(({ place }) => (place?.position ?? '') < to.position)
  // A rebuild's events have no other reader, so caching the decoded events would only use memory.
  const isRead = parts.some(({ active }) => active)
  const [ofShipments, others] = apart(events)
  const decoded = ofShipments.map((event) => (isRead ? decodeEvent(event) : decodeOnce(event)))
  const folded = await foldBatch(store, decoded, kept, others.map(actOf))
  const rows = await Promise.all(
    behind.map(({ projection, place }) => projection.rows(after(folded, place?.position ?? null))),
  )
  const texts = rows.flat().map((each) => JSON.stringify(each))
  return async () => {
    await write(pool, behind, to, texts)
    for (const part of behind) part.place = to
  }
}

/** Splits the events into those of shipments and those of audit streams. */
function apart(
  events: readonly StoredEvent[],
): readonly [readonly StoredEvent[], readonly StoredEvent[]] {
  const isOfShipment = ({ stream }: StoredEvent) => stream.startsWith(shipmentStreamPrefix)
  return [events.filter(isOfShipment), events.filter((event) => !isOfShipment(event))]
}

/** The events that are new to a part, which may be ahead of others. */
function after(folded: Folded, position: Position | null): Folded {
  if (position === null) return folded
  const { steps, changed, acts } = folded
  return {
    steps: steps.filter(({ event }) => event.stored.position > position),
    changed: changed.filter((each) => each.position > position),
    acts: acts.filter(({ stored }) => stored.position > position),
  }
}

/** Applies a batch and moves the checkpoints in one transaction. Throws Fenced if one has moved. */
export async function applyBatch(...batch: Parameters<typeof prepareBatch>): Promise<void> {
  const apply = await prepareBatch(...batch)
  await apply()
}
