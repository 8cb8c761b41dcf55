import t from 'tap'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../../src/service/event-store/event-store.ts'
import {
  appendTo,
  closeClient,
  openClient,
} from '../../src/service/event-store/eventstoredb/eventstoredb-client.ts'
import { failureOf } from '../../src/service/event-store/eventstoredb/eventstoredb-errors.ts'
import { prepareAppend } from '../../src/service/event-store/prepared-append.ts'
import type { AppendTrick } from '../eventstoredb-stand-in/script.ts'
import { event, events, kinds, readEverything } from './contract.ts'
import {
  appendForSure,
  escapes,
  idsOf,
  opened,
  ownIds,
  settled,
  setUp,
  short,
  shortReads,
} from './eventstoredb-set-up.ts'
import { until } from './session.ts'

const escaped = escapes()

type Refused = 'access_denied' | 'event_too_large'

/** What the server does with an append, as worded in the test's title. */
const tricks: Readonly<Record<Exclude<AppendTrick, Refused>, string>> = {
  silent: 'is lost without an answer',
  written_silent: 'is written without an answer',
  written_answer_lost: 'is written before its connection dies',
  unwritten_connection_lost: 'is not written before its connection dies',
  late_answer: 'is written and answered too late',
  late_write: 'is written long after the call timed out',
  deadline_exceeded_in_flight: 'gets deadline exceeded while in flight',
  deadline_exceeded_unwritten: 'gets deadline exceeded from a leader without a quorum',
  timed_out_written: 'is written and gets a timeout error',
  not_ready: 'gets an untyped error from a server that is not ready',
  not_ready_unavailable: 'gets an unavailable error from a server that is not ready',
  no_leader_info: 'reaches a follower that knows no leader',
  rst_stream_written: 'is written before its stream is reset',
  unavailable_unwritten: 'gets an unspecific error',
  repeat_without_position: 'succeeds',
}

/** These tests mostly wait, so several run at once. */
const together = { buffered: true }
t.jobs = 4

for (const [trick, what] of Object.entries(tricks) as [keyof typeof tricks, string][]) {
  t.test(
    `an append that ${what} is written once, and its outcome is found`,
    together,
    async (t) => {
      const { standIn, store } = await setUp(t, { times: short })
      const first = events(2)
      const second = events(3)
      standIn.script.next('append', trick)
      t.match(await store.append('note-1', 'no_stream', first), {
        kind: /committed|duplicate/,
        revision: 1,
      })
      standIn.script.next('append', trick, trick, 'repeat_without_position')
      const outcome = await store.append('note-1', 1, second)
      const last = (await store.readStream('note-1')).at(-1)
      t.match(outcome, { kind: /committed|duplicate/, revision: 4, position: last?.position })
      t.strictSame(
        idsOf(standIn, 'note-1'),
        [...first, ...second].map(({ id }) => id),
      )
    },
  )
}

t.test(
  'a duplicate append acknowledged without a position still returns its position',
  async (t) => {
    const { standIn, store } = await setUp(t)
    standIn.script.next('append', 'written_answer_lost', 'repeat_without_position')
    const outcome = await store.append('note-1', 'no_stream', events(2))
    const last = (await store.readStream('note-1')).at(-1)
    t.strictSame(outcome, { kind: 'duplicate', revision: 1, position: last?.position })
  },
)

t.test('a lost append conflicts if another append took its revision', async (t) => {
  const { standIn, store } = await setUp(t, { times: short })
  standIn.script.next('append', 'silent')
  const lost = store.append('note-1', 'no_stream', [event()])
  await until('the append reached the server', () => standIn.script.calls.append === 1)
  await opened(t, standIn.url).append('note-1', 'no_stream', events(3))
  t.strictSame(await lost, { kind: 'conflict', actual: 2 })
})

t.test('an append without an answer is unknown, whether it was written or not', async (t) => {
  const { standIn, store } = await setUp(t, { times: { ...short, answerMs: 500 } })
  const batches = { silent: events(2), written_silent: events(2) } as const
  for (const trick of ['silent', 'written_silent'] as const) {
    standIn.script.always('append', trick)
    const { error, ms } = await settled(store.append(`note-${trick}`, 'no_stream', batches[trick]))
    t.type(error, AppendUnknown)
    t.ok(ms < 3_000, 'within its time')
  }
  t.equal(standIn.log.stream('note-silent').length, 0)
  t.equal(standIn.log.stream('note-written_silent').length, 2)
  standIn.script.good()
  for (const trick of ['silent', 'written_silent'] as const) {
    await appendForSure(store, `note-${trick}`, 'no_stream', batches[trick])
  }
  t.equal(ownIds(standIn).length, 4)
})

