import { z } from 'zod'
import { courierCalls, exchangeFailures } from '../../domain/event-fields.ts'
import { sumOf, within } from '../../processes/statistics/read-statistics.ts'
import type { App } from '../api-services.ts'
import { openEnum, providerCode } from '../openapi/schemas.ts'
import { busiestSubjects, figuresSchema } from './busiest-subjects.ts'
import { countOf } from './counts.ts'
import { seriesRoute } from './series-route.ts'
import type { StatisticsDeps } from './statistics-query.ts'

/** Those with the most calls: an installation has a handful. */
const couriersMax = 20

/** Ends of a call that say nothing against the courier. */
const answered: ReadonlySet<string> = new Set([
  'ok',
  'courier_rejected',
  'connection_needs_reauth',
  'too_late',
])

const courierSchema = z.object({
  provider_code: providerCode,
  ...figuresSchema(
    {
      calls: countOf('The number of calls; each request of a safe retry counts.'),
      failed: countOf(
        'Calls that the courier did not answer as it should. A refused shipment, refused credentials and a call given up before it was sent are not counted.',
      ),
    },
    {
      call: openEnum(courierCalls).meta({ description: 'What the courier was asked for.' }),
      end: z.string().meta({
        description: `\`ok\`, or what went wrong: \`${exchangeFailures.join('`, `')}\`.`,
        example: 'ok',
      }),
    },
    { things: 'calls', latency: 'Milliseconds from the start of a call to its end.' },
  ),
})

export function countCourierCallsRoute(app: App, deps: StatisticsDeps): void {
  seriesRoute(app, deps, {
    path: '/v1/statistics/couriers',
    scope: 'operations:read',
    operationId: 'countCourierCalls',
    summary: 'Count calls to couriers over time, their failures and how long they took',
    description:
      "The calls that create, cancel and look for guides; each request of a safe retry counts. Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock; latency is real time. The platform sees the sums of all organizations.",
    object: 'courier_statistics',
    meta: { id: 'CourierStatistics', description: 'Calls to couriers over time.' },
    members: {
      couriers: z.array(courierSchema).meta({
        description: `The couriers with the most calls first, at most ${couriersMax}. One that the query names is always included.`,
      }),
    },
    answer: 'The figures, by courier.',
    by: 'couriers',
    names: ['call', 'latency'],
    figuresOf: (series) => ({
      couriers: busiestSubjects(series, {
        max: couriersMax,
        prefix: 'call.',
        countsIn,
        endOf,
        latencyIn,
      }).map(({ subject, ...figures }) => ({ provider_code: subject, ...figures })),
    }),
  })
}

function countsIn(sums: ReadonlyMap<string, number>) {
  const ends = within(sums, 'call.')
  return {
    calls: sumOf(ends),
    failed: sumOf(ends, (name) => !answered.has(name.slice(name.indexOf('.') + 1))),
  }
}

function endOf(name: string) {
  const [call = '', end = ''] = name.split('.')
  return { call: call as (typeof courierCalls)[number], end }
}

/** The latencies of all kinds of calls together. */
function latencyIn(sums: ReadonlyMap<string, number>): Map<string, number> {
  const found = new Map<string, number>()
  for (const [name, value] of within(sums, 'latency.')) {
    const bucket = name.slice(name.indexOf('.') + 1)
    found.set(bucket, (found.get(bucket) ?? 0) + value)
  }
  return found
}
