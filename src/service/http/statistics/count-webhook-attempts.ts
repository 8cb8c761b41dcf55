import { z } from 'zod'
import { sumOf, within } from '../../processes/statistics/read-statistics.ts'
import type { App } from '../api-services.ts'
import { busiestSubjects, figuresSchema } from './busiest-subjects.ts'
import { countOf } from './counts.ts'
import { seriesRoute } from './series-route.ts'
import type { StatisticsDeps } from './statistics-query.ts'

/** The endpoints with the most attempts; others can be queried one by one. */
const endpointsMax = 20

const endpointSchema = z.object({
  endpoint_id: z.string().meta({ description: 'The endpoint that was sent to.' }),
  ...figuresSchema(
    {
      attempts: countOf('Attempts to deliver a webhook.'),
      failed: countOf('Attempts without a 2xx response.'),
    },
    {
      end: z.string().meta({
        description: '`ok`, a class of status such as `5xx`, or an error such as `timeout`.',
        example: 'ok',
      }),
    },
    { things: 'attempts', latency: 'Milliseconds from the start of an attempt to its end.' },
  ),
})

export function countWebhookAttemptsRoute(app: App, deps: StatisticsDeps): void {
  seriesRoute(app, deps, {
    path: '/v1/statistics/webhooks',
    scope: 'webhooks:read',
    operationId: 'countWebhookAttempts',
    summary: 'Count attempts to deliver webhooks over time, by endpoint',
    description:
      "Every interval is in the response. An attempt is counted when it ended, in test mode on the workspace's clock.",
    object: 'webhook_statistics',
    meta: { id: 'WebhookStatistics', description: 'Attempts to deliver webhooks over time.' },
    members: {
      endpoints: z.array(endpointSchema).meta({
        description: `The endpoints with the most attempts first, at most ${endpointsMax}. One that the query names is always included.`,
      }),
    },
    answer: 'The figures, by endpoint.',
    by: 'endpoints',
    names: ['attempt', 'latency'],
    figuresOf: (series) => ({
      endpoints: busiestSubjects(series, {
        max: endpointsMax,
        prefix: 'attempt.',
        countsIn,
        endOf: (end) => ({ end }),
        latencyIn: (sums) => within(sums, 'latency.'),
      }).map(({ subject, ...figures }) => ({ endpoint_id: subject, ...figures })),
    }),
  })
}

function countsIn(sums: ReadonlyMap<string, number>) {
  const ends = within(sums, 'attempt.')
  return { attempts: sumOf(ends), failed: sumOf(ends, (end) => end !== 'ok') }
}
