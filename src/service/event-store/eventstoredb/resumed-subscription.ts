import { pause } from '../../pause.ts'
import {
  type EventPlace,
  EventStoreUnavailable,
  HistoryDiverged,
  type Place,
  type Position,
  placeAt,
  type StoredEvent,
  type Subscribed,
  type SubscribeOptions,
} from '../event-store.ts'
import {
  type AllStreamResolvedEvent,
  closeClient,
  openClient,
  subscribeAfter,
} from './eventstoredb-client.ts'
import { failureOf, isNoRecord } from './eventstoredb-errors.ts'
import { checkpointMark, Feed } from './feed.ts'
import { logPosition, resumedFrom } from './positions.ts'
import { unreadable } from './reader.ts'

export type SubscriptionTimes = {
  /** A subscription that is not confirmed within this time is reopened. */
  readonly readSilentMs: number
  /** A subscription silent for this long is compared with the end of the log. */
  readonly quietMs: number
  /** How long to keep reopening a lost subscription without success. */
  readonly resumeMs: number
}

type EventStoreDbSubscriptionSource = {
  readonly url: string
  /** The prefixes that the server filters by. */
  readonly serverPrefixes: readonly string[]
  readonly times: SubscriptionTimes
  /** Null for events of other ledgers. */
  readonly decode: (resolved: AllStreamResolvedEvent) => StoredEvent | null
  readonly head: () => Promise<Position | null>
  /** Throws HistoryDiverged unless the log still holds the event. */
  readonly compare: (event: EventPlace) => Promise<void>
  /** Throws HistoryDiverged unless a record of the log begins at the position. */
  readonly assertRecord: (position: Position) => Promise<void>
  /** Aborted when the store closes: open subscriptions then throw instead of waiting forever. */
  readonly closed: AbortSignal
}

type Client = ReturnType<typeof openClient>

/** The port's default. */
const batchMaxDefault = 500
/** While catching up, a batch waits this long for events that are already in flight. */
const fillMs = 20
const resumeFirstMs = 25
const resumeMaxMs = 1_000

/** Our own error. Like an end without an error, it makes the subscription resume. */
class SubscriptionStalled extends Error {
  override readonly name = 'SubscriptionStalled'
}

/** An event that cannot be decoded. Reopening the subscription does not help. */
class EventUnreadable extends Error {
  override readonly name = 'EventUnreadable'
}

/**
 * Runs the client's subscriptions one after another, each from where the last one ended: the client
 * does not reopen them, and the server drops even fast consumers. All use one client, which remembers
 * the leader, until its connection turns out to be silent.
 */
export async function* resumedSubscription(
  source: EventStoreDbSubscriptionSource,
  after: Place | null,
  options: SubscribeOptions,
): AsyncGenerator<Subscribed, void, undefined> {
  const { signal } = options
  // Throws at once for an invalid position, which no retry can fix.
  if (after !== null) logPosition(after.position)
  let client = openClient(source.url)
  // A consumer that never reads again must not hold the connection of a closed store.
  const disconnect = () => void closeClient(client)
  source.closed.addEventListener('abort', disconnect)
  let last: Place | null = after
  let lostSince: number | null = null
  let resumeMs = resumeFirstMs
  try {
    while (!signal.aborted) {
      let lost: unknown = null
      let hasMoved = false
      try {
        for await (const item of oneSubscription(source, client, last, options)) {
          lostSince = null
          if (item.kind === 'batch') {
            hasMoved = true
            resumeMs = resumeFirstMs
            last = item.place
          }
          yield item
        }
      } catch (error) {
        lost = error
        if (source.closed.aborted || error instanceof HistoryDiverged) throw error
        if (error instanceof EventUnreadable) throw error.cause
        if (failureOf(error) === 'refused') throw unreadable(error, source.url)
        const from = resumedFrom(last)
        if (from !== null && isNoRecord(error)) await source.assertRecord(from)
      }
      if (signal.aborted) return
      if (failureOf(lost) === 'too_slow' && hasMoved) continue
      lostSince ??= performance.now()
      if (performance.now() - lostSince > source.times.resumeMs) throw unreadable(lost, source.url)
      if (lost instanceof SubscriptionStalled) {
        await closeClient(client)
        client = openClient(source.url)
      }
      await pause(resumeMs, signal)
      resumeMs = Math.min(resumeMs * 2, resumeMaxMs)
    }
  } finally {
    source.closed.removeEventListener('abort', disconnect)
    await closeClient(client)
  }
}

