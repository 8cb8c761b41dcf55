import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { row } from '../support/bench-rounds.ts'
import { benchService } from '../support/bench-service.ts'

// Where the service's processor spends a creation, by step, as a sampling profiler sees it while 50
// connections ask for all that goes through: microseconds a creation. First of the API alone, then of
// all roles. `npm run bench -- steps [seconds]`

const seconds = Number(process.argv[2] ?? 20)
const sampleEveryMicros = 500

type Frame = { readonly functionName: string; readonly url: string }
type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: Frame
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** By where a function is from; a sample is of the innermost that is of a step. */
const steps: readonly (readonly [step: string, from: RegExp])[] = [
  ['the database driver', /node_modules\/(pg|kysely)|src\/database\//],
  ['read models', /\/projections\/|src\/processes\/(checkpoint|projector)|projections-/],
  ['the signed tree', /src\/ledger\//],
  ['webhooks', /src\/webhooks\//],
  ['sealing personal data', /src\/security\/(vault|encryption|credentials)/],
  ['keys, limits and signing', /src\/security\/|rate-limiter-flexible/],
  [
    'events: checking, hashing, appending',
    /src\/(event-store|domain)\/|node_modules\/canonicalize/,
  ],
  ['the courier and its labels', /src\/couriers\/|node_modules\/(pdf|bwip-js|font)/],
  ['the worker and the process of a creation', /src\/processes\//],
  ['checking requests and answers', /node_modules\/(zod|ajv|fast-json-stringify)/],
  ['logging and metrics', /node_modules\/(pino|sonic-boom|prom-client)|src\/http\/metrics/],
  ['HTTP', /node_modules\/(@?fastify|find-my-way|avvio|light-my-request)|node:_http|src\/http\//],
  ['sockets and timers', /^node:/],
]
const idle = new Set(['(idle)', '(program)', '(root)'])

function stepOf(stack: readonly Frame[]): string | null {
  const [leaf] = stack
  if (leaf === undefined || idle.has(leaf.functionName)) return null
  if (leaf.functionName === '(garbage collector)') return 'collecting garbage'
  const known = (frames: readonly Frame[]) => {
    for (const { url } of frames) {
      const step = steps.find(([, from]) => from.test(url))
      if (step !== undefined) return step[0]
    }
    return null
  }
  const own = stack.filter(({ url }) => !/^node:(?!_http)/.test(url))
  return known(own) ?? known(stack) ?? 'other'
}

/** Microseconds of each step in the last so many milliseconds of a profile but for its very end. */
function timesOf(profile: Profile, fromEndMs: number, endMs: number): ReadonlyMap<string, number> {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  )
  const stepOfNode = new Map<number, string | null>()
  const stepAt = (id: number) => {
    const told = stepOfNode.get(id)
    if (told !== undefined) return told
    const stack: Frame[] = []
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame
      if (frame !== undefined) stack.push(frame)
    }
    const step = stepOf(stack)
    stepOfNode.set(id, step)
    return step
  }
  const total = profile.timeDeltas.reduce((sum, delta) => sum + delta, 0)
  const times = new Map<string, number>()
  let at = 0
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0
    at += delta
    const leftMs = (total - at) / 1_000
    const step = leftMs <= fromEndMs && leftMs >= endMs ? stepAt(id) : null
    if (step !== null) times.set(step, (times.get(step) ?? 0) + delta)
  }
  return times
}

async function profiled(roles: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'shipping-ledger-steps-'))
  const service = await benchService({
    courier: 'instant',
    environment: { ROLES: roles },
    nodeArguments: [
      ...['--cpu-prof', `--cpu-prof-dir=${directory}`],
      `--cpu-prof-interval=${sampleEveryMicros}`,
    ],
  })
  try {
    await service.load({ path: '/v1/shipments', seconds: 3 })
    const beganAt = performance.now()
    const { done, perSecond } = await service.load({ path: '/v1/shipments', seconds })
    const endedAt = performance.now()
    await service.stop()
    const stoppedAt = performance.now()
    const [file] = readdirSync(directory)
    const profile = JSON.parse(readFileSync(join(directory, file ?? ''), 'utf8')) as Profile
    const times = timesOf(profile, stoppedAt - beganAt, stoppedAt - endedAt)
    const name = 'steps'
    row({ name, measured: `${roles}: creations/s`, value: perSecond, target: null })
    let sum = 0
    for (const [step, micros] of [...times].sort(([, a], [, b]) => b - a)) {
      sum += micros
      row({ name, measured: `${roles}: µs, ${step}`, value: micros / done, target: null })
    }
    row({ name, measured: `${roles}: µs, all of the service`, value: sum / done, target: null })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

await profiled('api,simulator')
await profiled('api,projector,worker,simulator')
