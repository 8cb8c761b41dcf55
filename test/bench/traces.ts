import { runProcess } from '../support/run-process.ts'
import { say } from '../support/say.ts'
import { untilClosed } from '../support/until-closed.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'
import { processorMs } from './support/processor-time.ts'

// Measures what traces cost a creation: the service without them, beside the same service with every
// trace or one in ten exported to a collector on this machine, and beside another checkout if one is given. Guides are
// created at once, so that nothing else takes time. The rounds are short and alternate, so that other load
// on the machine affects all sides. `npm run bench -- traces [seconds] [rounds] [checkout]`

const name = 'traces'
const seconds = Number(process.argv[2] ?? 2)
const rounds = Number(process.argv[3] ?? 15)
const checkout = process.argv[4]
const warmSeconds = 5
/** Slow enough that no request waits for another. */
const pacedPerSecond = 50

type Figures = {
  readonly perSecond: number
  /** Of requests that come one by one. */
  readonly p50Ms: number
  /** Processor time of the service for a creation. */
  readonly processorMs: number
}

async function measured(service: BenchService): Promise<Figures> {
  const before = processorMs(service.pid)
  const loaded = await service.load({ path: '/v1/shipments', seconds })
  // The follower's work for them counts too.
  await service.caughtUp()
  const used = processorMs(service.pid) - before
  const paced = await service.load({
    path: '/v1/shipments',
    seconds,
    perSecond: pacedPerSecond,
    connections: 8,
  })
  await service.caughtUp()
  return {
    perSecond: loaded.perSecond,
    p50Ms: paced.p50Ms,
    processorMs: used / loaded.done,
  }
}

function told(side: string, { perSecond, p50Ms, processorMs: used }: Figures): string {
  return `${side} ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, ${used.toFixed(3)} ms of processor time`
}

/** The medians of the rounds' ratios: both sides of a ratio were measured one after the other. */
function compare(what: string, sides: readonly Figures[], bases: readonly Figures[], most: number) {
  const ratio = (of: (figures: Figures) => number) =>
    median(sides.map((side, round) => of(side) / of(bases[round] as Figures)))
  const target = { atMost: most }
  const cost = (measuredAs: string, value: number) =>
    row({ name, measured: `${what}: ${measuredAs}`, value, target })
  cost('creations/s, the inverse', 1 / ratio(({ perSecond }) => perSecond))
  cost(
    'p50 of a request',
    ratio(({ p50Ms }) => p50Ms),
  )
  cost(
    'processor time',
    ratio((figures) => figures.processorMs),
  )
}

await untilClosed(async (closing) => {
  const sink = runProcess('test/bench/support/sink.ts')
  closing.teardown(async () => sink.child.kill('SIGTERM'))
  const [collector = ''] = await sink.said(/http:\S+/)
  const started = async (options: Parameters<typeof benchService>[0]) => {
    const service = await benchService(options)
    closing.teardown(() => service.stop())
    await service.load({ path: '/v1/shipments', seconds: warmSeconds })
    await service.caughtUp()
    return service
  }
  const every = { OTEL_EXPORTER_OTLP_ENDPOINT: collector }
  const oneInTen = {
    ...every,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.1',
  }
  const services = new Map([
    ...(checkout === undefined
      ? []
      : ([['the other checkout', await started({ courier: 'instant', checkout })]] as const)),
    ['off', await started({ courier: 'instant' })],
    ['one in ten', await started({ courier: 'instant', environment: oneInTen })],
    ['every', await started({ courier: 'instant', environment: every })],
  ])
  const found = new Map<string, Figures[]>([...services.keys()].map((side) => [side, []]))
  for (let round = 1; round <= rounds; round++) {
    const order = [...services]
    if (round % 2 === 0) order.reverse()
    for (const [side, service] of order) {
      const figures = await measured(service)
      found.get(side)?.push(figures)
      say(`  round ${round} of ${rounds}: ${told(side, figures)}`)
    }
  }
  const off = found.get('off') ?? []
  compare('one trace in ten, beside off', found.get('one in ten') ?? [], off, 1.05)
  compare('every trace, beside off', found.get('every') ?? [], off, 1.05)
  const other = found.get('the other checkout')
  if (other !== undefined) compare('off beside the other checkout', off, other, 1.02)
})
