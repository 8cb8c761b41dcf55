import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../src/service/embedded-postgres/postmaster.ts'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { projectionLags } from '../../src/service/processes/service-metrics.ts'
import { eventually } from '../support/eventually.ts'
import { fleet } from '../support/processes.ts'
import { runProcess } from '../support/run-process.ts'
import { say } from '../support/say.ts'
import { type Closing, untilClosed } from '../support/until-closed.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'
import { generateLoad, type LoadResult } from './support/bench-service.ts'
import { processorMs, processorMsWithChildren } from './support/processor-time.ts'

// Measures how close the service is to the minimum that keeps its promise: creations with a courier
// that answers at once, by the bare handler of `limit/bare-handler.ts`, by the API alone and by all
// roles, each on its own database, in alternation. `npm run bench -- limit [seconds] [rounds]`

const name = 'limit'
const seconds = Number(process.argv[2] ?? 6)
const rounds = Number(process.argv[3] ?? 5)
const warmSeconds = 4
const paces = { 'at 50/s': 50, 'at 200/s': 200, 'at the maximum': null } as const
type Pace = keyof typeof paces
const caughtUpWithinMs = 120_000
/** How long a service without read models may still be busy after its last answer. */
const settleMs = 1_000

/** A service under load, and what it needs before its processor time is read. */
type Side = {
  readonly url: string
  readonly pid: number
  readonly key: string
  readonly body: string
  settled(): Promise<unknown>
}
type Opened = (closing: Closing, server: BenchServer) => Promise<Side>

const bare: Opened = async (closing, server) => {
  const all = await fleet(closing, { database: server })
  const port = await freePort()
  const env = { DATABASE_URL: server.adminUrl, PORT: String(port) }
  const running = runProcess('test/bench/limit/bare-handler.ts', { env })
  closing.teardown(async () => {
    running.child.kill('SIGKILL')
    await running.ended
  })
  await running.said(/"msg":"ready"/)
  return {
    url: `http://127.0.0.1:${port}`,
    pid: running.child.pid ?? 0,
    key: 'none',
    body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
    settled: () => delay(settleMs),
  }
}

function serviceWith(roles: string): Opened {
  return async (closing, server) => {
    const all = await fleet(closing, {
      database: server,
      program: 'test/bench/support/bench-main.ts',
    })
    const { url, pid } = await all.start({ roles, env: { BENCH_COURIER: 'instant' } })
    const caughtUp = () =>
      eventually(
        () => projectionLags(all.parts.db, all.parts.store),
        (lags) => lags.every(({ lagSeconds }) => lagSeconds === 0),
        caughtUpWithinMs,
      )
    return {
      url,
      pid,
      key: all.seeded.shopKey,
      body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
      settled: async () => {
        await delay(settleMs)
        if (roles.includes('projector')) await caughtUp()
      },
    }
  }
}

const sides = {
  bare,
  api: serviceWith('api'),
  'all roles': serviceWith('api,projector,worker'),
} as const satisfies Record<string, Opened>
type SideName = keyof typeof sides
const sideNames = Object.keys(sides) as SideName[]

type Measured = LoadResult & { readonly serviceMs: number; readonly postgresMs: number }

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
    for (const [pace, { perSecond, p50Ms, p99Ms, serviceMs, postgresMs }] of Object.entries(
      measured,
    )) {
      const processor = `${serviceMs.toFixed(2)} + ${postgresMs.toFixed(2)} ms`
      const latency = `${p50Ms.toFixed(1)} / ${p99Ms.toFixed(1)} ms`
      say(`  round ${round}: ${side} ${pace}: ${perSecond.toFixed(0)}/s, ${latency}, ${processor}`)
    }
  }
}

const figure = (side: SideName, pace: Pace, of: (measured: Measured) => number) =>
  median((found.get(side) ?? []).map((measured) => of(measured[pace])))
/** The median of each round's ratio: changes from round to round affect both sides. */
const ratio = (side: SideName, pace: Pace, of: (measured: Measured) => number) =>
  median(
    (found.get(side) ?? []).map((measured, round) => {
      const beside = found.get('bare')?.[round]?.[pace]
      return beside === undefined ? Number.NaN : of(measured[pace]) / of(beside)
    }),
  )
const rate = ({ perSecond }: Measured) => perSecond
const p50 = ({ p50Ms }: Measured) => p50Ms
const p99 = ({ p99Ms }: Measured) => p99Ms
const processor = ({ serviceMs, postgresMs }: Measured) => serviceMs + postgresMs

for (const side of sideNames) {
  for (const pace of Object.keys(paces) as Pace[]) {
    const each = (what: string, of: (measured: Measured) => number) =>
      row({
        name,
        measured: `${side} ${pace}, ${what}`,
        value: figure(side, pace, of),
        target: null,
      })
    if (paces[pace] === null) each('creations/s', rate)
    each('p50 ms', p50)
    each('p99 ms', p99)
    each('processor ms of the service', ({ serviceMs }) => serviceMs)
    each('processor ms of PostgreSQL', ({ postgresMs }) => postgresMs)
  }
}
for (const side of ['api', 'all roles'] as const) {
  const all = side === 'all roles'
  const share = (measured: string, value: number, atMost: number | null) =>
    row({ name, measured, value, target: all && atMost !== null ? { atMost } : null })
  row({
    name,
    measured: `${side} / bare, creations/s at the maximum`,
    value: ratio(side, 'at the maximum', rate),
    target: all ? { atLeast: 0.35 } : null,
  })
  share(`${side} / bare, p50 at 200/s`, ratio(side, 'at 200/s', p50), 4)
  share(`${side} / bare, p99 at 200/s`, ratio(side, 'at 200/s', p99), 4)
  share(`${side} / bare, processor ms at 50/s`, ratio(side, 'at 50/s', processor), 4.5)
  share(`${side} / bare, processor ms at 200/s`, ratio(side, 'at 200/s', processor), 4.5)
  share(
    `${side} / bare, processor ms at the maximum`,
    ratio(side, 'at the maximum', processor),
    null,
  )
}
