import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { scopesOfRole } from '../../security/scopes.ts'

/**
 * The examples of the OpenAPI document. The banner prints them and the tests send them, and the
 * answers are real: nothing is invented for the document alone.
 */

/** The value of every id in an example. */
export const exampleValue = '0aB1cD2eF3gH4iJ5kL6mN7'

type ExampleIds = {
  readonly workspaceId: string
  readonly connectionId: string
  readonly originId: string
  readonly destinationId: string
  readonly productId: string
}

export const exampleIds: ExampleIds = {
  workspaceId: `ws_${exampleValue}`,
  connectionId: `ccn_${exampleValue}`,
  originId: `agy_${exampleValue}`,
  destinationId: 'agy_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0',
  productId: `pkg_${exampleValue}`,
}

/** An order of books, as in the banner, the guides and the journeys. */
export function exampleShipmentRequest(reference: string, ids: ExampleIds = exampleIds) {
  return {
    workspace_id: ids.workspaceId,
    courier_connection_id: ids.connectionId,
    external_reference: reference,
    origin: { agency_id: ids.originId },
    destination: { agency_id: ids.destinationId },
    package: {
      product_id: ids.productId,
      quantity: 1,
      weight_kg: 0.8,
      height_m: 0.05,
      length_m: 0.2,
      width_m: 0.15,
    },
    service: { mode: 'terrestrial' as const, payer: 'sender' as const },
    declared_content: 'Books',
    recipient: {
      document_type: 'DNI' as const,
      document: '45678912',
      first_name: 'Ana',
      last_name: 'Torres',
    },
  }
}

/** A quote for the same parcel, for every service. */
export function exampleQuoteRequest(ids: ExampleIds = exampleIds) {
  const order = exampleShipmentRequest('', ids)
  const { workspace_id, courier_connection_id, origin, destination, package: parcel } = order
  return { workspace_id, courier_connection_id, origin, destination, package: parcel }
}

const otherConnectionId = 'ccn_7Nm6Lk5Ji4Hg3Fe2Dc1Ba0'

/** The same for the accounts at two couriers, or two accounts at one. */
export function exampleRatesRequest(
  ids: ExampleIds = exampleIds,
  connectionIds: readonly string[] = [ids.connectionId, otherConnectionId],
) {
  const { courier_connection_id: _, ...request } = exampleQuoteRequest(ids)
  return { ...request, courier_connection_ids: [...connectionIds] }
}

export const exampleReference = 'order-5001'

const batchAt = '2026-03-01T12:00:00.000Z'

export const exampleBatch = {
  id: 'bat_0aB1cD2eF3gH4iJ5kL6mN7',
  object: 'batch' as const,
  livemode: false,
  workspace_id: exampleIds.workspaceId,
  external_reference: 'monday-morning',
  status: 'completed' as const,
  result: 'some' as const,
  total: 200,
  counts: { created: 197, unknown_outcome: 1, failed: 2 },
  reasons: { unknown_outcome: 1, validation_failed: 2 },
  created_at: batchAt,
  cancelled_at: null,
  ended_at: '2026-03-01T12:00:08.000Z',
}

export function exampleBatchRequest(ids: ExampleIds = exampleIds) {
  const { workspace_id, courier_connection_id, ...line } = exampleShipmentRequest('order-5001', ids)
  return {
    external_reference: 'monday-morning',
    workspace_id,
    courier_connection_id,
    items: [line, { ...line, external_reference: 'order-5002' }],
  }
}

export const exampleWorkspaceRequest = {
  name: 'Another shop',
  external_reference: 'another-shop',
} as const

export function exampleConnectionRequest(workspaceId: string = exampleIds.workspaceId) {
  return {
    workspace_id: workspaceId,
    provider_code: 'mock',
    display_name: 'Simulated courier',
    credentials: { username: 'sandbox', password: 'any' },
  }
}

/** A key for the back end of a shop. */
export function exampleKeyRequest(workspaceId: string = exampleIds.workspaceId) {
  return {
    name: 'Web shop',
    role: 'integration' as const,
    workspace_id: workspaceId,
  }
}

export const requestedAt = '2026-03-01T12:00:00.000Z'

/** The answer to the same request. */
export const exampleShipment = {
  id: `shp_${exampleValue}`,
  object: 'shipment' as const,
  livemode: false,
  ...exampleShipmentRequest(exampleReference),
  recipient: {
    ...exampleShipmentRequest(exampleReference).recipient,
    phone: null,
    email: null,
  },
  idempotency_key: exampleReference,
  status: 'created' as const,
  failure: null,
  guide_number: '100000000001',
  pickup_code: '4821',
  operation_id: null,
  quote_id: null,
  declared_value: null,
  cash_on_delivery: null,
  price: { amount: 1_000, currency: 'PEN' },
  label: { status: 'pending' as const },
  tracking: { status: 'registered' as const, phase: 'pre_transit' as const, exception: null },
  tracking_url: 'https://shipping.example/t/5pQc0ZxYk3uVtS1rB8nW2mLhG7fD4aJe6XyKqUiRoTPz9w',
  metadata: null,
  sandbox_scenario: 'happy_path',
  legal_hold: null,
  created_at: requestedAt,
  updated_at: '2026-03-01T12:00:00.120Z',
  version: 3,
} satisfies Record<keyof ShipmentPayload, unknown> & Record<string, unknown>

