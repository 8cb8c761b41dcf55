import type { AppendOutcome, EventStore, SealedItem } from './event-store.ts'

/** The store with another `append`. */
function withAppend(store: EventStore, append: EventStore['append']): EventStore {
  const news = store.news?.bind(store)
  const restart = store.restart?.bind(store)
  return {
    ...(news === undefined ? {} : { news }),
    ...(restart === undefined ? {} : { restart }),
    append,
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (after, options) => store.readAll(after, options),
    eventAt: (position) => store.eventAt(position),
    subscribe: (after, options) => store.subscribe(after, options),
    head: () => store.head(),
    end: () => store.end(),
    close: () => store.close(),
  }
}

/** Reports each append's outcome, or the name of the error it failed with. */
export function observed(store: EventStore, onAppend: (outcome: string) => void): EventStore {
  return withAppend(store, async (...args) => {
    try {
      const outcome = await store.append(...args)
      onAppend(outcome.kind)
      return outcome
    } catch (error) {
      onAppend(error instanceof Error ? error.name : 'unknown')
      throw error
    }
  })
}

/**
 * Stores the items of an append before its events, in a statement of their own, if together they are larger
 * than `overBytes`: 0 for a store outside the vault's database; otherwise so that a large item
 * does not delay the appends beside it. `storeItems` tells for each item whether its row is there.
 */
export function itemsFirst(
  store: EventStore,
  storeItems: (items: readonly SealedItem[]) => Promise<readonly boolean[]>,
  overBytes: number,
): EventStore {
  return withAppend(store, async (stream, expected, events, { items = [], ...options } = {}) => {
    const bytes = items.reduce((sum, { payload }) => sum + payload.length, 0)
    if (bytes <= overBytes)
      return await store.append(stream, expected, events, { ...options, items })
    const stored = await storeItems(items)
    const erased: AppendOutcome = { kind: 'erased' }
    return stored.includes(false) ? erased : await store.append(stream, expected, events, options)
  })
}
