import t, { type Test } from 'tap'
import {
  AppendUnknown,
  type EventPlace,
  HistoryDiverged,
  LedgerStopped,
  type Place,
  placeAt,
  type Subscribed,
} from '../../../src/service/event-store/event-store.ts'
import type { EventStoreDbOptions } from '../../../src/service/event-store/eventstoredb/eventstoredb.ts'
import { event, events, readEverything } from '../../event-store/contract.ts'
import { escapes, idsOf, opened, settled } from '../../event-store/eventstoredb-set-up.ts'
import { until } from '../../event-store/session.ts'
import type { LogBackup } from '../../eventstoredb-stand-in/log.ts'
import {
  type EventStoreStandIn,
  eventStoreStandIn,
  type StandInOptions,
} from '../../eventstoredb-stand-in/stand-in.ts'

const escaped = escapes()

type Restored = (standIn: EventStoreStandIn, backup: LogBackup) => void

/** What may be at a position whose event a restored node does not have. */
const restored = {
  'nothing, because the log ends before it': (standIn, backup) => standIn.log.restore(backup),
  'no beginning of a record': (standIn, backup) => {
    standIn.log.restore(backup)
    standIn.log.writeEpoch()
    standIn.log.writeStatistics(20)
  },
  'another event': ({ log }, backup) => {
    const lost = log.events.slice(backup.length)
    log.restore(backup)
    for (const { stream, ...rest } of lost) {
      log.append(stream, 'any', [{ ...rest, id: crypto.randomUUID() }])
    }
    log.writeStatistics(3)
  },
} as const satisfies Readonly<Record<string, Restored>>

/**
 * A store that has read the whole log, and its node, which can be restored to before the last ten
 * events.
 */
async function setUp(
  t: Test,
  options: Partial<EventStoreDbOptions> & { readonly standIn?: StandInOptions } = {},
) {
  const standIn = await eventStoreStandIn(t, options.standIn)
  const noticed: HistoryDiverged[] = []
  const store = opened(t, standIn.url, {
    onDiverged: (error) => void noticed.push(error),
    ...options,
    times: { settleMs: 1, ...options.times },
  })
  await store.append('note-1', 'no_stream', events(5))
  standIn.log.writeStatistics(3)
  const backup = standIn.log.backUp()
  for (let n = 0; n < 10; n++) await store.append(`note-2${n}`, 'no_stream', [event()])
  const all = await readEverything(store)
  const [kept, lost] = [all[4], all.at(-1)] as unknown as [EventPlace, EventPlace]
  const restore = async (how: Restored) => {
    await standIn.stop()
    how(standIn, backup)
    await standIn.start()
  }
  return { standIn, store, noticed, kept, lost, restore }
}

const intent = { notAfter: new Date(Date.now() + 600_000) }
const never = () => new AbortController().signal

async function firstOf(subscribed: AsyncIterable<Subscribed>): Promise<Subscribed | null> {
  for await (const next of subscribed) return next
  return null
}

for (const [what, how] of Object.entries(restored)) {
  t.test(`a place at which a restored node has ${what} is refused`, async (t) => {
    const { store, noticed, kept, lost, restore } = await setUp(t)
    await restore(how)
    const place = placeAt(lost)
    await t.rejects(store.readAll(place, { limit: 10 }), HistoryDiverged)
    await t.rejects(firstOf(store.subscribe(place, { signal: never() })), HistoryDiverged)
    t.match(noticed, [{ expected: { id: lost.id, position: lost.position } }], 'told once')
    t.not((await store.eventAt(lost.position))?.id, lost.id)
    const after = await store.readAll(placeAt(kept), { limit: 100 })
    t.notOk(after.events.some(({ id }) => id === lost.id))
    t.equal((await store.eventAt(kept.position))?.id, kept.id)
  })

  t.test(
    `a subscription that meets ${what} in a restored node ends, and gives nothing`,
    async (t) => {
      const { standIn, store, noticed, lost, restore } = await setUp(t)
      const given: Subscribed[] = []
      const following = settled(
        (async () => {
          for await (const next of store.subscribe(placeAt(lost), { signal: never() }))
            given.push(next)
        })(),
      )
      await until('it has caught up', () => given.length === 1)
      await restore(how)
      standIn.log.append('note-9', 'no_stream', [proposed()])
      t.type((await following).error, HistoryDiverged)
      t.equal(given.length, 1)
      t.match(noticed, [{ expected: { id: lost.id } }])
    },
  )

  t.test(`an append that meets ${what} in a restored node is not written`, async (t) => {
    const { standIn, store, noticed, kept, lost, restore } = await setUp(t)
    await restore(how)
    t.ok(await store.eventAt(kept.position), 'there is a connection to the restored node')
    await t.rejects(store.append('note-3', 'no_stream', [event()], intent), LedgerStopped)
    t.strictSame(idsOf(standIn, 'note-3'), [])
    t.match(noticed, [{ expected: { id: lost.id } }])
    t.match(
      await store.append('note-4', 'no_stream', [event()], { reserved: true }),
      { kind: 'committed' },
      'an outcome is',
    )
  })
}

