import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { eventually } from '../support/eventually.ts'
import { type Fleet, fleet, type ServiceProcess } from '../support/processes.ts'
import { say } from '../support/say.ts'
import { type Closing, untilClosed } from '../support/until-closed.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchServer, benchServer } from './support/bench-server.ts'
import { generateLoad } from './support/bench-service.ts'
import { caughtUp } from './support/caught-up.ts'
import { endedChildrenMs, processorMs, processorMsWithChildren } from './support/processor-time.ts'

// What each part of the service costs a creation under full load, in milliseconds of one processor: the
// API, the follower that catches up afterwards, the worker that then fetches the labels, and
// PostgreSQL for each of them. From that, how many creations a second other arrangements of processes
// should reach on this machine, beside what they do. `npm run bench -- scaling [seconds] [rounds]`

const name = 'scaling'
const seconds = Number(process.argv[2] ?? 6)
const rounds = Number(process.argv[3] ?? 3)
const warmSeconds = 4
const withinMs = 300_000
/** A label is fetched about ten seconds after its guide was issued. */
const labelsAfterMs = 12_000
const processors = availableParallelism()

type Cost = { readonly service: number; readonly postgres: number; readonly load: number }
type Part = 'api' | 'projector' | 'worker'
type Costs = Readonly<Record<Part, Cost>>

/** What may be lost to what the model leaves out, such as the switching between processes. */
const predicted = { atLeast: 0.7 }

async function started(all: Fleet, roles: string): Promise<ServiceProcess> {
  return await all.start({ roles, env: { BENCH_COURIER: 'instant' } })
}

async function opened(closing: Closing): Promise<{ server: BenchServer; all: Fleet }> {
  const server = await benchServer()
  closing.teardown(() => server.stop())
  const program = 'test/bench/support/bench-main.ts'
  return { server, all: await fleet(closing, { database: server, program }) }
}

async function loaded(all: Fleet, apis: readonly ServiceProcess[], forSeconds: number) {
  const { shopKey: key } = all.seeded
  const body = JSON.stringify(exampleShipmentRequest('order', all.seeded))
  const results = await Promise.all(
    apis.map(({ url }) =>
      generateLoad({
        url,
        key,
        body,
        path: '/v1/shipments',
        seconds: forSeconds,
        connections: Math.ceil(50 / apis.length),
      }),
    ),
  )
  const sum = (of: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + of(result), 0)
  return { done: sum(({ done }) => done), perSecond: sum((result) => result.perSecond) }
}

/** Resolves when no label is due. */
async function labelsFetched({ parts }: Fleet): Promise<void> {
  const due = async () => {
    const { rows } = await parts.pool.query<{ left: number }>(
      'SELECT count(*)::int AS left FROM due WHERE label_at < now()',
    )
    return rows[0]?.left ?? 0
  }
  await eventually(due, (left) => left === 0, withinMs)
}

/** Milliseconds of one processor during the work, divided by the creations that it was for. */
async function costOf(
  { server, service }: { readonly server: BenchServer; readonly service: ServiceProcess },
  work: () => Promise<number>,
): Promise<Cost> {
  const times = () => ({
    service: processorMs(service.pid),
    postgres: processorMsWithChildren(server.pid() ?? 0),
    load: endedChildrenMs(process.pid),
  })
  const before = times()
  const creations = await work()
  const after = times()
  const each = (part: keyof Cost) => (after[part] - before[part]) / creations
  return { service: each('service'), postgres: each('postgres'), load: each('load') }
}

/** Measures the cost of each part, one after another on the same ledger. */
async function costs(): Promise<Costs> {
  return await untilClosed(async (closing) => {
    const { server, all } = await opened(closing)
    const api = await started(all, 'api')
    let creations = (await loaded(all, [api], warmSeconds)).done
    const ofApi = await costOf({ server, service: api }, async () => {
      const { done } = await loaded(all, [api], seconds)
      creations += done
      return done
    })
    const after = async (role: Part, work: (all: Fleet) => Promise<void>) => {
      const service = await started(all, role)
      return await costOf({ server, service }, async () => {
        await work(all)
        return creations
      })
    }
    const ofProjector = await after('projector', ({ parts }) => caughtUp(parts, withinMs))
    await delay(labelsAfterMs)
    return { api: ofApi, projector: ofProjector, worker: await after('worker', labelsFetched) }
  })
}

/** Roles of each process. Labels are not due yet when a round ends. */
const arrangements = {
  'all roles in one process': ['api,projector,worker'],
  'three processes': ['api', 'projector', 'worker'],
  'four processes, two of them the API': ['api', 'api', 'projector', 'worker'],
} as const satisfies Record<string, readonly string[]>

async function reached(roles: readonly string[]): Promise<number> {
  return await untilClosed(async (closing) => {
    const { all } = await opened(closing)
    const processes = await Promise.all(roles.map((each) => started(all, each)))
    const apis = processes.filter((_, index) => roles[index]?.includes('api'))
    await loaded(all, apis, warmSeconds)
    await caughtUp(all.parts, withinMs)
    return (await loaded(all, apis, seconds)).perSecond
  })
}

/** The least of what its processes can do and of what the machine can do. */
function expected({ api, projector }: Costs, roles: readonly string[]): number {
  const apis = roles.filter((each) => each.includes('api')).length
  const isOne = roles.length === 1
  const busiest = isOne
    ? api.service + projector.service
    : Math.max(api.service / apis, projector.service)
  const machine = [api, projector].reduce(
    (sum, { service, postgres, load }) => sum + service + postgres + load,
    0,
  )
  return 1_000 / Math.max(busiest, machine / processors)
}

const parts: readonly Part[] = ['api', 'projector', 'worker']
const found: Costs[] = []
const ratios = new Map<string, number[]>()
const rates = new Map<string, number[]>()
for (let round = 1; round <= rounds; round++) {
  const cost = await costs()
  found.push(cost)
  for (const part of parts) {
    const { service, postgres, load } = cost[part]
    const told = [service, postgres, load].map((ms) => ms.toFixed(2)).join(' + ')
    say(`  round ${round}: ${part}: ${told} ms`)
  }
  for (const [arrangement, roles] of Object.entries(arrangements)) {
    const rate = await reached(roles)
    const model = expected(cost, roles)
    say(`  round ${round}: ${arrangement}: ${rate.toFixed(0)}/s, expected ${model.toFixed(0)}/s`)
    ratios.set(arrangement, [...(ratios.get(arrangement) ?? []), rate / model])
    rates.set(arrangement, [...(rates.get(arrangement) ?? []), rate])
  }
}

for (const part of parts) {
  for (const whose of ['service', 'postgres'] as const) {
    const value = median(found.map((cost) => cost[part][whose]))
    const named = whose === 'service' ? part : `PostgreSQL for ${part}`
    row({ name, measured: `${named}, processor ms a creation`, value, target: null })
  }
}
for (const arrangement of Object.keys(arrangements)) {
  const value = median(rates.get(arrangement) ?? [])
  row({ name, measured: `${arrangement}, creations/s`, value, target: null })
}
for (const arrangement of Object.keys(arrangements)) {
  const value = median(ratios.get(arrangement) ?? [])
  row({ name, measured: `${arrangement}, reached ÷ expected`, value, target: predicted })
}
