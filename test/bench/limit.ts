import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { eachNodeOf } from '../../src/service/event-store/eventstoredb/eventstoredb-client.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { fleet } from '../support/processes.ts'
import { runProcess } from '../support/run-process.ts'
import { say } from '../support/say.ts'
import { type Closing, untilClosed } from '../support/until-closed.ts'
import { type BenchRow, median, row, skipped } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'
import { generateLoad, type LoadResult } from './support/bench-service.ts'
import { caughtUp } from './support/caught-up.ts'
import { processesOnPort, processorMs, processorMsWithChildren } from './support/processor-time.ts'

// Measures how close the service is to the minimum that keeps its promise, and how far ahead of a
// general event store: creations with a courier that answers at once, by the two handlers of
// `limit`, by the API alone and by all roles, each on its own database, in alternation. With
// `--store eventstoredb` the service's ledger is on the EventStoreDB of EVENT_STORE_URL; the handlers
// stay on PostgreSQL. `npm run bench -- limit [seconds] [rounds] [--store postgresql|eventstoredb]`

const name = 'limit'
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { store: { type: 'string', default: 'postgresql' } },
})
const seconds = Number(positionals[0] ?? 6)
const rounds = Number(positionals[1] ?? 5)
const warmSeconds = 4
const paces = { 'at 50/s': 50, 'at 200/s': 200, 'at the maximum': null } as const
type Pace = keyof typeof paces
const caughtUpWithinMs = 120_000
/** How long a service without read models may still be busy after its last answer. */
const settleMs = 1_000

/** The limits of the figures, by the store of the service's ledger. */
const targets = {
  postgresql: {
    'all roles / bare, creations/s at the maximum': { atLeast: 0.6 },
    'all roles / Emmett, creations/s at the maximum': { atLeast: 4 },
    'all roles / bare, p50 at 200/s': { atMost: 4 },
    'all roles / bare, p99 at 200/s': { atMost: 2 },
    'all roles / Emmett, p50 at 50/s': { atMost: 0.6 },
    'all roles / bare, processor ms at 200/s': { atMost: 2.5 },
    'all roles / bare, processor ms at 50/s': { atMost: 3 },
  },
  eventstoredb: {
    'all roles / bare, creations/s at the maximum': { atLeast: 0.45 },
    'all roles at 50/s, p50 ms': { atMost: 20 },
  },
} as const satisfies Record<string, Readonly<Record<string, BenchRow['target']>>>
type Store = keyof typeof targets

function storeOf(word: string): Store {
  if (Object.hasOwn(targets, word)) return word as Store
  process.stderr.write(`There is no store ${word}, only ${Object.keys(targets).join(', ')}.\n`)
  process.exit(2)
}

const store = storeOf(values.store)
if (store === 'postgresql') delete process.env.EVENT_STORE_URL
const { EVENT_STORE_URL: eventStoreUrl } = process.env
if (store === 'eventstoredb' && !eventStoreUrl) {
  skipped(name, 'set EVENT_STORE_URL to an EventStoreDB')
  process.exit(0)
}
/** The server's processes; none if it runs on another machine. */
const nodes = (eventStoreUrl ? eachNodeOf(eventStoreUrl) : []).flatMap((url) =>
  processesOnPort(Number(/:(\d+)(\?|$)/.exec(url)?.[1] ?? 2113)),
)
if (eventStoreUrl && nodes.length === 0) say('  No EventStoreDB was found on this machine.')

/** A service under load, and what it needs before its processor time is read. */
type Side = {
  readonly url: string
  readonly pid: number
  readonly key: string
  readonly body: string
  settled(): Promise<unknown>
}
type Opened = (closing: Closing, server: BenchServer) => Promise<Side>

function handler(program: string): Opened {
  return async (closing, server) => {
    const port = await freePort()
    const env = { DATABASE_URL: server.adminUrl, PORT: String(port) }
    const running = runProcess(program, { env })
    closing.teardown(async () => {
      running.child.kill('SIGKILL')
      await running.ended
    })
    await running.said(/"msg":"ready"/)
    return {
      url: `http://127.0.0.1:${port}`,
      pid: running.child.pid ?? 0,
      key: 'none',
      body: JSON.stringify(exampleShipmentRequest('order')),
      settled: () => delay(settleMs),
    }
  }
}

function serviceWith(roles: string): Opened {
  return async (closing, server) => {
    const all = await fleet(closing, {
      database: server,
      program: 'test/bench/support/bench-main.ts',
    })
    const { url, pid } = await all.start({ roles, env: { BENCH_COURIER: 'instant' } })
    return {
      url,
      pid,
      key: all.seeded.shopKey,
      body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
      settled: async () => {
        await delay(settleMs)
        if (roles.includes('projector')) await caughtUp(all.parts, caughtUpWithinMs)
      },
    }
  }
}

