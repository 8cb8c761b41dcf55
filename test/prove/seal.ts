import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lastCheckpoint } from '../../src/ledger/checkpoints.ts'
import { exportLedger } from '../../src/ledger/export.ts'
import { runSealer } from '../../src/ledger/sealer.ts'
import { verifyLedger } from '../../src/ledger/verify.ts'
import { verifyFile } from '../../src/ledger/verify-file.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { say } from '../support/say.ts'
import { scratchServer, scratchVariable } from '../support/scratch-server.ts'
import { service } from '../support/service.ts'

// How fast a large ledger is sealed, verified and exported, and how little a proof reads.
// Run: npm run prove:seal [-- shipments]

const shipments = Number(process.argv[2] ?? 20_000)
const sealedWithinMs = 30 * 60_000
const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()

const checks = { held: 0, failed: 0 }
const perSecond: string[] = []

async function timed<T>(what: string, events: number, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const answer = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  const rate = Math.round(events / seconds)
  say(`    ${what}: ${seconds.toFixed(1)} s, ${rate} events/s`)
  perSecond.push(`${what} ${rate}/s`)
  return answer
}

function check(isRight: boolean, what: string): void {
  say(`${isRight ? 'ok ' : 'NOT OK'} ${what}`)
  checks[isRight ? 'held' : 'failed'] += 1
  if (!isRight) process.exitCode = 1
}

try {
  process.env[scratchVariable] = server.adminUrl
  const roles = ['api'] as const
  const shop = await service({ teardown: (fn) => closers.push(fn) }, { roles })
  const { readModels: db, store, seal } = shop.parts
  const events = await timed(`appending ${shipments} shipments`, shipments, () =>
    fillLedger(store, shipments, shop.seeded),
  )
  const head = await store.head()
  const stop = new AbortController()
  const sealing = runSealer({ db, store, log: noLog, ...seal }, stop.signal)
  await timed(`sealing ${events} events`, events, () =>
    eventually(
      () => lastCheckpoint(db),
      (last) => (last?.position ?? '') >= (head ?? ''),
      sealedWithinMs,
    ),
  )
  stop.abort()
  await sealing
  const { secrets, checkpointDir } = shop
  const verified = await timed('verify', events, () =>
    verifyLedger({
      db,
      store,
      isContiguous: true,
      checkpointKey: secrets.checkpointKey,
      checkpointDir,
    }),
  )
  check(verified.problems === 0 && verified.unsealed === 0, 'the whole ledger verifies')
  const { organizationId } = shop.seeded
  for (const scope of [null, organizationId]) {
    const file = join(checkpointDir, 'export.ndjson')
    const name = scope === null ? 'the whole ledger' : 'one organization, with proofs'
    const asked = { organization_id: scope, shipment_id: null, from: null, to: null }
    await timed(`export of ${name}`, events, () => exportLedger({ db, store }, file, asked))
    say(`    ${(statSync(file).size / 1e6).toFixed(0)} MB`)
    const alone = await timed('verify --file', events, () => verifyFile(file, null))
    check(alone.problems === 0, `the export of ${name} verifies alone`)
    rmSync(file)
  }
  const proofs = 200
  const startedAt = performance.now()
  for (let at = 0; at < proofs; at++) {
    const position = String(1 + Math.floor((at * events) / proofs)).padStart(20, '0')
    const { status } = await shop.call(`/v1/ledger/proof/${position}`)
    if (status !== 200) check(false, `the proof of ${position} is ${status}`)
  }
  const proofMs = (performance.now() - startedAt) / proofs
  say(
    `seal: ${events} events; ${perSecond.join(', ')}; a proof over the API ${proofMs.toFixed(1)} ms; ${checks.held} checks held, ${checks.failed} failed`,
  )
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
