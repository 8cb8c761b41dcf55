import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Agent, request } from 'undici'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import { startEmbedded } from '../../src/service/embedded-postgres/embedded.ts'
import { pendingDeliveries, webhookTenants } from '../prove/webhooks/webhook-tenants.ts'
import type { WorkerOrder } from '../prove/webhooks/webhook-worker.ts'
import { noLog } from '../support/no-log.ts'
import { runProcess } from '../support/run-process.ts'
import { scratchVariable } from '../support/scratch-server.ts'
import { testSecrets } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'
import { alternating, row } from './support/bench-rounds.ts'

// Measures deliveries per second by one process, from rows of a durable PostgreSQL to a sink in a
// process of its own, compared with the bare HTTP client and the same sink. `npm run bench --
// webhooks [deliveries] [rounds]`

const deliveries = Number(process.argv[2] ?? 20_000)
const endpoints = 50
const rounds = Number(process.argv[3] ?? 5)
const inFlight = 64
const name = 'webhooks'
/** As long as typical stored bodies. */
const body = JSON.stringify({ object: 'x'.repeat(1_600) })

const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-bench-'))
const server = await startEmbedded({
  dataDir: directory,
  adminPassword: 'admin',
  applicationPassword: 'application',
  log: noLog,
})
process.env[scratchVariable] = server.adminUrl
const sink = runProcess('test/bench/support/sink.ts')
const [url = ''] = await sink.said(/http:\S+/)

async function bare(): Promise<number> {
  const agent = new Agent({ connections: inFlight, pipelining: 1 })
  const began = performance.now()
  let left = deliveries
  const sender = async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const answer = await request(url, { method: 'POST', dispatcher: agent, body, headers })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, sender))
  await agent.close()
  return (1_000 * deliveries) / (performance.now() - began)
}

async function delivered(): Promise<number> {
  const closers: (() => Promise<unknown>)[] = []
  const database = await testDatabase({ teardown: (close) => closers.push(close) })
  const { secretsKey } = testSecrets()
  const urls = Array.from({ length: endpoints }, (_, number) => `${url}/${number}`)
  for (const tenant of await webhookTenants(database, secretsKey, urls)) {
    await pendingDeliveries(database, tenant, deliveries / endpoints)
  }
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  const order: WorkerOrder = {
    databaseUrl: database.url,
    secretsKey,
    rules: deliveryRules,
    sendTimes: {},
  }
  const worker = runProcess('test/prove/webhooks/webhook-worker.ts', {
    env: { WORKER: JSON.stringify(order) },
  })
  await worker.said(/working/)
  const began = performance.now()
  for (;;) {
    const { rows } = await admin.query(
      "SELECT FROM webhook_deliveries WHERE state = 'pending' LIMIT 1",
    )
    if (rows.length === 0) break
    await delay(20)
  }
  const rate = (1_000 * deliveries) / (performance.now() - began)
  worker.child.kill('SIGTERM')
  await worker.ended
  await admin.end()
  for (const close of closers) await close()
  return rate
}

try {
  const { client, delivery } = await alternating(rounds, { client: bare, delivery: delivered })
  row({ name, measured: 'deliveries/s', value: delivery, target: { atLeast: 2_000 } })
  row({
    name,
    measured: 'deliveries / requests of the bare client',
    value: delivery / client,
    target: null,
  })
} finally {
  sink.child.kill('SIGTERM')
  await server.stop()
  rmSync(directory, { recursive: true, force: true })
}
