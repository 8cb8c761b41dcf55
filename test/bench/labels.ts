import { execFile } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { say } from '../support/say.ts'
import { alternating, median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'

// Measures the memory that printing the documents of 200 shipments takes, in the service and in the
// printing process, and how long it blocks the event loop of the service. `npm run bench -- labels
// [rounds]`

const name = 'labels'
const rounds = Number(process.argv[2] ?? 5)
const shipments = 200
/** With this many pieces each, a few shipments fill the largest file. */
const piecesMax = 99
const largest = 50
const memoryMax = { atMost: 150 }
const holdMax = { atMost: 20 }
/** As often as the system can be queried. */
const lookEveryMs = 50
const atOnce = 10

type Call = { readonly path: string; readonly body?: object; readonly idempotencyKey?: string }

async function call({ url, key }: BenchService, { path, body, idempotencyKey }: Call) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
  const answer = await fetch(url + path, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
  return Buffer.from(await answer.arrayBuffer())
}

/** Shipments with stored labels. */
async function labelled(service: BenchService, count: number, quantity: number) {
  const usual = JSON.parse(service.body) as { readonly package: object }
  const body = { ...usual, package: { ...usual.package, quantity } }
  const one = async (number: number): Promise<string> => {
    const idempotencyKey = `papers-${quantity}-${number}`
    const made = await call(service, { path: '/v1/shipments', body, idempotencyKey })
    const { id } = JSON.parse(String(made)) as { readonly id: string }
    await call(service, { path: `/v1/shipments/${id}/documents/label` })
    return id
  }
  const ids: string[] = []
  while (ids.length < count) {
    const next = Array.from({ length: Math.min(atOnce, count - ids.length) }, (_, n) => n)
    ids.push(...(await Promise.all(next.map((n) => one(ids.length + n)))))
  }
  return ids
}

/**
 * The memory of the service and the printing process, in MB, without the service's other children,
 * which run all the time.
 */
async function megabytes({ pid }: BenchService): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='])
  const kib = stdout.split('\n').flatMap((line) => {
    const [own, parent, rss, ...args] = line.trim().split(/\s+/)
    const isPrinting = parent === String(pid) && args.join(' ').includes('print-process-main')
    return own === String(pid) || isPrinting ? [Number(rss)] : []
  })
  return kib.reduce((sum, each) => sum + each, 0) / 1024
}

type Measured = { readonly mostMb: number; readonly holdMs: number; readonly seconds: number }

async function measured(service: BenchService, path: string, body: object): Promise<Measured> {
  await service.longestHoldMs()
  let mostMb = 0
  let isDone = false
  const looking = (async () => {
    while (!isDone) {
      mostMb = Math.max(mostMb, await megabytes(service))
      await delay(lookEveryMs)
    }
    mostMb = Math.max(mostMb, await megabytes(service))
  })()
  const startedAt = performance.now()
  const pdf = await call(service, { path, body })
  const seconds = (performance.now() - startedAt) / 1_000
  isDone = true
  await looking
  say(`  ${path}: ${(pdf.length / 2 ** 20).toFixed(1)} MB in ${seconds.toFixed(2)} s`)
  return { mostMb, holdMs: await service.longestHoldMs(), seconds }
}

const service = await benchService({ courier: 'simulated' })
try {
  const ids = await labelled(service, shipments, 1)
  const large = await labelled(service, largest, piecesMax)
  await service.caughtUp()
  await service.longestHoldMs()
  const idle: number[] = []
  for (let look = 0; look < 5; look++) {
    await delay(1_000)
    idle.push(await megabytes(service))
  }
  const idleMb = median(idle)
  row({ name, measured: 'MB of the service, idle', value: idleMb, target: null })
  const papers = {
    'a6 labels of 200': ['/v1/labels', { shipment_ids: ids }],
    'labels of 200, four on A4': ['/v1/labels', { shipment_ids: ids, layout: 'four_on_a4' }],
    'hand-over list of 200': ['/v1/manifests', { shipment_ids: ids }],
    [`labels of ${largest * piecesMax} pages`]: ['/v1/labels', { shipment_ids: large }],
  } as const
  for (const [what, [path, body]] of Object.entries(papers)) {
    const found: Measured[] = []
    await alternating(rounds, {
      printed: async () => {
        const one = await measured(service, path, body)
        found.push(one)
        return one.seconds
      },
    })
    const most = Math.max(...found.map(({ mostMb }) => mostMb)) - idleMb
    const holds = median(found.map(({ holdMs }) => holdMs))
    const is200 = body.shipment_ids === ids
    const mb = { measured: `${what}: MB more than idle, the most`, value: most }
    row({ name, ...mb, target: is200 ? memoryMax : null })
    const hold = { measured: `${what}: longest hold of the event loop, ms`, value: holds }
    row({ name, ...hold, target: holdMax })
    const seconds = median(found.map((one) => one.seconds))
    row({ name, measured: `${what}: seconds`, value: seconds, target: null })
  }
} finally {
  await service.stop()
}
