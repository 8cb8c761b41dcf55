import { alternating, type BenchRow, row } from './bench-rounds.ts'
import { type BenchServiceOptions, benchService } from './bench-service.ts'
import { say } from './say.ts'

/** A round counts when what it made is in the read models within this. */
const lagMaxSeconds = 1

/**
 * Creations over HTTP, durable to the answer, beside a route of the same service that authenticates
 * and validates the same request and does nothing. Arguments of the command: [seconds] [rounds].
 */
export async function benchCreations(
  name: string,
  courier: BenchServiceOptions['courier'],
  target: BenchRow['target'],
): Promise<void> {
  const seconds = Number(process.argv[2] ?? 5)
  const rounds = Number(process.argv[3] ?? 5)
  const service = await benchService({ courier })
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
    const { creations, nothing } = medians
    row({ name, measured: 'creations/s', value: creations, target: null })
    row({
      name,
      measured: 'creations / requests that do nothing',
      value: creations / nothing,
      target,
    })
  } finally {
    await service.stop()
  }
}
