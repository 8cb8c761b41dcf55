import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createServices } from '../../../src/service/app.ts'
import {
  type DeliveryRules,
  deliveryRules,
} from '../../../src/service/domain/webhooks/webhook-delivery.ts'
import { startEmbedded } from '../../../src/service/embedded-postgres/embedded.ts'
import { ensureProjections } from '../../../src/service/roles.ts'
import { noLog } from '../../support/no-log.ts'
import { runProcess } from '../../support/run-process.ts'
import { say } from '../../support/say.ts'
import { scratchVariable } from '../../support/scratch-server.ts'
import { noLogger, testSecrets } from '../../support/service.ts'
import { testDatabase } from '../../support/test-database.ts'
import { seedOne, webhookFire } from './webhook-fire.ts'
import { pendingDeliveries, webhookTenants } from './webhook-tenants.ts'
import type { WorkerOrder } from './webhook-worker.ts'

// The promises of webhooks on a durable PostgreSQL: at-least-once delivery under fire, and what a
// failing endpoint costs the others. `npm run prove:webhooks [-- fire|neighbour]`

const only = process.argv[2]
let failed = 0
let passed = 0
const figures: string[] = []

function check(isSo: boolean, what: string): void {
  if (isSo) passed += 1
  else failed += 1
  say(`${isSo ? 'ok ' : 'NOT'} ${what}`)
}

const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-prove-'))
const server = await startEmbedded({
  dataDir: directory,
  adminPassword: 'admin',
  applicationPassword: 'application',
  log: noLog,
})
process.env[scratchVariable] = server.adminUrl
const closers: (() => Promise<unknown>)[] = []
const ended = { teardown: (close: () => Promise<unknown>) => closers.push(close) }

async function fire(): Promise<void> {
  say('20,000 events, 50 receivers that fail in many ways and every tenth always, 50 kills')
  const options = { shipments: 5_000, receivers: 50, kills: 50, say }
  const { events, requests, states, faults } = await webhookFire(await testDatabase(ended), options)
  say(`    ${events} events, ${requests} requests, ${JSON.stringify(states)}`)
  figures.push(`${events} events in ${requests} requests under ${options.kills} kills`)
  for (const fault of faults.slice(0, 20)) say(`    ${fault}`)
  check(faults.length === 0, 'every event reached a 2xx or is dead with its reason, once in effect')
}

function memoryMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kb) / 1_024)
}

/** One failing endpoint with a long queue, and ten tenants with healthy endpoints. */
async function neighbour(what: string, rules: DeliveryRules, waiting: number, isSilent: boolean) {
  const latencies: number[] = []
  let failures = 0
  const receivers = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (request.url === '/0') {
      failures += 1
      if (!isSilent) response.writeHead(500).end('no')
      return
    }
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString())
    latencies.push(Date.now() - Date.parse(timestamp))
    response.writeHead(200).end()
  })
  await new Promise<void>((resolve) => receivers.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(receivers.address() as AddressInfo).port}`
  const database = await testDatabase(ended)
  const secrets = testSecrets()
  const { secretsKey } = secrets
  const urls = Array.from({ length: 11 }, (_, number) => `${url}/${number}`)
  const [bad, ...well] = await webhookTenants(database, secretsKey, urls)
  if (bad === undefined) throw new Error('no tenant')
  await pendingDeliveries(database, bad, waiting)
  const parts = createServices({
    databaseUrl: database.url,
    secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  await ensureProjections(parts)
  const order: WorkerOrder = { databaseUrl: database.url, secretsKey, rules, sendTimes: {} }
  const worker = runProcess('test/prove/webhooks/webhook-worker.ts', {
    env: { WORKER: JSON.stringify(order) },
  })
  await worker.said(/working/)
  const memory: number[] = []
  const seconds = 60
  for (let second = 0; second < seconds; second++) {
    const began = performance.now()
    for (const [number, tenant] of well.entries()) {
      await seedOne(parts, tenant, second * well.length + number)
    }
    memory.push(memoryMb(worker.child.pid as number))
    await delay(Math.max(0, 1_000 - (performance.now() - began)))
  }
  const last = await untilDelivered(database.adminUrl, bad.endpointId)
  worker.child.kill('SIGTERM')
  receivers.closeAllConnections()
  await worker.ended
  await parts.close()
  receivers.close()
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]
  const middle = memory.slice(10).toSorted((a, b) => a - b)
  say(
    `    ${what}: ${failures} failures in ${seconds} s; ${sorted.length} first attempts of the others after p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms; memory ${middle[0]} to ${middle.at(-1)} MB`,
  )
  figures.push(`beside one that ${what} p99 ${at(0.99)} ms`)
  check(last === 0 && sorted.length === seconds * well.length * 4, `${what}: the others got all`)
  check((at(0.99) ?? 0) < 2_000, `${what}: the others' first attempts within 2 s, p99`)
  check((middle.at(-1) ?? 0) < 1.5 * (middle[0] ?? 0), `${what}: memory is flat`)
}

async function untilDelivered(adminUrl: string, but: string): Promise<number> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  let left = 0
  for (let rounds = 0; rounds < 100; rounds++) {
    const { rows } = await admin.query<{ count: number }>(
      `SELECT count(*)::int FROM webhook_deliveries WHERE state = 'pending' AND endpoint_id <> $1`,
      [but],
    )
    left = rows[0]?.count ?? 0
    if (left === 0) break
    await delay(100)
  }
  await admin.end()
  return left
}

const noBreaker = { failures: 1_000_000_000, apartMs: 0, spanMs: 0, pauseMs: 1, pauseMsMax: 1 }
try {
  if (only === undefined || only === 'fire') await fire()
  if (only === undefined || only === 'neighbour') {
    say(
      '100,000 deliveries wait for an endpoint that fails, ten tenants are told 40 events a second',
    )
    await neighbour('fails at once', deliveryRules, 100_000, false)
    const open = { ...deliveryRules, breaker: noBreaker }
    await neighbour('fails at once, without the breaker', open, 100_000, false)
    await neighbour('says nothing', deliveryRules, 100_000, true)
  }
} finally {
  for (const close of closers) await close().catch(() => undefined)
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
say(`webhooks: ${figures.join(', ')}; ${passed} checks held, ${failed} failed`)
if (failed > 0) process.exitCode = 1