t.test('the watchdog ends a call that exceeds its own deadline', async (t) => {
  const { standIn, store } = await setUp(t, {
    times: { callMs: 60_000, watchdogMs: 300, answerMs: 200 },
  })
  standIn.script.always('append', 'silent')
  const { error, ms } = await settled(store.append('note-1', 'no_stream', [event()]))
  t.type(error, AppendUnknown)
  t.ok(ms < 5_000)
})

t.test('calls to a frozen server time out and succeed again after it recovers', async (t) => {
  const { standIn, store } = await setUp(t, { times: { ...short, ...shortReads, answerMs: 800 } })
  await store.append('note-0', 'no_stream', [event()])
  await store.readStream('note-0')
  standIn.freeze()
  const batch = [event()]
  const sent = store.append('note-1', 'no_stream', batch)
  sent.catch(() => undefined)
  await Promise.all([
    t.rejects(sent, AppendUnknown),
    t.rejects(store.readStream('note-0'), EventStoreUnavailable),
    t.rejects(store.readAll(null, { limit: 10 }), EventStoreUnavailable),
    t.rejects(store.head(), EventStoreUnavailable),
  ])
  // By now there is a new connection, on which nothing was sent because the server never answered.
  let late = ''
  await until('an append is certainly not sent', async () => {
    late = `note-${crypto.randomUUID()}`
    const { error } = await settled(store.append(late, 'no_stream', [event()]))
    return error instanceof EventStoreUnavailable
  })
  standIn.thaw()
  t.match(await appendForSure(store, 'note-1', 'no_stream', batch), { revision: 0 })
  t.match(await appendForSure(store, 'note-3', 'no_stream', [event()]), { kind: 'committed' })
  t.equal(idsOf(standIn, 'note-1').length, 1)
  t.equal(idsOf(standIn, late).length, 0, 'appends that were certainly not sent are missing')
  // A loaded machine may need several tries of the short time that a read has here.
  await until('everything can be read again', async () => {
    const read = await readEverything(store).catch(() => [])
    return read.length >= 3
  })
})

t.test('an append to a server that is down is certainly not sent', async (t) => {
  const { standIn, store } = await setUp(t, { times: { answerMs: 500 } })
  await store.append('note-0', 'no_stream', [event()])
  await standIn.stop()
  await until('the connection is known to be dead', async () => {
    const { error } = await settled(store.append('note-1', 'no_stream', [event()]))
    return error instanceof EventStoreUnavailable
  })
  await t.rejects(store.readStream('note-0'), EventStoreUnavailable)
  await standIn.start()
  t.match(await store.append('note-2', 'no_stream', [event()]), { kind: 'committed' })
  t.equal((await store.readStream('note-0')).length, 1)
  t.equal(idsOf(standIn, 'note-1').length, 0)
})

t.test('restarting the server under load loses and duplicates no append', async (t) => {
  const { standIn, store } = await setUp(t)
  let isOver = false
  let acknowledged = 0
  const written = new Map<string, string[]>()
  const write = async (writer: number) => {
    const ids: string[] = []
    written.set(`note-${writer}`, ids)
    while (!isOver) {
      const batch = events(2)
      const expected = ids.length === 0 ? 'no_stream' : ids.length - 1
      const outcome = await appendForSure(store, `note-${writer}`, expected, batch)
      t.match(outcome, { kind: /committed|duplicate/ })
      ids.push(...batch.map(({ id }) => id))
      acknowledged += 1
    }
  }
  const kill = async () => {
    for (let kills = 0; kills < 4; kills++) {
      const before = acknowledged
      await until('appends are answered', () => acknowledged > before + 20)
      await standIn.stop()
      await standIn.start()
    }
    isOver = true
  }
  await Promise.all([kill(), ...Array.from({ length: 8 }, (_, n) => write(n))])
  for (const [stream, ids] of written) t.strictSame(idsOf(standIn, stream), ids)
})

t.test('lost connections to one server do not affect appends to another', async (t) => {
  const [broken, sound] = [await setUp(t), await setUp(t)]
  await broken.store.append('note-0', 'no_stream', [event()])
  const all: Promise<unknown>[] = []
  for (let n = 1; n <= 20; n++) {
    all.push(appendForSure(broken.store, `note-${n}`, 'no_stream', [event()]))
    all.push(sound.store.append(`note-${n}`, 'no_stream', [event()]))
    if (n % 5 === 0) broken.standIn.cut()
  }
  await Promise.all(all)
  t.equal(ownIds(broken.standIn).length, 21)
  t.equal(sound.standIn.script.calls.append, 20, 'each was sent once')
})

