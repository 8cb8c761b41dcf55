import pg from 'pg'
import t from 'tap'
import { postgresEventStore } from '../../src/service/event-store/postgres/postgres.ts'
import { testDatabase } from '../support/test-database.ts'
import { eventStoreContract, type MakeStore, readingContract } from './contract.ts'

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
