import { ShippingLedgerError } from '../../src/client/shipping-ledger-error.ts'
import { byCli } from '../../src/service/cli/acting.ts'
import { everyCapability } from '../../src/service/couriers/courier.ts'
import type { Sums } from '../../src/service/domain/quote.ts'
import {
  exampleConnectionRequest,
  exampleWorkspaceRequest,
} from '../../src/service/http/openapi/examples.ts'
import { registerCourier } from '../../src/service/processes/connections/registered-couriers.ts'
import { createApiKey, defaultScopes } from '../../src/service/security/api-keys.ts'
import type { Services } from '../../src/service/services.ts'
import { type ApiClient, apiClient } from './api-client.ts'
import { eventually } from './eventually.ts'
import { type PricedCourier, pricedCourier } from './priced-courier.ts'

export const ratedCapabilities = {
  ...everyCapability,
  invoices: false,
  cash_on_delivery: false,
  declared_value: false,
  recipient_phone: false,
}

/** A connection to a courier of its own, with what a request must name at it. */
export type RatedConnection = {
  readonly id: string
  readonly code: string
  readonly courier: PricedCourier
  readonly originId: string
  readonly destinationId: string
  readonly productId: string
}

export type RatedShop = ApiClient & {
  readonly connections: readonly RatedConnection[]
  /** The body of a quote over these connections, or over all of them. */
  ratesBody(connections?: readonly RatedConnection[]): Record<string, unknown>
  close(): Promise<void>
}

type RatedShopOptions = {
  readonly name: string
  readonly count: number
  /** The sums that each courier takes. */
  readonly takes?: (number: number) => readonly (keyof Sums)[]
}

/** A shop in live mode with connections to couriers of different prices, over real sockets. */
export async function ratedShop(
  { parts, url, seeded }: Pick<ApiClient, 'url' | 'seeded'> & { readonly parts: Services },
  { name, count, takes = () => [] }: RatedShopOptions,
): Promise<RatedShop> {
  const { organizationId } = seeded
  const couriers = await Promise.all(
    Array.from({ length: count }, (_, number) => pricedCourier(takes(number))),
  )
  const codes = couriers.map((_, number) => `${name}_${number}`)
  for (const [number, courier] of couriers.entries()) {
    const providerCode = codes[number] as string
    const registration = { providerCode, displayName: providerCode, baseUrl: courier.url }
    const full = { ...registration, token: null, capabilities: ratedCapabilities }
    await registerCourier(parts, full, { replace: false, actor: byCli.actor })
  }
  await parts.registered.refresh()
  const scopes = defaultScopes
  const order = { organizationId, workspaceId: null, livemode: true, expiresAt: null, scopes }
  const { key } = await createApiKey(parts, order, { actor: byCli.actor, requestId: null })
  const { client } = apiClient(url, { ...seeded, shopKey: key })
  const workspace = await client.workspaces.create({
    ...exampleWorkspaceRequest,
    external_reference: name,
  })
  const connections: RatedConnection[] = []
  for (const [number, courier] of couriers.entries()) {
    const code = codes[number] as string
    const create = () =>
      client.courierConnections
        .create({ ...exampleConnectionRequest(workspace.id), provider_code: code })
        .catch((error: unknown) => {
          // Another process learns of a courier a little later.
          if (error instanceof ShippingLedgerError && error.status === 422) return null
          throw error
        })
    const { id = '' } = (await eventually(create, (made) => made !== null)) ?? {}
    const { data: agencies } = await client.couriers.listAgencies({ courier_connection_id: id })
    const { data: products } = await client.couriers.listPackageProducts({
      courier_connection_id: id,
    })
    const idOf = (place: string) => agencies.find((agency) => agency.name === place)?.id ?? ''
    connections.push({
      id,
      code,
      courier,
      originId: idOf('Lima'),
      destinationId: idOf('Cusco'),
      productId: products[0]?.id ?? '',
    })
  }
  const [first] = connections
  const own = apiClient(url, {
    ...seeded,
    shopKey: key,
    workspaceId: workspace.id,
    connectionId: first?.id ?? '',
    originId: first?.originId ?? '',
    destinationId: first?.destinationId ?? '',
    productId: first?.productId ?? '',
  })
  return {
    ...own,
    connections,
    ratesBody: (chosen = connections) => {
      const { courier_connection_id: _, package: parcel, ...body } = own.quoteBody()
      const { product_id: __, ...measures } = parcel as Record<string, unknown>
      return {
        ...body,
        courier_connection_ids: chosen.map(({ id }) => id),
        origin: { agency_ids: chosen.map(({ originId }) => originId) },
        destination: { agency_ids: chosen.map(({ destinationId }) => destinationId) },
        package: { ...measures, product_ids: chosen.map(({ productId }) => productId) },
      }
    },
    close: async () => {
      await Promise.all(couriers.map((courier) => courier.close()))
    },
  }
}
