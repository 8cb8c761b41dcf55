/**
 * Upper bounds of a histogram's buckets, in ascending order; larger values go to a bucket of their
 * own.
 */
export type Bounds = readonly number[]

/** Latency of a request to a courier or an endpoint: from a cached answer to the longest timeout. */
export const latencyBoundsMs: Bounds = [
  10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 15_000,
]

/** Time from an unknown outcome to its conclusion: from the first to the last scheduled look. */
export const conclusionBoundsSeconds: Bounds = [
  5, 15, 30, 60, 120, 240, 600, 1_800, 3_600, 14_400, 28_800, 86_400, 172_800, 604_800,
]

/** The name of the bucket for values above all bounds. */
const above = 'more'

/** The name of a value's bucket: its upper bound. */
export function bucketOf(bounds: Bounds, value: number): string {
  const bound = bounds.find((each) => value <= each)
  return bound === undefined ? above : String(bound)
}

/** Number of values per bucket name. A missing bucket is empty. */
export type Histogram = ReadonlyMap<string, number>

type Bucket = { readonly bound: number | null; readonly count: number }

/** Every bucket in order; the last has no upper bound. */
export function bucketsOf(bounds: Bounds, histogram: Histogram): readonly Bucket[] {
  const limited = bounds.map((bound) => ({ bound, count: histogram.get(String(bound)) ?? 0 }))
  return [...limited, { bound: null, count: histogram.get(above) ?? 0 }]
}

/**
 * The quantile at `share`, assuming that values are spread evenly within their bucket; null if there
 * are no values. Above the last bound it is that bound.
 */
export function quantileOf(bounds: Bounds, histogram: Histogram, share: number): number | null {
  const buckets = bucketsOf(bounds, histogram)
  const all = buckets.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return null
  let below = 0
  let lower = 0
  for (const { bound, count } of buckets) {
    const upper = bound ?? lower
    if (count > 0 && below + count >= share * all) {
      return lower + ((upper - lower) * (share * all - below)) / count
    }
    below += count
    lower = upper
  }
  return lower
}
