import { randomUUID } from 'node:crypto'
import type { Test } from 'tap'
import {
  type AppendOutcome,
  type EventStore,
  HistoryDiverged,
  type NewEvent,
  type Place,
  type Position,
  placeAt,
  type StoredEvent,
  type Subscribed,
} from '../../src/service/event-store/event-store.ts'

/** Creates an empty store that is closed at the end of the test. */
export type MakeStore = (t: Test) => Promise<EventStore>

export function event(data: NewEvent['data'] = {}, type = 'Noted'): NewEvent {
  return { id: randomUUID(), type, data, metadata: { by: 'contract' } }
}

export function events(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => event({ n }))
}

export function kinds(outcomes: readonly AppendOutcome[]): Record<string, number> {
  const count: Record<string, number> = {}
  for (const { kind } of outcomes) count[kind] = (count[kind] ?? 0) + 1
  return count
}

export async function readEverything(store: EventStore, limit = 1000): Promise<StoredEvent[]> {
  const all: StoredEvent[] = []
  let after: Position | null = null
  for (;;) {
    const page = await store.readAll(after, { limit })
    if (page.last === after) return all
    all.push(...page.events)
    after = page.last
  }
}

/** Reads a subscription until enough was delivered, then ends it. */
export async function takeUntil(
  subscription: AsyncIterable<Subscribed>,
  enough: (events: readonly StoredEvent[], item: Subscribed) => boolean,
): Promise<StoredEvent[]> {
  const taken: StoredEvent[] = []
  for await (const item of subscription) {
    if (item.kind === 'batch') taken.push(...item.events)
    if (enough(taken, item)) break
  }
  return taken
}

/** A batch that only reports progress; a store may deliver such batches at any time. */
function isEmpty(item: Subscribed): boolean {
  return item.kind === 'batch' && item.events.length === 0
}

/** The additional promise of stores whose subscriptions read page by page. */
export function readingContract(t: Test, makeStore: MakeStore): void {
  t.test('a subscription reads only as many pages as its consumer asks for', async (t) => {
    const store = await makeStore(t)
    await store.append('note-1', 'no_stream', events(10))
    const { signal } = new AbortController()
    const iterator = store.subscribe(null, { signal, batchMax: 4 })[Symbol.asyncIterator]()
    const sizes: number[] = []
    for (let n = 0; n < 3; n++) {
      const { value } = await iterator.next()
      if (n === 0) await store.append('note-1', 9, events(2))
      if (value?.kind === 'batch') sizes.push(value.events.length)
    }
    t.strictSame(sizes, [4, 4, 4], 'the last batch has what was appended while no reader asked')
    await iterator.return?.()
  })
}

/** The promises of every event store, one test per promise. Every adapter runs it. */
export function eventStoreContract(t: Test, makeStore: MakeStore): void {
  const promise = (name: string, keep: (t: Test, store: EventStore) => Promise<void>) =>
    t.test(name, async (t) => keep(t, await makeStore(t)))
  appends(promise)
  repeats(promise)
  refusals(promise)
  reads(promise)
  subscriptions(promise)
  t.test('closing a store completes the appends it accepted and refuses new calls', async (t) => {
    const store = await makeStore(t)
    const taken = Array.from({ length: 20 }, (_, n) =>
      store.append(`note-${n}`, 'no_stream', [event()]),
    )
    const open = store.subscribe(null, { signal: new AbortController().signal })
    const following = takeUntil(open, () => false)
    following.catch(() => undefined)
    await store.close()
    await t.rejects(following, { name: 'EventStoreUnavailable' }, 'an open subscription throws')
    t.strictSame(kinds(await Promise.all(taken)), { committed: 20 })
    await t.rejects(store.append('note-late', 'no_stream', [event()]), {
      name: 'EventStoreUnavailable',
    })
    await t.rejects(store.readStream('note-1'), { name: 'EventStoreUnavailable' })
    await store.close()
  })
}

type Promised = (name: string, keep: (t: Test, store: EventStore) => Promise<void>) => unknown

