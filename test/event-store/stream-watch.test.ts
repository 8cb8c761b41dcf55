import t, { type Test } from 'tap'
import { type EventStore, EventStoreOverloaded } from '../../src/service/event-store/event-store.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { StreamWatch } from '../../src/service/event-store/stream-watch.ts'
import { event, events } from './contract.ts'
import { until } from './session.ts'

/** Longer than a test may take. */
const longMs = 30_000

/** A memory store that exposes its open subscriptions and can break them like a lost connection. */
function breakable() {
  const memory = memoryEventStore()
  const open = new Set<AbortController>()
  const store: EventStore = {
    append: (...args) => memory.append(...args),
    readStream: (...args) => memory.readStream(...args),
    readAll: (...args) => memory.readAll(...args),
    eventAt: (position) => memory.eventAt(position),
    head: () => memory.head(),
    end: () => memory.end(),
    close: () => memory.close(),
    async *subscribe(after, options) {
      const breaker = new AbortController()
      open.add(breaker)
      try {
        const signal = AbortSignal.any([options.signal, breaker.signal])
        yield* memory.subscribe(after, { ...options, signal })
        if (breaker.signal.aborted) throw new Error('the connection was lost')
      } finally {
        open.delete(breaker)
      }
    },
  }
  const lose = () => {
    for (const breaker of open) breaker.abort()
  }
  return { store, open, lose }
}

function running(t: Test, onError?: (error: unknown) => void) {
  const { store, open, lose } = breakable()
  const watch = new StreamWatch(store, ['note-'], onError)
  const stop = new AbortController()
  const run = watch.run(stop.signal)
  t.teardown(async () => {
    stop.abort()
    await run
    await store.close()
  })
  /** Waits until the stream has this many events, and counts how often it was read. */
  const waiting = (stream: string, length: number, timeoutMs = longMs, signal?: AbortSignal) => {
    const waiter = { looks: 0, found: Promise.resolve<number | null>(null) }
    const look = async () => {
      waiter.looks += 1
      const found = (await store.readStream(stream)).length
      return found >= length ? found : null
    }
    waiter.found = watch.until(stream, timeoutMs, look, signal)
    return waiter
  }
  return { store, open, lose, watch, stop, run, waiting }
}

t.test('a waiting caller sees the next event of its stream at once', async (t) => {
  const { store, open, waiting } = running(t)
  await store.append('note-1', 'no_stream', [event()])
  const all = Array.from({ length: 50 }, () => waiting('note-1', 2))
  const other = waiting('note-2', 1)
  await until('the watch is live', () => open.size === 1 && all.every(({ looks }) => looks >= 2))
  const looked = all.map(({ looks }) => looks)
  await store.append('note-2', 'no_stream', [event()])
  t.equal(await other.found, 1)
  t.same(
    all.map(({ looks }) => looks),
    looked,
    'an event of another stream wakes no waiter',
  )
  const beganAt = performance.now()
  await store.append('note-1', 0, [event()])
  t.same(new Set(await Promise.all(all.map(({ found }) => found))), new Set([2]))
  t.ok(performance.now() - beganAt < 5_000, 'before the connection is lost')
})

t.test('an event that already exists is returned without waiting', async (t) => {
  const { store, waiting } = running(t)
  await store.append('note-1', 'no_stream', events(2))
  t.equal(await waiting('note-1', 2).found, 2)
  t.equal(await waiting('note-1', 2, 0).found, 2, 'also with no time to wait')
})

t.test('a wait ends with null on timeout or abort, after one last read', async (t) => {
  const { store, waiting } = running(t)
  await store.append('note-1', 'no_stream', [event()])
  const late = waiting('note-1', 2, 50)
  t.equal(await late.found, null)
  t.ok(late.looks >= 2)
  const gone = new AbortController()
  const left = waiting('note-1', 2, longMs, gone.signal)
  gone.abort()
  t.equal(await left.found, null)
  t.equal(await waiting('note-1', 1, longMs, gone.signal).found, 1, 'existing events are reported')
})

t.test('waiting callers get null when the watch stops', async (t) => {
  const { store, stop, run, waiting } = running(t)
  await store.append('note-1', 'no_stream', [event()])
  const { found } = waiting('note-1', 2)
  stop.abort()
  await run
  t.equal(await found, null)
})

t.test('without a running watch, a waiting caller polls', async (t) => {
  const store = memoryEventStore()
  const watch = new StreamWatch(store, ['note-'])
  const look = async () => ((await store.readStream('note-1')).length > 0 ? 'there' : null)
  const found = watch.until('note-1', longMs, look)
  await store.append('note-1', 'no_stream', [event()])
  t.equal(await found, 'there')
  await store.close()
})

t.test('the watch reopens a lost subscription and misses no event in the gap', async (t) => {
  const errors: unknown[] = []
  const { store, open, lose, waiting } = running(t, (error) => errors.push(error))
  await store.append('note-1', 'no_stream', [event()])
  const { found } = waiting('note-1', 2)
  await until('it is subscribed', () => open.size === 1)
  lose()
  await until('the loss is noticed', () => errors.length === 1)
  await store.append('note-1', 0, [event()])
  t.equal(await found, 2)
  const again = waiting('note-1', 3)
  await until('it is subscribed again', () => open.size === 1)
  await store.append('note-1', 1, [event()])
  t.equal(await again.found, 3)
  t.match(errors, [{ message: 'the connection was lost' }])
})

t.test('the watch subscribes only while callers wait, and a while longer', async (t) => {
  const { store, open, waiting } = running(t)
  await store.append('note-1', 'no_stream', [event()])
  t.equal(open.size, 0, 'not before')
  await waiting('note-1', 2, 50).found
  await until('it is kept for the next caller', () => open.size === 1)
  await until('it is closed', () => open.size === 0)
})

t.test("a failing read rejects the caller's wait", async (t) => {
  const { watch } = running(t)
  const look = () => Promise.reject(new Error('no answer'))
  await t.rejects(watch.until('note-1', longMs, look), { message: 'no answer' })
})

t.test('a wait beyond the maximum number of waiters is refused', async (t) => {
  const { stop, waiting } = running(t)
  const all = Array.from({ length: 10_000 }, (_, n) => waiting(`note-${n}`, 1))
  await t.rejects(waiting('note-more', 1).found, EventStoreOverloaded)
  stop.abort()
  t.ok((await Promise.all(all.map(({ found }) => found))).every((found) => found === null))
})
