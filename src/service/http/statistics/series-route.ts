import { z } from 'zod'
import type { Instant } from '../../domain/decider.ts'
import { pointsOf } from '../../domain/statistics/periods.ts'
import { type Sums, totalOf } from '../../processes/statistics/read-statistics.ts'
import type { Principal, Scope } from '../../security/api-keys.ts'
import type { App } from '../api-services.ts'
import { providerFilter } from '../named-filters.ts'
import { idOf, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { findOwnEndpoint } from '../webhook-endpoints/webhook-endpoint-schema.ts'
import {
  headOf,
  requireStatistics,
  type SeriesQuery,
  type StatisticsDeps,
  seriesOf,
  seriesQuery,
  seriesSchema,
  tags,
  tenantScopeOf,
} from './statistics-query.ts'

type Subject = string | undefined

/** What sums are kept by: its query parameter, and whose sums a key sees. */
const subjects = {
  couriers: {
    parameters: { provider_code: providerFilter.optional() },
    of: (query: { readonly provider_code?: Subject }) => query.provider_code,
    scopeOf: async (deps: StatisticsDeps, principal: Principal, query: SeriesQuery) => {
      const of = await tenantScopeOf(deps, principal, query.workspace_id)
      await requireStatistics(deps)
      return of
    },
  },
  endpoints: {
    parameters: {
      endpoint_id: idOf('whe').optional().meta({ description: 'Only attempts at this endpoint.' }),
    },
    of: (query: { readonly endpoint_id?: Subject }) => query.endpoint_id,
    scopeOf: async (
      deps: StatisticsDeps,
      principal: Principal,
      query: SeriesQuery & { readonly endpoint_id?: Subject },
    ) => {
      if (query.endpoint_id !== undefined) await findOwnEndpoint(deps, principal, query.endpoint_id)
      const of = await tenantScopeOf(deps, principal, query.workspace_id)
      // Endpoints belong to one organization, also for the platform.
      return { ...of, organizationId: principal.organizationId }
    },
  },
}

/** The sums that a query asks for, with the starts of its intervals, oldest first. */
export type SeriesSums = {
  readonly sums: readonly Sums[]
  readonly points: readonly Instant[]
  /** The courier or endpoint that the query names. */
  readonly subject: Subject
}

type Series<Name extends string, Members extends z.ZodRawShape> = {
  readonly path: string
  readonly scope: Scope
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly object: Name
  readonly meta: { readonly id: string; readonly description: string }
  /** The members of the answer besides those of every series. */
  readonly members: Members
  readonly answer: string
  readonly by: keyof typeof subjects
  /** The first parts of the names of the sums. */
  readonly names: readonly string[]
  readonly figuresOf: (series: SeriesSums) => z.infer<z.ZodObject<Members>>
}

/** The route of figures over time. */
export function seriesRoute<const Name extends string, Members extends z.ZodRawShape>(
  app: App,
  deps: StatisticsDeps,
  declared: Series<Name, Members>,
): void {
  const { operationId, summary, description, by, names } = declared
  const { parameters, of: subjectOf, scopeOf } = subjects[by]
  const answer = z
    .object({ object: typeOf(declared.object), ...seriesSchema, ...declared.members })
    .meta(declared.meta)
  app.route({
    method: 'GET',
    url: declared.path,
    config: { collectionScope: declared.scope, problems: ['not_found'] },
    schema: {
      operationId,
      summary,
      description,
      tags,
      querystring: z.strictObject({ ...seriesQuery, ...parameters }),
      response: { 200: (answer as z.ZodType).meta({ description: declared.answer }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      const of = await scopeOf(deps, principal, query)
      const subject = subjectOf(query)
      const { period, sums } = await seriesOf(deps, { of, query, by, subject, names })
      const series = { sums, points: pointsOf(period), subject }
      return {
        object: declared.object,
        ...headOf(of, period),
        ...declared.figuresOf(series),
      }
    },
  })
}

/** The member with a figure of every interval. */
export function everyInterval<Shape extends z.ZodRawShape>(
  shape: Shape,
  description = 'The same for every interval, oldest first.',
) {
  const at = timestamp.meta({ description: 'The start of the interval.' })
  return z.array(z.object({ at, ...shape })).meta({ description })
}

/** The figures of each interval; one without sums has those of none. */
export function perInterval<Figures extends object>(
  { sums, points }: Pick<SeriesSums, 'sums' | 'points'>,
  figuresOf: (total: ReadonlyMap<string, number>) => Figures,
): (Figures & { readonly at: string })[] {
  const byTime = Map.groupBy(sums, ({ at }) => at)
  return points.map((at) => ({
    at: time(new Date(at)),
    ...figuresOf(totalOf(byTime.get(at) ?? [])),
  }))
}
