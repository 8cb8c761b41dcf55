import { type JsonObject, LedgerDamaged } from '../domain/decider.ts'
import type { Wake } from './wake.ts'

/**
 * Where an event stands in the whole store. Opaque; comparing two positions of one store as strings
 * compares their order in it. No position (`null`) is before the first event.
 */
export type Position = string

/** Which event is where. Enough to tell whether a ledger still holds it. */
export type EventPlace = { readonly position: Position; readonly id: string }

/**
 * A place in the ledger that can be remembered and compared later: how far the store was read, and
 * the last event of the ledger up to there. On a server that others also write to, that event may
 * be far before the position. `event` is null for a place that was stored without its event's id.
 */
export type Place = { readonly position: Position; readonly event: EventPlace | null }

/**
 * The ledger does not hold an event that it held before: it has lost its end, or it is another
 * ledger. Reading on from such a place would leave out what is there instead.
 */
export class HistoryDiverged extends LedgerDamaged {
  override readonly name = 'HistoryDiverged'
  readonly expected: EventPlace
  /** The id of the event that is there instead; null = there is none. */
  readonly found: string | null

  constructor(expected: EventPlace, found: string | null) {
    const instead = found === null ? 'there is none' : `${found} is there`
    super(
      `The ledger has lost events: event ${expected.id} was at position ${expected.position}, and now ${instead}.`,
    )
    this.expected = expected
    this.found = found
  }
}

/** An event before it is stored. `id` is a random lower-case UUID, made once per event. */
export type NewEvent = {
  readonly id: string
  readonly type: string
  readonly data: JsonObject
  readonly metadata: JsonObject
}

/** An event as the store gives it back. `revision` counts the stream's events from 0. */
export type StoredEvent = NewEvent & {
  readonly stream: string
  readonly revision: number
  readonly position: Position
}

export type AppendOutcome =
  /** The events are durable. `revision` and `position` are those of the last one. */
  | { readonly kind: 'committed'; readonly revision: number; readonly position: Position }
  /**
   * Exactly these ids were already at this place: an earlier try of the same append had succeeded.
   */
  | { readonly kind: 'duplicate'; readonly revision: number; readonly position: Position }
  /**
   * Other events are there; nothing was written. `actual` is the last revision, null = no stream.
   */
  | { readonly kind: 'conflict'; readonly actual: number | null }
  /** `notAfter` had passed; nothing was written, and this try never will be. */
  | { readonly kind: 'expired' }

export type AppendOptions = {
  /** The store refuses the append after this moment, where it can (see the adapter). */
  readonly notAfter?: Date
  /**
   * The timeline of the database on which what the events refer to was stored. A store in that database
   * refuses the append on another one, which may not have it: nothing was written. Other stores ignore it.
   */
  readonly storedOn?: string
  /** Uses the queue's reserved room: for outcomes, which must not be shed when intents are. */
  readonly reserved?: boolean
}

/** The queue is full: nothing was written. Asking again later is safe. */
export class EventStoreOverloaded extends Error {
  override readonly name = 'EventStoreOverloaded'
}

/**
 * The ledger has lost events and is not recovered yet: it takes outcomes only. Nothing was written.
 */
export class LedgerStopped extends Error {
  override readonly name = 'LedgerStopped'

  constructor() {
    super('the ledger has lost events and waits to be recovered')
  }
}

/** Why a store cannot be used, if more is known than that it does not answer. */
export type StoreTrouble = {
  readonly code: string
  /** What is wrong and what to do. Holds no address and no secret. */
  readonly sentence: string
  /** True if a store that is only just starting may report the same. */
  readonly passes: boolean
}

/**
 * The store is unreachable or refuses access; nothing was read or written. Trying again is safe.
 * With a trouble, its sentence is the message.
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
 * The append may or may not be written. The only way to find out is to append the same ids again.
 */
export class AppendUnknown extends Error {
  override readonly name = 'AppendUnknown'
}

