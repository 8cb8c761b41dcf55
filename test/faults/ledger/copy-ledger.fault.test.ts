import t from 'tap'
import { eventStoreOf } from '../../../src/service/app.ts'
import { encodeEvents, leafHolds } from '../../../src/service/event-store/codec.ts'
import {
  AppendUnknown,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../../src/service/event-store/event-store.ts'
import { memoryEventStore } from '../../../src/service/event-store/memory.ts'
import {
  CopyRefused,
  copyLedger,
  walkTogether,
} from '../../../src/service/ledger/copy/copy-ledger.ts'
import { eventStoreUrl } from '../../eventstoredb-stand-in/event-store-url.ts'
import { random, seedOf } from '../../support/random.ts'
import { noLogger } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'

const events = 700
const streams = 90
const seed = seedOf('COPY_SEED')
const draw = random(seed)
t.comment(`COPY_SEED=${seed}`)
const noProgress = () => undefined
const options = { appendsAtOnce: 256, checked: noProgress, copied: noProgress }

function auditEvents(count: number, revision: number): readonly NewEvent[] {
  const act = { type: 'WorkspaceCreated', data: { workspace_id: `ws_ñ_${revision}` } }
  return encodeEvents(
    Array.from({ length: count }, () => act),
    revision,
    {
      organizationId: 'org_1',
      workspaceId: null,
      shipmentId: null,
      livemode: false,
      actor: { type: 'cli', keyId: null },
      requestId: null,
      causationId: null,
      correlationId: null,
      recordedAt: Date.now(),
    },
  )
}

/** Appends to streams alternately and in bursts, in an order that only the ledger records. */
async function grow(store: EventStore, lengths: Map<string, number>, count: number) {
  for (let made = 0; made < count; ) {
    const stream = `audit-${Math.floor(draw() * draw() * streams)}`
    const length = lengths.get(stream) ?? 0
    const more = draw() < 0.1 ? 40 : 1 + Math.floor(draw() * 3)
    await store.append(stream, length === 0 ? 'no_stream' : length - 1, auditEvents(more, length))
    lengths.set(stream, length + more)
    made += more
  }
}

async function all(store: Pick<EventStore, 'readAll'>) {
  const found: StoredEvent[] = []
  for (let last: string | null = null; ; ) {
    const page = await store.readAll(last, { limit: 500 })
    if (page.events.length === 0) return found.map(({ position: _, ...event }) => event)
    found.push(...page.events)
    last = page.last
  }
}

const source = memoryEventStore()
const lengths = new Map<string, number>()
t.before(() => grow(source, lengths, events))

t.test('a copy to and from every store has the same events in the same order', async (t) => {
  const log = noLogger()
  const [one, two] = [await testDatabase(t), await testDatabase(t)]
  const url = await eventStoreUrl(t)
  const at = { databaseUrl: '', eventStoreUrl: url, log }
  const namespace = `copy-${Math.floor(draw() * 1e9)}-`
  const chain: readonly (readonly [EventStore, number])[] = [
    [eventStoreOf({ databaseUrl: one.url, log }), 256],
    [eventStoreOf({ databaseUrl: two.url, log }), 256],
    [eventStoreOf({ ...at, eventStoreNamespace: `${namespace}a` }), 1],
    [eventStoreOf({ ...at, eventStoreNamespace: `${namespace}b` }), 1],
    [memoryEventStore(), 256],
  ]
  t.teardown(() => Promise.all(chain.map(([store]) => store.close())))
  const expected = await all(source)
  let from = source
  for (const [to, appendsAtOnce] of chain) {
    const { found, copied } = await copyLedger(from, to, { ...options, appendsAtOnce })
    t.same([found, copied], [0, expected.length])
    t.same(await all(to), expected)
    const walked = await walkTogether(from, to, noProgress)
    t.match(walked, { events: expected.length, isWhole: true, target: await to.head() })
    from = to
  }
})

t.test('an interrupted copy resumes, and lost answers write nothing twice', async (t) => {
  const { url } = await testDatabase(t)
  const to = eventStoreOf({ databaseUrl: url, log: noLogger() })
  t.teardown(() => to.close())
  const expected = await all(source)
  const sent = new Set<string>()
  let appends = 0
  let killedAfter = Number.POSITIVE_INFINITY
  const flaky = {
    readAll: to.readAll.bind(to),
    async append(...order: Parameters<EventStore['append']>) {
      if (sent.size >= killedAfter) throw new Error('the process is killed')
      for (const { id } of order[2]) sent.add(id)
      const outcome = await to.append(...order)
      appends += 1
      if (appends % 37 === 0) throw new AppendUnknown('the answer was lost')
      return outcome
    },
  }
  for (const part of [0.2, 0.4, 0.6]) {
    killedAfter = expected.length * part
    await t.rejects(copyLedger(source, flaky, options), { message: 'the process is killed' })
  }
  killedAfter = Number.POSITIVE_INFINITY
  const { found, copied } = await copyLedger(source, flaky, options)
  t.ok(found > 0 && found < expected.length, `${found} of ${expected.length}`)
  t.equal(found + copied, expected.length)
  t.same(await all(to), expected)
})

t.test('a copy refuses a target that is damaged or not a prefix of the source', async (t) => {
  const other = memoryEventStore()
  await grow(other, new Map(), 10)
  await t.rejects(copyLedger(source, other, options), {
    name: 'CopyRefused',
    message: /^The target is not a copy of the source: event \S+ at .* is where the source has/,
  })
  const longer = memoryEventStore()
  await copyLedger(source, longer, options)
  await grow(longer, new Map(lengths), 1)
  await t.rejects(copyLedger(source, longer, options), /it continues with event/)
  await t.rejects(walkTogether(source, longer, noProgress), CopyRefused)

  const damaged = {
    async readAll(...order: Parameters<EventStore['readAll']>) {
      const page = await source.readAll(...order)
      const changed = page.events.map((event) =>
        Number(event.position) === 300 ? { ...event, data: { workspace_id: 'ws_x' } } : event,
      )
      t.ok(changed.filter((event) => !leafHolds(event)).length <= 1)
      return { ...page, events: changed }
    },
  }
  await t.rejects(
    copyLedger(damaged, memoryEventStore(), options),
    /The source is damaged: the con/,
  )
  const copy = memoryEventStore()
  await copyLedger(source, copy, options)
  await t.rejects(
    walkTogether(source, damaged, noProgress),
    /The target is damaged: the content of ev/,
  )
})