function appends(promise: Promised): void {
  promise(
    'of many concurrent appends to a new stream, exactly one is committed',
    async (t, store) => {
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => store.append('note-1', 'no_stream', [event()])),
      )
      t.strictSame(kinds(outcomes), { committed: 1, conflict: 49 })
      const losers = outcomes.filter((outcome) => outcome.kind === 'conflict')
      t.ok(losers.every((outcome) => outcome.actual === 0))
      t.equal((await store.readStream('note-1')).length, 1)
    },
  )

  promise('20 concurrent appends to each of 200 streams commit exactly 200', async (t, store) => {
    const racers: Promise<AppendOutcome>[] = []
    for (let racer = 0; racer < 20; racer++) {
      for (let stream = 0; stream < 200; stream++) {
        racers.push(store.append(`note-${stream}`, 'no_stream', [event({ racer })]))
      }
    }
    t.strictSame(kinds(await Promise.all(racers)), { committed: 200, conflict: 3800 })
    const all = await readEverything(store)
    t.equal(new Set(all.map((stored) => stored.stream)).size, 200)
    t.equal(all.length, 200)
  })

  promise(
    'an append at the wrong revision conflicts and reports the actual revision',
    async (t, store) => {
      t.strictSame(await store.append('note-1', 0, [event()]), { kind: 'conflict', actual: null })
      await store.append('note-1', 'no_stream', events(3))
      t.strictSame(await store.append('note-1', 'no_stream', [event()]), {
        kind: 'conflict',
        actual: 2,
      })
      t.strictSame(await store.append('note-1', 1, [event()]), { kind: 'conflict', actual: 2 })
      t.strictSame(await store.append('note-1', 3, [event()]), { kind: 'conflict', actual: 2 })
      t.match(await store.append('note-1', 2, [event()]), { kind: 'committed', revision: 3 })
      t.equal((await store.readStream('note-1')).length, 4)
    },
  )

  promise('the events of one append are written all or not at all', async (t, store) => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, racer) =>
        store.append(
          'note-1',
          'no_stream',
          events(7).map((one) => ({ ...one, data: { racer } })),
        ),
      ),
    )
    t.strictSame(kinds(outcomes), { committed: 1, conflict: 19 })
    const stored = await store.readStream('note-1')
    t.strictSame(
      stored.map((one) => one.revision),
      [0, 1, 2, 3, 4, 5, 6],
    )
    t.equal(new Set(stored.map((one) => one.data.racer)).size, 1)
  })

  promise('an outcome names the revision and position of the last event', async (t, store) => {
    await store.append('note-0', 'no_stream', events(2))
    const outcome = await store.append('note-1', 'no_stream', events(3))
    const last = (await store.readStream('note-1')).at(-1)
    t.strictSame(outcome, { kind: 'committed', revision: 2, position: last?.position })
  })

  promise('an append after its notAfter time writes nothing', async (t, store) => {
    const past = { notAfter: new Date(Date.now() - 5000) }
    t.strictSame(await store.append('note-1', 'no_stream', [event()], past), { kind: 'expired' })
    t.strictSame(await store.readStream('note-1'), [])
    const future = { notAfter: new Date(Date.now() + 60_000) }
    const one = event()
    t.match(await store.append('note-1', 'no_stream', [one], future), { kind: 'committed' })
    t.match(
      await store.append('note-1', 'no_stream', [one], past),
      { kind: /committed|duplicate/ },
      'what was written in time stays written',
    )
  })
}

function repeats(promise: Promised): void {
  promise('repeating an append writes nothing, even after later events', async (t, store) => {
    const first = events(2)
    const outcome = await store.append('note-1', 'no_stream', first)
    if (outcome.kind !== 'committed') throw new Error('the first append failed')
    const { revision, position } = outcome
    const again = { kind: /committed|duplicate/, revision, position }
    t.match(await store.append('note-1', 'no_stream', first), again)
    const second = [event()]
    await store.append('note-1', 1, second)
    await store.append('note-1', 2, events(3))
    t.match(await store.append('note-1', 'no_stream', first), again)
    t.match(await store.append('note-1', 1, second), { revision: 2 })
    t.equal((await store.readStream('note-1')).length, 6)
  })

  promise('an append sent many times concurrently is written once', async (t, store) => {
    const same = events(3)
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store.append('note-1', 'no_stream', same)),
    )
    t.ok(outcomes.every(({ kind }) => kind === 'committed' || kind === 'duplicate'))
    t.equal((await store.readStream('note-1')).length, 3)
  })

  promise('an append with more, other or reordered ids conflicts', async (t, store) => {
    const [a, b, c] = [event(), event(), event()]
    await store.append('note-1', 'no_stream', [a, b])
    const conflict = { kind: 'conflict', actual: 1 }
    t.strictSame(await store.append('note-1', 'no_stream', [a, b, c]), conflict)
    t.strictSame(await store.append('note-1', 'no_stream', [a, c]), conflict)
    t.strictSame(await store.append('note-1', 'no_stream', [c, b]), conflict)
    t.strictSame(await store.append('note-1', 'no_stream', [b, a]), conflict)
    t.strictSame(await store.append('note-1', 'no_stream', [b]), conflict)
    t.strictSame(await store.append('note-1', 0, [a]), conflict)
    t.strictSame(
      (await store.readStream('note-1')).map(({ id }) => id),
      [a.id, b.id],
    )
  })

  promise('the same ids in another stream are new events', async (t, store) => {
    const same = [event()]
    await store.append('note-1', 'no_stream', same)
    t.match(await store.append('note-2', 'no_stream', same), { kind: 'committed', revision: 0 })
    t.equal((await readEverything(store)).length, 2)
  })
}

