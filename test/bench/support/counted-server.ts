import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../src/service/database/migrate.ts'
import { applicationRole, startEmbedded } from '../../../src/service/embedded-postgres/embedded.ts'
import { noLog } from '../../support/no-log.ts'
import type { BenchServer } from './bench-server.ts'

/** The embedded PostgreSQL as the service starts it, which also counts its statements. */
export async function countedServer(): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-counted-'))
  const options = {
    dataDir,
    adminPassword: 'admin',
    applicationPassword: 'application',
    log: noLog,
  }
  const first = await startEmbedded(options)
  await asked(first.adminUrl, 'ALTER SYSTEM SET shared_preload_libraries = pg_stat_statements')
  await first.stop()
  const server = await startEmbedded(options)
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await asked(server.adminUrl, 'CREATE EXTENSION pg_stat_statements')
    await migrate({ adminUrl: server.adminUrl, applicationRole })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: server.url, adminUrl: server.adminUrl, pid: server.pid, stop }
}

export async function asked<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
