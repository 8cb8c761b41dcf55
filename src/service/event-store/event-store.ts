import { type JsonObject, LedgerDamaged } from '../domain/decider.ts'
import type { Signal } from '../queue/signal.ts'
import type { Beside, Withheld } from './beside.ts'

/**
 * An event's place in the whole store. Opaque, but positions of one store can be compared as strings:
 * they sort in the order of the events. `null` is the place before the first event.
 */
export type Position = string

/** An event's id and position: enough to tell whether a ledger still holds the event. */
export type EventPlace = { readonly position: Position; readonly id: string }

/**
 * A place in the ledger that can be stored and compared later: how far the store was read, and the
 * ledger's last event up to there. On a server that other systems also write to, that event may be far
 * before the position. `event` is null for a place that was stored without its event's id.
 */
export type Place = { readonly position: Position; readonly event: EventPlace | null }

/** `id` is null for a position that was stored without its event's id. */
type ExpectedEvent = { readonly position: Position; readonly id: string | null }

/**
 * The ledger no longer holds an event that it held before: it has lost its end, or it is another
 * ledger. Reading on from such a place would skip the events that are there instead.
 */
export class HistoryDiverged extends LedgerDamaged {
  override readonly name = 'HistoryDiverged'
  readonly expected: ExpectedEvent
  /** The id of the event that is there instead; null if there is no event. */
  readonly found: string | null

  constructor(expected: ExpectedEvent, found: string | null) {
    const event = expected.id === null ? 'an event' : `event ${expected.id}`
    const instead = found === null ? 'no event is there' : `event ${found} is there`
    super(
      `The ledger has lost events: ${event} was at position ${expected.position}, and now ${instead}.`,
    )
    this.expected = expected
    this.found = found
  }
}

/** An event to be stored. `id` is a random lower-case UUID, generated once per event. */
export type NewEvent = {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: JsonObject
}

/** An event as the store returns it. `revision` counts the stream's events from 0. */
export type StoredEvent = NewEvent & {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

export type AppendOutcome =
  /** The events are durable. `revision` and `position` are those of the last event. */
  | { readonly kind: 'committed'; readonly revision: number; readonly position: Position }
  /**
   * Exactly these ids were already at this place, because an earlier try of the same append succeeded.
   */
  | { readonly kind: 'duplicate'; readonly revision: number; readonly position: Position }
  /**
   * Other events are there, so nothing was written. `actual` is the last revision; null if there is no
   * stream.
   */
  | { readonly kind: 'conflict'; readonly actual: number | null }
  /** `notAfter` had passed. Nothing was written, and this try never will be. */
  | { readonly kind: 'expired' }
  /** The vault row of an item is erased or was never written. No event was written. */
  | { readonly kind: 'erased' }
  /** Only for an append with an attempt. */
  | Withheld

export type AppendOptions = {
  /** The store refuses the append after this moment on this process's clock, if it can (see the adapter). */
  readonly notAfter?: Date
  /**
   * What is durable no later than the events; it is written only if they are. A store outside the vault's
   * database refuses it: see `besideFirst`.
   */
  readonly beside?: Beside
  /** Uses the queue's reserved capacity: for outcomes, which must not be shed when intents are. */
  readonly reserved?: boolean
  /** Called with the number of appends that were written together, if the store does that. */
  readonly onBatch?: (appends: number) => void
}

/** The queue is full. Nothing was written, and retrying later is safe. */
export class EventStoreOverloaded extends Error {
  override readonly name = 'EventStoreOverloaded'
}

/**
 * The ledger has lost events and is not recovered yet, so it accepts outcomes only. Nothing was written.
 */
export class LedgerStopped extends Error {
  override readonly name = 'LedgerStopped'

  constructor() {
    super('the ledger has lost events and must be recovered')
  }
}

/** The reason why a store cannot be used, if it is known. */
export type StoreTrouble = {
  readonly code: string
  /** What is wrong and what to do. Contains no address and no secret. */
  readonly sentence: string
  /** Whether a store that is still starting may report the same. */
  readonly passes: boolean
}

/**
 * The store is unreachable or refuses access. Nothing was read or written, and retrying is safe. If
 * there is a `trouble`, its sentence is the message.
 */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable'
  readonly trouble: StoreTrouble | null

  constructor(
    message: string,
    options: ErrorOptions & { readonly trouble?: StoreTrouble | null } = {},
  ) {
    super(options.trouble?.sentence ?? message, options)
    this.trouble = options.trouble ?? null
  }
}

/**
 * The append may or may not have been written. Only appending the same ids again tells which.
 */
export class AppendUnknown extends Error {
  override readonly name = 'AppendUnknown'
}

