import { z } from 'zod'
import { courierCalls, exchangeFailures } from '../../domain/event-fields.ts'
import { latencyBoundsMs } from '../../domain/statistics/histogram.ts'
import { pointsOf } from '../../domain/statistics/periods.ts'
import { type Sums, sumOf, totalOf, within } from '../../processes/statistics/read-statistics.ts'
import { providerFilter } from '../named-filters.ts'
import { openEnum, providerCode, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { countOf, histogramOf, histogramSchema, quantilesOf, quantilesSchema } from './counts.ts'
import {
  busiest,
  headOf,
  reachOf,
  requireStatistics,
  type StatisticsDeps,
  seriesOf,
  seriesQuery,
  seriesSchema,
  tags,
} from './statistics-query.ts'

/** Those with the most calls: an installation has a handful. */
const couriersMax = 20

/** Ends of a call that say nothing against the courier. */
const answered: ReadonlySet<string> = new Set([
  'ok',
  'courier_rejected',
  'connection_needs_reauth',
  'too_late',
])

const calls = countOf('Calls, each request of a safe retry included.')
const failed = countOf(
  'Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted.',
)
const latency = 'Milliseconds from the start of a call to its end.'
const courierSchema = z.object({
  provider_code: providerCode,
  calls,
  failed,
  ends: z
    .array(
      z.object({
        call: openEnum(courierCalls).meta({ description: 'What the courier was asked for.' }),
        end: z.string().meta({
          description: `\`ok\`, or what went wrong: \`${exchangeFailures.join('`, `')}\`.`,
          example: 'ok',
        }),
        count: countOf('How many calls ended so.'),
      }),
    )
    .meta({ description: 'How calls ended.' }),
  latency_ms: histogramSchema.meta({ description: latency }),
  data: z
    .array(
      z.object({
        at: timestamp.meta({ description: 'The start of the interval.' }),
        calls,
        failed,
        latency_ms: quantilesSchema.meta({ description: latency }),
      }),
    )
    .meta({ description: 'The same for every interval, oldest first.' }),
})
const couriersSchema = z
  .object({
    object: typeOf('courier_statistics'),
    ...seriesSchema,
    couriers: z.array(courierSchema).meta({
      description: `At most ${couriersMax}: those with the most calls, first. One that is asked for by its code is always in it.`,
    }),
  })
  .meta({ id: 'CourierStatistics', description: 'Calls to couriers over time.' })

export function courierStatisticsRoutes(app: App, deps: StatisticsDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/statistics/couriers',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'countCourierCalls',
      summary: 'Count calls to couriers over time, their failures and how long they took',
      description:
        "The calls that create, cancel and look for guides, each request of a safe retry included. Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock; latency is real time. The platform sees the sums of every organization.",
      tags,
      querystring: z.strictObject({ ...seriesQuery, provider_code: providerFilter.optional() }),
      response: { 200: couriersSchema.meta({ description: 'The figures, by courier.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const of = await reachOf(deps, principal, query.workspace_id)
      await requireStatistics(deps)
      const subject = query.provider_code
      const asked = { of, query, by: 'couriers' as const, subject, names: ['call', 'latency'] }
      const { period, sums } = await seriesOf(deps, asked)
      const points = pointsOf(period)
      const couriers = busiest(sums, subject, { max: couriersMax, prefix: 'call.' }).map(
        ({ subject: code, sums: all }) => courierObject(code, all, points),
      )
      return { object: 'courier_statistics' as const, ...headOf(of, period), couriers }
    },
  })
}

function courierObject(
  code: string,
  all: readonly Sums[],
  points: readonly number[],
): z.infer<typeof courierSchema> {
  const byTime = Map.groupBy(all, ({ at }) => at)
  const total = totalOf(all)
  const ends = within(total, 'call.')
  return {
    provider_code: code,
    ...callsIn(total),
    ends: [...ends].toSorted().map(([name, value]) => {
      const [call = '', end = ''] = name.split('.')
      return { call: call as (typeof courierCalls)[number], end, count: value }
    }),
    latency_ms: histogramOf(latencyBoundsMs, latenciesIn(total)),
    data: points.map((at) => {
      const here = totalOf(byTime.get(at) ?? [])
      return {
        at: time(new Date(at)),
        ...callsIn(here),
        latency_ms: quantilesOf(latencyBoundsMs, latenciesIn(here)),
      }
    }),
  }
}

function callsIn(sums: ReadonlyMap<string, number>) {
  const ends = within(sums, 'call.')
  return {
    calls: sumOf(ends),
    failed: sumOf(ends, (name) => !answered.has(name.slice(name.indexOf('.') + 1))),
  }
}

/** Of every kind of call together. */
function latenciesIn(sums: ReadonlyMap<string, number>): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, value] of within(sums, 'latency.')) {
    const bucket = name.slice(name.indexOf('.') + 1)
    found.set(bucket, (found.get(bucket) ?? 0) + value)
  }
  return found
}
