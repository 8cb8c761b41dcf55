import { z } from 'zod'
import { conclusionBoundsSeconds } from '../../domain/statistics/histogram.ts'
import { totalOf, within } from '../../processes/statistics/read-statistics.ts'
import type { App } from '../api-services.ts'
import { countOf, countsOf, countsSchema, histogramOf, histogramSchema } from './counts.ts'
import { everyInterval, perInterval, seriesRoute } from './series-route.ts'
import type { StatisticsDeps } from './statistics-query.ts'

const results = ['guide_exists', 'nothing_created', 'cancelled', 'not_cancelled'] as const
const concludedSchema = countsSchema<(typeof results)[number]>({
  guide_exists: 'There is a guide.',
  nothing_created: 'There is no guide.',
  cancelled: 'The guide is cancelled.',
  not_cancelled: 'The guide remains valid.',
})

const durationsSchema = z.object({
  reconciliation: histogramSchema.meta({
    description: 'For operations concluded by looks at the courier, in seconds.',
  }),
  operator: histogramSchema.meta({
    description: 'For operations that a person decided, in seconds.',
  }),
})

export function countReconciliationsRoute(app: App, deps: StatisticsDeps): void {
  seriesRoute(app, deps, {
    path: '/v1/statistics/reconciliations',
    scope: 'operations:read',
    operationId: 'countReconciliations',
    summary: 'Count unknown outcomes and their conclusions over time, and how long they took',
    description:
      "Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock.",
    object: 'reconciliation_statistics',
    meta: {
      id: 'ReconciliationStatistics',
      description: 'Unknown outcomes and their conclusions over time.',
    },
    members: {
      data: everyInterval(
        {
          unknown: countOf('Calls whose outcome became unknown.'),
          needs_review: countOf('Operations that came into review.'),
          contradicted: countOf('Conclusions that evidence contradicted.'),
          concluded: concludedSchema.meta({ description: 'Conclusions, by result.' }),
        },
        'What happened in every interval, oldest first.',
      ),
      durations: durationsSchema.meta({
        description:
          'The time from the unknown outcome, or the contradiction, to the conclusion, over the whole period.',
      }),
    },
    answer: 'The figures.',
    by: 'couriers',
    names: ['operation', 'concluded', 'took'],
    figuresOf: (series) => {
      const took = within(totalOf(series.sums), 'took.')
      return {
        data: perInterval(series, countsIn),
        durations: {
          reconciliation: histogramOf(conclusionBoundsSeconds, within(took, 'reconciliation.')),
          operator: histogramOf(conclusionBoundsSeconds, within(took, 'operator.')),
        },
      }
    },
  })
}

function countsIn(sums: ReadonlyMap<string, number>) {
  return {
    unknown: sums.get('operation.unknown') ?? 0,
    needs_review: sums.get('operation.needs_review') ?? 0,
    contradicted: sums.get('operation.contradicted') ?? 0,
    concluded: countsOf(results, within(sums, 'concluded.')),
  }
}