export type ReadAllOptions = {
  /** Only streams with one of these prefixes; all streams by default. */
  readonly prefixes?: readonly string[]
  /** The most events to examine, which may be more than the events returned. */
  readonly limit: number
  /** Skips missing events instead of failing: for checks that look for damage. */
  readonly overGaps?: boolean
}

/**
 * `last` is how far the store was read, including filtered events: continue from there. `place` is
 * the same in a form to store.
 */
export type Page = {
  readonly events: readonly StoredEvent[]
  readonly last: Position | null
  readonly place: Place | null
}

export type Subscribed =
  | {
      readonly kind: 'batch'
      readonly events: readonly StoredEvent[]
      readonly last: Position
      readonly place: Place
    }
  /** Everything committed before this mark was requested has been delivered. */
  | { readonly kind: 'caught_up'; readonly last: Position | null }

export type SubscribeOptions = {
  readonly prefixes?: readonly string[]
  /** Aborting it ends the subscription without an error. */
  readonly signal: AbortSignal
  /** The most events in a batch (default 500). */
  readonly batchMax?: number
}

/** The place of an event. */
export function placeAt({ position, id }: EventPlace): Place {
  return { position, event: { position, id } }
}

/** Converts a position into a place whose event is not known; leaves a place unchanged. */
export function asPlace(after: Place | Position | null): Place | null {
  return typeof after === 'string' ? { position: after, event: null } : after
}

/** Throws HistoryDiverged unless the store holds this event at its place. */
export async function assertHolds(
  store: Pick<EventStore, 'eventAt'>,
  expected: EventPlace,
): Promise<void> {
  const found = (await store.eventAt(expected.position))?.id ?? null
  if (found !== expected.id) throw new HistoryDiverged(expected, found)
}

/** Most events that one read of a stream returns. */
export const streamLimit = 10_000
/** Bounds the memory of one page, regardless of the requested limit. */
export const pageLimitMax = 10_000
/** Two seconds of work on a slow machine. An append that waits longer times out anyway. */
export const queueMaxDefault = 4_000
/** As many as intents, because every accepted intent may have an outcome. */
export const reservedMaxDefault = 4_000

/**
 * The ledger. It promises the following, each with a named test of the contract suite: one winner among
 * N racing `no_stream` appends; readers never skip a committed event; a stream's events are contiguous
 * and in order; positions never change; acknowledged events survive a crash.
 */
export interface EventStore {
  /**
   * Writes the events at the end of the stream, all or none, if the stream is as expected.
   * `expected` is the revision of its last event, or `no_stream`. At most 50 events and 1 MiB.
   * Calling again with the same ids and the same `expected` is safe and returns `duplicate` (or
   * `committed`) if an earlier try was written. Throws EventStoreOverloaded, EventStoreUnavailable,
   * AppendUnknown.
   */
  append(
    stream: string,
    expected: 'no_stream' | number,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<AppendOutcome>

  /**
   * The stream's events in order, from revision `from` (default 0), at most `limit` (default
   * `streamLimit`); empty if there is no stream. Sees every append acknowledged before the call. Safe to
   * repeat.
   */
  readStream(
    stream: string,
    options?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly StoredEvent[]>

  /**
   * Events after a position or place, in order. An empty page with `last` = `after` is the end. Throws
   * HistoryDiverged if the ledger no longer holds the event of a place, or no longer has the position.
   */
  readAll(after: Place | Position | null, options: ReadAllOptions): Promise<Page>

  /** The event at a position; null if no event is there or the store has no such position. */
  eventAt(position: Position): Promise<StoredEvent | null>

  /**
   * Yields batches of events after a position or place, then `caught_up`, then new events as they are
   * committed, forever. Never skips an event. May throw when the store is lost: subscribe again from the
   * last place. Read-ahead is bounded, so it stops reading while the consumer does not. An empty batch
   * only says how far the store was read. Throws HistoryDiverged if the ledger no longer holds the event
   * of its place or no longer has its position, at the start or when the subscription resumes.
   */
  subscribe(after: Place | Position | null, options: SubscribeOptions): AsyncIterable<Subscribed>

  /** The position of the last committed event; null if there are no events. */
  head(): Promise<Position | null>

  /**
   * The end of the store: no committed event, and no position that the store ever returned, is after it.
   * On a server that other systems also write to, it may be after `head`. If a known position is after
   * the end, the store has lost events or is another store. Always cheap; null if the store is empty.
   */
  end(): Promise<Position | null>

  /**
   * Notifies when this process or another may have committed events. It is only a hint and may miss
   * some. Absent if the store cannot tell.
   */
  news?(): Signal

  /**
   * Drops everything that this process has cached of the ledger, and ends its subscriptions with
   * EventStoreUnavailable. Call it when the ledger turns out to have lost events, and when it was
   * recovered. Absent if the store caches nothing.
   */
  restart?(): void

  /** Refuses new calls, answers accepted ones and closes every connection. */
  close(): Promise<void>
}
