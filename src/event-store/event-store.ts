import type { JsonObject } from '../domain/decider.ts'
import type { Wake } from './wake.ts'

/**
 * Where an event stands in the whole store. Opaque; comparing two positions of one store as strings
 * compares their order in it. No position (`null`) is before the first event.
 */
export type Position = string

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
  /** Uses the queue's reserved room: for outcomes, which must not be shed when intents are. */
  readonly reserved?: boolean
}

/** The queue is full: nothing was written. Asking again later is safe. */
export class EventStoreOverloaded extends Error {
  override readonly name = 'EventStoreOverloaded'
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

/** `last` is how far the store was read, filtered events included: continue from there. */
export type Page = { readonly events: readonly StoredEvent[]; readonly last: Position | null }

export type Subscribed =
  | { readonly kind: 'batch'; readonly events: readonly StoredEvent[]; readonly last: Position }
  /** Everything committed before this mark was asked for has been delivered. */
  | { readonly kind: 'caught_up'; readonly last: Position | null }

export type SubscribeOptions = {
  readonly prefixes?: readonly string[]
  /** Ends the subscription; the iterable then finishes without an error. */
  readonly signal: AbortSignal
  /** The most events in a batch (default 500). */
  readonly batchMax?: number
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

  /** Events after a position, in order. An empty page with `last` = `after` is the end. */
  readAll(after: Position | null, options: ReadAllOptions): Promise<Page>

  /**
   * Batches of events after a position, then `caught_up`, then new ones as they come, forever.
   * Never skips; may throw when the store is lost: subscribe again from the last position. It stops
   * reading when the consumer does not ask: read-ahead is bounded. An empty batch only says how far
   * the store was read.
   */
  subscribe(after: Position | null, options: SubscribeOptions): AsyncIterable<Subscribed>

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

  /** Answers accepted calls, refuses new ones and closes every connection. */
  close(): Promise<void>
}
