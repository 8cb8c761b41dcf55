import t from 'tap'
import {
  EventStoreUnavailable,
  type HistoryDiverged,
  type Position,
  type Subscribed,
} from '../../src/service/event-store/event-store.ts'
import type { EventStoreDb } from '../../src/service/event-store/eventstoredb/eventstoredb.ts'
import type { Drop, SubscribeTrick } from '../eventstoredb-stand-in/script.ts'
import { event, events, takeUntil } from './contract.ts'
import {
  appendForSure,
  escapes,
  idsOf,
  ownIds,
  settled,
  setUp,
  short,
  shortReads,
} from './eventstoredb-set-up.ts'
import { until } from './session.ts'

const escaped = escapes()

const forGood = { signal: new AbortController().signal }

/** Follows until this many events arrived; returns their ids and the last position. */
async function follow(store: EventStoreDb, enough: number, after: Position | null = null) {
  const ids: string[] = []
  let last = after
  for await (const item of store.subscribe(after, forGood)) {
    last = item.last
    if (item.kind === 'batch') ids.push(...item.events.map(({ id }) => id))
    if (ids.length >= enough) break
  }
  return { ids, last }
}

const drops: Readonly<Record<Drop, string>> = {
  too_slow: 'is dropped as too slow',
  ended: 'ends without an error',
  unavailable: 'ends with an error',
  connection_lost: 'loses its connection',
}

for (const [drop, what] of Object.entries(drops) as [Drop, string][]) {
  t.test(`a subscription that ${what} repeatedly misses and duplicates nothing`, async (t) => {
    const { standIn, store } = await setUp(t)
    await store.append('note-0', 'no_stream', events(40))
    const following = follow(store, 400)
    await until('it is open', () => standIn.subscriptions.length === 1)
    // After the last drop, all events may be written before it is open again: do not wait for that.
    const dropped = async (isLast: boolean) => {
      const { subscribe } = standIn.script.calls
      standIn.drop(drop)
      if (!isLast) await until('it is open again', () => standIn.script.calls.subscribe > subscribe)
    }
    const write = async (writer: number) => {
      for (let n = 0; n < 30; n++) {
        await appendForSure(store, `note-${writer}-${n}`, 'no_stream', events(3))
        if (writer === 1 && n % 10 === 9) await dropped(n === 29)
      }
    }
    await Promise.all([1, 2, 3, 4].map(write))
    const { ids } = await following
    t.strictSame(ids, ownIds(standIn))
    t.ok(standIn.script.calls.subscribe > 2, `opened ${standIn.script.calls.subscribe} times`)
  })
}

const tricks: Readonly<Record<Exclude<SubscribeTrick, 'access_denied'>, string>> = {
  silent: 'is never confirmed',
  too_slow_midway: 'is dropped in the middle of the history',
  stalled: 'stalls while events arrive',
  ended: 'ends as soon as it has caught up',
  unavailable: 'is refused as unavailable',
}

for (const [trick, what] of Object.entries(tricks) as [keyof typeof tricks, string][]) {
  t.test(`a subscription that ${what} is reopened and resumes at its position`, async (t) => {
    const { standIn, store } = await setUp(t, { times: shortReads })
    await store.append('note-1', 'no_stream', events(20))
    standIn.script.next('subscribe', trick, trick)
    const following = follow(store, 30)
    await until('it was opened', () => standIn.script.calls.subscribe > 0)
    await store.append('note-2', 'no_stream', events(5))
    await until('it was opened again', () => standIn.script.calls.subscribe > 1)
    await store.append('note-3', 'no_stream', events(5))
    t.strictSame((await following).ids, ownIds(standIn))
    t.ok(standIn.script.calls.subscribe >= 3)
  })
}

t.test('a subscription without new events is not reopened', async (t) => {
  const { standIn, store } = await setUp(t, { times: { quietMs: 30 } })
  await store.append('note-1', 'no_stream', [event()])
  const following = follow(store, 2)
  await until('it checked for missed events', () => standIn.script.calls.read > 5)
  t.equal(standIn.script.calls.subscribe, 1)
  // From here on it may be reopened: an event that arrives late would be a missing one.
  await store.append('note-2', 'no_stream', [event()])
  await following
})

t.test('a subscription survives a restart of its server', async (t) => {
  const { standIn, store } = await setUp(t, { times: short })
  await store.append('note-1', 'no_stream', events(3))
  const following = follow(store, 6)
  await until('it is open', () => standIn.subscriptions.length === 1)
  await standIn.stop()
  await standIn.start()
  await appendForSure(store, 'note-2', 'no_stream', events(3))
  t.strictSame((await following).ids, ownIds(standIn))
})

t.test('a subscription fails if its server stays away, and can be resumed later', async (t) => {
  const { standIn, store } = await setUp(t, { times: { ...short, ...shortReads, resumeMs: 300 } })
  await store.append('note-1', 'no_stream', events(3))
  let last: Position | null = null
  for (const leave of [() => standIn.stop(), () => standIn.freeze()]) {
    const broken = takeUntil(store.subscribe(last, forGood), (_, item) => {
      last = item.last
      if (item.kind === 'caught_up') void leave()
      return false
    })
    await t.rejects(broken, EventStoreUnavailable)
    await standIn.start()
    standIn.thaw()
  }
  await appendForSure(store, 'note-2', 'no_stream', events(2))
  t.strictSame((await follow(store, 2, last)).ids, idsOf(standIn, 'note-2'))
})

