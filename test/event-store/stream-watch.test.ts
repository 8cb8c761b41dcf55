import t, { type Test } from 'tap'
import {
  type EventStore,
  EventStoreOverloaded,
  type SubscribeOptions,
} from '../../src/event-store/event-store.ts'
import { memoryEventStore } from '../../src/event-store/memory.ts'
import { StreamWatch } from '../../src/event-store/stream-watch.ts'
import { event, events } from './contract.ts'
import { until } from './session.ts'

/** Longer than a test may take: whoever waits so long has lost the wake-up. */
const longMs = 30_000

async function watched(t: Test, store: EventStore, onError?: (error: unknown) => void) {
  const watch = new StreamWatch(store, { prefixes: ['note-'], ...(onError ? { onError } : {}) })
  const stop = new AbortController()
  const running = watch.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await running
    await store.close()
  })
  // Until an append is seen, the watch may have begun after it.
  await until('the watch sees', async () => {
    const outcome = await store.append('note-probe', 'no_stream', [event()])
    if (outcome.kind === 'conflict')
      await store.append('note-probe', outcome.actual ?? 0, [event()])
    const revision = (await store.readStream('note-probe')).length - 1
    return watch.changed('note-probe', revision - 1, 20)
  })
  return { watch, stop, running }
}

t.test('whoever waits for a stream is woken by its next event', async (t) => {
  const store = memoryEventStore()
  const { watch } = await watched(t, store)
  await store.append('note-1', 'no_stream', [event()])
  const waiting = Array.from({ length: 50 }, () => watch.changed('note-1', 0, longMs))
  const other = watch.changed('note-2', -1, longMs)
  await store.append('note-1', 0, [event()])
  t.ok((await Promise.all(waiting)).every((changed) => changed))
  await store.append('note-2', 'no_stream', [event()])
  t.equal(await other, true)
})

t.test('an event between reading and waiting is not lost', async (t) => {
  const store = memoryEventStore()
  const { watch } = await watched(t, store)
  await store.append('note-1', 'no_stream', events(2))
  const seen = watch.changed('note-1', 0, longMs)
  t.equal(await seen, true)
  // It is past now, for the subscription too; a caller that read before it comes only now.
  const startedAt = performance.now()
  t.equal(await watch.changed('note-1', 0, longMs), true)
  t.equal(await watch.changed('note-1', -1, longMs), true)
  t.ok(performance.now() - startedAt < 400, 'at once')
})

t.test('no event means false when the time is over, and when the caller goes away', async (t) => {
  const store = memoryEventStore()
  const { watch } = await watched(t, store)
  await store.append('note-1', 'no_stream', [event()])
  await watch.changed('note-1', -1, longMs)
  t.equal(await watch.changed('note-1', 0, 50), false)
  const gone = new AbortController()
  const waiting = watch.changed('note-1', 0, longMs, gone.signal)
  gone.abort()
  t.equal(await waiting, false)
  t.equal(await watch.changed('note-1', -1, longMs, gone.signal), false)
})

t.test('whoever waits is let go when the watch stops', async (t) => {
  const store = memoryEventStore()
  const { watch, stop, running } = await watched(t, store)
  const waiting = watch.changed('note-1', -1, longMs)
  stop.abort()
  await running
  t.equal(await waiting, false)
})

t.test('a watch that does not run says to look again instead of waiting', async (t) => {
  const store = memoryEventStore()
  const watch = new StreamWatch(store)
  t.equal(await watch.changed('note-1', -1, longMs), true)
  t.equal(await watch.changed('note-1', -1, 50), false)
  await store.close()
})

t.test('a watch whose subscription breaks goes on where it was', async (t) => {
  const memory = memoryEventStore()
  const broken: AbortController[] = []
  const resumedAfter: unknown[] = []
  // The memory store, whose subscriptions can be broken like a lost connection's.
  const store: EventStore = {
    append: (...args) => memory.append(...args),
    readStream: (...args) => memory.readStream(...args),
    readAll: (...args) => memory.readAll(...args),
    head: () => memory.head(),
    reaches: (position) => memory.reaches(position),
    close: () => memory.close(),
    async *subscribe(after, options: SubscribeOptions) {
      const breaker = new AbortController()
      broken.push(breaker)
      resumedAfter.push(after)
      const signal = AbortSignal.any([options.signal, breaker.signal])
      yield* memory.subscribe(after, { ...options, signal })
      if (!options.signal.aborted) throw new Error('the connection was lost')
    },
  }
  const errors: unknown[] = []
  const { watch } = await watched(t, store, (error) => errors.push(error))
  await store.append('note-1', 'no_stream', [event()])
  await watch.changed('note-1', -1, longMs)
  const seenUntil = await store.head()
  broken.at(-1)?.abort()
  await until('the loss is noticed', () => errors.length === 1)
  await store.append('note-1', 0, [event()])
  await until('it is subscribed again', () => broken.length === 2)
  await until('the event of the gap is seen', () => watch.changed('note-1', 0, 20))
  t.equal(resumedAfter[1], seenUntil, 'from the last position')
  t.match(errors, [{ message: 'the connection was lost' }])
})

t.test('more than enough waiters are shed', async (t) => {
  const store = memoryEventStore()
  const { watch, stop } = await watched(t, store)
  const waiting = Array.from({ length: 10_000 }, (_, n) => watch.changed(`note-${n}`, 0, longMs))
  await t.rejects(watch.changed('note-more', 0, longMs), EventStoreOverloaded)
  stop.abort()
  t.ok((await Promise.all(waiting)).every((changed) => !changed))
})