function refusals(promise: Promised): void {
  promise('an append without events is refused', async (t, store) => {
    await t.rejects(store.append('note-1', 'no_stream', []), { name: 'RangeError' })
    t.equal(await store.head(), null)
  })

  promise(
    'an append over the size limits is refused, and one at the limits is written',
    async (t, store) => {
      await t.rejects(store.append('note-1', 'no_stream', events(51)), { name: 'RangeError' })
      const megabyte = 'x'.repeat(1024 * 1024)
      await t.rejects(store.append('note-1', 'no_stream', [event({ megabyte })]), {
        name: 'RangeError',
      })
      const large = [event({ text: 'x'.repeat(1_000_000) })]
      t.match(await store.append('note-1', 'no_stream', large), { kind: 'committed' })
      t.match(await store.append('note-1', 0, events(50)), { kind: 'committed', revision: 50 })
    },
  )

  promise('an event that cannot be stored exactly is refused', async (t, store) => {
    const bad: [string, 'no_stream' | number, NewEvent][] = [
      ['note-1', 'no_stream', event({ text: 'a\u0000b' })],
      ['note-1', 'no_stream', event({ 'a\u0000b': 1 })],
      ['note-1', 'no_stream', event({ text: 'half \ud800' })],
      ['note-1', 'no_stream', { ...event(), metadata: { text: '\\\u0000' } }],
      ['note-1', 'no_stream', { ...event(), id: 'no-uuid' }],
      ['note-1', 'no_stream', { ...event(), id: randomUUID().toUpperCase() }],
      ['note-1', 'no_stream', event({}, '')],
      ['', 'no_stream', event()],
      ['note-\u0000', 'no_stream', event()],
      ['note-1', -1, event()],
      ['note-1', 0.5, event()],
      ['note-1', Number.NaN, event()],
    ]
    for (const [stream, expected, one] of bad) {
      await t.rejects(store.append(stream, expected, [one]), { name: 'RangeError' })
    }
    const twice = event()
    await t.rejects(store.append('note-1', 'no_stream', [twice, twice]), { name: 'RangeError' })
    t.equal(await store.head(), null)
  })
}

