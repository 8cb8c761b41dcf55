import type { Test } from 'tap'
import {
  type AppendOutcome,
  AppendUnknown,
  EventStoreUnavailable,
  type NewEvent,
} from '../../src/event-store/event-store.ts'
import {
  type EventStoreDb,
  type EventStoreDbOptions,
  eventStoreDb,
} from '../../src/event-store/eventstoredb.ts'
import {
  type EventStoreStandIn,
  eventStoreStandIn,
  type StandInOptions,
} from '../support/event-store-stand-in.ts'

/** The product's times, about a tenth of them: what is tested is their order. */
export const short = {
  callMs: 200,
  watchdogMs: 300,
  answerMs: 1_200,
  readSilentMs: 250,
  quietMs: 200,
  resumeMs: 1_000,
}

export function opened(
  t: Test,
  url: string,
  options: Partial<EventStoreDbOptions> = {},
): EventStoreDb {
  const store = eventStoreDb({
    url,
    prefixes: ['note-', 'odd-'],
    ...options,
    times: { ...short, ...options.times },
  })
  t.teardown(() => store.close())
  return store
}

export async function setUp(
  t: Test,
  options: Partial<EventStoreDbOptions> & { readonly standIn?: StandInOptions } = {},
): Promise<{ readonly standIn: EventStoreStandIn; readonly store: EventStoreDb }> {
  const standIn = await eventStoreStandIn(t, options.standIn)
  return { standIn, store: opened(t, standIn.url, options) }
}

/** The ids of a stream, as the server has them. */
export function idsOf({ log }: EventStoreStandIn, stream: string): readonly string[] {
  return log.stream(stream).map(({ id }) => id)
}

/** The ids of all that is the ledger's, as the server has them. */
export function ownIds({ log }: EventStoreStandIn): readonly string[] {
  return log.events.flatMap(({ id, stream }) => (stream.startsWith('$') ? [] : [id]))
}

/** As a caller does it: the same ids again until the store knows. */
export async function appendForSure(
  store: EventStoreDb,
  stream: string,
  expected: 'no_stream' | number,
  batch: readonly NewEvent[],
): Promise<AppendOutcome> {
  for (;;) {
    try {
      return await store.append(stream, expected, batch)
    } catch (error) {
      if (!(error instanceof AppendUnknown || error instanceof EventStoreUnavailable)) throw error
    }
  }
}

/** What a promise became, and after how long. */
export async function settled<T>(
  promise: Promise<T>,
): Promise<{ readonly value: T | null; readonly error: unknown; readonly ms: number }> {
  const startedAt = performance.now()
  const ended = await promise.then(
    (value) => ({ value, error: null }),
    (error: unknown) => ({ value: null, error }),
  )
  return { ...ended, ms: performance.now() - startedAt }
}

/**
 * What is thrown, from now on, where nobody can catch it: the client does so, once it is led there,
 * and a process ends by it.
 */
export function escapes(): readonly unknown[] {
  const escaped: unknown[] = []
  const keep = (error: unknown) => void escaped.push(error)
  process.on('uncaughtExceptionMonitor', keep).on('unhandledRejection', keep)
  return escaped
}
