import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createServices } from '../../src/service/app.ts'
import { projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { ensureProjections, projectorLoops } from '../../src/service/roles.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { say } from '../support/say.ts'
import { noLogger, testSecrets } from '../support/service.ts'
import type { InvoiceWork } from './support/bench-invoice-worker.ts'
import { row } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'

// Measures an invoice with a line per shipment, read from CSV and compared with the ledger by a
// process that does nothing else. `npm run bench -- invoice [lines]`

const lines = Number(process.argv[2] ?? 100_000)
const where = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
}
/** The read models need some minutes for a million events. */
const caughtUpMs = 600_000

/** Adds this many shipments to the ledger and the read models. */
async function fill({ url: databaseUrl }: BenchServer): Promise<void> {
  const startedAt = performance.now()
  const parts = createServices({
    databaseUrl,
    secrets: testSecrets(),
    simulatorUrl: null,
    log: noLogger(),
  })
  await ensureProjections(parts)
  const stop = new AbortController()
  const loops = projectorLoops(parts, stop.signal)
  const events = await fillLedger(parts.store, lines, where)
  const head = await parts.store.head()
  if (!(await projectionsReached(parts.db, head, caughtUpMs))) {
    throw new Error('the read models do not catch up')
  }
  stop.abort()
  await Promise.all(loops)
  await parts.close()
  const seconds = (performance.now() - startedAt) / 1_000
  say(`  ${lines} shipments with ${events} events after ${seconds.toFixed(0)} s`)
}

async function work({ url }: BenchServer): Promise<InvoiceWork> {
  const program = join(import.meta.dirname, 'support', 'bench-invoice-worker.ts')
  const args = ['--disable-warning=ExperimentalWarning', program, url, String(lines)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as InvoiceWork
}

const name = 'invoice'
const server = await benchServer()
try {
  await fill(server)
  const done = await work(server)
  const figure = (measured: string, value: number, atMost: number | null) =>
    row({ name, measured, value, target: atMost === null ? null : { atMost } })
  figure(`s to import ${lines} lines`, done.importSeconds, null)
  figure(`s to compare ${lines} lines`, done.compareSeconds, 60)
  figure('MB at most, beyond the process without it', done.peakMegabytes - done.idleMegabytes, 300)
  figure('MB of the process without it', done.idleMegabytes, null)
  const held = 'ms that the event loop is held at most,'
  figure(`${held} reading`, done.longestHoldMs.reading, 10)
  figure(`${held} comparing`, done.longestHoldMs.comparing, null)
} finally {
  await server.stop()
}
