import { fdatasyncs } from '../support/bench-disk.ts'
import { alternating, median, quantile, row } from '../support/bench-rounds.ts'
import { benchService } from '../support/bench-service.ts'

// What a creation takes at a steady 200/s, and beside it what the disk of the data directory takes to
// keep one page, and what a route that authenticates, validates and does nothing takes at the same
// pace. `npm run bench -- latency [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 10)
const rounds = Number(process.argv[3] ?? 5)
const perSecond = 200
const path = '/v1/shipments'
const pathOfNothing = '/v1/bench/nothing'
const name = 'latency'

const service = await benchService({ courier: 'instant' })
try {
  await service.load({ path, seconds: 5, perSecond })
  const p50s = { fdatasync: [] as number[], nothing: [] as number[], creation: [] as number[] }
  const p99s = await alternating(rounds, {
    'fdatasync p99 ms': async () => {
      await service.caughtUp()
      const tookMs = await fdatasyncs(service.dataDir, 500)
      p50s.fdatasync.push(quantile(tookMs, 0.5))
      return quantile(tookMs, 0.99)
    },
    'nothing p99 ms': async () => {
      const { p50Ms, p99Ms } = await service.load({ path: pathOfNothing, seconds, perSecond })
      p50s.nothing.push(p50Ms)
      return p99Ms
    },
    'creation p99 ms': async () => {
      const { p50Ms, p99Ms } = await service.load({ path, seconds, perSecond })
      p50s.creation.push(p50Ms)
      return p99Ms
    },
  })
  const at = `at ${perSecond}/s`
  row({ name, measured: `creation ${at}, p50 ms`, value: median(p50s.creation), target: null })
  row({
    name,
    measured: `creation ${at}, p99 ms`,
    value: p99s['creation p99 ms'],
    target: { atMost: 25 },
  })
  row({ name, measured: `nothing ${at}, p50 ms`, value: median(p50s.nothing), target: null })
  row({ name, measured: `nothing ${at}, p99 ms`, value: p99s['nothing p99 ms'], target: null })
  row({ name, measured: 'fdatasync, p50 ms', value: median(p50s.fdatasync), target: null })
  row({ name, measured: 'fdatasync, p99 ms', value: p99s['fdatasync p99 ms'], target: null })
} finally {
  await service.stop()
}