const sides = {
  bare: handler('test/bench/limit/bare-handler.ts'),
  Emmett: handler('test/bench/limit/emmett-handler.ts'),
  api: serviceWith('api'),
  'all roles': serviceWith('api,projector,worker'),
} as const satisfies Record<string, Opened>
type SideName = keyof typeof sides
const sideNames = Object.keys(sides) as SideName[]

type Measured = LoadResult & {
  readonly serviceMs: number
  readonly postgresMs: number
  /** Of all nodes of EventStoreDB on this machine; 0 without one. */
  readonly nodesMs: number
}

/** One round of a side: every pace on a fresh database. */
async function turn(open: Opened): Promise<Readonly<Record<Pace, Measured>>> {
  const found: Partial<Record<Pace, Measured>> = {}
  await untilClosed(async (ended) => {
    const server = await benchServer()
    ended.teardown(() => server.stop())
    const side = await open(ended, server)
    const { url, key, body } = side
    const load = (each: { readonly seconds: number; readonly perSecond: number | null }) =>
      generateLoad({ url, key, body, path: '/v1/shipments', ...each })
    await load({ seconds: warmSeconds, perSecond: null })
    await side.settled()
    const times = () => ({
      service: processorMs(side.pid),
      postgres: processorMsWithChildren(server.pid() ?? 0),
      nodes: nodes.reduce((sum, pid) => sum + processorMs(pid), 0),
    })
    for (const [pace, perSecond] of Object.entries(paces) as [Pace, number | null][]) {
      const before = times()
      const result = await load({ seconds, perSecond })
      await side.settled()
      const after = times()
      found[pace] = {
        ...result,
        serviceMs: (after.service - before.service) / result.done,
        postgresMs: (after.postgres - before.postgres) / result.done,
        nodesMs: (after.nodes - before.nodes) / result.done,
      }
    }
  })
  return found as Record<Pace, Measured>
}

const found = new Map<SideName, Record<Pace, Measured>[]>(sideNames.map((side) => [side, []]))
for (let round = 1; round <= rounds; round++) {
  for (const side of sideNames) {
    const measured = await turn(sides[side])
    found.get(side)?.push(measured)
    for (const [pace, each] of Object.entries(measured)) {
      const { perSecond, p50Ms, p99Ms, serviceMs, postgresMs, nodesMs } = each
      const parts = [serviceMs, postgresMs, ...(nodes.length > 0 ? [nodesMs] : [])]
      const processor = `${parts.map((ms) => ms.toFixed(2)).join(' + ')} ms`
      const latency = `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms`
      say(`  round ${round}: ${side} ${pace}: ${perSecond.toFixed(0)}/s, ${latency}, ${processor}`)
    }
  }
}

type Figure = (measured: Measured) => number
const rate: Figure = ({ perSecond }) => perSecond
const p50: Figure = ({ p50Ms }) => p50Ms
const p99: Figure = ({ p99Ms }) => p99Ms
const processor: Figure = ({ serviceMs, postgresMs, nodesMs }) => serviceMs + postgresMs + nodesMs

const limits: Readonly<Record<string, BenchRow['target']>> = targets[store]
const show = (measured: string, value: number) =>
  row({ name, measured, value, target: limits[measured] ?? null })

for (const side of sideNames) {
  const isOnNodes = nodes.length > 0 && (side === 'api' || side === 'all roles')
  for (const pace of Object.keys(paces) as Pace[]) {
    const each = (what: string, of: Figure) =>
      show(
        `${side} ${pace}, ${what}`,
        median((found.get(side) ?? []).map((measured) => of(measured[pace]))),
      )
    if (paces[pace] === null) each('creations/s', rate)
    each('p50 ms', p50)
    each('p99 ms', p99)
    each('processor ms of the service', ({ serviceMs }) => serviceMs)
    each('processor ms of PostgreSQL', ({ postgresMs }) => postgresMs)
    if (isOnNodes) each('processor ms of EventStoreDB', ({ nodesMs }) => nodesMs)
  }
}

/** The median of each round's ratio: changes from round to round affect both sides. */
function ratio(of: SideName, to: SideName): (what: string, pace: Pace, figure: Figure) => void {
  return (what, pace, figure) => {
    const each = (found.get(of) ?? []).map((measured, round) => {
      const beside = found.get(to)?.[round]?.[pace]
      return beside === undefined ? Number.NaN : figure(measured[pace]) / figure(beside)
    })
    show(`${of} / ${to}, ${what} ${pace}`, median(each))
  }
}
for (const side of ['api', 'all roles'] as const) {
  const beside = ratio(side, 'bare')
  beside('creations/s', 'at the maximum', rate)
  beside('p50', 'at 200/s', p50)
  beside('p99', 'at 200/s', p99)
  beside('processor ms', 'at 50/s', processor)
  beside('processor ms', 'at 200/s', processor)
  beside('processor ms', 'at the maximum', processor)
}
const besideEmmett = ratio('all roles', 'Emmett')
besideEmmett('creations/s', 'at the maximum', rate)
besideEmmett('p50', 'at 50/s', p50)
