import { alternating, row } from '../support/bench-rounds.ts'
import { benchService } from '../support/bench-service.ts'
import { say } from '../support/say.ts'

// Creations over HTTP, durable to the answer, beside a route of the same service that authenticates
// and validates the same request and does nothing. `npm run bench -- create [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
/** A round counts when what it made is in the read models within this. */
const lagMaxSeconds = 1

const service = await benchService({ courier: 'instant' })
try {
  await service.load({ path: '/v1/shipments', seconds: 3 })
  const medians = await alternating(rounds, {
    nothing: async () => (await service.load({ path: '/v1/bench/nothing', seconds })).perSecond,
    creations: async () => {
      const { perSecond, p50Ms, p99Ms } = await service.load({ path: '/v1/shipments', seconds })
      const lag = await service.lagSeconds()
      say(`  creations p50 ${p50Ms} ms, p99 ${p99Ms} ms, projections ${lag.toFixed(2)} s behind`)
      return lag <= lagMaxSeconds ? perSecond : Number.NaN
    },
  })
  row({ name: 'create', measured: 'creations/s', value: medians.creations, target: null })
  row({
    name: 'create',
    measured: 'creations / requests that do nothing',
    value: medians.creations / medians.nothing,
    target: { atLeast: 0.3 },
  })
} finally {
  await service.stop()
}
