import { z } from 'zod'
import { exampleCourier } from '../openapi/courier-examples.ts'
import { listOf, listQuery, openEnum, providerCode, typeOf } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { App, RouteDeps } from '../server-deps.ts'

type Deps = Pick<RouteDeps, 'couriers' | 'secrets'>

const capabilitiesSchema = z.object({
  find: z.boolean().meta({
    description:
      'Whether it can be asked for guides by our reference. If not, a person decides every unknown outcome.',
  }),
  cancel: z.boolean().meta({ description: 'Whether guides can be cancelled.' }),
  tracking: z.boolean().meta({ description: 'Whether parcels can be tracked.' }),
  label: z.boolean().meta({ description: 'Whether it makes labels.' }),
  quote: z.boolean().meta({ description: 'Whether it can be asked for prices.' }),
  invoices: z.boolean().meta({
    description: 'Whether it can be asked for its invoices. If not, import them as CSV or JSON.',
  }),
})

const courierSchema = z
  .object({
    object: typeOf('courier'),
    provider_code: providerCode.meta({
      description: 'The code that connections name the courier by.',
    }),
    display_name: z.string().meta({
      description: 'A name for people.',
      example: 'Simulated courier',
    }),
    modes: z.array(openEnum(['test', 'live'])).meta({
      description:
        'The modes in which it can be used. With a test key, the simulated courier answers for it.',
    }),
    capabilities: capabilitiesSchema
      .nullable()
      .meta({ description: 'What it can do. `null` while the courier is unreachable.' }),
  })
  .meta({
    id: 'Courier',
    examples: [exampleCourier],
    description: 'A courier that connections can be made to.',
  })

export function courierRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/couriers',
    config: { collectionScope: null },
    schema: {
      operationId: 'listCouriers',
      summary: 'List the couriers that this key may use',
      description: 'Use it to offer couriers to a shop before it makes a connection.',
      tags: ['Couriers'],
      querystring: listQuery({}),
      response: { 200: listOf(courierSchema, 'A page of couriers, by code.') },
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
