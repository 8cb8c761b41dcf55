import { z } from 'zod'
import { conclusionBoundsSeconds } from '../../domain/statistics/histogram.ts'
import { pointsOf } from '../../domain/statistics/periods.ts'
import { totalOf, within } from '../../processes/statistics/read-statistics.ts'
import { providerFilter } from '../named-filters.ts'
import { time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { countOf, countsOf, countsSchema, histogramOf, histogramSchema } from './counts.ts'
import {
  headOf,
  reachOf,
  requireStatistics,
  type StatisticsDeps,
  seriesOf,
  seriesQuery,
  seriesSchema,
  tags,
} from './statistics-query.ts'

const results = ['guide_exists', 'nothing_created', 'cancelled', 'not_cancelled'] as const
const concludedSchema = countsSchema<(typeof results)[number]>({
  guide_exists: 'There is a guide.',
  nothing_created: 'There is no guide.',
  cancelled: 'The guide is cancelled.',
  not_cancelled: 'The guide stands.',
})
const reconciliationsSchema = z
  .object({
    object: typeOf('reconciliation_statistics'),
    ...seriesSchema,
    data: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'The start of the interval.' }),
          unknown: countOf('Calls whose outcome became unknown.'),
          needs_review: countOf('Operations that came into review.'),
          contradicted: countOf('Conclusions that evidence contradicted.'),
          concluded: concludedSchema.meta({ description: 'Conclusions, by result.' }),
        }),
      )
      .meta({ description: 'What happened in every interval, oldest first.' }),
    durations: z
      .object({
        reconciliation: histogramSchema.meta({
          description: 'Of those concluded by looks at the courier, in seconds.',
        }),
        operator: histogramSchema.meta({
          description: 'Of those that a person decided, in seconds.',
        }),
      })
      .meta({
        description:
          'How long it took from the unknown outcome, or the contradiction, to the conclusion, over the whole period.',
      }),
  })
  .meta({
    id: 'ReconciliationStatistics',
    description: 'Unknown outcomes and their conclusions over time.',
  })

export function reconciliationStatisticsRoutes(app: App, deps: StatisticsDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/statistics/reconciliations',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'countReconciliations',
      summary: 'Count unknown outcomes and their conclusions over time, and how long they took',
      description:
        "Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock.",
      tags,
      querystring: z.strictObject({ ...seriesQuery, provider_code: providerFilter.optional() }),
      response: { 200: reconciliationsSchema.meta({ description: 'The figures.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const of = await reachOf(deps, principal, query.workspace_id)
      await requireStatistics(deps)
      const names = ['operation', 'concluded', 'took']
      const asked = { of, query, by: 'couriers' as const, subject: query.provider_code, names }
      const { period, sums } = await seriesOf(deps, asked)
      const byTime = Map.groupBy(sums, ({ at }) => at)
      const took = within(totalOf(sums), 'took.')
      return {
        object: 'reconciliation_statistics' as const,
        ...headOf(of, period),
        data: pointsOf(period).map((at) => {
          const here = totalOf(byTime.get(at) ?? [])
          return { at: time(new Date(at)), ...pointOf(here) }
        }),
        durations: {
          reconciliation: histogramOf(conclusionBoundsSeconds, within(took, 'reconciliation.')),
          operator: histogramOf(conclusionBoundsSeconds, within(took, 'operator.')),
        },
      }
    },
  })
}

function pointOf(sums: ReadonlyMap<string, number>) {
  const concluded = within(sums, 'concluded.')
  return {
    unknown: sums.get('operation.unknown') ?? 0,
    needs_review: sums.get('operation.needs_review') ?? 0,
    contradicted: sums.get('operation.contradicted') ?? 0,
    concluded: countsOf(results, concluded),
  }
}
