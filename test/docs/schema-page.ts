import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../../src/service/database/migrate.ts'
import { schemaSnapshot } from '../../src/service/database/schema.ts'
import { applicationRole } from '../../src/service/embedded-postgres/embedded.ts'
import { scratchServer, scratchVariable } from '../support/scratch-server.ts'

/** The text of src/service/database/schema.sql: the schema of a migrated fresh database. */
export async function schemaPage(): Promise<string> {
  const given = process.env[scratchVariable]
  const own = given === undefined ? await scratchServer() : null
  const root = new URL(given ?? own?.adminUrl ?? '')
  const name = `snapshot_${randomBytes(6).toString('hex')}`
  const fresh = new URL(root)
  fresh.pathname = `/${name}`
  try {
    await withClient(root, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`))
    await migrate({ adminUrl: fresh.href, applicationRole })
    return await withClient(fresh, (client) => schemaSnapshot(client, applicationRole))
  } finally {
    await withClient(root, (client) => client.query(`DROP DATABASE IF EXISTS ${name} (FORCE)`))
    await own?.stop()
  }
}

async function withClient<T>(url: URL, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
