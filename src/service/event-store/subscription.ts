import type { Signal } from '../queue/signal.ts'
import {
  asPlace,
  EventStoreUnavailable,
  type Page,
  type Place,
  type Position,
  type ReadAllOptions,
  type Subscribed,
  type SubscribeOptions,
} from './event-store.ts'

/**
 * The port's default: large enough to make a batch's fixed cost negligible, small enough for memory.
 */
const batchMaxDefault = 500
/** `caught_up` waits for this pause: while events keep coming, it would be outdated at once. */
const quietMs = 30

/** `mayBeMore`: the page is empty, but this may not be the end. */
export type SubscribedPage = Page & { readonly mayBeMore?: boolean }

export type SubscriptionSource = {
  /** `certain`: an empty page is the end. */
  readonly readAll: (
    after: Place | null,
    options: ReadAllOptions & { readonly certain: boolean },
  ) => Promise<SubscribedPage>
  readonly changed: Signal
  /** How long to wait for a notification before checking anyway. */
  readonly pollMs: () => number
  /** Aborted when the store closes: open subscriptions then throw instead of waiting forever. */
  readonly closed: AbortSignal
  /** Whether the store was restarted since the subscription began, which then ends. */
  readonly isOutdated?: () => boolean
}

/**
 * A subscription to a store that can be read by position. It reads page after page and waits only after
 * an empty page. A page with only filtered events yields an empty batch, so the consumer's checkpoint
 * moves. `caught_up` is repeated whenever the end is reached after something was read.
 */
export async function* subscription(
  source: SubscriptionSource,
  after: Place | Position | null,
  options: SubscribeOptions,
): AsyncGenerator<Subscribed, void, undefined> {
  const { signal, prefixes } = options
  const limit = options.batchMax ?? batchMaxDefault
  let place = asPlace(after)
  let marked: Position | null | undefined
  let certain = false
  while (!signal.aborted) {
    if (source.closed.aborted) throw new EventStoreUnavailable('the event store was closed')
    if (source.isOutdated?.() === true)
      throw new EventStoreUnavailable('the ledger must be read again')
    // Taken before the read, so that a commit during the read ends the wait at once.
    const seen = source.changed.count
    const page = await unlessAborted(
      signal,
      source.readAll(place, { limit, certain, ...(prefixes === undefined ? {} : { prefixes }) }),
    )
    if (page === null) return
    if (page.place !== null && page.place.position !== (place?.position ?? null)) {
      place = page.place
      yield { kind: 'batch', events: page.events, last: place.position, place }
      continue
    }
    const last = place?.position ?? null
    if (page.mayBeMore === true && marked !== last) {
      // A consumer may wait for the mark, so check for the end as soon as no events come for a moment.
      await source.changed.wait(seen, quietMs, signal, source.closed)
      certain = source.changed.count === seen
      continue
    }
    certain = false
    if (marked === undefined || marked !== last) {
      marked = last
      yield { kind: 'caught_up', last }
    }
    await source.changed.wait(seen, source.pollMs(), signal, source.closed)
  }
}

/** The promise's value, or null as soon as the signal aborts. A later value is dropped. */
async function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T | null> {
  const { promise: aborted, resolve } = Promise.withResolvers<null>()
  const stop = () => resolve(null)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    promise.catch(() => undefined)
  }
}
