import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { migrate, migrationNames } from '../../src/service/database/migrate.ts'
import { schemaSnapshot } from '../../src/service/database/schema.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { sealedFrom } from '../../src/service/ledger/tree.ts'
import { emptyDatabase, testDatabase } from '../support/test-database.ts'
import { dueInManyLists } from './former-due.ts'
import { sealsOneByOne, undoFrom0061, undoFrom0065, undoFrom0066 } from './former-seals.ts'

async function connect(
  t: { teardown(fn: () => Promise<void>): unknown },
  url: string,
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

t.test('four concurrent starts on an empty database migrate it once', async (t) => {
  const { adminUrl } = await emptyDatabase(t)
  const runs = await Promise.all(
    Array.from({ length: 4 }, () => migrate({ adminUrl, applicationRole })),
  )
  t.same(
    runs.flatMap((run) => run.applied),
    migrationNames(),
  )
  t.same((await migrate({ adminUrl, applicationRole })).applied, [])
})

t.test('a database that is newer than the code stops the start with a clear message', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const admin = await connect(t, adminUrl)
  await admin.query(
    `INSERT INTO migrations.kysely_migration (name, timestamp) VALUES ('9999-later', '')`,
  )
  await t.rejects(migrate({ adminUrl, applicationRole }), {
    name: 'StartError',
    message: /newer than this version .*9999-later.*: start the version that migrated it/,
  })
})

t.test('the application role can append to the ledger but never change it', async (t) => {
  const { url, adminUrl } = await testDatabase(t)
  const application = await connect(t, url)
  const admin = await connect(t, adminUrl)
  await application.query(
    `SELECT * FROM ledger.append(ARRAY['audit-x'], ARRAY[-1], ARRAY[NULL]::timestamptz[],
       '[{"append":1,"id":"00000000-0000-4000-8000-000000000001","type":"T","data":{},"metadata":{}}]')`,
  )
  t.equal((await application.query('SELECT FROM ledger.event')).rowCount, 1)
  for (const statement of [
    `UPDATE ledger.event SET type = 'U'`,
    'DELETE FROM ledger.event',
    'TRUNCATE ledger.event',
    'ALTER TABLE ledger.event DISABLE TRIGGER ALL',
    'DROP TABLE ledger.event',
    `INSERT INTO ledger.event SELECT * FROM ledger.event`,
    'CREATE TABLE ledger.mine ()',
    'CREATE TABLE public.mine ()',
    'DELETE FROM migrations.kysely_migration',
    `ALTER ROLE ${applicationRole} SUPERUSER`,
    'SET session_replication_role = replica',
  ]) {
    await t.rejects(application.query(statement), { code: '42501' }, statement)
  }
  // The triggers refuse even the owner.
  await t.rejects(admin.query('DELETE FROM ledger.event'), { code: '42501' })

  await application.query('CREATE TABLE projections.mine (n int)')
  await application.query('DROP TABLE projections.mine')
  await application.query(`INSERT INTO claims (work, leased_until) VALUES ('w', now())`)
  await application.query(`UPDATE claims SET leased_until = now()`)
  t.equal((await application.query('DELETE FROM claims')).rowCount, 1)
})

t.test('even an application role that owns the database cannot change an event', async (t) => {
  const { url, adminUrl } = await emptyDatabase(t)
  const admin = await connect(t, adminUrl)
  const { pathname } = new URL(url)
  await admin.query(`ALTER DATABASE ${pathname.slice(1)} OWNER TO ${applicationRole}`)
  await migrate({ adminUrl: url, applicationRole })
  const owner = await connect(t, url)
  await owner.query(
    `INSERT INTO ledger.event VALUES (1, now(), gen_random_uuid(), 0, 'audit-x', 'T', '{}', '{}')`,
  )
  await t.rejects(owner.query('DELETE FROM ledger.event'), { code: '42501' })
  await t.rejects(owner.query(`UPDATE ledger.event SET type = 'U'`), { code: '42501' })
})

t.test('thresholds reached before they were marked are not reported again', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const admin = await connect(t, adminUrl)
  await dueInManyLists(admin, { readModels: false })
  await sealsOneByOne(admin)
  await admin.query(`INSERT INTO organizations VALUES ('org', 'Test', 'external', now())`)
  const reach = (percent: number) =>
    admin.query(
      `INSERT INTO quota_thresholds (organization_id, livemode, month, percent, used, quota, reached_at)
       VALUES ('org', false, '2026-03-01', $1, 8, 10, now())`,
      [percent],
    )
  await reach(80)
  await migrate({ adminUrl, applicationRole })
  await reach(100)
  const { rows } = await admin.query(
    'SELECT percent FROM quota_thresholds WHERE enqueued_at IS NULL',
  )
  t.same(rows, [{ percent: 100 }])
})

