import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopOrphan } from '../../src/service/embedded-postgres/cluster-processes.ts'
import { startEmbedded } from '../../src/service/embedded-postgres/embedded.ts'
import { noLog } from './no-log.ts'

export type ScratchServer = { readonly adminUrl: string; stop(): Promise<void> }

export const scratchVariable = 'TEST_POSTGRES_ADMIN_URL'
const prefix = 'shipping-ledger-test-'

/**
 * A PostgreSQL for tests, from the same binaries as the real one but with `fsync` off; tests of
 * what survives a machine crash start a durable server of their own (startEmbedded). The runner
 * starts one for the whole run and passes its `adminUrl` on as TEST_POSTGRES_ADMIN_URL.
 */
export async function scratchServer(): Promise<ScratchServer> {
  await sweep()
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  const server = await startEmbedded({
    dataDir,
    adminPassword: 'admin',
    applicationPassword: 'application',
    durable: false,
    log: noLog,
  }).catch((error) => {
    remove()
    throw error
  })
  return {
    adminUrl: server.adminUrl,
    async stop() {
      await server.stop()
      remove()
    },
  }
}

/** Stops and removes servers left behind by killed runs. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(name.match(/^shipping-ledger-test-(\d+)-/)?.[1])
    if (!pid || isAlive(pid)) continue
    const dataDir = join(tmpdir(), name)
    try {
      await stopOrphan(join(dataDir, 'postgres'), noLog)
      rmSync(dataDir, { recursive: true, force: true })
    } catch {
      // It belongs to another user, or another run is sweeping it.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