t.test('connections that the network dropped silently are replaced', async (t) => {
  const { standIn, store } = await setUp(t, { times: { ...short, ...shortReads } })
  await store.append('note-1', 'no_stream', [event()])
  const following = follow(store, 3)
  await until('it is open', () => standIn.subscriptions.length === 1)
  await store.readStream('note-1')
  standIn.forgetConnections()
  t.match(await store.append('note-2', 'no_stream', [event()]), { kind: /committed|duplicate/ })
  await settled(store.readStream('note-1'))
  t.equal((await store.readStream('note-1')).length, 1)
  await store.append('note-3', 'no_stream', [event()])
  t.strictSame((await following).ids, ownIds(standIn))
})

t.test('a subscription that is denied access is not reopened', async (t) => {
  const { standIn, store } = await setUp(t)
  standIn.script.always('subscribe', 'access_denied')
  const { error } = await settled(follow(store, 1))
  t.match(error, { name: 'EventStoreUnavailable', trouble: { code: 'credentials_missing' } })
  t.equal(standIn.script.calls.subscribe, 1)
})

for (const product of ['EventStoreDB', 'KurrentDB'] as const) {
  t.test(`a position at which ${product} has no record means that events are lost`, async (t) => {
    const noticed: HistoryDiverged[] = []
    const { standIn, store } = await setUp(t, {
      standIn: { product },
      onDiverged: (error) => void noticed.push(error),
    })
    await store.append('note-1', 'no_stream', events(3))
    const [first] = await store.readStream('note-1')
    const beside = (first?.position ?? '').replaceAll(/\d\b/g, (digit) => String(9 - Number(digit)))
    t.not(beside, first?.position)
    const expected = { position: beside, id: null }
    t.match((await settled(follow(store, 1, beside))).error, { name: 'HistoryDiverged', expected })
    t.equal(standIn.script.calls.subscribe, 1)
    const read = await settled(store.readAll(beside, { limit: 10 }))
    t.match(read.error, { name: 'HistoryDiverged', expected, found: null })
    t.match(noticed, [{ expected }, { expected }])
    t.equal(await store.eventAt(beside), null)
    await t.rejects(follow(store, 1, '7'), RangeError)
  })
}

t.test(
  "a subscription's position moves past foreign events, and reads resume from it",
  async (t) => {
    const { standIn, store } = await setUp(t)
    await store.append('note-1', 'no_stream', [event()])
    standIn.log.writeStatistics(1_000)
    const items: Subscribed[] = []
    await takeUntil(store.subscribe(null, forGood), (_, item) => {
      items.push(item)
      return item.kind === 'caught_up'
    })
    const last = items.at(-1)?.last ?? null
    t.ok((last ?? '') > ((await store.head()) ?? ''), 'beyond the last event of the ledger')
    t.ok(items.length > 2, 'it was told on the way')
    await store.append('note-2', 'no_stream', [event()])
    t.strictSame((await follow(store, 1, last)).ids, idsOf(standIn, 'note-2'))
    const page = await store.readAll(last, { limit: 10 })
    t.strictSame(
      page.events.map(({ id }) => id),
      idsOf(standIn, 'note-2'),
    )
  },
)

t.test('a slow consumer puts back pressure on the server', async (t) => {
  const { standIn, store } = await setUp(t)
  const text = 'x'.repeat(4_000)
  for (let n = 0; n < 10; n++) {
    const batch = Array.from({ length: 50 }, () => event({ text }))
    await store.append(`note-${n}`, 'no_stream', batch)
  }
  const taken: string[] = []
  let isFirst = true
  for await (const item of store.subscribe(null, { ...forGood, batchMax: 10 })) {
    if (item.kind === 'batch') {
      t.ok(item.events.length <= 10)
      taken.push(...item.events.map(({ id }) => id))
    }
    if (isFirst) {
      isFirst = false
      let given = -1
      await until('the server gives no more', async () => {
        const before = given
        given = standIn.subscriptions[0]?.given ?? 0
        await new Promise((resolve) => setTimeout(resolve, 100))
        return given > 0 && before === given
      })
      t.equal((await store.readStream('note-0')).length, 50, 'others are answered meanwhile')
      t.ok(given < 300, `${given} of 500 events were given to a consumer of 10`)
    }
    if (taken.length === 500) break
  }
  t.strictSame(taken, ownIds(standIn))
})

t.test('only the newest checkpoint is kept for a consumer that is not reading', async (t) => {
  const { standIn, store } = await setUp(t)
  const iterator = store.subscribe(null, forGood)[Symbol.asyncIterator]()
  await iterator.next()
  await store.append('note-1', 'no_stream', [event()])
  // Slowly enough for a live subscription, which is dropped when it lags by 32 events.
  for (let n = 0; n < 60; n++) {
    standIn.log.writeStatistics(30)
    await new Promise(setImmediate)
  }
  await store.append('note-2', 'no_stream', [event()])
  const sizes: number[] = []
  while (sizes.reduce((sum, size) => sum + size, 0) < 2) {
    const { value } = await iterator.next()
    if (value?.kind === 'batch') sizes.push(value.events.length)
  }
  t.ok(sizes.length <= 6, `${sizes.length} batches of ${sizes}`)
  await iterator.return?.()
})

t.test('reading an event that is not valid JSON fails at once', async (t) => {
  const { standIn, store } = await setUp(t)
  await store.append('note-1', 'no_stream', [event()])
  standIn.log.append('note-1', 0, [
    {
      id: crypto.randomUUID(),
      type: 'Noted',
      contentType: 'application/json',
      data: Buffer.from('{"half'),
      metadata: Buffer.from('{}'),
    },
  ])
  await t.rejects(follow(store, 2), /not the JSON that was written/)
  await t.rejects(store.readStream('note-1'), /not the JSON that was written/)
  await t.rejects(store.readAll(null, { limit: 10 }), /not the JSON that was written/)
  t.equal(standIn.script.calls.subscribe, 1)
})

t.test('none of these subscription failures threw an uncaught error', async (t) => {
  t.strictSame(escaped, [])
})
