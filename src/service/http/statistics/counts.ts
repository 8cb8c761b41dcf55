import { z } from 'zod'
import {
  type Bounds,
  bucketsOf,
  type Histogram,
  quantileOf,
} from '../../domain/statistics/histogram.ts'

const count = z.int().min(0)

/** A number of things, described in a sentence. */
export function countOf(description: string) {
  return count.meta({ description })
}

/** How often each of these happened. */
export function countsSchema<Name extends string>(meanings: Readonly<Record<Name, string>>) {
  const members = Object.entries<string>(meanings).map(
    ([name, meaning]) => [name, countOf(meaning)] as const,
  )
  return z.object(Object.fromEntries(members) as Record<Name, typeof count>)
}

/** The counts of these names; 0 for those that did not happen. */
export function countsOf<const Name extends string>(
  names: readonly Name[],
  sums: ReadonlyMap<string, number>,
): Record<Name, number> {
  const members = names.map((name) => [name, sums.get(name) ?? 0] as const)
  return Object.fromEntries(members) as Record<Name, number>
}

function quantile(share: string) {
  return z
    .number()
    .nullable()
    .meta({
      description: `The value that ${share} of the values do not exceed. \`null\` if there are none.`,
    })
}
const quantiles = {
  count: countOf('The number of values.'),
  p50: quantile('half'),
  p90: quantile('90 %'),
  p99: quantile('99 %'),
}

/** The number of values, and those that half, 90 % and 99 % of them do not exceed. */
export const quantilesSchema = z.object(quantiles)

/** The same with the buckets from which the quantiles are estimated. */
export const histogramSchema = z.object({
  ...quantiles,
  buckets: z
    .array(
      z.object({
        up_to: z.number().nullable().meta({
          description:
            'The upper bound of the bucket, inclusive. The bound of the previous bucket is its lower one. `null` if it has no upper bound.',
        }),
        count: countOf('The number of values in the bucket.'),
      }),
    )
    .meta({
      description:
        'The values by size, from which the quantiles are estimated. Bounds may be added.',
    }),
})

export function quantilesOf(bounds: Bounds, histogram: Histogram): z.infer<typeof quantilesSchema> {
  const at = (share: number) => {
    const found = quantileOf(bounds, histogram, share)
    return found === null ? null : Math.round(found)
  }
  const all = [...histogram.values()].reduce((sum, value) => sum + value, 0)
  return { count: all, p50: at(0.5), p90: at(0.9), p99: at(0.99) }
}

export function histogramOf(bounds: Bounds, histogram: Histogram): z.infer<typeof histogramSchema> {
  return {
    ...quantilesOf(bounds, histogram),
    buckets: bucketsOf(bounds, histogram).map(({ bound, count: here }) => ({
      up_to: bound,
      count: here,
    })),
  }
}
