import { z } from 'zod'
import type { PackageProduct } from '../../couriers/catalogue.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { connections } from '../connections/connection-schema.ts'
import { exampleProduct } from '../openapi/courier-examples.ts'
import {
  idOf,
  listOf,
  listQuery,
  livemode,
  ownId,
  providerCode,
  timestamp,
  typeOf,
} from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'

const productSchema = z
  .object({
    id: ownId('pkg'),
    object: typeOf('package_product'),
    livemode,
    name: z.string().meta({ description: 'Its name at the courier.' }),
    max_weight_kg: z.number().meta({ description: 'The maximum weight of a piece, in kilograms.' }),
    max_length_m: z.number().meta({ description: 'The maximum length of a piece, in meters.' }),
    max_width_m: z.number().meta({ description: 'The maximum width of a piece, in meters.' }),
    max_height_m: z.number().meta({ description: 'The maximum height of a piece, in meters.' }),
    provider_code: providerCode,
    created_at: timestamp
      .nullable()
      .meta({ description: 'Always `null`: couriers do not report it.' }),
  })
  .meta({
    id: 'PackageProduct',
    examples: [exampleProduct],
    description: 'A kind of parcel that a courier carries, with its limits.',
  })

export function listPackageProductsRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/package-products',
    config: {
      collectionScope: null,
      problems: ['not_found', 'courier_unreachable', 'courier_throttled'],
    },
    schema: {
      operationId: 'listPackageProducts',
      summary: 'List the package products of one connection, or of all couriers of this key',
      tags: ['Couriers'],
      description:
        'Use it to choose the `product_id` of a package: the parcel must be within the limits of the product.',
      querystring: listQuery({
        courier_connection_id: idOf('ccn').optional().meta({
          description: "Only products of this connection's courier.",
        }),
      }),
      response: { 200: listOf(productSchema, 'A page of package products, by courier and code.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const connectionId = request.query.courier_connection_id
      const products = await productsFor(deps, principal, connectionId)
      return await answerList(request, deps, {
        read: async ({ after, limit }) =>
          products.filter((one) => after === null || isAfter(sortKey(one), after)).slice(0, limit),
        sortKey,
        show: (page) => page.map((product) => productObject(product, principal.livemode)),
      })
    },
  })
}

function productObject(product: PackageProduct, livemode: boolean): z.infer<typeof productSchema> {
  return {
    id: product.id,
    object: 'package_product',
    livemode,
    name: product.name,
    max_weight_kg: product.maxWeightKg,
    max_length_m: product.maxLengthM,
    max_width_m: product.maxWidthM,
    max_height_m: product.maxHeightM,
    provider_code: product.providerCode,
    created_at: null,
  }
}

function sortKey(product: PackageProduct): readonly [string, string] {
  return [product.providerCode, product.code]
}

function isAfter(key: readonly [string, string], after: readonly string[]): boolean {
  const [provider = '', code = ''] = after
  return key[0] === provider ? key[1] > code : key[0] > provider
}

async function productsFor(
  deps: ApiServices,
  principal: Principal,
  connectionId: string | undefined,
): Promise<readonly PackageProduct[]> {
  const { livemode } = principal
  const codes =
    connectionId === undefined
      ? deps.couriers.codes({ livemode })
      : [(await connections.find(deps, principal, connectionId)).provider_code]
  const lists = await Promise.all(
    codes.map((providerCode) => deps.catalogue.packageProducts({ livemode, providerCode })),
  )
  const products = lists.flatMap((list) => {
    if (list.kind === 'absent') return []
    if (list.kind !== 'listed') throw courierFailed(list)
    return list.items
  })
  return products.toSorted((a, b) => (isAfter(sortKey(a), sortKey(b)) ? 1 : -1))
}
