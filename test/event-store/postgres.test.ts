import pg from 'pg'
import t from 'tap'
import { timelineSql } from '../../src/service/database/session.ts'
import { EventStoreUnavailable } from '../../src/service/event-store/event-store.ts'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { testDatabase } from '../support/test-database.ts'
import { event, eventStoreContract, type MakeStore, readingContract } from './contract.ts'

t.test('the PostgreSQL event store fulfils the event store contract', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const makeStore: MakeStore = async (t) => {
    await emptied(adminUrl)
    const store = postgresEventStore({ url })
    t.teardown(() => store.close())
    return store
  }
  eventStoreContract(t, makeStore)
  readingContract(t, makeStore)
})

t.test('an append that refers to what another server has is not written', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const { rows } = await admin.query(`SELECT ${timelineSql} AS timeline`)
  const [{ timeline: storedOn }] = rows
  t.match(await store.append('note-1', 'no_stream', [event()], { storedOn }), { kind: 'committed' })
  const elsewhere = { storedOn: storedOn.replace(/.$/, 'F') }
  await t.rejects(store.append('note-2', 'no_stream', [event()], elsewhere), EventStoreUnavailable)
  t.strictSame(await store.readStream('note-2'), [])
})

/** Empties the ledger by force, because a database per test would take longer than all of them. */
async function emptied(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`BEGIN;
    ALTER TABLE ledger.event DISABLE TRIGGER event_never_changes;
    TRUNCATE ledger.event;
    ALTER TABLE ledger.event ENABLE ALWAYS TRIGGER event_never_changes;
    COMMIT`)
  await admin.end()
}