export type ReadAllOptions = {
  /** Only streams with one of these prefixes; absent = all. */
  readonly prefixes?: readonly string[]
  /** At most this many events are examined (not: returned). */
  readonly limit: number
  /** Reads on past missing events instead of failing: for checks that look for damage. */
  readonly overGaps?: boolean
}

/**
 * `last` is how far the store was read, filtered events included: continue from there. `place` is
 * the same, to be remembered.
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
  /** Everything committed before this mark was asked for has been delivered. */
  | { readonly kind: 'caught_up'; readonly last: Position | null }

export type SubscribeOptions = {
  readonly prefixes?: readonly string[]
  /** Ends the subscription; the iterable then finishes without an error. */
  readonly signal: AbortSignal
  /** The most events in a batch (default 500). */
  readonly batchMax?: number
}

/** A place at which an event stands. */
export function placeAt({ position, id }: EventPlace): Place {
  return { position, event: { position, id } }
}

/** A place as it is given: a bare position is one whose event is not known. */
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

/** Events that one read of a stream gives at most. */
export const streamLimit = 10_000
/** Bounds the memory of one page, whatever limit is requested. */
export const pageLimitMax = 10_000
/** Two seconds' work of a slow machine: an append that waits longer is given back anyway. */
export const queueMaxDefault = 4_000
/** Every accepted intent may bring an outcome. */
export const reservedMaxDefault = 4_000

/**
 * The ledger. Promises, each a named test of the contract suite: one winner among N racing
 * `no_stream` appends; no committed event is ever skipped by a reader; a stream's events are
 * contiguous and in order; positions never change; acknowledged events survive a crash.
 */
export interface EventStore {
  /**
   * Writes the events at the end of the stream, all or none, if the stream is as expected.
   * `expected` is the revision of its last event, or `no_stream`. At most 50 events and 1 MiB.
   * Calling again with the same ids and the same `expected` is safe and answers `duplicate` (or
   * `committed`) if an earlier try had been written. Throws EventStoreOverloaded,
   * EventStoreUnavailable, AppendUnknown.
   */
  append(
    stream: string,
    expected: 'no_stream' | number,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<AppendOutcome>

  /**
   * The stream's events from revision `from` (0), in order, at most `limit` (`streamLimit`); none if there
   * is no stream. Sees every append acknowledged before the call. Safe to repeat.
   */
  readStream(
    stream: string,
    options?: { readonly from?: number; readonly limit?: number },
  ): Promise<readonly StoredEvent[]>

  /**
   * Events after a position, in order. An empty page with `last` = `after` is the end. After a
   * place, throws HistoryDiverged unless the ledger still holds its event.
   */
  readAll(after: Place | Position | null, options: ReadAllOptions): Promise<Page>

  /** The event at a position; null = there is none, or the store has no such position. */
  eventAt(position: Position): Promise<StoredEvent | null>

  /**
   * Batches of events after a position or place, then `caught_up`, then new ones as they come, forever.
   * Never skips; may throw when the store is lost: subscribe again from the last place. It stops
   * reading when the consumer does not ask: read-ahead is bounded. An empty batch only says how far
   * the store was read. Throws HistoryDiverged when the ledger no longer holds the event of its place,
   * whenever the subscription resumes.
   */
  subscribe(after: Place | Position | null, options: SubscribeOptions): AsyncIterable<Subscribed>

  /** The position of the last committed event, null when there is none. */
  head(): Promise<Position | null>

  /**
   * The end of the store: no committed event, and no position the store ever gave, lies behind it.
   * On a server that others also write to, it may lie behind `head`. A store that gave a position
   * behind its end has lost events or is another store. Always cheap; null = the store is empty.
   */
  end(): Promise<Position | null>

  /**
   * Rings when another process or this one may have committed events. Only a hint, and some are
   * missed; absent where the store gives none.
   */
  news?(): Wake

  /**
   * Drops what this process remembers of the ledger, and ends its subscriptions with
   * EventStoreUnavailable: call it when the ledger was found to have lost events, and when it was
   * recovered. Absent where nothing is remembered.
   */
  restart?(): void

  /** Answers accepted calls, refuses new ones and closes every connection. */
  close(): Promise<void>
}