t.test('what KurrentDB says of a position without a record is a damaged ledger', async (t) => {
  const { standIn, store, noticed, kept, lost, restore } = await setUp(t, {
    standIn: { product: 'KurrentDB' },
  })
  await restore(restored['no beginning of a record'])
  const place = placeAt(lost)
  await t.rejects(store.readAll(place, { limit: 10 }), HistoryDiverged)
  await t.rejects(firstOf(store.subscribe(place, { signal: never() })), HistoryDiverged)
  t.equal(await store.eventAt(lost.position), null)
  t.match(noticed, [{ expected: { id: lost.id, position: lost.position } }], 'told once')
  t.equal((await store.eventAt(kept.position))?.id, kept.id)
  standIn.script.always('read', 'failed')
  await t.rejects(store.readAll(placeAt(kept), { limit: 10 }), { name: 'EventStoreUnavailable' })
})

t.test('an append under way when its node is lost is not sent to the restored one', async (t) => {
  const { standIn, store, noticed, restore } = await setUp(t)
  standIn.script.next('append', 'silent')
  const append = settled(store.append('note-3', 'no_stream', [event()], intent))
  await until('it was heard', () => standIn.script.calls.append === 12)
  await restore(restored['another event'])
  t.type((await append).error, AppendUnknown)
  t.strictSame(idsOf(standIn, 'note-3'), [])
  t.equal(noticed.length, 1)
})

t.test('new work waits after a lost connection for what other processes know', async (t) => {
  let isDamaged = false
  const { standIn, store } = await setUp(t, { isDamaged: async () => isDamaged })
  standIn.cut()
  t.match(await store.append('note-3', 'no_stream', [event()], intent), { kind: 'committed' })
  isDamaged = true
  t.match(
    await store.append('note-4', 'no_stream', [event()], intent),
    { kind: 'committed' },
    'connected',
  )
  standIn.cut()
  await store.head()
  await t.rejects(store.append('note-5', 'no_stream', [event()], intent), LedgerStopped)
  t.strictSame(idsOf(standIn, 'note-5'), [])
})

t.test('an append that an earlier call had written is no sign of damage', async (t) => {
  const { store, noticed } = await setUp(t)
  const first = [event()]
  await store.append('note-3', 'no_stream', first, intent)
  await store.append('note-4', 'no_stream', [event()])
  t.match(await store.append('note-3', 'no_stream', first, intent), { kind: 'committed' })
  t.strictSame(noticed, [])
})

t.test(
  "only other systems' events are lost: nothing is damaged, and nothing is skipped",
  async (t) => {
    const { standIn, store, noticed, lost } = await setUp(t)
    const backup = standIn.log.backUp()
    standIn.log.writeStatistics(1_000)
    let place: Place | null = null
    let looked = 0
    for await (const next of store.subscribe(null, { signal: never() })) {
      if (next.kind === 'batch') place = next.place
      if (next.kind === 'batch' && next.events.length === 0) looked += 1
      if (next.kind === 'caught_up') break
    }
    t.ok(looked > 0, 'it was said how far the log was looked at')
    t.match(place, { event: { id: lost.id } })
    await standIn.stop()
    standIn.log.restore(backup)
    standIn.log.writeEpoch()
    await standIn.start()
    t.match(await store.append('note-3', 'no_stream', [event()], intent), { kind: 'committed' })
    const next = await firstOf(store.subscribe(place, { signal: never() }))
    t.match(next, { kind: 'batch', events: [{ stream: 'note-3' }] })
    t.match((await store.readAll(place, { limit: 10 })).events, [{ stream: 'note-3' }])
    t.strictSame(noticed, [])
  },
)

t.test('a server that cannot read its log at all is unavailable, not damaged', async (t) => {
  const { standIn, store, noticed, lost } = await setUp(t)
  standIn.script.always('read', 'failed')
  await t.rejects(store.readAll(placeAt(lost), { limit: 10 }), { name: 'EventStoreUnavailable' })
  standIn.script.good()
  t.strictSame((await store.readAll(placeAt(lost), { limit: 10 })).events, [])
  t.strictSame(noticed, [])
})

t.test('none of these failures threw an uncaught error', async (t) => {
  t.strictSame(escaped, [])
})

function proposed() {
  const data = Buffer.from('{}')
  const id = crypto.randomUUID()
  return { id, type: 'Noted', contentType: 'application/json', data, metadata: data }
}
