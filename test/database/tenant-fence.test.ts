import { sql } from 'kysely'
import t from 'tap'
import type { ReadModels } from '../../projections/tables.ts'
import { database } from '../../src/service/database/database.ts'
import { pool } from '../../src/service/database/pool.ts'
import {
  FenceError,
  fenced,
  tenantTables,
  withinOrganization,
} from '../../src/service/database/tenant-fence.ts'
import { noLog } from '../support/no-log.ts'
import { isSource, projectTexts } from '../support/source-files.ts'
import { testDatabase } from '../support/test-database.ts'

const { url } = await testDatabase(t)
const connections = pool({ connectionString: url, log: noLog, max: 2 })
const db = database(connections)
t.teardown(() => db.destroy())
const fence = fenced(db)
const [mine, theirs] = ['org_mine', 'org_theirs'] as const

for (const id of [mine, theirs]) {
  await sql`INSERT INTO organizations (id, name, type, created_at) VALUES (${id}, 'x', 'external', now())`.execute(
    db,
  )
  await db.insertInto('workspaces').values(workspaceOf(id)).execute()
}

function workspaceOf(organization: string, reference = 'first') {
  const at = new Date()
  return {
    id: `ws_${organization}_${reference}`,
    organization_id: organization,
    livemode: false,
    name: organization,
    external_reference: reference,
    created_at: at,
    updated_at: at,
  }
}

const asMine = <T>(work: () => T): T => withinOrganization(mine, work)

t.test('a query without an organization filter sees and changes only its own rows', async (t) => {
  await asMine(async () => {
    const names = await fence.selectFrom('workspaces').select('name').execute()
    t.same(names, [{ name: mine }])
    const aliased = await fence
      .selectFrom('organizations as o')
      .leftJoin('workspaces as w', 'w.organization_id', 'o.id')
      .select(['o.id', 'w.name'])
      .where('o.id', 'in', [mine, theirs])
      .orderBy('o.id')
      .execute()
    t.same(aliased, [
      { id: mine, name: mine },
      { id: theirs, name: null },
    ])
    const nested = await fence
      .selectFrom('organizations')
      .select('id')
      .where('id', 'in', (eb) => eb.selectFrom('workspaces').select('organization_id'))
      .execute()
    t.same(nested, [{ id: mine }])
    const changed = await fence.updateTable('workspaces').set({ version: 9 }).executeTakeFirst()
    t.equal(changed.numUpdatedRows, 1n)
    await fence.transaction().execute(async (tx) => {
      const gone = await tx.deleteFrom('api_keys').executeTakeFirst()
      t.equal(gone.numDeletedRows, 0n)
    })
  })
  const left = await db
    .selectFrom('workspaces')
    .select(['name', 'version'])
    .orderBy('name')
    .execute()
  t.same(left, [
    { name: mine, version: 9 },
    { name: theirs, version: 1 },
  ])
})

t.test('a row of another organization is not inserted, and no caller means no query', async (t) => {
  const insert = (organization: string) =>
    asMine(() => fence.insertInto('workspaces').values(workspaceOf(organization, 'new')).execute())
  await t.rejects(insert(theirs), FenceError)
  await insert(mine)
  await t.rejects(fence.selectFrom('workspaces').selectAll().execute(), FenceError)
  t.ok(
    await fence.selectFrom('plans').selectAll().execute(),
    'tables without an organization are not fenced',
  )
  const all = await fence.withoutPlugins().selectFrom('workspaces').select('id').execute()
  t.equal(all.length, 3, 'a query over all organizations bypasses the fence explicitly')
})

t.test('the fence knows every table whose rows belong to an organization', async (t) => {
  const { rows } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'organization_id'`.execute(db)
  const known = [...tenantTables].filter((name) => !name.startsWith('projections.'))
  t.same(rows.map(({ name }) => name).sort(), known.sort())
  type Owned = {
    [Name in keyof ReadModels]: ReadModels[Name] extends { organization_id: string } ? Name : never
  }
  const models: Record<Exclude<Owned[keyof ReadModels], undefined>, true> = {
    'projections.shipments': true,
    'projections.operations': true,
    'projections.audit_events': true,
    'projections.statistics': true,
  }
  const read = [...tenantTables].filter((name) => name.startsWith('projections.'))
  t.same(read.sort(), Object.keys(models).sort())
})

t.test('only the escalated operations of the platform bypass the fence', async (t) => {
  const around = [...projectTexts(isSource)].filter(([, text]) => text.includes('withoutPlugins('))
  t.same(
    around.map(([file]) => file).filter((file) => file !== 'src/service/database/tenant-fence.ts'),
    [
      'src/service/http/operations/find-operation.ts',
      'src/service/http/operations/list-operations.ts',
    ],
  )
})

/** The fence does not rewrite SQL text, so such a statement must name the organization itself. */
t.test('raw SQL in routes filters every tenant table by organization', async (t) => {
  const unfiltered: string[] = []
  for (const [file, text] of projectTexts((name) => name.startsWith('src/service/http/'))) {
    for (const [, statement = ''] of text.matchAll(
      /sql(?:<[^`]*>)?`((?:[^`$]|\$\{[^}]*\}|\$)*)`/g,
    )) {
      const names = [...tenantTables].filter((name) =>
        new RegExp(`\\b(FROM|JOIN|UPDATE|INTO) ${name.replace('.', '\\.')}\\b`, 'i').test(
          statement,
        ),
      )
      if (names.length > 0 && !/organization_id/.test(statement))
        unfiltered.push(`${file}: ${names}`)
    }
  }
  // Joined to the clocks; the next line restricts it to the caller's organization.
  t.same(unfiltered, [])
})

t.test("foreign keys to a workspace or connection include the row's owner", async (t) => {
  const { rows } = await sql<{ constraint: string; columns: string[] }>`
    SELECT c.conname AS constraint, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey)
    WHERE c.contype = 'f'
      AND c.confrelid IN ('workspaces'::regclass, 'courier_connections'::regclass)
    GROUP BY c.conname ORDER BY c.conname`.execute(db)
  const together = { columns: ['organization_id', 'workspace_id'] }
  t.match(rows, [
    { constraint: /^api_keys_/, ...together },
    { constraint: /^courier_connections_/, ...together },
    { constraint: /^quotes_organization_/, ...together },
    { constraint: /^quotes_workspace_/, columns: ['courier_connection_id', 'workspace_id'] },
    // A clock has no owner of its own: it belongs to its workspace.
    { constraint: /^sandbox_clocks_/, columns: ['workspace_id'] },
    { constraint: /^webhook_endpoints_/, ...together },
    { constraint: /^workspace_hold_notes_/, ...together },
  ])
  t.equal(rows.length, 7)
  const at = new Date()
  const endpoint = {
    id: 'we_1',
    organization_id: mine,
    workspace_id: `ws_${theirs}_first`,
    livemode: false,
    url: 'https://receiver.example/',
    event_types: [],
    status: 'enabled',
    secret: '',
    created_at: at,
    updated_at: at,
  }
  await t.rejects(
    sql`INSERT INTO webhook_endpoints
      SELECT * FROM json_populate_record(NULL::webhook_endpoints, ${JSON.stringify({ ...endpoint, version: 1 })})`.execute(
      db,
    ),
    { code: '23503' },
  )
})
