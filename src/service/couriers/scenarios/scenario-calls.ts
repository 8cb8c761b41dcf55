import type { JsonObject } from '../../domain/decider.ts'

/** An API call that plays a scenario. The reader replaces the `<names>`. */
export type ScenarioCall = {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject | null
}

const key = '<idempotency_key>'
const route: JsonObject = {
  origin: { agency_id: '<origin_agency_id>' },
  destination: { agency_id: '<destination_agency_id>' },
  package: {
    product_id: '<product_id>',
    quantity: 1,
    weight_kg: 0.5,
    height_m: 0.1,
    length_m: 0.15,
    width_m: 0.1,
  },
}

function shipmentBody(connection: string, more: JsonObject = {}): JsonObject {
  return {
    workspace_id: '<workspace_id>',
    courier_connection_id: connection,
    external_reference: '<external_reference>',
    ...route,
    service: { mode: 'terrestrial', payer: 'sender' },
    declared_content: 'Books',
    recipient: {
      document_type: 'DNI',
      document: '00000000',
      first_name: 'Ana',
      last_name: 'Ejemplo',
    },
    ...more,
  }
}

export function createCall(scenario: string, more: JsonObject = {}): ScenarioCall {
  return {
    method: 'POST',
    path: '/v1/shipments',
    headers: { 'Idempotency-Key': key, 'Sandbox-Scenario': scenario },
    body: shipmentBody('<courier_connection_id>', more),
  }
}

export function quoteCall(scenario: string): ScenarioCall {
  return {
    method: 'POST',
    path: '/v1/quotes',
    headers: { 'Sandbox-Scenario': scenario },
    body: {
      workspace_id: '<workspace_id>',
      courier_connection_id: '<courier_connection_id>',
      ...route,
    },
  }
}

/** Creates a separate connection, because playing the scenario parks it. */
export function ownConnectionCalls(scenario: string): readonly ScenarioCall[] {
  const create = createCall(scenario)
  return [
    {
      method: 'POST',
      path: '/v1/courier-connections',
      headers: {},
      body: {
        workspace_id: '<workspace_id>',
        provider_code: 'mock',
        display_name: 'Credentials to replace',
        credentials: { username: 'demo', password: 'outdated' },
      },
    },
    { ...create, body: shipmentBody('<new_courier_connection_id>') },
  ]
}

export function cancelCall(): ScenarioCall {
  return {
    method: 'POST',
    path: '/v1/shipments/<shipment_id>/cancel',
    headers: { 'Idempotency-Key': '<cancellation_key>' },
    body: null,
  }
}

/** Uses the quote of the previous call, whose price may have changed. */
export function createWithQuoteCall(scenario: string): ScenarioCall {
  return createCall(scenario, { quote_id: '<quote_id>' })
}
