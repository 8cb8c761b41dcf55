import type { EventStore } from './event-store.ts'

/** Wraps the store to report each append's outcome, or the name of the error it failed with. */
export function observed(store: EventStore, onAppend: (outcome: string) => void): EventStore {
  const news = store.news?.bind(store)
  const restart = store.restart?.bind(store)
  return {
    ...(news === undefined ? {} : { news }),
    ...(restart === undefined ? {} : { restart }),
    async append(stream, expected, events, options) {
      try {
        const outcome = await store.append(stream, expected, events, options)
        onAppend(outcome.kind)
        return outcome
      } catch (error) {
        onAppend(error instanceof Error ? error.name : 'unknown')
        throw error
      }
    },
    readStream: (stream, options) => store.readStream(stream, options),
    readAll: (after, options) => store.readAll(after, options),
    eventAt: (position) => store.eventAt(position),
    subscribe: (after, options) => store.subscribe(after, options),
    head: () => store.head(),
    end: () => store.end(),
    close: () => store.close(),
  }
}
