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
} from '../../src/event-store/eventstoredb/eventstoredb.ts'
import {
  type EventStoreStandIn,
  eventStoreStandIn,
  type StandInOptions,
} from '../eventstoredb-stand-in/stand-in.ts'

/** For tests in which calls are not answered. Enough for an answer on a busy machine, mostly. */
export const short = { callMs: 400, watchdogMs: 500 }
/** For tests in which reads, or subscriptions, are not answered. */
export const shortReads = { readSilentMs: 500 }
/** No test waits for these. */
const patient = { answerMs: 20_000, readSilentMs: 10_000, quietMs: 200, resumeMs: 20_000 }

export function opened(
  t: Test,
  url: string,
  options: Partial<EventStoreDbOptions> = {},
): EventStoreDb {
  const store = eventStoreDb({
    url,
    prefixes: ['note-', 'odd-'],
    ...options,
    times: { callMs: 10_000, watchdogMs: 12_000, ...patient, ...options.times },
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

/** As the only writer of its stream does it: the same ids again until the store knows. */
export async function appendForSure(
  store: EventStoreDb,
  stream: string,
  expected: 'no_stream' | number,
  batch: readonly NewEvent[],
): Promise<AppendOutcome> {
  for (;;) {
    try {
      const outcome = await store.append(stream, expected, batch)
      if (outcome.kind === 'committed' || outcome.kind === 'duplicate') return outcome
      throw new Error(`the only writer of ${stream} was told ${outcome.kind}`)
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
