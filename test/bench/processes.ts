import { exampleShipmentRequest } from '../../src/http/examples.ts'
import { projectionLags } from '../../src/processes/service-figures.ts'
import { alternating, row } from '../support/bench-rounds.ts'
import { benchServer } from '../support/bench-server.ts'
import { generateLoad } from '../support/bench-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Fleet, fleet } from '../support/processes.ts'
import { say } from '../support/say.ts'
import { untilClosed } from '../support/until-closed.ts'

// How far more processes move the wall of one: creations/s with a courier that answers at once, over
// all processes of the API, with the whole deployment on this machine. With EVENT_STORE_URL its ledger
// is on that EventStoreDB. `npm run bench -- processes [seconds] [rounds]`

const name = 'processes'
const seconds = Number(process.argv[2] ?? 8)
const rounds = Number(process.argv[3] ?? 5)
/** A process that has just been started is slower until then. */
const warmSeconds = 10
const connections = 48
const path = '/v1/shipments'
const deployments = {
  'one process': ['api,projector,worker'],
  'the API apart': ['api', 'projector,worker'],
  'two of the API, apart': ['api', 'api', 'projector,worker'],
} as const
const caughtUpWithinMs = 120_000

/** How long the read models needed to have all. */
async function caughtUp({ parts }: Fleet): Promise<number> {
  const beganAt = performance.now()
  await eventually(
    () => projectionLags(parts.readModels, parts.store),
    (lags) => lags.every(({ lagSeconds }) => lagSeconds === 0),
    caughtUpWithinMs,
  )
  return (performance.now() - beganAt) / 1_000
}

async function creations(all: Fleet, roles: readonly string[]): Promise<number> {
  const env = { BENCH_COURIER: 'instant' }
  const processes = await Promise.all(roles.map((role) => all.start({ roles: role, env })))
  const apis = processes.filter((_, n) => roles[n]?.startsWith('api'))
  const load = async (forSeconds: number) => {
    const made = await Promise.all(
      apis.map(({ url }) =>
        generateLoad({
          ...{ url, path, key: all.seeded.shopKey, seconds: forSeconds },
          body: JSON.stringify(exampleShipmentRequest('order', all.seeded)),
          connections: connections / apis.length,
        }),
      ),
    )
    return made.reduce((sum, { perSecond }) => sum + perSecond, 0)
  }
  await load(warmSeconds)
  await caughtUp(all)
  const perSecond = await load(seconds)
  say(`  read models had all after ${(await caughtUp(all)).toFixed(1)} s`)
  for (const each of processes) each.signal('SIGTERM')
  await Promise.all(processes.map(({ ended }) => ended))
  return perSecond
}

await untilClosed(async (ended) => {
  const server = await benchServer()
  ended.teardown(() => server.stop())
  const all = await fleet(ended, { database: server, program: 'test/support/bench-main.ts' })
  const names = Object.keys(deployments) as (keyof typeof deployments)[]
  const sides = names.map((each) => [each, () => creations(all, deployments[each])] as const)
  const found = await alternating(rounds, Object.fromEntries(sides))
  const where = process.env.EVENT_STORE_URL ? 'EventStoreDB' : 'PostgreSQL'
  const one = found['one process'] ?? Number.NaN
  row({ name, measured: `${where}: creations/s of one process`, value: one, target: null })
  for (const each of names.slice(1)) {
    const measured = `${where}: ${each} / one process`
    row({ name, measured, value: (found[each] ?? Number.NaN) / one, target: null })
  }
})