export const exampleWorkspace = {
  id: exampleIds.workspaceId,
  object: 'workspace' as const,
  livemode: false,
  ...exampleWorkspaceRequest,
  personal_data_retention_days: 90,
  label_format: null,
  tracking_page: {
    enabled: true,
    shop_name: null,
    support_url: 'https://shop.example/help',
    accent: '#1f6f54',
  },
  legal_hold: null,
  created_at: requestedAt,
  updated_at: requestedAt,
  version: 1,
}

export const exampleConnection = {
  id: exampleIds.connectionId,
  object: 'courier_connection' as const,
  livemode: false,
  workspace_id: exampleIds.workspaceId,
  provider_code: 'mock',
  display_name: 'Simulated courier',
  status: 'active' as const,
  verified_at: requestedAt,
  created_at: requestedAt,
  updated_at: requestedAt,
  version: 2,
}

/** The key of the back end of the shop. */
export const exampleKey = {
  id: `key_${exampleValue}`,
  object: 'api_key' as const,
  livemode: false,
  organization_id: `org_${exampleValue}`,
  organization_type: 'external' as const,
  operator_id: null,
  created_by_key_id: `key_${exampleValue}`,
  created_by_operator_id: `opr_${exampleValue}`,
  ...exampleKeyRequest(),
  scopes: scopesOfRole('integration'),
  last4: '9xQ2',
  from_sign_in: false,
  replaced_by_key_id: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: requestedAt,
  created_at: requestedAt,
}

const { origin, destination, package: parcel } = exampleQuoteRequest()
const exampleRate = {
  courier_connection_id: exampleIds.connectionId,
  origin,
  destination,
  package: parcel,
}

export const exampleQuote = {
  id: `quo_${exampleValue}`,
  object: 'quote' as const,
  livemode: false,
  workspace_id: exampleIds.workspaceId,
  courier_connection_id: exampleIds.connectionId,
  courier_connection_ids: [exampleIds.connectionId],
  origin: { ...origin, agency_ids: [exampleIds.originId] },
  destination: { ...destination, agency_ids: [exampleIds.destinationId] },
  package: { ...parcel, product_ids: [exampleIds.productId] },
  service: null,
  declared_value: null,
  cash_on_delivery: null,
  status: 'complete' as const,
  rates: [
    {
      ...exampleRate,
      service: { mode: 'terrestrial', payer: 'sender' },
      amount: 910,
      currency: 'PEN',
      breakdown: [{ code: 'freight' as const, amount: 910 }],
      transit_days: { min: 1, max: 2 },
    },
    {
      ...exampleRate,
      service: { mode: 'air', payer: 'sender' },
      amount: 1520,
      currency: 'PEN',
      breakdown: [
        { code: 'freight' as const, amount: 910 },
        { code: 'air' as const, amount: 610 },
      ],
      transit_days: { min: 1, max: 1 },
    },
  ],
  errors: [],
  sandbox_scenario: 'happy_path',
  expires_at: '2026-03-01T12:30:00.000Z',
  created_at: requestedAt,
}

/** The parcel has left its origin. */
export const exampleTracking = {
  id: exampleShipment.id,
  object: 'tracking' as const,
  livemode: false,
  shipment_id: exampleShipment.id,
  status: 'in_transit' as const,
  phase: 'transit' as const,
  sub_status: 'departed_origin',
  exception: null,
  eta: '2026-03-02T09:00:00.000Z',
  events: [
    {
      id: `tev_${exampleValue}`,
      object: 'tracking_event' as const,
      code: 'departed_origin',
      status: 'in_transit' as const,
      sub_status: 'departed_origin',
      mapped: true,
      occurred_at: '2026-03-01T18:00:00.000Z',
      received_at: '2026-03-01T18:30:00.000Z',
      agency_id: exampleIds.originId,
      description: 'Left the origin agency',
    },
  ],
  anomalies: [],
  monitoring: {
    state: 'active' as const,
    last_checked_at: '2026-03-01T18:30:00.000Z',
    last_changed_at: '2026-03-01T18:30:00.000Z',
    next_check_at: '2026-03-01T20:30:00.000Z',
  },
  tracking_url: exampleShipment.tracking_url,
  created_at: requestedAt,
  updated_at: '2026-03-01T18:30:00.000Z',
  version: 5,
}

export const exampleHold = {
  note: 'Claim 2026-114: keep everything until the court has decided.',
} as const
