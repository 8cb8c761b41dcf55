import { z } from 'zod'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { livemode, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { countOf, planOf } from '../rules/plan-limits.ts'

type Deps = Pick<ApiServices, 'db'>

const limit = z
  .int()
  .nullable()
  .meta({ description: 'The most that the plan allows. `null` if it is unlimited.' })
const counted = z.object({
  used: z.int().nullable().meta({
    description:
      'How many there are. `null` for a key of one workspace, which does not see the usage of the others.',
  }),
  limit,
  reached: z.boolean().meta({ description: 'Whether the next one is refused.' }),
})

const usageSchema = z
  .object({
    object: typeOf('usage'),
    livemode,
    plan: z.string().meta({
      description: 'The name of the plan, for display only.',
    }),
    month: z.string().meta({ description: 'The calendar month in UTC.', example: '2026-03' }),
    resets_at: timestamp.meta({ description: 'When the next month begins.' }),
    shipments: counted.meta({
      description:
        'The shipments of the organization in this month and mode. A creation that ends without a guide is not counted.',
    }),
    requests_per_minute: z
      .object({ limit })
      .meta({ description: 'How many requests each key may make in a minute.' }),
    workspaces: counted.meta({ description: 'The workspaces of the organization in this mode.' }),
    courier_connections: counted.meta({
      description: 'The courier connections of the organization in this mode.',
    }),
    webhook_endpoints: counted.meta({
      description: 'The webhook endpoints of the organization in this mode.',
    }),
  })
  .meta({ id: 'Usage', description: 'The limits of the plan and how much of them is used.' })

export function getUsageRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/usage',
    config: { collectionScope: null, isVersioned: true },
    schema: {
      operationId: 'getUsage',
      summary: "Read the plan's limits and their usage, in the mode of the key",
      description:
        'Any key may call it: the limits apply to the organization, not to a workspace. A key of one workspace sees the limits and whether they are reached, but not the usage.',
      tags: ['Keys'],
      response: { 200: usageSchema.meta({ description: 'The current limits and usage.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return await usageOf(deps, principal)
    },
  })
}

async function usageOf(deps: Deps, principal: Principal): Promise<z.infer<typeof usageSchema>> {
  const [plan, workspaces, connections, endpoints] = await Promise.all([
    planOf(deps, principal),
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
    livemode: principal.livemode,
    plan: plan.name,
    month: plan.month,
    resets_at: time(new Date(Date.UTC(year, number, 1))),
    shipments: countedOf(plan.used, plan.shipments_per_month),
    requests_per_minute: { limit: plan.requests_per_minute },
    workspaces: countedOf(workspaces, plan.workspaces),
    courier_connections: countedOf(connections, plan.courier_connections),
    webhook_endpoints: countedOf(endpoints, plan.webhook_endpoints),
  }
}
