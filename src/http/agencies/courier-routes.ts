import { z } from 'zod'
import { listOf, listQuery, openEnum } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'couriers' | 'secrets'>

const capabilitiesSchema = z.object({
  find: z.boolean(),
  cancel: z.boolean(),
  tracking: z.boolean(),
  label: z.boolean(),
  quote: z.boolean(),
})

const courierSchema = z
  .object({
    object: z.literal('courier'),
    provider_code: z.string(),
    display_name: z.string(),
    modes: z.array(openEnum(['test', 'live'])),
    capabilities: capabilitiesSchema
      .nullable()
      .meta({ description: 'null while the courier is unreachable' }),
  })
  .meta({ id: 'Courier' })

export function courierRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/couriers',
    config: { collectionScope: null },
    schema: {
      operationId: 'listCouriers',
      summary: 'List the couriers that this key may use',
      tags: ['Couriers'],
      querystring: listQuery({}),
      response: { 200: listOf(courierSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const all = await deps.couriers.available({ livemode: principal.livemode })
      return listPage({
        deps,
        principal,
        route: '/v1/couriers',
        query: request.query,
        read: async ({ after, limit }) =>
          all.filter((one) => after === null || one.providerCode > after[0]!).slice(0, limit),
        sortKey: (courier) => [courier.providerCode],
        item: (courier) => ({
          object: 'courier' as const,
          provider_code: courier.providerCode,
          display_name: courier.displayName,
          modes: [...courier.modes],
          capabilities: courier.capabilities,
        }),
      })
    },
  })
}
