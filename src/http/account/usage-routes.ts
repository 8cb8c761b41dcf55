import { sql } from 'kysely'
import { z } from 'zod'
import type { Principal } from '../../security/api-keys.ts'
import { time, timestamp } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { countOf } from '../rules/plan-limits.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'db'>

const limit = z.int().nullable().meta({ description: 'null = unlimited' })
const counted = z.object({
  used: z.int().nullable().meta({
    description: 'null for a key of one workspace, which must not see the use of the others',
  }),
  limit,
  reached: z.boolean().meta({ description: 'Whether the next one is refused' }),
})

const usageSchema = z
  .object({
    object: z.literal('usage'),
    livemode: z.boolean(),
    plan: z.string().meta({ description: 'Opaque: do not derive anything from its name' }),
    month: z.string().meta({ description: 'The calendar month in UTC', example: '2026-03' }),
    resets_at: timestamp.meta({ description: 'When the next month begins' }),
    shipments: counted.meta({
      description:
        'Of the organization in this month and mode; a creation that ends without a guide is not counted',
    }),
    requests_per_minute: z.object({ limit }).meta({ description: 'Of each key' }),
    workspaces: counted,
    courier_connections: counted,
    webhook_endpoints: counted,
  })
  .meta({ id: 'Usage' })

export function usageRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/usage',
    config: { collectionScope: null, isVersioned: true },
    schema: {
      operationId: 'getUsage',
      summary: "Read the plan's limits and their use, in the mode of the key",
      description:
        'Any key of the organization may ask: the limits are those of the organization, not of a workspace. A key of one workspace sees the limits and whether they are reached, not the use.',
      tags: ['Keys'],
      response: { 200: usageSchema },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return await usageOf(deps, principal)
    },
  })
}

async function usageOf(deps: Deps, principal: Principal): Promise<z.infer<typeof usageSchema>> {
  const { organizationId, livemode } = principal
  // The quota is counted by the database's clock.
  const month = sql<string>`to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')`
  const [plan, workspaces, connections, endpoints] = await Promise.all([
    deps.db
      .selectFrom('organizations')
      .innerJoin('plans', 'plans.name', 'organizations.plan')
      .leftJoin('quota_months', (join) =>
        join
          .onRef('quota_months.organization_id', '=', 'organizations.id')
          .on('quota_months.livemode', '=', livemode)
          .on(sql`to_char(quota_months.month, 'YYYY-MM')`, '=', month),
      )
      .selectAll('plans')
      .select(['quota_months.used', month.as('month')])
      .where('organizations.id', '=', organizationId)
      .executeTakeFirstOrThrow(),
    countOf(deps, principal, 'workspaces'),
    countOf(deps, principal, 'courier_connections'),
    countOf(deps, principal, 'webhook_endpoints'),
  ])
  const isRestricted = principal.workspaceId !== null
  const countedOf = (used: number, most: number | null): z.infer<typeof counted> => ({
    used: isRestricted ? null : used,
    limit: most,
    reached: most !== null && used >= most,
  })
  const [year = 0, number = 0] = plan.month.split('-').map(Number)
  return {
    object: 'usage',
    livemode,
    plan: plan.name,
    month: plan.month,
    resets_at: time(new Date(Date.UTC(year, number, 1))),
    shipments: countedOf(plan.used ?? 0, plan.shipments_per_month),
    requests_per_minute: { limit: plan.requests_per_minute },
    workspaces: countedOf(workspaces, plan.workspaces),
    courier_connections: countedOf(connections, plan.courier_connections),
    webhook_endpoints: countedOf(endpoints, plan.webhook_endpoints),
  }
}
