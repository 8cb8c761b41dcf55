import { z } from 'zod'
import { pointsOf } from '../../domain/statistics/periods.ts'
import { creationOutcomes } from '../../domain/statistics/shipment-counts.ts'
import { totalOf, within } from '../../processes/statistics/read-statistics.ts'
import { providerFilter } from '../named-filters.ts'
import { time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import type { App } from '../server-deps.ts'
import { countsOf, countsSchema } from './counts.ts'
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

const outcomes = Object.values(creationOutcomes)
const outcomesSchema = countsSchema<(typeof outcomes)[number]>({
  created: 'Calls that made a guide.',
  rejected: 'Calls that the courier refused.',
  not_executed: 'Calls that did not reach the courier.',
  unknown_outcome: 'Calls whose answer was lost; reconciliation concludes them later.',
})

const creationsSchema = z
  .object({
    object: typeOf('creation_statistics'),
    ...seriesSchema,
    total: outcomesSchema.meta({
      description: 'How calls that create a guide ended, in the whole period. More may be added.',
    }),
    data: z
      .array(
        z.object({
          at: timestamp.meta({ description: 'The start of the interval.' }),
          outcomes: outcomesSchema.meta({ description: 'How calls ended in the interval.' }),
        }),
      )
      .meta({ description: 'The same for every interval, oldest first.' }),
  })
  .meta({ id: 'CreationStatistics', description: 'Calls that create a guide over time.' })

export function creationStatisticsRoutes(app: App, deps: StatisticsDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/statistics/creations',
    config: { collectionScope: 'shipments:read', problems: ['not_found'] },
    schema: {
      operationId: 'countCreations',
      summary: 'Count creations over time, by outcome',
      description:
        "Each call to the courier is counted once, when it ended: a key that is tried again is counted again. Every interval is in the answer. Times are the times at which events were recorded, in test mode on the workspace's clock; an event is counted about a second later. The platform sees the sums of every organization.",
      tags,
      querystring: z.strictObject({ ...seriesQuery, provider_code: providerFilter.optional() }),
      response: { 200: creationsSchema.meta({ description: 'The figures.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const of = await reachOf(deps, principal, query.workspace_id)
      await requireStatistics(deps)
      const subject = query.provider_code
      const asked = { of, query, by: 'couriers' as const, subject, names: ['creation'] }
      const { period, sums } = await seriesOf(deps, asked)
      const byTime = Map.groupBy(sums, ({ at }) => at)
      const outcomesIn = (all: typeof sums) => countsOf(outcomes, within(totalOf(all), 'creation.'))
      return {
        object: 'creation_statistics' as const,
        ...headOf(of, period),
        total: outcomesIn(sums),
        data: pointsOf(period).map((at) => ({
          at: time(new Date(at)),
          outcomes: outcomesIn(byTime.get(at) ?? []),
        })),
      }
    },
  })
}
