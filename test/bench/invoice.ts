import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openParts } from '../../src/app.ts'
import { projectionsReached } from '../../src/projector/checkpoint.ts'
import { ensureProjections, projectorLoops } from '../../src/roles.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { say } from '../support/say.ts'
import { noLogger, testSecrets } from '../support/service.ts'
import type { InvoiceWork } from './support/bench-invoice-worker.ts'
import { row } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'

// An invoice of as many lines as there are shipments, read from CSV and compared with the ledger by
// a process that does nothing else. `npm run bench -- invoice [lines]`

const lines = Number(process.argv[2] ?? 100_000)
const where = {
  organizationId: 'org_0000000000000000000001',
  workspaceId: 'ws_0000000000000000000001',
}
/** The read models take some minutes for a million events. */
const caughtUpMs = 600_000

/** So many shipments, in the ledger and in the read models. */
async function fill({ url: databaseUrl }: BenchServer): Promise<void> {
  const startedAt = performance.now()
  const parts = openParts({
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
  if (!(await projectionsReached(parts.readModels, head, caughtUpMs))) {
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
  const { importSeconds, compareSeconds, peakMegabytes, longestHoldMs } = await work(server)
  row({ name, measured: `s to import ${lines} lines`, value: importSeconds, target: null })
  row({
    name,
    measured: `s to compare ${lines} lines`,
    value: compareSeconds,
    target: { atMost: 60 },
  })
  row({ name, measured: 'MB at most', value: peakMegabytes, target: { atMost: 300 } })
  const held = 'ms that the event loop is held at most,'
  row({ name, measured: `${held} reading`, value: longestHoldMs.reading, target: { atMost: 10 } })
  row({ name, measured: `${held} comparing`, value: longestHoldMs.comparing, target: null })
} finally {
  await server.stop()
}
