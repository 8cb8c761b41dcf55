import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { createServices } from '../../../src/service/app.ts'
import { rfc3339 } from '../../../src/service/domain/decider.ts'
import { operationIdOf, shipmentIdOf } from '../../../src/service/domain/ids.ts'
import type { Command } from '../../../src/service/domain/shipment/shipment-decisions.ts'
import type { DeliveryRules } from '../../../src/service/domain/webhooks/webhook-delivery.ts'
import { transact } from '../../../src/service/event-store/transact.ts'
import { ensureProjections } from '../../../src/service/roles.ts'
import type { Services } from '../../../src/service/services.ts'
import { request, seconds, uuid } from '../../support/given.ts'
import { runProcess } from '../../support/run-process.ts'
import { noLogger, testSecrets } from '../../support/service.ts'
import type { TestDatabase } from '../../support/test-database.ts'
import { type Tenant, webhookTenants } from './webhook-tenants.ts'
import type { WorkerOrder } from './webhook-worker.ts'

export type FireOptions = {
  /** Each causes four webhook events. */
  readonly shipments: number
  readonly receivers: number
  /** How often the process that fills the outbox and delivers is killed. */
  readonly kills: number
  readonly say: (text: string) => void
}

export type FireResult = {
  readonly events: number
  readonly requests: number
  /** The number of deliveries by state. */
  readonly states: Readonly<Record<string, number>>
  /** The violations, as sentences. */
  readonly faults: readonly string[]
}

/**
 * Five attempts within seconds; no circuit breaker, which would only delay the end of failing
 * deliveries.
 */
const rules: DeliveryRules = {
  ladderMs: [100, 300, 1_000, 2_000],
  // Long enough that no delivery expires because of killed processes.
  ladderTimeMs: 600_000,
  breaker: { failures: 1_000_000, apartMs: 0, spanMs: 0, pauseMs: 1, pauseMsMax: 1 },
  leaseMs: 3_000,
}
const sendTimes = { connectMs: 500, totalMs: 700, bodyMs: 200 }
const eventsEach = 4
const seedersMax = 8
const endsWithinMs = 300_000

/** How a receiver answers a delivery, depending on how often it has seen it. */
type Script = (seen: number, response: ServerResponse, request: IncomingMessage) => void

const accept: Script = (_, response) => response.writeHead(200).end('ok')
const fail: Script = (_, response) => response.writeHead(500).end('no')
/** Six of ten receivers are healthy; each of the others fails in its own way. */
const scripts: readonly Script[] = [
  accept,
  accept,
  (seen, response, request) =>
    seen > 1 ? accept(seen, response, request) : fail(seen, response, request),
  accept,
  // Does not answer the first time.
  (seen, response, request) => seen > 1 && accept(seen, response, request),
  accept,
  // Cuts the connection the first time, in the middle of its answer.
  (seen, response, request) => {
    if (seen > 1) return accept(seen, response, request)
    request.socket.end('HTTP/1.1 200 O')
  },
  accept,
  fail,
  // Accepts, with a body that never ends.
  (_, response) => response.writeHead(200, { 'content-length': '1000000' }).write('x'),
]

type Seen = { readonly ids: Map<string, number>; readonly sequences: Map<string, Set<number>> }

/**
 * Delivers events of real histories by a process that is killed repeatedly, to receivers that fail
 * in every way. Compares what arrives with what was committed.
 */
