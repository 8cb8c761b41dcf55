import { z } from 'zod'
import { type Histogram, latencyBoundsMs } from '../../domain/statistics/histogram.ts'
import { sumOf, totalOf, within } from '../../processes/statistics/read-statistics.ts'
import { countOf, histogramOf, histogramSchema, quantilesOf, quantilesSchema } from './counts.ts'
import { everyInterval, perInterval, type SeriesSums } from './series-route.ts'

type Total = ReadonlyMap<string, number>

type Counted<Counts, End> = {
  readonly max: number
  /** What the names of the sums begin with that count what was asked for; the rest says how it ended. */
  readonly prefix: string
  readonly countsIn: (total: Total) => Counts
  readonly endOf: (rest: string) => End
  readonly latencyIn: (total: Total) => Histogram
}

/**
 * The couriers or endpoints that were asked most, first, with their figures. The one that the query
 * names is among them even if it was asked nothing.
 */
export function busiestSubjects<Counts extends object, End extends object>(
  { sums, points, subject: named }: SeriesSums,
  { max, prefix, countsIn, endOf, latencyIn }: Counted<Counts, End>,
) {
  const bySubject = Map.groupBy(sums, (each) => each.subject)
  if (named !== undefined && bySubject.size === 0) bySubject.set(named, [])
  return [...bySubject]
    .map(([subject, own]) => ({ subject, own, total: totalOf(own) }))
    .map((each) => ({ ...each, count: sumOf(within(each.total, prefix)) }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, max)
    .map(({ subject, own, total }) => ({
      subject,
      ...countsIn(total),
      ends: [...within(total, prefix)]
        .toSorted()
        .map(([rest, count]) => ({ ...endOf(rest), count })),
      latency_ms: histogramOf(latencyBoundsMs, latencyIn(total)),
      data: perInterval({ sums: own, points }, (here) => ({
        ...countsIn(here),
        latency_ms: quantilesOf(latencyBoundsMs, latencyIn(here)),
      })),
    }))
}

/** The members of such a courier or endpoint: `things` are what was asked for. */
export function figuresSchema<Counts extends z.ZodRawShape, End extends z.ZodRawShape>(
  counts: Counts,
  end: End,
  { things, latency }: { readonly things: string; readonly latency: string },
) {
  return {
    ...counts,
    ends: z
      .array(z.object({ ...end, count: countOf(`How many ${things} ended so.`) }))
      .meta({ description: `How ${things} ended.` }),
    latency_ms: histogramSchema.meta({ description: latency }),
    data: everyInterval({ ...counts, latency_ms: quantilesSchema.meta({ description: latency }) }),
  }
}
