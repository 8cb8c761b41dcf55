import pg from 'pg'
import t, { type Test } from 'tap'
import { evidenceTables, migrate, migrationNames } from '../../../src/service/database/migrate.ts'
import { runCommand, runProcess } from '../../support/run-process.ts'
import { type DatabaseRoles, databaseRoles } from './database-roles.ts'

/** The whole process with a stub app: it opens the database as the service does. */
const program = 'test/faults/stub-main.ts'
const key = Buffer.alloc(32, 5).toString('base64')
const secrets = { SECRETS_KEY: key, API_KEY_PEPPER: key, CHECKPOINT_KEY: key }
const environment = { PORT: '0', METRICS_PORT: '0', ROLES: 'api,projector,worker', ...secrets }

async function connect(t: Test, url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/** Starts the process and stops it when it is ready; returns its standard error. */
async function start(env: Readonly<Record<string, string>>): Promise<string> {
  const run = runProcess(program, { env: { ...environment, ...env } })
  const ready = run.said(/"msg":"ready"/).then(() => run.child.kill('SIGTERM'))
  await ready.catch(() => undefined)
  return (await run.ended).stderr
}

t.test(
  "only the owner migrates; the service then starts without the owner's address",
  async (t) => {
    const { url, ownerUrl, role } = await databaseRoles(t)
    const count = migrationNames().length
    const lacks = new RegExp(
      `^The database lacks ${count} migrations of this version, and the role of DATABASE_URL may not apply migrations: run .* \`database migrate\``,
    )
    t.match(await start({ DATABASE_URL: url }), lacks)
    const both = { DATABASE_URL: url, DATABASE_ADMIN_URL: ownerUrl }
    const first = await runCommand({ ...both }, 'database', 'migrate', '--json')
    t.equal(first.code, 0, first.stderr)
    t.same(JSON.parse(first.stdout), { status: 'done', applied: migrationNames() })
    const again = await runCommand({ ...both }, 'database', 'migrate')
    t.match(again, { code: 0, stdout: 'The database is up to date.\n' })
    t.equal(await start({ DATABASE_URL: url }), '')
    t.equal(await start(both), '', 'and with it')

    const owner = await connect(t, ownerUrl)
    await owner.query(`DELETE FROM migrations.kysely_migration WHERE name = $1`, [
      migrationNames().at(-1),
    ])
    t.match(await start({ DATABASE_URL: url }), /^The database lacks 1 migration of this version/)
    await owner.query(`INSERT INTO migrations.kysely_migration VALUES ('9999-later', '')`)
    t.match(await start({ DATABASE_URL: url }), /^The database is newer than this version/)
    const { rows } = await owner.query(
      `SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS high
     FROM pg_roles WHERE rolname = ANY ($1)`,
      [[role, `${role}_owner`]],
    )
    t.same(rows, [{ high: false }, { high: false }])
  },
)

async function migrated(t: Test): Promise<DatabaseRoles> {
  const roles = await databaseRoles(t)
  await migrate({ adminUrl: roles.ownerUrl, applicationRole: roles.role })
  return roles
}

const denied = { code: '42501' }

t.test("the service's role cannot change evidence in any table", async (t) => {
  const { url, ownerUrl, role } = await migrated(t)
  const application = await connect(t, url)
  const owner = await connect(t, ownerUrl)
  const { rows } = await owner.query<{ name: string; columns: readonly string[] }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name,
       array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c
     JOIN pg_namespace n ON n.oid = c.relnamespace
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind = 'r' AND (n.nspname IN ('ledger', 'migrations')
       OR n.nspname = 'public' AND c.relname = ANY ($1))
     GROUP BY 1 ORDER BY 1`,
    [evidenceTables],
  )
  t.ok(rows.length > evidenceTables.length)
  /**
   * Columns that are updated in place: the incomplete tile, the number of leaves, and notes from
   * before the vault stored them, which are resealed when the master key is rotated.
   */
  const growing = [
    'public.merkle_tiles.hashes',
    'public.merkle_tree.event_id',
    'public.merkle_tree.position',
    'public.merkle_tree.size',
    'public.workspace_hold_notes.note',
  ]
  const changed: string[] = []
  for (const { name, columns } of rows) {
    for (const statement of [
      `DELETE FROM ${name}`,
      `TRUNCATE ${name}`,
      `DROP TABLE ${name}`,
      `ALTER TABLE ${name} DISABLE TRIGGER ALL`,
      `ALTER TABLE ${name} ADD COLUMN more int`,
      `ALTER TABLE ${name} OWNER TO ${role}`,
      `CREATE TRIGGER mine BEFORE INSERT ON ${name} EXECUTE FUNCTION ledger.refuse_change()`,
      `CREATE RULE mine AS ON INSERT TO ${name} DO INSTEAD NOTHING`,
    ]) {
      await t.rejects(application.query(statement), denied, statement)
    }
    for (const column of columns) {
      const statement = `UPDATE ${name} SET "${column}" = "${column}"`
      const error = await application.query(statement).then(
        () => null,
        (error: unknown) => error,
      )
      if (error === null) changed.push(`${name}.${column}`)
      else t.match(error, denied, statement)
    }
  }
  t.same(changed.toSorted(), growing)
  await t.rejects(application.query(`INSERT INTO ledger.event DEFAULT VALUES`), denied)
  await t.rejects(application.query(`SET ROLE ${role}_owner`), denied)
  await t.rejects(application.query('CREATE SCHEMA mine'), denied)
  await t.rejects(application.query('ALTER FUNCTION ledger.thin_checkpoints() RESET ALL'), denied)
})

t.test("the service's role can thin checkpoints only by the rule", async (t) => {
  const { url, ownerUrl } = await migrated(t)
  const application = await connect(t, url)
  const owner = await connect(t, ownerUrl)
  await owner.query(
    `INSERT INTO checkpoints (tree_size, root, position, key_id, signed_at, note)
     SELECT n, sha256('x'), n::text, 'k', date_trunc('hour', now()) - age, 'note'
     FROM (VALUES (1, interval '9 days'), (2, interval '9 days' - interval '1 minute'),
                  (3, interval '9 days' - interval '2 minutes'), (4, interval '1 day'),
                  (5, interval '1 day')) AS old(n, age)`,
  )
  await owner.query(
    `INSERT INTO checkpoint_keys (key_id, public_key, since_size) VALUES ('k', sha256('k'), 1)`,
  )
  const { rows } = await application.query('SELECT ledger.thin_checkpoints() AS thinned')
  t.same(rows, [{ thinned: '1' }])
  const left = await application.query('SELECT tree_size FROM checkpoints ORDER BY 1')
  t.same(
    left.rows.map(({ tree_size }) => Number(tree_size)),
    [1, 3, 4, 5],
  )
})

const uuid = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

/** Four rows of two shipments with an item each; the last row is recent. */
async function filledVault(t: Test): Promise<Record<'application' | 'owner', pg.Client>> {
  const { url, ownerUrl } = await migrated(t)
  const application = await connect(t, url)
  const owner = await connect(t, ownerUrl)
  await application.query(
    `INSERT INTO vault (ref, organization_id, workspace_id, shipment_id, master_key_id, wrapped_key,
       payload, created_at)
     SELECT format('00000000-0000-4000-8000-00000000000%s', n)::uuid, 'org', 'ws', 'shp_' || n / 3,
       'old', convert_to('key ' || n, 'UTF8'), 'payload', now() - age
     FROM (VALUES (1, interval '25 hours'), (2, interval '25 hours'), (3, interval '25 hours'),
                  (4, interval '23 hours')) AS row (n, age)`,
  )
  await application.query(
    'INSERT INTO vault_items SELECT gen_random_uuid(), ref, payload FROM vault',
  )
  return { application, owner }
}

/** The vault as text, in the order of rows. */
async function inVault(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT concat_ws(' ', right(v.ref::text, 1), v.master_key_id,
       coalesce(convert_from(v.wrapped_key, 'UTF8'), 'no key'), v.payload IS NOT NULL,
       (SELECT count(*) FROM vault_items i WHERE i.vault_ref = v.ref)) AS text
     FROM vault v ORDER BY v.ref`,
  )
  return rows.map(({ text }) => text)
}

const filled = ['1 old key 1 t 1', '2 old key 2 t 1', '3 old key 3 t 1', '4 old key 4 t 1']

t.test("the service's role cannot change or delete the vault's rows itself", async (t) => {
  const { application } = await filledVault(t)
  for (const statement of [
    'DELETE FROM vault',
    'DELETE FROM vault_items',
    'UPDATE vault SET wrapped_key = NULL, payload = NULL',
    'UPDATE vault_items SET payload = NULL',
    'SELECT FROM vault FOR KEY SHARE',
    'SELECT FROM vault_items FOR UPDATE',
    `INSERT INTO vault SELECT * FROM vault ON CONFLICT (ref) DO UPDATE SET payload = NULL`,
    `MERGE INTO vault_items USING vault ON vault_ref = vault.ref WHEN MATCHED THEN DELETE`,
    'CREATE OR REPLACE FUNCTION ledger.erase_vault_rows(text) RETURNS boolean AS $$SELECT true$$ LANGUAGE sql',
    'ALTER FUNCTION ledger.delete_vault_orphans(uuid[]) RESET ALL',
  ]) {
    await t.rejects(application.query(statement), denied, statement)
  }
  t.same(await inVault(application), filled)
})

t.test('the vault functions ignore objects that the caller puts in their way', async (t) => {
  const { application } = await filledVault(t)
  await application.query('CREATE TEMPORARY TABLE vault (LIKE public.vault)')
  await application.query('CREATE TEMPORARY TABLE vault_items (LIKE public.vault_items)')
  await application.query('SET search_path = pg_temp, public')
  await application.query(`SELECT ledger.erase_vault_rows('shp_0')`)
  await application.query('DROP TABLE pg_temp.vault, pg_temp.vault_items')
  const left = ['1 old no key f 0', '2 old no key f 0', ...filled.slice(2)]
  t.same(await inVault(application), left)
})

t.test("a shipment's vault rows are erased together, and never half", async (t) => {
  const { application } = await filledVault(t)
  const erase = () => application.query(`SELECT ledger.erase_vault_rows('shp_0') AS erased`)
  await application.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
  await t.rejects(erase(), { message: /needs READ COMMITTED/ })
  await application.query('ROLLBACK')
  t.same(await inVault(application), filled)
  t.same((await erase()).rows, [{ erased: true }])
  t.same((await erase()).rows, [{ erased: false }])
  t.same(await inVault(application), ['1 old no key f 0', '2 old no key f 0', ...filled.slice(2)])
  const locked = await application.query('SELECT ledger.lock_vault_rows($1) AS ref', [
    [uuid(1), uuid(3), uuid(9)],
  ])
  t.same(locked.rows, [{ ref: uuid(3) }])
})

t.test("the service's role can delete vault rows only when they are old", async (t) => {
  const { application } = await filledVault(t)
  const { rows } = await application.query(
    'SELECT ledger.delete_vault_orphans($1)::int AS deleted',
    [[uuid(2), uuid(4), uuid(9)]],
  )
  t.same(rows, [{ deleted: 1 }])
  t.same(
    await inVault(application),
    filled.filter((row) => !row.startsWith('2')),
  )
  const items = await application.query('SELECT FROM vault_items')
  t.equal(items.rowCount, 3, 'the items went with their row')
})

t.test("the service's role can replace a vault key only by a key, knowing it", async (t) => {
  const { application, owner } = await filledVault(t)
  const rewrap = (...values: readonly (readonly (string | Buffer | null)[])[]) =>
    application.query('SELECT ledger.rewrap_vault_keys($1, $2, $3, $4)::int AS rewrapped', [
      ...values,
    ])
  const [first, second, third] = [uuid(1), uuid(2), uuid(3)]
  const key = (text: string) => Buffer.from(text)
  const misused = { code: '22004' }
  await t.rejects(rewrap([first], [key('key 1')], ['new'], [null]), misused)
  await t.rejects(rewrap([first], [key('key 1')], [null], [key('fresh')]), misused)
  await t.rejects(rewrap([first], [null], ['new'], [key('fresh')]), misused)
  await t.rejects(
    rewrap([first, second], [key('key 1'), key('key 2')], ['new', 'new'], []),
    misused,
  )
  t.same(await inVault(application), filled)

  await owner.query(`SELECT ledger.erase_vault_rows('shp_1')`)
  await owner.query('BEGIN')
  await owner.query('SELECT FROM vault WHERE ref = $1 FOR SHARE', [second])
  const { rows } = await rewrap(
    [first, second, third, uuid(4)],
    [key('key 1'), key('key 2'), key('key 3'), key('guessed')],
    ['new', 'new', 'new', 'new'],
    [key('fresh 1'), key('fresh 2'), key('fresh 3'), key('fresh 4')],
  )
  await owner.query('ROLLBACK')
  t.same(rows, [{ rewrapped: 1 }], 'neither a locked nor an erased row, nor one with another key')
  const left = ['1 new fresh 1 t 1', '2 old key 2 t 1', '3 old no key f 0', '4 old no key f 0']
  t.same(await inVault(application), left)
})

t.test('a database made by a superuser is handed over, except its ledger', async (t) => {
  const { url, superuserUrl, role } = await databaseRoles(t)
  const superuser = await connect(t, superuserUrl)
  const { rows } = await superuser.query<{ name: string }>('SELECT current_user AS name')
  await migrate({ adminUrl: superuserUrl, applicationRole: String(rows[0]?.name) })
  await superuser.query('CREATE TABLE projections.mine (n int)')
  await migrate({ adminUrl: superuserUrl, applicationRole: role })
  const application = await connect(t, url)
  await application.query('ALTER TABLE projections.mine ADD COLUMN more int')
  await application.query('DROP TABLE projections.mine')
  await t.rejects(application.query('DELETE FROM ledger.event'), denied)
  t.equal(await start({ DATABASE_URL: url }), '')
})
