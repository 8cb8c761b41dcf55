import { randomUUID } from 'node:crypto'
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

t.test('the functions that processes of earlier versions call append as they did', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const store = postgresEventStore({ url })
  t.teardown(() => store.close())
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  const former = {
    append: `append($1, $2, $3, json_build_array(json_build_object(
      'append', 1, 'id', $4::uuid, 'type', 'Noted', 'data', '{}'::json, 'metadata', '{}'::json)))`,
    append_texts: `append_texts($1, $2, $3, '{1}', ARRAY[$4::uuid], '{Noted}', '{}', '{}')`,
    append_with_items: `append_with_items($1, $2, $3, '{1}', ARRAY[$4::uuid], '{Noted}', '{}', '{}',
      '{}', '{}', '{}', '{}')`,
  }
  for (const [name, call] of Object.entries(former)) {
    const stream = `note-${name}`
    const ask = async (id: string, notAfter: Date | null = null) => {
      const { rows } = await admin.query(
        `SELECT append, status, revision, position IS NOT NULL AS placed FROM ledger.${call}`,
        [[stream], [-1], [notAfter], id],
      )
      return rows
    }
    const id = randomUUID()
    t.same(await ask(randomUUID(), new Date(0)), [
      { append: 1, status: 'expired', revision: -1, placed: false },
    ])
    t.same(await ask(id), [{ append: 1, status: 'committed', revision: 0, placed: true }])
    t.same(await ask(id), [{ append: 1, status: 'duplicate', revision: 0, placed: true }])
    t.same(await ask(randomUUID()), [{ append: 1, status: 'conflict', revision: 0, placed: false }])
    t.match(await store.readStream(stream), [{ id, type: 'Noted' }])
  }
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
