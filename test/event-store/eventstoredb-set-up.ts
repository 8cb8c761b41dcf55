import type { Test } from 'tap'
import {
  type AppendOutcome,
  AppendUnknown,
  EventStoreUnavailable,
  type NewEvent,
} from '../../src/service/event-store/event-store.ts'
import {
  type EventStoreDb,
  type EventStoreDbOptions,
  eventStoreDb,
} from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import {
  type EventStoreStandIn,
  eventStoreStandIn,
  type StandInOptions,
} from '../eventstoredb-stand-in/stand-in.ts'

/** For tests in which calls get no answer. Usually long enough for an answer on a busy machine. */
export const short = { callMs: 400, watchdogMs: 500 }
/** For tests in which reads or subscriptions get no answer. */
export const shortReads = { readSilentMs: 500 }
/** Long enough that no test reaches these times. */
const patient = {
  answerMs: 20_000,
  readSilentMs: 10_000,
  quietMs: 200,
  resumeMs: 20_000,
  settleMs: 20,
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

/** The event ids of a stream, as stored on the server. */
export function idsOf({ log }: EventStoreStandIn, stream: string): readonly string[] {
  return log.stream(stream).map(({ id }) => id)
}

/** The event ids of all the ledger's streams, as stored on the server. */
export function ownIds({ log }: EventStoreStandIn): readonly string[] {
  return log.events.flatMap(({ id, stream }) => (stream.startsWith('$') ? [] : [id]))
}

/** Appends as the only writer of a stream, repeating the same ids until the outcome is known. */
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

/** How a promise settled, and how long that took. */
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

/** Collects uncaught errors from now on. The EventStoreDB client can throw them, which would end a process. */
export function escapes(): readonly unknown[] {
  const escaped: unknown[] = []
  const keep = (error: unknown) => void escaped.push(error)
  process.on('uncaughtExceptionMonitor', keep).on('unhandledRejection', keep)
  return escaped
}
