import { randomUUID } from 'node:crypto'
import t from 'tap'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { testDatabase } from '../support/test-database.ts'
import { event, kinds } from './contract.ts'
import { session } from './session.ts'

const insert = `INSERT INTO ledger.event
  (position, stored_at, event_id, revision, stream_id, type, data, metadata)
  VALUES (2, now(), gen_random_uuid(), 0, 'note-2', 'Noted', '{}', '{}')`
const changes = [
  `UPDATE ledger.event SET type = 'Forged'`,
  'DELETE FROM ledger.event',
  'TRUNCATE ledger.event',
]

t.test('no role can change an event, and the application cannot insert one directly', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  await store.append('note-1', 'no_stream', [event()])
  const before = await store.readStream('note-1')
  const [application, owner] = [await session(t, url), await session(t, adminUrl)]
  for (const change of [...changes, insert]) {
    await t.rejects(application(change), { code: '42501' }, change)
  }
  await t.rejects(
    application('ALTER TABLE ledger.event DISABLE TRIGGER event_never_changes'),
    /must be owner/,
  )
  await t.rejects(application('SET session_replication_role = replica'), { code: '42501' })
  for (const role of ['origin', 'replica']) {
    await owner(`SET session_replication_role = ${role}`)
    for (const change of changes) await t.rejects(owner(change), /only ever appended to/, change)
  }
  t.strictSame(await store.readStream('note-1'), before)
})

t.test('the append function refuses a snapshot older than its lock', async (t) => {
  const { url } = await testDatabase(t)
  const application = await session(t, url)
  const one = { append: 1, id: randomUUID(), type: 'Noted', data: {}, metadata: {} }
  const append = () =>
    application(`SELECT * FROM ledger.append('{note-1}', '{-1}', '{NULL}', $1)`, [
      JSON.stringify([one]),
    ])
  for (const level of ['REPEATABLE READ', 'SERIALIZABLE']) {
    await application(`BEGIN ISOLATION LEVEL ${level}`)
    await t.rejects(append(), /needs READ COMMITTED/)
    await application('ROLLBACK')
  }
  t.match(await append(), [{ status: 'committed' }])
})

t.test('an event is stored with exactly the given bytes', async (t) => {
  const { url } = await testDatabase(t)
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const data = { z: 'ü', a: [1, 1.5, 1e21], '10': '\u0001', '2': null }
  await store.append('note-1', 'no_stream', [event(data)])
  const application = await session(t, url)
  const [row] = await application('SELECT data::text AS data FROM ledger.event')
  t.equal(row?.data, JSON.stringify(data))
})

t.test('appends planned on an empty ledger still work after 20,000 events', async (t) => {
  const { url } = await testDatabase(t)
  const batches: number[] = []
  const store = postgresEventStore({ url, queueMax: 5000, onBatch: ({ ms }) => batches.push(ms) })
  t.teardown(() => store.close())
  const total = 20_000
  for (let done = 0; done < total; done += 4000) {
    const outcomes = await Promise.all(
      Array.from({ length: 4000 }, () =>
        store.append(`note-${randomUUID()}`, 'no_stream', [event()]),
      ),
    )
    t.strictSame(kinds(outcomes), { committed: 4000 })
  }
  t.equal(Number(await store.head()), total)
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0
  const [early, late] = [median(batches.slice(1, 17)), median(batches.slice(-16))]
  t.comment(`a batch takes ${(late / early).toFixed(2)} of its first time after ${total} events`)
})
