import { setTimeout as delay } from 'node:timers/promises'
import { alternating, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'

// Measures a batch of a thousand lines beside a thousand single creations at 50 connections, and
// the latency of single creations while a batch runs, compared with a quiet service. `npm run bench
// -- batch [rounds]`

const rounds = Number(process.argv[2] ?? 5)
const lines = 1_000
const manyLines = 10_000
const askAgainMs = 20
/** A quarter of what the service can do on two cores. */
const besideAt = { connections: 50, seconds: 5, perSecond: 100 }
const path = '/v1/shipments'

let batches = 0

async function call(service: BenchService, where: string, body?: string) {
  const response = await fetch(service.url + where, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/x-ndjson' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  if (!response.ok) throw new Error(`${where}: ${response.status}`)
  return (await response.json()) as { readonly id: string; readonly status: string }
}

async function begin(service: BenchService, count: number): Promise<string> {
  const line = JSON.parse(service.body) as object
  const name = `bench-${process.pid}-${batches++}`
  const text = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ ...line, external_reference: `${name}-${n}` }),
  )
  return (await call(service, `/v1/batches?external_reference=${name}`, text.join('\n'))).id
}

async function ended(service: BenchService, id: string): Promise<void> {
  while ((await call(service, `/v1/batches/${id}`)).status === 'running') await delay(askAgainMs)
}

async function batchMs(service: BenchService): Promise<number> {
  const beganAt = performance.now()
  await ended(service, await begin(service, lines))
  return performance.now() - beganAt
}

async function singlesMs(service: BenchService): Promise<number> {
  const { perSecond } = await service.load({ path, seconds: 3 })
  return (1_000 * lines) / perSecond
}

async function quietP99(service: BenchService): Promise<number> {
  await service.caughtUp()
  return (await service.load({ path, ...besideAt })).p99Ms
}

async function besideP99(service: BenchService): Promise<number> {
  await service.caughtUp()
  const id = await begin(service, manyLines)
  const { p99Ms } = await service.load({ path, ...besideAt })
  const { status } = await call(service, `/v1/batches/${id}`)
  await fetch(`${service.url}/v1/batches/${id}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
  })
  // A batch that ended during the load delayed only some of the requests.
  return status === 'running' ? p99Ms : Number.NaN
}

const service = await benchService({ courier: 'simulated' })
try {
  await batchMs(service)
  await singlesMs(service)
  const whole = await alternating(rounds, {
    batch: () => batchMs(service),
    singles: () => singlesMs(service),
  })
  row({
    name: 'batch',
    measured: `${lines} lines, as single creations at 50 connections`,
    value: whole.batch / whole.singles,
    target: { atMost: 1.3 },
  })
  const latency = await alternating(rounds, {
    quiet: () => quietP99(service),
    beside: () => besideP99(service),
  })
  row({
    name: 'batch',
    measured: `p99 of creations beside a batch, as of a quiet service`,
    value: latency.beside / latency.quiet,
    target: { atMost: 2 },
  })
  row({
    name: 'batch',
    measured: 'lines a second',
    value: (1_000 * lines) / whole.batch,
    target: null,
  })
} finally {
  await service.stop()
}
