import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../../src/service/database/migrate.ts'
import { applicationRole, startEmbedded } from '../../../src/service/embedded-postgres/embedded.ts'
import { noLog } from '../../support/no-log.ts'

export type BenchServer = {
  /** For the application's role. */
  readonly url: string
  /** For the superuser. */
  readonly adminUrl: string
  /** The parent process of its sessions. */
  pid(): number | undefined
  /** Its data is removed too. */
  stop(): Promise<void>
}

/**
 * The embedded PostgreSQL as the service starts it, durable and with every migration, without the
 * service.
 */
export async function benchServer(): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
  const server = await startEmbedded({
    dataDir,
    adminPassword: 'admin',
    applicationPassword: 'application',
    log: noLog,
  })
  const stop = async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    await migrate({ adminUrl: server.adminUrl, applicationRole })
  } catch (error) {
    await stop()
    throw error
  }
  return { url: server.url, adminUrl: server.adminUrl, pid: server.pid, stop }
}