function reads(promise: Promised): void {
  promise('the end of a store is at or after every position it has returned', async (t, store) => {
    await store.append('note-1', 'no_stream', events(3))
    const end = (await store.end()) ?? ''
    for (const { position } of await readEverything(store)) t.ok(position <= end)
    const [last] = (await readEverything(store)).slice(-1)
    t.equal(
      await store.head(),
      last?.position,
      'the end of the ledger, regardless of other writers',
    )
    t.ok(end < end.replace(/^0/, '8'), 'and positions compare as text')
  })

  promise('a stream that does not exist reads as empty', async (t, store) => {
    t.strictSame(await store.readStream('note-none'), [])
  })

  promise('an empty store has no head and an empty page', async (t, store) => {
    t.equal(await store.head(), null)
    t.strictSame(await store.readAll(null, { limit: 10 }), { events: [], last: null, place: null })
  })

  promise(
    'text, control characters and large integers are read back unchanged',
    async (t, store) => {
      const data = {
        text: 'Muñoz – 北京 🚚 \u2028 é e\u0301',
        control: '\u0001\u0007\b\t\n\u001f\u007f',
        escaped: '\\u0000 \\\\u0000 \\ud800 "quoted" \\',
        largest: Number.MAX_SAFE_INTEGER,
        smallest: Number.MIN_SAFE_INTEGER,
        fraction: 0.1,
        nested: { empty: {}, list: [null, true, [], { ключ: 'значение' }] },
        '': 'an empty name',
      }
      const one = { ...event(data, 'Noted'), metadata: { note: '\u0002ü' } }
      await store.append('note-1', 'no_stream', [one])
      const [stored] = await store.readStream('note-1')
      t.match(stored, { ...one, stream: 'note-1', revision: 0 })
      t.strictSame(stored?.data, data)
    },
  )

  promise('a read sees every append acknowledged before it', async (t, store) => {
    for (let revision = 0; revision < 30; revision++) {
      await store.append('note-1', revision === 0 ? 'no_stream' : revision - 1, [event()])
      const [stream, head] = await Promise.all([store.readStream('note-1'), store.head()])
      t.equal(stream.at(-1)?.revision, revision)
      t.equal(head, stream.at(-1)?.position)
    }
  })

  promise('part of a stream can be read', async (t, store) => {
    await store.append('note-1', 'no_stream', events(10))
    const revisions = async (from: number, limit: number) =>
      (await store.readStream('note-1', { from, limit })).map(({ revision }) => revision)
    t.strictSame(await revisions(0, 3), [0, 1, 2])
    t.strictSame(await revisions(8, 3), [8, 9])
    t.strictSame(await revisions(10, 3), [])
  })

  promise('the whole store can be read in order, in pages of any size', async (t, store) => {
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => store.append(`note-${n}`, 'no_stream', events(3))),
    )
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.append(`note-${n}`, 2, events(2))))
    const all = await readEverything(store, 1000)
    t.equal(all.length, 200)
    for (const limit of [1, 7, 200]) t.strictSame(await readEverything(store, limit), all)
    const positions = all.map(({ position }) => position)
    t.strictSame(positions, [...new Set(positions)].sort(), 'positions ascend as text')
    for (let n = 0; n < 40; n++) {
      const own = all.filter(({ stream }) => stream === `note-${n}`)
      t.strictSame(
        own.map(({ revision }) => revision),
        [0, 1, 2, 3, 4],
      )
      t.strictSame(await store.readStream(`note-${n}`), own)
    }
    t.equal(await store.head(), positions.at(-1))
  })

  promise('a place is compared by the event that was there', async (t, store) => {
    for (let n = 0; n < 3; n++) await store.append(`note-${n}`, 'no_stream', [event({ n })])
    const all = await readEverything(store)
    const [first, second] = all as [StoredEvent, StoredEvent]
    t.strictSame(await store.eventAt(second.position), second)
    t.strictSame((await store.readAll(placeAt(first), { limit: 9 })).events, all.slice(1))
    const other: Place = placeAt({ position: first.position, id: second.id })
    const lost: unknown = await store.readAll(other, { limit: 9 }).catch((error: unknown) => error)
    t.ok(lost instanceof HistoryDiverged)
    t.match(lost, { expected: other.event, found: first.id })
    const stop = new AbortController()
    t.teardown(() => stop.abort())
    const subscribed = store.subscribe(other, { signal: stop.signal })[Symbol.asyncIterator]()
    await t.rejects(subscribed.next(), HistoryDiverged)
  })

  promise('a page filtered by prefix reports how far it was read', async (t, store) => {
    for (let n = 0; n < 10; n++) {
      await store.append(`${n % 2 ? 'odd' : 'even'}-${n}`, 'no_stream', [event({ n })])
    }
    const all = await readEverything(store)
    const page = await store.readAll(null, { limit: 5, prefixes: ['odd-'] })
    t.strictSame(
      page.events.map(({ data }) => data.n),
      [1, 3],
    )
    t.equal(page.last, all[4]?.position, 'filtered events count as read')
    const none = await store.readAll(null, { limit: 100, prefixes: ['other-'] })
    const last = placeAt(all.at(-1) as StoredEvent)
    t.strictSame(none, { events: [], last: last.position, place: last })
    const both = await store.readAll(page.last, { limit: 100, prefixes: ['odd-', 'even-'] })
    t.strictSame(both.events, all.slice(5))
    const end = await store.readAll(none.last, { limit: 100 })
    t.strictSame(end, { events: [], last: none.last, place: { position: none.last, event: null } })
  })
}

