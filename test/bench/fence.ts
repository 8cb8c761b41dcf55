import { type Kysely, sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import { database } from '../../src/database/database.ts'
import { applicationRole } from '../../src/database/embedded.ts'
import { pool } from '../../src/database/pool.ts'
import { fenced, withinOrganization } from '../../src/database/tenant-fence.ts'
import { noLog } from '../support/no-log.ts'
import { say } from '../support/say.ts'
import { scratchServer, scratchVariable } from '../support/scratch-server.ts'
import { testDatabase } from '../support/test-database.ts'

// What keeping organizations apart a second time costs a read of one row: nothing, the fence, and
// row-level security with its setting in a transaction. `npm run bench -- fence [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 5)
const atOnce = 8
const organizationId = 'org_0000000000000000000001'
const workspaceId = 'ws_0000000000000000000001'

const securitySql = `
  ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY;
  ALTER TABLE workspaces FORCE ROW LEVEL SECURITY;
  CREATE POLICY own ON workspaces TO ${applicationRole}
    USING (organization_id = nullif(current_setting('app.organization', true), ''))`

function read(db: Kysely<Database>) {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
}

function secured(db: Kysely<Database>) {
  return db.transaction().execute(async (tx) => {
    await sql`SELECT set_config('app.organization', ${organizationId}, true)`.execute(tx)
    return await read(tx)
  })
}

async function perSecond(once: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + seconds * 1_000
  let done = 0
  const work = async () => {
    while (performance.now() < until) {
      await once()
      done += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return Math.round(done / seconds)
}

async function fill(adminUrl: string): Promise<void> {
  const connections = pool({ connectionString: adminUrl, log: noLog, max: 1 })
  await connections.query(`
    INSERT INTO organizations (id, name, type, created_at)
    VALUES ('${organizationId}', 'x', 'external', now());
    INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
    VALUES ('${workspaceId}', '${organizationId}', false, 'x', 'x', now(), now())`)
  await connections.end()
}

async function secure(adminUrl: string): Promise<void> {
  const connections = pool({ connectionString: adminUrl, log: noLog, max: 1 })
  await connections.query(securitySql)
  await connections.end()
}

const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()
try {
  process.env[scratchVariable] = server.adminUrl
  const test = { teardown: (fn: () => Promise<unknown>) => closers.push(fn) }
  const open = async () => {
    const { url, adminUrl } = await testDatabase(test)
    await fill(adminUrl)
    const db = database(pool({ connectionString: url, log: noLog, max: atOnce }))
    closers.push(() => db.destroy())
    return { db, adminUrl }
  }
  const { db } = await open()
  const other = await open()
  await secure(other.adminUrl)
  const fence = fenced(db)
  const ways = {
    plain: () => read(db),
    fenced: () => withinOrganization(organizationId, () => read(fence)),
    'row-level security': () => secured(other.db),
  }
  const figures = new Map<string, number[]>(Object.keys(ways).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, way] of Object.entries(ways)) figures.get(name)?.push(await perSecond(way))
  }
  for (const [name, all] of figures) {
    const median = all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]
    say(`${name.padEnd(20)} ${median} reads/s, median of ${rounds} rounds (${all.join(', ')})`)
  }
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
