import { z } from 'zod'
import { latencyBoundsMs } from '../../domain/statistics/histogram.ts'
import { pointsOf } from '../../domain/statistics/periods.ts'
import { type Sums, sumOf, totalOf, within } from '../../processes/statistics/read-statistics.ts'
import { idOf, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { findOwnEndpoint } from '../webhook-endpoints/webhook-endpoint-schema.ts'
import { countOf, histogramOf, histogramSchema, quantilesOf, quantilesSchema } from './counts.ts'
import {
  busiest,
  headOf,
  reachOf,
  type StatisticsDeps,
  seriesOf,
  seriesQuery,
  seriesSchema,
  tags,
} from './statistics-query.ts'

/** Those with the most attempts; the others can be asked for one by one. */
const endpointsMax = 20

const latency = 'Milliseconds from the start of an attempt to its end.'
const attempts = countOf('Attempts to deliver a webhook.')
const failed = countOf('Attempts without an answer of 2xx.')
const endpointSchema = z.object({
  endpoint_id: z.string().meta({ description: 'The endpoint that was sent to.' }),
  attempts,
  failed,
  ends: z
    .array(
      z.object({
        end: z.string().meta({
          description: '`ok`, a class of status such as `5xx`, or an error such as `timeout`.',
          example: 'ok',
        }),
        count: countOf('How many attempts ended so.'),
      }),
    )
    .meta({ description: 'How attempts ended.' }),
  latency_ms: histogramSchema.meta({ description: latency }),
  data: z
    .array(
      z.object({
        at: timestamp.meta({ description: 'The start of the interval.' }),
        attempts,
        failed,
        latency_ms: quantilesSchema.meta({ description: latency }),
      }),
    )
    .meta({ description: 'The same for every interval, oldest first.' }),
})
const webhooksSchema = z
  .object({
    object: typeOf('webhook_statistics'),
    ...seriesSchema,
    endpoints: z.array(endpointSchema).meta({
      description: `At most ${endpointsMax}: those with the most attempts, first. One that is asked for by its id is always in it.`,
    }),
  })
  .meta({ id: 'WebhookStatistics', description: 'Attempts to deliver webhooks over time.' })

export function webhookStatisticsRoutes(app: App, deps: StatisticsDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/statistics/webhooks',
    config: { collectionScope: 'webhooks:read', problems: ['not_found'] },
    schema: {
      operationId: 'countWebhookAttempts',
      summary: 'Count attempts to deliver webhooks over time, by endpoint',
      description:
        "Every interval is in the answer. An attempt is counted when it ended, in test mode on the workspace's clock.",
      tags,
      querystring: z.strictObject({
        ...seriesQuery,
        endpoint_id: idOf('whe')
          .optional()
          .meta({ description: 'Only attempts at this endpoint.' }),
      }),
      response: { 200: webhooksSchema.meta({ description: 'The figures, by endpoint.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const { endpoint_id: subject } = query
      if (subject !== undefined) await findOwnEndpoint(deps, principal, subject)
      const reach = await reachOf(deps, principal, query.workspace_id)
      // Endpoints are an organization's own, also for the platform.
      const of = { ...reach, organizationId: principal.organizationId }
      const names = ['attempt', 'latency']
      const asked = { of, query, by: 'endpoints' as const, subject, names }
      const { period, sums } = await seriesOf(deps, asked)
      const points = pointsOf(period)
      const endpoints = busiest(sums, subject, { max: endpointsMax, prefix: 'attempt.' }).map(
        ({ subject: id, sums: all }) => endpointObject(id, all, points),
      )
      return { object: 'webhook_statistics' as const, ...headOf(of, period), endpoints }
    },
  })
}

function endpointObject(
  id: string,
  all: readonly Sums[],
  points: readonly number[],
): z.infer<typeof endpointSchema> {
  const byTime = Map.groupBy(all, ({ at }) => at)
  const total = totalOf(all)
  return {
    endpoint_id: id,
    ...attemptsIn(total),
    ends: [...within(total, 'attempt.')].toSorted().map(([end, value]) => ({ end, count: value })),
    latency_ms: histogramOf(latencyBoundsMs, within(total, 'latency.')),
    data: points.map((at) => {
      const here = totalOf(byTime.get(at) ?? [])
      return {
        at: time(new Date(at)),
        ...attemptsIn(here),
        latency_ms: quantilesOf(latencyBoundsMs, within(here, 'latency.')),
      }
    }),
  }
}

function attemptsIn(sums: ReadonlyMap<string, number>) {
  const ends = within(sums, 'attempt.')
  return { attempts: sumOf(ends), failed: sumOf(ends, (end) => end !== 'ok') }
}
