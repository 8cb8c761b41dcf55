import type { Client } from './create-client.ts'
import type { Answered, Input, Schemas } from './methods.ts'
import { ShippingLedgerError } from './shipping-ledger-error.ts'

export type Scenario = Schemas['SandboxScenario']
type Call = Scenario['calls'][number]
type Names = Readonly<Record<string, string>>

/** A call and the API's response. */
type Answer = {
  readonly call: string
  readonly status: number | null
  /** Null if it succeeded. */
  readonly error: ShippingLedgerError | null
}

/** One play of a scenario, with its own idempotency key. */
export type Play = {
  readonly scenario: Scenario
  readonly workspaceId: string
  readonly idempotencyKey: string
  readonly answers: readonly Answer[]
  /** Null if the response did not name a shipment; it is then found by the key. */
  readonly shipmentId: string | null
  readonly operationId: string | null
  readonly names: Names
}

export type Place = { readonly workspaceId: string; readonly connectionId: string }

/**
 * The connection to play with, or null if none is active. The oldest one, because a scenario may
 * leave newer ones behind.
 */
export function oldestActive(
  newestFirst: readonly Schemas['CourierConnection'][],
): Schemas['CourierConnection'] | null {
  return newestFirst.findLast(({ status }) => status === 'active') ?? null
}

/** Begins a play by choosing values for all placeholders of the scenario's calls. */
export async function beginPlay(client: Client, scenario: Scenario, place: Place): Promise<Play> {
  const { workspaceId, connectionId } = place
  const of = { courier_connection_id: connectionId }
  const [from, to, products] = await Promise.all([
    client.couriers.listAgencies({ ...of, capability: 'drop_off', limit: 1 }),
    client.couriers.listAgencies({ ...of, capability: 'pickup', limit: 2 }),
    client.couriers.listPackageProducts({ ...of, limit: 1 }),
  ])
  const origin = from.data[0]?.id
  const destination = to.data.find(({ id }) => id !== origin)?.id
  const product = products.data[0]?.id
  if (origin === undefined || destination === undefined || product === undefined) {
    throw new Error('This connection has no agency or no product to ship with.')
  }
  const idempotencyKey = `play-${crypto.randomUUID()}`
  return {
    scenario,
    workspaceId,
    idempotencyKey,
    answers: [],
    shipmentId: null,
    operationId: null,
    names: {
      workspace_id: workspaceId,
      courier_connection_id: connectionId,
      origin_agency_id: origin,
      destination_agency_id: destination,
      product_id: product,
      external_reference: `${scenario.name} ${idempotencyKey.slice(-6)}`,
      idempotency_key: idempotencyKey,
      cancellation_key: `${idempotencyKey}-cancel`,
    },
  }
}

type Left = {
  readonly key: string
  readonly workspaceId: string
  readonly scenarios: readonly Scenario[] | null
  readonly mayReadOperations: boolean
}

/** Restores a play from its shipment, without the responses, which are lost. */
export async function restoredPlay(client: Client, left: Left): Promise<Play | null> {
  const { key, workspaceId, scenarios, mayReadOperations } = left
  const query = { workspace_id: workspaceId, idempotency_key: key, limit: 1 }
  const shipment = (await client.shipments.list(query)).data[0]
  const scenario = scenarios?.find(({ name }) => name === shipment?.sandbox_scenario)
  if (shipment === undefined || scenario === undefined) return null
  const operations = mayReadOperations ? (await client.operations.list(query)).data : []
  const { id, courier_connection_id: connectionId, quote_id: quoteId } = shipment
  return {
    scenario,
    workspaceId,
    idempotencyKey: key,
    answers: [],
    shipmentId: id,
    operationId: operations[0]?.id ?? null,
    names: {
      shipment_id: id,
      workspace_id: workspaceId,
      courier_connection_id: connectionId,
      new_courier_connection_id: connectionId,
      origin_agency_id: shipment.origin.agency_id,
      destination_agency_id: shipment.destination.agency_id,
      product_id: shipment.package.product_id,
      external_reference: shipment.external_reference,
      idempotency_key: key,
      cancellation_key: `${key}-cancel`,
      ...(quoteId === null ? {} : { quote_id: quoteId }),
    },
  }
}

/** Makes one call of the scenario and returns the play with its answer. */
export async function playCall(client: Client, play: Play, call: Call): Promise<Play> {
  try {
    const object = await make(client, filled(call, play.names) as Call)
    const isShipment = 'object' in object && object.object === 'shipment'
    return {
      ...play,
      answers: [...play.answers, answerOf(call, object.lastAnswer.status, null)],
      names: { ...play.names, ...namesOf(object) },
      shipmentId: isShipment ? object.id : play.shipmentId,
    }
  } catch (error) {
    if (!(error instanceof ShippingLedgerError)) throw error
    const { status, shipmentId, operationId } = error
    return {
      ...play,
      answers: [...play.answers, answerOf(call, status, error)],
      shipmentId: shipmentId ?? play.shipmentId,
      operationId: operationId ?? play.operationId,
    }
  }
}

function answerOf(call: Call, status: number | null, error: ShippingLedgerError | null): Answer {
  return { call: `${call.method} ${call.path}`, status, error }
}

/** Fills in the `<names>` of a listed call. */
function filled(value: unknown, names: Names): unknown {
  if (typeof value === 'string') {
    return value.replace(/<([a-z_]+)>/g, (whole, name: string) => names[name] ?? whole)
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, filled(of, names)]))
}

type Made = Answered<Schemas['Shipment'] | Schemas['Quote'] | Schemas['CourierConnection']>

/** The names that later calls of the scenario use. */
function namesOf(object: Made): Names {
  if (object.object === 'courier_connection') return { new_courier_connection_id: object.id }
  if (object.object === 'quote') return { quote_id: object.id }
  return { shipment_id: object.id }
}

async function make(client: Client, { path, headers, body }: Call): Promise<Made> {
  const { 'Idempotency-Key': key, 'Sandbox-Scenario': scenario } = headers
  const options = {
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(scenario === undefined ? {} : { scenario }),
  }
  const [, id] = /^\/v1\/shipments\/(\w+)\/cancel$/.exec(path) ?? []
  if (id !== undefined) return await client.shipments.cancel({ id }, options)
  switch (path) {
    case '/v1/shipments':
      return await client.shipments.create(body as Input<'createShipment'>, options)
    case '/v1/quotes':
      return await client.quotes.create(body as Input<'createQuote'>, options)
    case '/v1/courier-connections':
      return await client.courierConnections.create(
        body as Input<'createCourierConnection'>,
        options,
      )
    default:
      throw new Error(`bug: no scenario was expected to call ${path}`)
  }
}
