import { byCli } from '../../../src/service/cli/acting.ts'
import {
  exampleConnectionRequest,
  exampleWorkspaceRequest,
} from '../../../src/service/http/openapi/examples.ts'
import { registerCourier } from '../../../src/service/processes/connections/registered-couriers.ts'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import type { Services } from '../../../src/service/services.ts'
import { type Answer, type ApiClient, apiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { RecordingCourier } from './recording-courier.ts'

const by = { actor: byCli.actor, requestId: null } as const
export const liveCourier = 'recording'

/** Registers the courier as an operator does. */
export async function registerRecordingCourier(
  parts: Services,
  courier: RecordingCourier,
): Promise<void> {
  const capabilities = {
    find: courier.canFind,
    cancel: true,
    tracking: true,
    label: true,
    quote: true,
    invoices: false,
    cash_on_delivery: false,
    declared_value: false,
    recipient_phone: false,
  }
  const registration = {
    providerCode: liveCourier,
    displayName: 'Recording courier',
    baseUrl: courier.url,
    token: null,
    capabilities,
  }
  await registerCourier(parts, registration, { replace: false, actor: byCli.actor })
}

/** Creates a webhook endpoint for the events of its shipments. */
export async function tellShop({ apis: [api], workspaceId }: Shop, url: string): Promise<void> {
  await eventually(
    () =>
      (api as ApiClient).call('/v1/webhook-endpoints', {
        headers: { 'idempotency-key': 'endpoint' },
        body: { workspace_id: workspaceId, url, event_types: ['shipment.*'] },
      }),
    ({ status }) => status === 201,
  )
}

type ShopMode = 'live' | 'test'

/** A shop with one workspace and one connection, accessed through each process of the API. */
export type Shop = {
  readonly mode: ShopMode
  readonly organizationId: string
  readonly workspaceId: string
  readonly apis: readonly ApiClient[]
}

export type Shops = {
  /** Ships with the recording courier. */
  readonly live: Shop
  /** Ships with the simulated courier, which has a record too. */
  readonly test: Shop
  /** An operator of the platform, who makes decisions. */
  readonly operatorId: string
}

/**
 * Opens a shop in each mode, each for an organization of its own; the courier must be registered.
 */
export async function openShops(parts: Services, urls: readonly string[]): Promise<Shops> {
  const { id: organizationId } = await createOrganization(
    parts,
    { name: 'Shop', type: 'external' },
    by,
  )
  const platform = await createOrganization(parts, { name: 'Platform', type: 'platform' }, by)
  const person = { organizationId: platform.id, name: 'Operator', email: 'operator@ledger.example' }
  const { id: operatorId } = await createOperator(parts, person, by)
  const open = async (mode: ShopMode): Promise<Shop> => {
    const livemode = mode === 'live'
    const order = {
      organizationId,
      workspaceId: null,
      livemode,
      expiresAt: null,
      scopes: defaultScopes,
    }
    const { key: shopKey } = await createApiKey(parts, order, by)
    const bare = {
      organizationId,
      shopKey,
      operatorId,
      operatorKey: '',
      workspaceId: '',
      connectionId: '',
      originId: '',
      destinationId: '',
      productId: '',
    }
    const [url = ''] = urls
    const api = apiClient(url, bare)
    const made = async (ask: () => Promise<Answer>) =>
      (await eventually(ask, ({ status }) => status === 200 || status === 201)).body
    const workspace = await made(() =>
      api.call('/v1/workspaces', {
        body: { ...exampleWorkspaceRequest, external_reference: mode },
      }),
    )
    const connection = await made(() =>
      api.call('/v1/courier-connections', {
        body: {
          ...exampleConnectionRequest(workspace.id),
          ...(livemode ? { provider_code: liveCourier } : {}),
        },
      }),
    )
    const of = `courier_connection_id=${connection.id}`
    const agencies = await made(() => api.call(`/v1/agencies?${of}`))
    const products = await made(() => api.call(`/v1/package-products?${of}`))
    const seeded = {
      ...bare,
      workspaceId: workspace.id,
      connectionId: connection.id,
      originId: agencies.data[0].id,
      destinationId: agencies.data[1].id,
      productId: products.data.find(
        (one: { max_weight_kg: number; max_length_m: number; max_height_m: number }) =>
          one.max_weight_kg >= 1 && one.max_length_m >= 0.2 && one.max_height_m >= 0.1,
      ).id,
    }
    return {
      mode,
      organizationId,
      workspaceId: workspace.id,
      apis: urls.map((each) => apiClient(each, seeded)),
    }
  }
  return { live: await open('live'), test: await open('test'), operatorId }
}
