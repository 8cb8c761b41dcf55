import { alternating, median, row } from './bench-rounds.ts'
import type { BenchService } from './bench-service.ts'

type Neighbours = {
  readonly name: string
  readonly service: BenchService
  readonly creations: Parameters<BenchService['load']>[0]
  readonly rounds: number
  /** The other work, for as long as the creations take. */
  readonly work: () => Promise<unknown>
  /** In words, after "beside". */
  readonly what: string
}

/** What other work costs the creations beside it: rounds with and without it alternate. */
export async function measureNeighbours(of: Neighbours): Promise<void> {
  const { name, service, creations, rounds, work, what } = of
  const p50s: Record<string, number[]> = { quiet: [], beside: [] }
  const measure = async (side: string) => {
    const { p50Ms, p99Ms } = await service.load(creations)
    p50s[side]?.push(p50Ms)
    return p99Ms
  }
  const found = await alternating(rounds, {
    quiet: () => measure('quiet'),
    beside: async () => {
      const working = work()
      const [p99Ms] = await Promise.all([measure('beside'), working])
      return p99Ms
    },
  })
  for (const side of ['quiet', 'beside'] as const) {
    const value = median(p50s[side] ?? [])
    row({ name, measured: `creation, ${side}, p50 ms`, value, target: null })
    row({ name, measured: `creation, ${side}, p99 ms`, value: found[side], target: null })
  }
  const measured = `p99 of a creation beside ${what} / quiet`
  row({ name, measured, value: found.beside / found.quiet, target: { atMost: 2 } })
}