/** One subscription of the client, until it ends. Throws the error that ended it. */
async function* oneSubscription(
  source: EventStoreDbSubscriptionSource,
  client: Client,
  after: Place | null,
  options: SubscribeOptions,
): AsyncGenerator<Subscribed, void, undefined> {
  const { signal, prefixes } = options
  const limit = options.batchMax ?? batchMaxDefault
  refuseWhenClosed(source)
  // The server would deliver whatever follows the position, even in another history.
  if (after?.event) await source.compare(after.event)
  const feed = openFeed(source, client, resumedFrom(after), limit)
  let place = after
  /** Includes other systems' events. Not stored as a place, since in a restored log ours may be there. */
  let lookedTo = resumedFrom(after)
  let isLive = false
  try {
    while (!signal.aborted) {
      refuseWhenClosed(source)
      const { count, isWhole } = feed.eventsReady(limit)
      if (count > 0) {
        if (!isWhole && !isLive && !(await hasFilled(feed, signal, source.closed))) continue
        const taken = feed.shift(feed.eventsReady(limit).count)
        const events = taken.flatMap((item) => (item.kind === 'event' ? [item.event] : []))
        const last = events.at(-1)
        if (last === undefined) continue
        place = placeAt(last)
        lookedTo = last.position
        const wanted =
          prefixes === undefined ? events : events.filter((event) => hasPrefix(event, prefixes))
        yield { kind: 'batch', events: wanted, last: place.position, place }
        continue
      }
      const mark = feed.shift(1)[0]
      if (mark?.kind === 'caught_up') {
        isLive = true
        yield { kind: 'caught_up', last: lookedTo }
      } else if (mark?.kind === 'checkpoint') {
        if (lookedTo !== null && mark.position <= lookedTo) continue
        lookedTo = mark.position
        yield {
          kind: 'batch',
          events: [],
          last: lookedTo,
          place: place ?? { position: lookedTo, event: null },
        }
      } else if (feed.ended !== null) {
        if (feed.ended.error !== null) throw feed.ended.error
        return
      } else {
        await waitForNews(source, feed, lookedTo, signal)
      }
    }
  } finally {
    await feed.close()
  }
}

function openFeed(
  source: EventStoreDbSubscriptionSource,
  client: Client,
  after: Position | null,
  limit: number,
): Feed {
  return new Feed({
    bufferMax: 2 * limit,
    decode: (resolved) => {
      try {
        return source.decode(resolved)
      } catch (cause) {
        throw new EventUnreadable('an event of the ledger cannot be read', { cause })
      }
    },
    subscribe: (feed) =>
      subscribeAfter(
        client,
        after === null ? null : logPosition(after),
        source.serverPrefixes,
        (position) => feed.mark(checkpointMark(position)),
      ),
  })
}

/**
 * Waits until the feed reports something. A frozen server, or a node without a quorum, keeps a
 * subscription open but silent. It counts as stalled if it is not confirmed in time, or if it does not
 * deliver events that exist.
 */
async function waitForNews(
  source: EventStoreDbSubscriptionSource,
  feed: Feed,
  last: Position | null,
  signal: AbortSignal,
): Promise<void> {
  const { readSilentMs, quietMs } = source.times
  const seen = feed.changed.count
  const isConfirmed = feed.isConfirmed
  await feed.changed.wait(seen, isConfirmed ? quietMs : readSilentMs, signal, source.closed)
  if (feed.changed.count !== seen || signal.aborted || source.closed.aborted) return
  if (!isConfirmed) throw new SubscriptionStalled('the subscription is not confirmed')
  const head = await source.head()
  if (feed.changed.count === seen && head !== null && (last === null || head > last)) {
    throw new SubscriptionStalled('the subscription does not deliver events that exist')
  }
}

/** Waits a moment for a batch to fill; true means take the events that are there. */
async function hasFilled(feed: Feed, signal: AbortSignal, closed: AbortSignal): Promise<boolean> {
  const before = performance.now()
  await feed.changed.wait(feed.changed.count, fillMs, signal, closed)
  return performance.now() - before >= fillMs
}

function refuseWhenClosed(source: EventStoreDbSubscriptionSource): void {
  if (source.closed.aborted) throw new EventStoreUnavailable('the event store was closed')
}

export function hasPrefix(event: StoredEvent, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => event.stream.startsWith(prefix))
}
