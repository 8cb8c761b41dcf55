import type { Pool } from 'pg'
import { type Folded, foldBatch, type KeptStates } from '../../projections/fold-batch.ts'
import type { StreamReader } from '../../projections/recall.ts'
import { decodeEvent, decodeOnce } from '../event-store/codec.ts'
import type { Position, StoredEvent } from '../event-store/event-store.ts'
import { type Part, write } from './write.ts'

/** What is kept up to date together: an event is read, decoded and folded once for all parts. */
export type Following = {
  readonly parts: readonly Part[]
  /** Thrown away with this when a batch was not applied. */
  readonly kept: KeptStates
}

/**
 * Works out what a batch changes, and gives what applies it: for every part that has not come so far,
 * together with the checkpoints, in one transaction. That throws Fenced when one has moved.
 */
export async function prepareBatch(
  { pool, store }: { readonly pool: Pool; readonly store: StreamReader },
  { parts, kept }: Following,
  to: Position,
  events: readonly StoredEvent[],
): Promise<() => Promise<void>> {
  const behind = parts.filter(({ position }) => (position ?? '') < to)
  // What is rebuilt from is read by nobody else, and would only fill the memory of what was decoded.
  const isRead = parts.some(({ active }) => active)
  const decoded = events.map((event) => (isRead ? decodeEvent(event) : decodeOnce(event)))
  const folded = await foldBatch(store, decoded, kept)
  const rows = await Promise.all(
    behind.map(({ projection, position }) => projection.rows(after(folded, position))),
  )
  const texts = rows.flat().map((each) => JSON.stringify(each))
  return async () => {
    await write(pool, behind, to, texts)
    for (const part of behind) part.position = to
  }
}

/** What is new to a part; the others may have been behind it. */
function after({ steps, changed }: Folded, position: Position | null): Folded {
  if (position === null) return { steps, changed }
  return {
    steps: steps.filter(({ event }) => event.stored.position > position),
    changed: changed.filter((each) => each.position > position),
  }
}

/** Applies a batch and moves the checkpoints in one transaction. Throws Fenced when one has moved. */
export async function applyBatch(...batch: Parameters<typeof prepareBatch>): Promise<void> {
  const apply = await prepareBatch(...batch)
  await apply()
}
