import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { progress } from '../../src/service/cli/progress.ts'
import { lastCheckpoint } from '../../src/service/ledger/checkpoints.ts'
import { exportLedger } from '../../src/service/ledger/export.ts'
import { runSealer } from '../../src/service/ledger/sealer.ts'
import { verifyLedger } from '../../src/service/ledger/verify.ts'
import { verifyFile } from '../../src/service/ledger/verify-file.ts'
import { readZip, verifyBundle } from '../../src/verifier/verify.mjs'
import { bulkShipmentId, fillLedger } from '../support/bulk-ledger.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { random } from '../support/random.ts'
import { say } from '../support/say.ts'
import { scratchServer, scratchVariable } from '../support/scratch-server.ts'
import { type Service, service } from '../support/service.ts'

// How fast and in how much memory a large ledger is sealed, verified and exported, and how little
// is read for a proof and for the export of one shipment. Run: npm run prove:seal [-- shipments
// [one]]. 210,000 shipments are a million events; `one` skips what reads the whole ledger.

const shipments = Number(process.argv[2] ?? 20_000)
const isWholeRead = process.argv[3] !== 'one'
const sealedWithinMs = 30 * 60_000
/** The whole ledger is far larger: code that reads all of it must not hold all of it. */
const memoryMaxMb = 1_024
/** A person waits for the evidence of one shipment. */
const oneShipmentMaxMs = 2_000
const shipmentsTimed = 20
const bundleRounds = 3
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

/** The highest resident memory of this process so far; the database is another process. */
function peakMb(): number {
  return Math.round(process.resourceUsage().maxRSS / 1_024)
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
  const { db, store } = shop.parts
  const first = await shop.create('first')
  const events = await timed(`appending ${shipments} shipments`, shipments, () =>
    fillLedger(store, shipments, shop.seeded),
  )
  const last = await shop.create('last')
  const head = await store.head()
  const stop = new AbortController()
  const sealing = runSealer({ ...shop.parts, log: noLog }, stop.signal)
  await timed(`sealing ${events} events`, events, () =>
    eventually(
      () => lastCheckpoint(db),
      (last) => (last?.position ?? '') >= (head ?? ''),
      sealedWithinMs,
    ),
  )
  stop.abort()
  await sealing
  if (isWholeRead) await readWhole(shop, events)
  const slowestMs = await oneShipment(shop)
  check(slowestMs <= oneShipmentMaxMs, `one shipment is exported within ${oneShipmentMaxMs} ms`)
  const bundleMs = await bundles(shop, [first.body.id, last.body.id])
  check(bundleMs <= oneShipmentMaxMs, `a bundle of evidence is made within ${oneShipmentMaxMs} ms`)
  check(peakMb() <= memoryMaxMb, `exports take no more than ${memoryMaxMb} MB`)
  const proofs = 200
  const startedAt = performance.now()
  for (let at = 0; at < proofs; at++) {
    const position = String(1 + Math.floor((at * events) / proofs)).padStart(20, '0')
    const { status } = await shop.call(`/v1/ledger/proof/${position}`)
    if (status !== 200) check(false, `the proof of ${position} is ${status}`)
  }
  const proofMs = (performance.now() - startedAt) / proofs
  say(
    `seal: ${events} events; ${perSecond.join(', ')}; a proof over the API ${proofMs.toFixed(1)} ms; one shipment exported in at most ${slowestMs.toFixed(0)} ms, its bundle of evidence in ${bundleMs.toFixed(0)} ms; peak memory ${peakMb()} MB; ${checks.held} checks held, ${checks.failed} failed`,
  )
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}

/** Verifies and exports the ledger, whole and in part. */
async function readWhole(shop: Service, events: number): Promise<void> {
  const { secrets, checkpointDir } = shop
  const { db, store } = shop.parts
  const head = await store.head()
  const before = peakMb()
  const reports: string[] = []
  const told = progress({ what: 'verify', head, write: (line) => reports.push(line) })
  const verified = await timed('verify', events, () =>
    verifyLedger(
      { db, store, isContiguous: true, checkpointKey: secrets.checkpointKey, checkpointDir },
      told,
    ),
  )
  check(verified.problems === 0 && verified.unsealed === 0, 'the whole ledger verifies')
  for (const line of reports.slice(-2)) say(`    ${line}`)
  say(`    peak memory ${peakMb()} MB, ${before} MB before it`)
  check(peakMb() <= memoryMaxMb, `verify takes no more than ${memoryMaxMb} MB`)
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
}

/** Exports shipments from all parts of the ledger, with proofs. Returns the time of the slowest. */
async function oneShipment({ parts, secrets, seeded, checkpointDir }: Service): Promise<number> {
  const { db, store } = parts
  const next = random(1)
  const file = join(checkpointDir, 'one.ndjson')
  let slowestMs = 0
  for (let n = 0; n < shipmentsTimed; n++) {
    const at = Math.floor(next() * shipments)
    const shipmentId = bulkShipmentId(at, seeded)
    const scope = { organization_id: null, shipment_id: shipmentId, from: null, to: null }
    const startedAt = performance.now()
    await exportLedger({ db, store }, file, scope, { signingKeys: [secrets.checkpointKey] })
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    const { problems, isComplete } = await verifyFile(file, null)
    check(problems === 0 && isComplete, `shipment ${at} verifies alone`)
    rmSync(file)
  }
  return slowestMs
}

/**
 * Requests the bundles of shipments several times and verifies each. Returns the time of the
 * slowest.
 */
async function bundles(shop: Service, ids: readonly string[]): Promise<number> {
  let slowestMs = 0
  for (let round = 0; round < bundleRounds; round++) {
    for (const id of ids) {
      const startedAt = performance.now()
      const { status, body } = await shop.call(`/v1/shipments/${id}/evidence`)
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      if (status !== 200) throw new Error(`a bundle was answered ${status}`)
      const { exitCode } = await verifyBundle(await readZip(body))
      check(exitCode === 0, `the bundle of ${id} verifies alone`)
    }
  }
  return slowestMs
}