t.test('an invoice that was imported before lines could be skipped has none', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const admin = await connect(t, adminUrl)
  await admin.query(
    'DROP TABLE courier_invoice_invalid_lines; ALTER TABLE courier_invoice_versions DROP COLUMN invalid',
  )
  await undoFrom0061(admin)
  await admin.query(`DELETE FROM migrations.kysely_migration WHERE name >= '0060'`)
  await admin.query(
    `INSERT INTO courier_invoices (id, organization_id, workspace_id, livemode,
       courier_connection_id, reference, version, state)
     VALUES ('inv_1', 'org', 'ws', false, 'ccn', 'x', 1, 'compared')`,
  )
  await admin.query(
    `INSERT INTO courier_invoice_versions (invoice_id, version, organization_id, total, actor,
       request_id)
     VALUES ('inv_1', 1, 'org', 3, '{}', 'req')`,
  )
  const { applied } = await migrate({ adminUrl, applicationRole })
  t.equal(applied[0], '0060-invalid-invoice-lines')
  const { rows } = await admin.query('SELECT total, invalid FROM courier_invoice_versions')
  t.same(rows, [{ total: 3, invalid: 0 }])
})

t.test('samples of sealed data that PostgreSQL took before 0064 are deleted', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const admin = await connect(t, adminUrl)
  await admin.query('ALTER TABLE vault ALTER wrapped_key SET STATISTICS -1')
  await undoFrom0065(admin)
  await admin.query(`DELETE FROM migrations.kysely_migration WHERE name >= '0064'`)
  await admin.query(
    `INSERT INTO vault (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key)
     SELECT gen_random_uuid(), 'org', 'ws', 'shp_' || n, 'key', decode(md5(n::text), 'hex')
     FROM generate_series(1, 100) AS n`,
  )
  const sampled = async () => {
    await admin.query('ANALYZE vault')
    const { rowCount } = await admin.query(
      `SELECT FROM pg_stats WHERE tablename = 'vault' AND attname = 'wrapped_key'`,
    )
    return rowCount
  }
  t.equal(await sampled(), 1)
  await migrate({ adminUrl, applicationRole })
  t.equal(await sampled(), 0)
})

t.test('a key from before roles existed is custom and has no name', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const admin = await connect(t, adminUrl)
  await undoFrom0066(admin)
  await admin.query(`DELETE FROM migrations.kysely_migration WHERE name >= '0066'`)
  await admin.query(
    `INSERT INTO organizations (id, name, type, created_at) VALUES ('org', 'O', 'external', now())`,
  )
  await admin.query(
    `INSERT INTO api_keys (id, organization_id, livemode, digest, pepper_version, last4, scopes, created_at)
     VALUES ('key_1', 'org', false, '\\x00', 1, 'abcd', '{shipments:read}', now())`,
  )
  await migrate({ adminUrl, applicationRole })
  const { rows } = await admin.query('SELECT name, role, scopes FROM api_keys')
  t.same(rows, [{ name: null, role: 'custom', scopes: ['shipments:read'] }])
})

t.test('schema.sql matches the schema that the migrations create', async (t) => {
  const { adminUrl } = await testDatabase(t)
  const snapshot = await schemaSnapshot(await connect(t, adminUrl), applicationRole)
  const committed = readFileSync(
    join(import.meta.dirname, '../../src/service/database/schema.sql'),
    'utf8',
  )
  t.equal(snapshot, committed, 'run `npm run generate`')
})

t.test(
  'seals stored as one row per event survive the migration to batches, gaps included',
  async (t) => {
    const { url, adminUrl } = await testDatabase(t)
    const admin = await connect(t, adminUrl)
    await dueInManyLists(admin, { readModels: false })
    await sealsOneByOne(admin)
    // Out of order, and with one removed.
    const { rows } = await admin.query(`
    INSERT INTO sealed_events (tree_index, position, stream, revision, leaf)
    SELECT n, lpad((2 * n)::text, 20, '0'), 'shipment-' || n % 7, n / 7, sha256(n::text::bytea)
    FROM generate_series(699, 0, -1) n WHERE n <> 300
    RETURNING tree_index::int AS index, position, stream, revision, leaf`)
    t.equal((await migrate({ adminUrl, applicationRole })).applied[0], '0027-sealed-batches')
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    })
    t.teardown(() => db.destroy())
    const expected = rows.toSorted((a, b) => a.index - b.index)
    t.same(await sealedFrom(db, 0, 1_000), expected)
    t.same(await sealedFrom(db, 300, 1), [expected[300]], 'the gap is skipped')
    const application = await connect(t, url)
    for (const statement of [
      'DELETE FROM sealed_batches',
      'UPDATE sealed_batches SET leaves = leaves',
      'DELETE FROM vault',
      'UPDATE vault_items SET payload = NULL',
    ]) {
      await t.rejects(application.query(statement), { code: '42501' }, statement)
    }
  },
)
