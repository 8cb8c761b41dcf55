import { creationOutcomes } from '../../domain/statistics/shipment-counts.ts'
import { totalOf, within } from '../../processes/statistics/read-statistics.ts'
import type { App } from '../api-services.ts'
import { countsOf, countsSchema } from './counts.ts'
import { everyInterval, perInterval, seriesRoute } from './series-route.ts'
import type { StatisticsDeps } from './statistics-query.ts'

const outcomes = Object.values(creationOutcomes)
const outcomesSchema = countsSchema<(typeof outcomes)[number]>({
  created: 'Calls that created a guide.',
  rejected: 'Calls that the courier refused.',
  not_executed: 'Calls that did not reach the courier.',
  unknown_outcome: 'Calls whose answer was lost; reconciliation concludes them later.',
})

export function countCreationsRoute(app: App, deps: StatisticsDeps): void {
  seriesRoute(app, deps, {
    path: '/v1/statistics/creations',
    scope: 'shipments:read',
    operationId: 'countCreations',
    summary: 'Count creations over time, by outcome',
    description:
      "Each call to the courier is counted once, when it ended: a key that is tried again is counted again. Every interval is in the response. Times are the times at which events were recorded, in test mode on the workspace's clock; an event is counted about a second later. The platform sees the sums of all organizations.",
    object: 'creation_statistics',
    meta: { id: 'CreationStatistics', description: 'Calls that create a guide over time.' },
    members: {
      total: outcomesSchema.meta({
        description:
          'How calls that create a guide ended over the whole period. More outcomes may be added.',
      }),
      data: everyInterval({
        outcomes: outcomesSchema.meta({ description: 'How calls ended in the interval.' }),
      }),
    },
    answer: 'The figures.',
    by: 'couriers',
    names: ['creation'],
    figuresOf: (series) => ({
      total: outcomesIn(totalOf(series.sums)),
      data: perInterval(series, (sums) => ({ outcomes: outcomesIn(sums) })),
    }),
  })
}

function outcomesIn(sums: ReadonlyMap<string, number>) {
  return countsOf(outcomes, within(sums, 'creation.'))
}