export async function webhookFire(
  database: TestDatabase,
  { shipments, receivers, kills, say }: FireOptions,
): Promise<FireResult> {
  const secrets = testSecrets()
  const faults: string[] = []
  const seen: Seen[] = []
  let requests = 0
  const verifiers: Webhook[] = []
  const server = createServer(async (incoming, response) => {
    const number = Number(incoming.url?.slice(1))
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    requests += 1
    const headers = incoming.headers as Record<string, string>
    try {
      verifiers[number]?.verify(text, headers)
    } catch (error) {
      faults.push(`receiver ${number}: ${String(error)}`)
    }
    const event = JSON.parse(text)
    const { ids, sequences } = seen[number] as Seen
    const times = (ids.get(event.id) ?? 0) + 1
    ids.set(event.id, times)
    const received = sequences.get(event.resource.id) ?? new Set()
    sequences.set(event.resource.id, received.add(event.sequence))
    scripts[number % scripts.length]?.(times, response, incoming)
  })
  server.on('clientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const urls = Array.from({ length: receivers }, (_, number) => `${url}/${number}`)
  const tenants = await webhookTenants(database, secrets.secretsKey, urls)
  for (const { secret } of tenants) {
    verifiers.push(new Webhook(secret))
    seen.push({ ids: new Map(), sequences: new Map() })
  }
  const parts = createServices({
    databaseUrl: database.url,
    secrets,
    simulatorUrl: null,
    log: noLogger(),
  })
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  try {
    await ensureProjections(parts)
    const order: WorkerOrder = {
      databaseUrl: database.url,
      secretsKey: secrets.secretsKey,
      rules,
      sendTimes,
    }
    const seeding = seed(parts, tenants, shipments, say)
    await killed(order, kills, say)
    await seeding
    const worker = startWorker(order)
    try {
      await ended(admin, shipments * eventsEach, say)
    } finally {
      worker.child.kill('SIGTERM')
      await worker.ended
    }
    const rows = await deliveriesIn(admin)
    const events = shipments * eventsEach
    if (rows.length !== events) faults.push(`${rows.length} deliveries were made`)
    faults.push(...deliveryFaults(rows, tenants, seen), ...sequenceFaults(seen, shipments))
    return { events, requests, states: countsOf(rows), faults }
  } finally {
    await admin.end()
    await parts.close()
    server.close()
    server.closeAllConnections()
  }
}

export function startWorker(order: WorkerOrder) {
  return runProcess('test/prove/webhooks/webhook-worker.ts', {
    env: { WORKER: JSON.stringify(order) },
  })
}

/** Kills each process at a random time within its first second of work. */
async function killed(order: WorkerOrder, kills: number, say: FireOptions['say']): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const worker = startWorker(order)
    await worker.said(/working/)
    await delay(Math.random() * 1_000)
    worker.child.kill('SIGKILL')
    await worker.ended
    if (kill % 10 === 0) say(`    killed ${kill} times`)
  }
}

/** Appends histories of four webhook events each while deliveries continue. */
async function seed(
  parts: Services,
  tenants: readonly Tenant[],
  shipments: number,
  say: FireOptions['say'],
): Promise<void> {
  let next = 0
  const seeder = async () => {
    while (next < shipments) {
      const number = next++
      const tenant = tenants[number % tenants.length]
      if (tenant !== undefined) await seedOne(parts, tenant, number)
      if ((number + 1) % 1_000 === 0) say(`    ${number + 1} shipments have their history`)
    }
  }
  await Promise.all(Array.from({ length: seedersMax }, seeder))
}

export async function seedOne({ store }: Services, tenant: Tenant, number: number): Promise<void> {
  const { organizationId, workspaceId } = tenant
  const idempotencyKey = `fire-${number}`
  const shipmentId = shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
  const now = Date.now()
  const scan = (code: string) => ({
    id: `tev_${code}`,
    code,
    mapped: true,
    agency_id: null,
    action_required: false,
    occurred_at: rfc3339(now),
    received_at: rfc3339(now),
  })
  const observed = (code: string): Command => ({
    do: 'observe_tracking',
    events: [scan(code)],
    eta: null,
    evidenceRef: null,
    monitoring: 'active',
  })
  const commands: readonly Command[] = [
    {
      do: 'request_shipment',
      now,
      callDeadline: now + seconds(20),
      operationId: operationIdOf(shipmentId, 1),
      credentialsVersion: 1,
      request: {
        ...request,
        organization_id: organizationId,
        workspace_id: workspaceId,
        idempotency_key: idempotencyKey,
      },
    },
    {
      do: 'record_outcome',
      operationId: operationIdOf(shipmentId, 1),
      outcome: {
        kind: 'issued',
        guide: { guideNumber: `G-${number}`, price: null, pickupCodeRef: null },
      },
    },
    observed('registered'),
    {
      do: 'record_label',
      label: {
        label_ref: uuid(number),
        a4_ref: null,
        content_type: 'application/pdf',
        size_bytes: 1,
      },
    },
    observed('in_transit'),
  ]
  const actor = { type: 'system', keyId: null } as const
  for (const command of commands) {
    await transact(store, shipmentId, command, { actor, requestId: null, now })
  }
}

