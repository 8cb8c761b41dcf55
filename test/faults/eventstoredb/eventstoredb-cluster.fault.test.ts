import { spawn } from 'node:child_process'
import t from 'tap'
import {
  AppendUnknown,
  EventStoreUnavailable,
} from '../../../src/service/event-store/event-store.ts'
import {
  appendTo,
  closeClient,
  openClient,
} from '../../../src/service/event-store/eventstoredb/eventstoredb-client.ts'
import {
  errorKind,
  failureOf,
} from '../../../src/service/event-store/eventstoredb/eventstoredb-errors.ts'
import { prepareAppend } from '../../../src/service/event-store/prepared-append.ts'
import { event, events, readEverything } from '../../event-store/contract.ts'
import {
  appendForSure,
  escapes,
  idsOf,
  opened,
  settled,
  setUp,
  short,
  shortReads,
} from '../../event-store/eventstoredb-set-up.ts'
import { until } from '../../event-store/session.ts'
import type { ReadTrick } from '../../eventstoredb-stand-in/script.ts'
import { eventStoreCluster, eventStoreStandIn } from '../../eventstoredb-stand-in/stand-in.ts'
import { watchProcess } from '../../support/run-process.ts'

const escaped = escapes()

t.test('a store connected to a follower node uses the leader', async (t) => {
  const { nodes } = await eventStoreCluster(t, 2)
  const [leader, follower] = nodes
  if (leader === undefined || follower === undefined) throw new Error('no cluster')
  const store = opened(t, follower.url)
  t.match(await store.append('note-1', 'no_stream', [event()]), { kind: 'committed' })
  t.match(await store.append('note-2', 'no_stream', [event()]), { kind: 'committed' })
  t.equal(follower.script.calls.append, 1, 'asked once')
  t.equal(leader.script.calls.append, 2)
  t.equal((await store.readStream('note-1')).length, 1)
  t.equal((await readEverything(store)).length, 2)
  for await (const item of store.subscribe(null, { signal: new AbortController().signal })) {
    if (item.kind === 'caught_up') break
  }
  t.equal(leader.script.calls.subscribe, 1)
})

for (const [how, what] of [
  ['stop', 'killed'],
  ['freeze', 'frozen'],
] as const) {
  t.test(`a leader that is ${what} under load loses and duplicates nothing`, async (t) => {
    const { nodes, url } = await eventStoreCluster(t, 3)
    const [first, second] = nodes
    if (first === undefined || second === undefined) throw new Error('no cluster')
    const store = opened(t, url, { times: short })
    let isOver = false
    let acknowledged = 0
    const written = new Map<string, string[]>()
    const write = async (writer: number) => {
      const ids: string[] = []
      written.set(`note-${writer}`, ids)
      while (!isOver) {
        const batch = [event()]
        await appendForSure(
          store,
          `note-${writer}`,
          ids.length ? ids.length - 1 : 'no_stream',
          batch,
        )
        ids.push(...batch.map(({ id }) => id))
        acknowledged += 1
      }
    }
    const fail = async () => {
      await until('appends are answered', () => acknowledged > 20)
      await first[how]()
      first.formCluster(nodes, second)
      const before = acknowledged
      await until('appends are answered again', () => acknowledged > before + 20)
      isOver = true
    }
    const total = Promise.all([fail(), ...Array.from({ length: 8 }, (_, n) => write(n))])
    const { ms } = await settled(total)
    await total
    t.ok(ms < 20_000, `${ms} ms`)
    for (const [stream, ids] of written) t.strictSame(idsOf(first, stream), ids)
    t.ok(second.script.calls.append > 20)
  })
}

t.test('calls to an unavailable cluster fail individually, and later ones succeed', async (t) => {
  const { nodes, url } = await eventStoreCluster(t, 2)
  const store = opened(t, url, { times: { callMs: 1_000, watchdogMs: 1_500, answerMs: 900 } })
  await store.append('note-1', 'no_stream', [event()])
  await store.readStream('note-1')
  for (let round = 0; round < 2; round++) {
    const calls = Array.from({ length: 10 }, (_, n) =>
      n % 2
        ? store.readStream('note-1')
        : store.append(`note-${round}-${n}`, 'no_stream', [event()]),
    )
    const settling = Promise.allSettled(calls)
    if (round === 0) for (const node of nodes) await node.stop()
    await settling
  }
  const later = await settled(store.append('note-2', 'no_stream', [event()]))
  t.type(later.error, EventStoreUnavailable)
  for (const node of nodes) await node.start()
  t.match(await appendForSure(store, 'note-3', 'no_stream', [event()]), { kind: 'committed' })
})

t.test('a call that fails while no leader is found fails alone', async (t) => {
  const { nodes, url } = await eventStoreCluster(t, 2)
  const [leader] = nodes
  const store = opened(t, url, {
    times: { callMs: 5_000, watchdogMs: 6_000, answerMs: 1_000 },
  })
  await store.append('note-0', 'no_stream', [event()])
  for (const { script } of nodes) script.always('gossip', 'silent')
  leader?.script.next('append', 'silent', 'unavailable_unwritten')
  const lost = settled(store.append('note-1', 'no_stream', [event()]))
  await until('it was heard', () => leader?.script.calls.append === 2)
  const retried = settled(store.append('note-2', 'no_stream', [event()]))
  // The second append made the client look for the leader again. The first one is still waiting for
  // its answer, and its connection dies before a leader is found.
  const asked = () => nodes.reduce((sum, { script }) => sum + script.calls.gossip, 0)
  await until('the leader is looked for again', () => asked() === 2)
  for (const node of nodes) await node.stop()
  t.type((await lost).error, AppendUnknown)
  t.match((await retried).error, { name: 'AppendUnknown' }, 'an error without a text tells nothing')
})