t.test('a full EventStoreDB append queue refuses intents and still accepts outcomes', async (t) => {
  const times = { callMs: 10_000, watchdogMs: 11_000, answerMs: 15_000 }
  const { standIn, store } = await setUp(t, { queueMax: 10, reservedMax: 5, times })
  await store.append('note-0', 'no_stream', [event()])
  standIn.freeze()
  const append = (n: number, reserved: boolean) =>
    store.append(`note-${n}`, 'no_stream', [event()], { reserved })
  const intents = Array.from({ length: 10 }, (_, n) => append(1 + n, false))
  await t.rejects(append(11, false), EventStoreOverloaded)
  const outcomes = Array.from({ length: 5 }, (_, n) => append(20 + n, true))
  await t.rejects(append(12, false), EventStoreOverloaded)
  await t.rejects(append(25, true), EventStoreOverloaded)
  standIn.thaw()
  t.strictSame(kinds(await Promise.all([...intents, ...outcomes])), { committed: 15 })
  t.match(await append(11, false), { kind: 'committed' }, 'there is room again')
  t.equal(ownIds(standIn).length, 17)
})

t.test('appends that never leave the queue are certainly not sent', async (t) => {
  const times = { callMs: 5_000, watchdogMs: 1_200, answerMs: 600 }
  const { standIn, store } = await setUp(t, { times })
  standIn.script.always('append', 'silent')
  const all = await Promise.all(
    Array.from({ length: 300 }, (_, n) =>
      settled(store.append(`note-${n}`, 'no_stream', [event()])),
    ),
  )
  const unsent = all.filter(({ error }) => error instanceof EventStoreUnavailable).length
  const unknown = all.filter(({ error }) => error instanceof AppendUnknown).length
  t.equal(unsent + unknown, 300)
  t.ok(unsent >= 44, 'those beyond the 256 that may be in flight')
  t.ok(standIn.script.calls.append <= unknown, `${standIn.script.calls.append} were heard`)
})

t.test(
  'an unsent append past notAfter is expired, and one that may be sent is unknown',
  async (t) => {
    const { standIn, store } = await setUp(t, { times: short })
    await store.append('note-0', 'no_stream', [event()])
    const soon = () => ({ notAfter: new Date(Date.now() + 300) })
    standIn.script.always('append', 'not_ready')
    const never = await store.append('note-1', 'no_stream', [event()], soon())
    t.strictSame(never, { kind: 'expired' })
    standIn.script.always('append', 'written_silent')
    const written = await store.append('note-2', 'no_stream', [event()], soon())
    t.match(written, { kind: 'duplicate', revision: 0 })
    standIn.script.always('append', 'silent')
    await t.rejects(store.append('note-3', 'no_stream', [event()], soon()), AppendUnknown)
    t.equal(ownIds(standIn).length, 2)
  },
)

t.test('an append that the server refuses is not repeated', async (t) => {
  const { standIn, store } = await setUp(t)
  standIn.script.next('append', 'access_denied')
  const { error } = await settled(store.append('note-1', 'no_stream', [event()]))
  t.match(error, { name: 'EventStoreUnavailable', trouble: { code: 'credentials_missing' } })
  t.equal(standIn.script.calls.append, 1)
  standIn.script.next('append', 'written_answer_lost', 'access_denied')
  await t.rejects(store.append('note-2', 'no_stream', [event()]), AppendUnknown, 'it is written')
})

t.test('an append with an event that KurrentDB refuses as too large is not repeated', async (t) => {
  const { standIn, store } = await setUp(t)
  standIn.script.next('append', 'event_too_large')
  const { error } = await settled(store.append('note-1', 'no_stream', [event()]))
  t.type(error, RangeError)
  t.match(error, { message: 'an event is larger than the event store accepts' })
  t.equal(standIn.script.calls.append, 1, 'it is not repeated')
  standIn.script.next('append', 'written_answer_lost', 'event_too_large')
  await t.rejects(store.append('note-2', 'no_stream', [event()]), AppendUnknown, 'it is written')
})

t.test("an append to a stream outside the store's prefixes is refused", async (t) => {
  const { store } = await setUp(t)
  await t.rejects(store.append('other-1', 'no_stream', [event()]), RangeError)
})

t.test('an append through a connection that was just closed is certainly not sent', async (t) => {
  const { standIn } = await setUp(t)
  const client = openClient(standIn.url)
  await closeClient(client)
  const prepared = prepareAppend('note-1', 'no_stream', [event()])
  const { error } = await settled(appendTo(client, 'note-1', prepared, 5_000))
  t.equal(failureOf(error), 'not_written')
  t.equal(standIn.script.calls.append, 0)
})

t.test('none of these append failures threw an uncaught error', async (t) => {
  t.strictSame(escaped, [])
})
