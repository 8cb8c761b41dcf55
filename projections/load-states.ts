import { shipmentIdOfStream } from '../src/service/domain/ids.ts'
import type { LedgerEvent } from '../src/service/event-store/codec.ts'
import type { EventStore, StoredEvent } from '../src/service/event-store/event-store.ts'

/** The source of states that are not cached. */
export type StreamReader = Pick<EventStore, 'readStream'>

/** Streams read at once for states that are not cached. */
const loadedAtOnceMax = 64

/**
 * Makes sure that the cache holds the state before the first event of each stream in the batch, and no
 * state for a stream that the batch begins. Missing states are folded from their streams.
 */
export async function loadStates<Kept extends { readonly version: number }>(
  store: StreamReader,
  events: readonly LedgerEvent[],
  cache: Map<string, Kept | null>,
  fold: (shipmentId: string, past: readonly StoredEvent[]) => Kept | null,
): Promise<void> {
  const first = new Map<string, LedgerEvent>()
  for (const event of events) {
    if (!first.has(event.stored.stream)) first.set(event.stored.stream, event)
  }
  const missing: LedgerEvent[] = []
  for (const event of first.values()) {
    const id = shipmentIdOfStream(event.stored.stream)
    // A batch that was not applied may have left a later state.
    if (event.version === 1) cache.delete(id)
    else if (cache.get(id)?.version !== event.version - 1) missing.push(event)
  }
  for (let at = 0; at < missing.length; at += loadedAtOnceMax) {
    await Promise.all(
      missing.slice(at, at + loadedAtOnceMax).map(async ({ stored: { stream }, version }) => {
        const id = shipmentIdOfStream(stream)
        cache.set(id, fold(id, await store.readStream(stream, { limit: version - 1 })))
      }),
    )
  }
}

/**
 * Evicts the least recently used states; each use moves a state to the end. Call it only after a batch:
 * during one, it would remove states that `recall` loaded for the rest of the batch.
 */
export function evictOldest(cache: Map<string, unknown>, keptMax: number): void {
  for (const id of cache.keys()) {
    if (cache.size <= keptMax) break
    cache.delete(id)
  }
}