for (const [trick, what] of [
  ['not_ready', 'a server that is not ready yet'],
  ['unavailable', 'an error'],
  ['connection_lost_midway', 'a connection lost midway'],
] as const) {
  t.test(`a read that meets ${what} is repeated and complete`, async (t) => {
    const { standIn, store } = await setUp(t)
    await store.append('note-1', 'no_stream', events(20))
    standIn.script.next('read', trick)
    t.equal((await store.readStream('note-1')).length, 20)
    standIn.script.next('read', trick)
    t.equal((await store.readAll(null, { limit: 100 })).events.length, 20)
    standIn.script.always('read', trick)
    await t.rejects(store.readStream('note-1'), EventStoreUnavailable)
  })
}

t.test('a stalled read fails together with all other reads on its connection', async (t) => {
  const { standIn, store } = await setUp(t, { times: shortReads })
  await store.append('note-1', 'no_stream', events(20))
  for (const trick of ['silent', 'silent_midway'] satisfies ReadTrick[]) {
    standIn.script.always('read', trick)
    const first = settled(store.readStream('note-1'))
    await until('it was heard', () => standIn.subscriptions.length === 0)
    // They are cancelled with the first one and must not look like an empty stream.
    const others = [settled(store.readStream('note-1')), settled(store.head())]
    for (const { error } of await Promise.all([first, ...others])) {
      t.type(error, EventStoreUnavailable)
    }
    standIn.script.good()
    t.equal((await store.readStream('note-1')).length, 20, 'the next one has a new connection')
  }
  standIn.script.always('read', 'access_denied')
  t.match((await settled(store.head())).error, { trouble: { code: 'credentials_missing' } })
})

t.test('pages and the head of the store skip foreign events', async (t) => {
  const { standIn, store } = await setUp(t)
  const stream = async (n: number) => {
    await store.append(`note-${n}`, 'no_stream', events(1 + (n % 3)))
    standIn.log.writeStatistics([1, 2, 30, 1_100][n % 4] ?? 0)
  }
  for (let n = 0; n < 7; n++) await stream(n)
  const all = await readEverything(store)
  t.equal(all.length, 13)
  for (const limit of [1, 5]) t.strictSame(await readEverything(store, limit), all)
  t.equal(await store.head(), all.at(-1)?.position)
})

t.test("the client's own errors are classified as the adapter expects", async (t) => {
  const standIn = await eventStoreStandIn(t)
  const client = openClient(standIn.url)
  t.teardown(() => closeClient(client))
  const prepared = prepareAppend('note-1', 'no_stream', [event()])
  const [one] = prepared.events
  if (one === undefined) throw new Error('no event')
  const large = { ...one, data: JSON.stringify({ text: 'x'.repeat(1024 * 1024) }) }
  const tooLarge = await settled(
    appendTo(client, 'note-1', { ...prepared, events: [large] }, 5_000),
  )
  t.equal(errorKind(tooLarge.error), 'maximum-append-size-exceeded')
  t.equal(failureOf(tooLarge.error), 'refused')
  await appendTo(client, 'note-1', prepared, 5_000)
  const other = prepareAppend('note-1', 'no_stream', [event()])
  const { error } = await settled(appendTo(client, 'note-1', other, 5_000))
  t.match(error, { type: 'wrong-expected-version', actualVersion: 0n, message: '' })
  t.equal(failureOf(error), 'conflict')
})

/** A process that uses the store, closes it, and has no other reason to exit. */
const program = (url: string, storePath: string) => `
  import { eventStoreDb } from ${JSON.stringify(storePath)}
  const times = { callMs: 300, watchdogMs: 400, answerMs: 500, readSilentMs: 300 }
  const store = eventStoreDb({ url: ${JSON.stringify(url)}, prefixes: ['note-'], times })
  const event = { id: crypto.randomUUID(), type: 'Noted', data: {}, metadata: {} }
  const said = await store.append('note-1', 'no_stream', [event]).catch((error) => error)
  const read = await store.readStream('note-1').catch((error) => [error])
  const subscribe = () => store.subscribe(null, { signal: new AbortController().signal })
  const following = (async () => {
    for await (const item of subscribe()) if (item.kind === 'caught_up') break
  })().catch(() => undefined)
  if (said.kind !== undefined) await following
  // One subscription waits for events, the other is abandoned midway.
  const [waiting, left] = [subscribe(), subscribe()]
  left.next().catch(() => undefined)
  if (said.kind !== undefined) await waiting.next()
  waiting.next().catch(() => undefined)
  await store.close()
  console.log(said.kind ?? said.name, read.length)
`

for (const [state, said] of [
  ['answers', /committed 1/],
  ['is frozen', /EventStoreUnavailable 1/],
  ['is down', /EventStoreUnavailable 1/],
] as const) {
  t.test(`a process whose event store ${state} exits by itself after closing it`, async (t) => {
    const standIn = await eventStoreStandIn(t)
    if (state === 'is frozen') standIn.freeze()
    if (state === 'is down') await standIn.stop()
    const storePath = new URL(
      '../../../src/service/event-store/eventstoredb/eventstoredb.ts',
      import.meta.url,
    ).href
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval']
    const started = performance.now()
    const { code, stdout, stderr } = await watchProcess(
      spawn(process.execPath, [...args, program(standIn.url, storePath)]),
    ).ended
    t.equal(code, 0)
    t.match(stdout, said)
    t.equal(stderr, '')
    t.ok(performance.now() - started < 30_000)
  })
}

t.test('none of these read and cluster failures threw an uncaught error', async (t) => {
  t.strictSame(escaped, [])
})
