import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { exampleCourier } from '../openapi/courier-examples.ts'
import { listOf, listQuery, openEnum, providerCode, typeOf } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'

type Deps = Pick<ApiServices, 'couriers' | 'secrets'>

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
  cash_on_delivery: z.boolean().meta({
    description: 'Whether a shipment can have `cash_on_delivery`.',
  }),
  declared_value: z.boolean().meta({
    description: 'Whether a shipment can have a `declared_value`.',
  }),
  recipient_phone: z.boolean().meta({
    description:
      "Whether it takes the recipient's phone and e-mail address. If not, they are kept and not sent to it.",
  }),
})

const credentialFieldSchema = z
  .object({
    name: z.string().meta({
      description: 'Its name in the `credentials` of a connection.',
      example: 'username',
    }),
    label: z.string().meta({
      description: 'Its name for people, in the words of the courier.',
      example: 'User name',
    }),
    secret: z.boolean().meta({ description: 'Whether a form should hide what is typed.' }),
    required: z.boolean().meta({ description: 'Whether a connection must have it.' }),
  })
  .meta({ id: 'CredentialField', description: "A field of an account's credentials." })

const courierSchema = z
  .object({
    object: typeOf('courier'),
    provider_code: providerCode.meta({
      description: 'The code by which connections name the courier.',
    }),
    display_name: z.string().meta({
      description: 'Its name for people.',
      example: 'Simulated courier',
    }),
    modes: z.array(openEnum(['test', 'live'])).meta({
      description:
        'The modes in which it can be used. With a test key, the simulated courier answers for it.',
    }),
    capabilities: capabilitiesSchema
      .nullable()
      .meta({ description: 'What it can do. `null` while the courier is unreachable.' }),
    credential_fields: z.array(credentialFieldSchema).nullable().meta({
      description:
        'What the `credentials` of a connection to it consist of. `null` while the courier is unreachable.',
    }),
  })
  .meta({
    id: 'Courier',
    examples: [exampleCourier],
    description: 'A courier that connections can be made to.',
  })

export function listCouriersRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/couriers',
    config: { collectionScope: null },
    schema: {
      operationId: 'listCouriers',
      summary: 'List the couriers that this key may use',
      description: 'Use it to offer couriers to a shop before it connects one.',
      tags: ['Couriers'],
      querystring: listQuery({}),
      response: { 200: listOf(courierSchema, 'A page of couriers, by code.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const all = await deps.couriers.available({ livemode: principal.livemode })
      return await answerList(request, deps, {
        read: async ({ after, limit }) =>
          all.filter((one) => after === null || one.providerCode > after[0]!).slice(0, limit),
        sortKey: (courier) => [courier.providerCode],
        show: (couriers) =>
          couriers.map((courier) => ({
            object: 'courier' as const,
            provider_code: courier.providerCode,
            display_name: courier.displayName,
            modes: [...courier.modes],
            capabilities: courier.capabilities,
            credential_fields: courier.credentialFields?.map((field) => ({ ...field })) ?? null,
          })),
      })
    },
  })
}