function subscriptions(promise: Promised): void {
  const subscribe = (t: Test, store: EventStore, after: Position | null, batchMax = 500) => {
    const stop = new AbortController()
    t.teardown(() => stop.abort())
    return store.subscribe(after, { signal: stop.signal, batchMax })
  }

  promise(
    'a subscription gives existing events, then caught_up, then new events',
    async (t, store) => {
      await store.append('note-1', 'no_stream', events(5))
      const items: string[] = []
      const taken = await takeUntil(subscribe(t, store, null, 2), (sofar, item) => {
        if (!isEmpty(item)) items.push(item.kind)
        if (item.kind === 'caught_up' && sofar.length === 5) {
          void store.append('note-2', 'no_stream', events(2))
        }
        return sofar.length === 7
      })
      t.match(items.join(' '), /^(batch ){3,5}caught_up( batch){1,2}$/)
      t.strictSame(taken, await readEverything(store))
    },
  )

  promise('a subscription to an empty store is caught up at once', async (t, store) => {
    const items: Subscribed[] = []
    await takeUntil(subscribe(t, store, null), (_, item) => {
      if (!isEmpty(item)) items.push(item)
      return item.kind === 'caught_up'
    })
    t.match(items, [{ kind: 'caught_up' }])
    t.equal(items.length, 1)
  })

  promise(
    'a subscription resumes after any position without loss or repetition',
    async (t, store) => {
      await store.append('note-1', 'no_stream', events(20))
      const all = await readEverything(store)
      let last: Position | null = null
      const taken: StoredEvent[] = []
      while (taken.length < 20) {
        for await (const item of subscribe(t, store, last, 3)) {
          if (item.kind === 'batch') taken.push(...item.events)
          last = item.last
          break
        }
      }
      t.strictSame(taken, all)
      const rest = await takeUntil(
        subscribe(t, store, all[11]?.position ?? null),
        (_, item) => item.kind === 'caught_up',
      )
      t.strictSame(rest, all.slice(12))
    },
  )

  promise(
    'a subscription with prefixes moves its position past other streams',
    async (t, store) => {
      await store.append('odd-1', 'no_stream', events(2))
      await store.append('even-1', 'no_stream', events(2))
      const stop = new AbortController()
      t.teardown(() => stop.abort())
      let last: Position | null = null
      const filtered = store.subscribe(null, { signal: stop.signal, prefixes: ['even-'] })
      const taken = await takeUntil(filtered, (_, item) => {
        last = item.last
        return item.kind === 'caught_up'
      })
      t.strictSame(taken, await store.readStream('even-1'))
      t.ok((last ?? '') >= ((await store.head()) ?? ''), 'after everything that it skipped')
    },
  )

  promise('a slow consumer gets batches of its size and misses nothing', async (t, store) => {
    await store.append('note-1', 'no_stream', events(10))
    const taken: StoredEvent[] = []
    let asked = 0
    for await (const item of subscribe(t, store, null, 4)) {
      if (item.kind === 'batch') {
        t.ok(item.events.length <= 4)
        taken.push(...item.events)
      }
      // Appended while the consumer is not reading.
      if (asked < 5) await store.append('note-1', 9 + 2 * asked++, events(2))
      if (taken.length === 20) break
    }
    t.strictSame(taken, await store.readStream('note-1'))
  })

  promise('a subscription ends without an error when its signal aborts', async (t, store) => {
    const stop = new AbortController()
    const items: string[] = []
    for await (const item of store.subscribe(null, { signal: stop.signal })) {
      if (!isEmpty(item)) items.push(item.kind)
      // Aborts while the subscription waits for new events.
      if (item.kind === 'caught_up') setImmediate(() => stop.abort())
    }
    t.strictSame(items, ['caught_up'])
    const late: Subscribed[] = []
    for await (const item of store.subscribe(null, { signal: stop.signal })) late.push(item)
    t.strictSame(late, [], 'a signal given before gives nothing')
  })

  promise('two subscriptions see the same events in the same order', async (t, store) => {
    const done = (sofar: readonly StoredEvent[]) => sofar.length >= 300
    const readers = [1, 2].map((batchMax) =>
      takeUntil(subscribe(t, store, null, batchMax * 50), done),
    )
    await Promise.all(
      Array.from({ length: 100 }, (_, n) => store.append(`note-${n}`, 'no_stream', events(3))),
    )
    const [one, two] = await Promise.all(readers)
    t.strictSame(one, two)
    t.strictSame(one, await readEverything(store))
  })
}
