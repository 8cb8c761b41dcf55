import t, { type Test } from 'tap'
import {
  type AppendOutcome,
  AppendUnknown,
  type EventStore,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../../../src/service/event-store/event-store.ts'
import {
  type PostgresEventStoreOptions,
  type PostgresTimes,
  postgresEventStore,
} from '../../../src/service/event-store/postgres/postgres.ts'
import { event, events, kinds, readEverything } from '../../event-store/contract.ts'
import { type Query, session, until } from '../../event-store/session.ts'
import { type TcpProxy, tcpProxy } from '../../event-store/tcp-proxy.ts'
import { testDatabase } from '../../support/test-database.ts'

/** A tenth of the product's times: only their order is tested. */
const short: Partial<PostgresTimes> = {
  connectMs: 200,
  statementMs: 300,
  silentMs: 350,
  intentWaitMs: 300,
  outcomeWaitMs: 5000,
  answerMs: 1000,
}

async function setUp(
  t: Test,
  options: Partial<PostgresEventStoreOptions> = {},
): Promise<{ store: EventStore; proxy: TcpProxy; admin: Query }> {
  const { url, adminUrl } = await testDatabase(t)
  const admin = await session(t, adminUrl)
  const proxy = await tcpProxy(t, url)
  const store = postgresEventStore({ url: proxy.url, ...options })
  t.teardown(() => store.close())
  return { store, proxy, admin }
}

const eventCount = async (admin: Query) =>
  Number((await admin('SELECT count(*) AS n FROM ledger.event'))[0]?.n)

/**
 * Repeats the append with the same ids, as a caller does, until the store knows. `append` must not
 * create new ids.
 */
async function forSure(append: () => Promise<AppendOutcome>): Promise<AppendOutcome> {
  for (;;) {
    try {
      return await append()
    } catch (error) {
      if (!(error instanceof AppendUnknown || error instanceof EventStoreUnavailable)) throw error
    }
  }
}

t.test('killing database backends during appends loses and duplicates nothing', async (t) => {
  const { store, admin } = await setUp(t)
  const killsWanted = 15
  const writers = 32
  let kills = 0
  let acknowledged = 0
  const written = new Map<string, string[]>()
  const write = async (writer: number) => {
    const stream = `note-${writer}`
    const ids: string[] = []
    written.set(stream, ids)
    for (let n = 0; kills < killsWanted; n++) {
      const batch = events(1 + (n % 3))
      const outcome = await forSure(() =>
        store.append(stream, ids.length ? ids.length - 1 : 'no_stream', batch),
      )
      acknowledged += 1
      ids.push(...batch.map(({ id }) => id))
      if (outcome.kind === 'conflict' || outcome.kind === 'expired') {
        throw new Error(`the only writer of its stream got ${outcome.kind}`)
      }
    }
  }
  const kill = async () => {
    while (kills < killsWanted) {
      const rows = await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'shipping-ledger append'
          AND state = 'active'`)
      if (rows.length === 0) continue
      kills += rows.length
      const before = acknowledged
      await until('appends are answered again', () => acknowledged >= before + writers)
    }
  }
  await Promise.all([kill(), ...Array.from({ length: writers }, (_, n) => write(n))])
  const all = await readEverything(store)
  t.strictSame(
    all.map(({ position }) => Number(position)),
    all.map((_, index) => index + 1),
    'positions are contiguous',
  )
  for (const [stream, ids] of written) {
    const own = all.filter((stored) => stored.stream === stream).map(({ id }) => id)
    if (own.join() !== ids.join()) t.fail(`${stream} is not as acknowledged`)
  }
  t.ok(all.length > killsWanted * writers, `${all.length} events over ${kills} kills`)
})

t.test('an append whose answer was lost is found automatically', async (t) => {
  const { store, proxy, admin } = await setUp(t)
  await store.append('note-0', 'no_stream', [event()])
  proxy.swallowAnswers()
  const asked = Promise.all(
    Array.from({ length: 10 }, (_, n) => store.append(`note-${n}`, n ? 'no_stream' : 0, events(2))),
  )
  await until('the appends are committed', async () => (await eventCount(admin)) === 21)
  proxy.heal()
  proxy.cut()
  t.strictSame(kinds(await asked), { duplicate: 10 })
  t.equal(await eventCount(admin), 21)
})

t.test('a silent server makes sent appends unknown and unsent ones unavailable', async (t) => {
  const { store, proxy } = await setUp(t, { times: short })
  await store.append('note-0', 'no_stream', [event()])
  await store.readStream('note-0')
  proxy.silence()
  const startedAt = performance.now()
  const batch = [event()]
  const sent = store.append('note-1', 'no_stream', batch)
  sent.catch(() => undefined)
  await new Promise((resolve) => setTimeout(resolve, 20))
  await Promise.all([
    t.rejects(sent, AppendUnknown),
    t.rejects(store.append('note-2', 'no_stream', [event()]), EventStoreUnavailable),
    t.rejects(store.readStream('note-0'), EventStoreUnavailable),
    t.rejects(store.head(), EventStoreUnavailable),
  ])
  t.ok(performance.now() - startedAt < 2500, 'within the bounds')
  proxy.heal()
  const again = await forSure(() => store.append('note-1', 'no_stream', batch))
  t.match(again, { kind: /committed|duplicate/, revision: 0 })
  const other = [event()]
  const outcome = await forSure(() => store.append('note-2', 'no_stream', other))
  t.match(outcome, { kind: 'committed' })
  t.equal((await readEverything(store)).length, 3)
})

t.test('a batch that arrives after it was resent is not written twice', async (t) => {
  let unanswered = false
  const { store, proxy, admin } = await setUp(t, {
    times: { ...short, answerMs: 5000 },
    log: {
      warn: (_, message) => {
        unanswered ||= message.includes('got no answer')
      },
    },
  })
  await store.append('note-0', 'no_stream', [event()])
  proxy.silence()
  const kept = store.append('note-1', 'no_stream', [event()])
  const tooLate = store.append('note-2', 'no_stream', [event()], {
    notAfter: new Date(Date.now() + 200),
  })
  await until('the store has given the connection up', () => unanswered)
  proxy.heal()
  t.match(await kept, { kind: /committed|duplicate/ })
  t.strictSame(await tooLate, { kind: 'expired' })
  await until('the late batch has been answered', async () => {
    const [row] = await admin(`SELECT count(*) AS n FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'shipping-ledger append'`)
    return Number(row?.n) === 1
  })
  t.equal(await eventCount(admin), 2)
})

t.test('a subscription to a lost database throws and can be resumed', async (t) => {
  const { store, proxy } = await setUp(t, {
    times: { ...short, pollMs: 50, listeningPollMs: 50 },
  })
  await store.append('note-1', 'no_stream', events(3))
  const { signal } = new AbortController()
  let last: string | null = null
  const seen: string[] = []
  const follow = async (enough: number) => {
    for await (const item of store.subscribe(last, { signal })) {
      last = item.last
      if (item.kind === 'batch') seen.push(...item.events.map(({ id }) => id))
      else proxy.silence()
      if (seen.length >= enough) break
    }
  }
  // Under load even a first page may take longer than the short times here.
  while (seen.length < 3) await follow(3).catch(() => undefined)
  await t.rejects(follow(4), EventStoreUnavailable)
  t.equal(seen.length, 3)
  proxy.heal()
  const batch = events(2)
  await forSure(() => store.append('note-2', 'no_stream', batch))
  while (seen.length < 5) await follow(5).catch(() => undefined)
  t.strictSame(
    seen,
    (await readEverything(store)).map(({ id }) => id),
  )
})

t.test('while the database is down intents are refused and outcomes wait for it', async (t) => {
  const { store, proxy } = await setUp(t, { times: short })
  await store.append('note-0', 'no_stream', [event()])
  proxy.refuse()
  const batch = [event()]
  const outcome = forSure(() => store.append('note-1', 'no_stream', batch, { reserved: true }))
  const failures: unknown[] = []
  await until('an intent is returned', async () => {
    const intent = store.append(`intent-${failures.length}`, 'no_stream', [event()])
    failures.push(await intent.catch((error: unknown) => error))
    return failures.at(-1) instanceof EventStoreUnavailable
  })
  proxy.heal()
  t.match(await outcome, { kind: 'committed' })
  const shed = `intent-${failures.length - 1}`
  t.strictSame(await store.readStream(shed), [], 'an unavailable append was not written')
})

t.test('a full PostgreSQL append queue refuses intents and still accepts outcomes', async (t) => {
  const { store, admin } = await setUp(t, { queueMax: 10, reservedMax: 5 })
  await admin('SELECT pg_advisory_lock(7310001)')
  const append = (n: number, reserved: boolean) =>
    store.append(`note-${n}`, 'no_stream', [event()], { reserved })
  const intents = Array.from({ length: 10 }, (_, n) => append(n, false))
  await t.rejects(append(10, false), EventStoreOverloaded)
  const outcomes = Array.from({ length: 5 }, (_, n) => append(20 + n, true))
  await t.rejects(append(11, false), EventStoreOverloaded)
  await t.rejects(append(25, true), EventStoreOverloaded)
  await admin('SELECT pg_advisory_unlock(7310001)')
  t.strictSame(kinds(await Promise.all([...intents, ...outcomes])), { committed: 15 })
  t.match(await append(10, false), { kind: 'committed' }, 'there is room again')
})

t.test('an append lock held too long rejects intents unwritten', async (t) => {
  const { store, admin } = await setUp(t, { times: { ...short, lockMs: 50 } })
  await admin('SELECT pg_advisory_lock(7310001)')
  const outcome = store.append('note-1', 'no_stream', [event()], { reserved: true })
  await t.rejects(store.append('note-2', 'no_stream', [event()]), EventStoreUnavailable)
  await admin('SELECT pg_advisory_unlock(7310001)')
  t.match(await outcome, { kind: 'committed' })
  t.equal(await eventCount(admin), 1)
})

t.test('an append that the database rejects fails alone', async (t) => {
  const { store, admin } = await setUp(t)
  await admin(`ALTER TABLE ledger.event ADD CHECK (type <> 'Poison')`)
  const results = await Promise.allSettled(
    Array.from({ length: 100 }, (_, n) =>
      store.append(`note-${n}`, 'no_stream', [
        event({ n }, n === 13 || n === 77 ? 'Poison' : 'Noted'),
      ]),
    ),
  )
  const failed = results.flatMap((result, n) => (result.status === 'rejected' ? [n] : []))
  t.strictSame(failed, [13, 77])
  t.equal(await eventCount(admin), 98)
})

t.test('an append that several processes send concurrently is written once', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const admin = await session(t, adminUrl)
  const stores = Array.from({ length: 4 }, () => postgresEventStore({ url }))
  t.teardown(() => Promise.all(stores.map((store) => store.close())))
  const same = events(3)
  const outcomes = await Promise.all(
    stores.map((store) => store.append('note-1', 'no_stream', same)),
  )
  t.strictSame(kinds(outcomes), { committed: 1, duplicate: 3 })
  t.equal(await eventCount(admin), 3)
})
