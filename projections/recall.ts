import { shipmentIdOfStream } from '../src/service/domain/ids.ts'
import type { LedgerEvent } from '../src/service/event-store/codec.ts'
import type { EventStore, StoredEvent } from '../src/service/event-store/event-store.ts'

/** The source of states that are not kept. */
export type StreamReader = Pick<EventStore, 'readStream'>

/** Streams read at once for states that are not kept. */
const recalledMax = 64

/**
 * Makes sure that the state before the first event of each stream in the batch is kept, and none if
 * the batch begins the stream: a missing state is folded from the stream.
 */
export async function recall<Kept extends { readonly version: number }>(
  store: StreamReader,
  events: readonly LedgerEvent[],
  kept: Map<string, Kept | null>,
  fold: (shipmentId: string, past: readonly StoredEvent[]) => Kept | null,
): Promise<void> {
  const first = new Map<string, LedgerEvent>()
  for (const event of events) {
    if (!first.has(event.stored.stream)) first.set(event.stored.stream, event)
  }
  const missing: LedgerEvent[] = []
  for (const event of first.values()) {
    const id = shipmentIdOfStream(event.stored.stream)
    // A batch that was not applied may have left a later state than the needed one.
    if (event.version === 1) kept.delete(id)
    else if (kept.get(id)?.version !== event.version - 1) missing.push(event)
  }
  for (let at = 0; at < missing.length; at += recalledMax) {
    await Promise.all(
      missing.slice(at, at + recalledMax).map(async ({ stored: { stream }, version }) => {
        const id = shipmentIdOfStream(stream)
        kept.set(id, fold(id, await store.readStream(stream, { limit: version - 1 })))
      }),
    )
  }
}

/**
 * Forgets the least recently used states; each use moves a state to the end. Call it only after a
 * batch: during one it would remove states that `recall` loaded for the rest of it.
 */
export function forgetOldest(kept: Map<string, unknown>, keptMax: number): void {
  for (const id of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(id)
  }
}