/** Waits until every event is in the outbox and no delivery is pending. */
async function ended(admin: pg.Client, events: number, say: FireOptions['say']): Promise<void> {
  const until = Date.now() + endsWithinMs
  for (let rounds = 1; ; rounds++) {
    const { rows } = await admin.query<{ told: number; pending: number }>(`
      SELECT (SELECT count(*) FROM webhook_events)::int AS told,
        (SELECT count(*) FROM webhook_deliveries WHERE state = 'pending')::int AS pending`)
    const { told = 0, pending = 0 } = rows[0] ?? {}
    if (told >= events && pending === 0) return
    if (Date.now() > until) throw new Error(`${told} told, ${pending} pending: it does not end`)
    if (rounds % 20 === 0) say(`    ${told} told, ${pending} pending`)
    await delay(250)
  }
}

type Row = {
  readonly id: string
  readonly event_id: string
  readonly endpoint_id: string
  readonly state: string
  readonly dead_reason: string | null
  readonly attempts: readonly { readonly status_code: number | null }[]
  readonly body: string
}

async function deliveriesIn(admin: pg.Client): Promise<readonly Row[]> {
  const { rows } = await admin.query<Row>(`
    SELECT d.id, d.event_id, d.endpoint_id, d.state, d.dead_reason, d.attempts, e.body
    FROM webhook_events e LEFT JOIN webhook_deliveries d ON d.event_id = e.id`)
  return rows
}

function countsOf(rows: readonly Row[]): Readonly<Record<string, number>> {
  const byState = Object.entries(Object.groupBy(rows, ({ state }) => state))
  return Object.fromEntries(byState.map(([state, own = []]) => [state, own.length]))
}

function deliveryFaults(
  rows: readonly Row[],
  tenants: readonly Tenant[],
  seen: readonly Seen[],
): readonly string[] {
  const faults: string[] = []
  for (const row of rows) {
    const number = tenants.findIndex(({ endpointId }) => endpointId === row.endpoint_id)
    const times = seen[number]?.ids.get(row.event_id) ?? 0
    const hasSucceeded = row.attempts.some(({ status_code: status }) => status === 200)
    if (row.state === 'delivered' && (times === 0 || !hasSucceeded)) {
      faults.push(`${row.id} is delivered but never arrived`)
    }
    if (row.state === 'dead' && (row.dead_reason !== 'attempts_exhausted' || times === 0)) {
      faults.push(`${row.id} is dead without its reason`)
    }
    if (row.state !== 'delivered' && row.state !== 'dead') faults.push(`${row.id} is ${row.state}`)
    // All receivers but those that always fail accept in the end.
    const isWell = scripts[number % scripts.length] !== fail
    if (isWell !== (row.state === 'delivered'))
      faults.push(`${row.id} of ${number} is ${row.state}`)
    if (times < row.attempts.length) faults.push(`${row.id} has attempts that were never made`)
  }
  return faults
}

function sequenceFaults(seen: readonly Seen[], shipments: number): readonly string[] {
  const faults: string[] = []
  for (const { sequences } of seen) {
    for (const [shipment, received] of sequences) {
      const isComplete = [1, 2, 3, 4].every((sequence) => received.has(sequence))
      if (!isComplete || received.size !== eventsEach)
        faults.push(`${shipment} got only some of its webhooks`)
    }
  }
  const shipmentsReceived = seen.reduce((sum, { sequences }) => sum + sequences.size, 0)
  if (shipmentsReceived !== shipments) faults.push(`${shipmentsReceived} of ${shipments} were told`)
  return faults
}
