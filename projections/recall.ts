import { shipmentIdOfStream } from '../src/domain/ids.ts'
import type { LedgerEvent } from '../src/event-store/codec.ts'
import type { EventStore, StoredEvent } from '../src/event-store/event-store.ts'

/** Where states are folded from that are not kept. */
export type StreamReader = Pick<EventStore, 'readStream'>

/** Streams read at once for states that are not kept. */
const recalledMax = 64

/**
 * Sees to it that the state before the first event of each stream in the batch is kept, and none where
 * the batch begins the stream: what is not kept is folded from the stream.
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
    // A batch that was not applied may have left a later state than the one that is needed.
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
 * Forgets what was touched longest ago, which whoever touches it puts at the end. After a batch only:
 * in the middle of one it would take away what `recall` saw to for the rest of it.
 */
export function forgetOldest(kept: Map<string, unknown>, keptMax: number): void {
  for (const id of kept.keys()) {
    if (kept.size <= keptMax) break
    kept.delete(id)
  }
}
