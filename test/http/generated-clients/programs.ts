/**
 * Programs of third parties: each creates a shipment, lists it, and requests one that does not
 * exist, with a client that a public generator made from docs/openapi.json. They print the results.
 */

const settings = `
const url = process.env.SHIPPING_LEDGER_URL ?? ''
const key = process.env.SHIPPING_LEDGER_KEY ?? ''
`

const print = `
console.log(JSON.stringify({
  created: created.data?.guide_number,
  listed: listed.data?.data.map((one) => one.external_reference),
  refused: missing.error?.reason,
}))
`

/** With the types that openapi-typescript generates, and its own client for them. */
export const withOpenapiTypescript = `
import createClient from 'openapi-fetch'
import { order } from './order.js'
import type { paths } from './openapi-typescript.js'
${settings}
const client = createClient<paths>({ baseUrl: url, headers: { Authorization: \`Bearer \${key}\` } })
const created = await client.POST('/v1/shipments', {
  params: { header: { 'idempotency-key': order.external_reference } },
  body: order,
})
const listed = await client.GET('/v1/shipments', {
  params: { query: { workspace_id: order.workspace_id, idempotency_key: order.external_reference } },
})
const missing = await client.GET('/v1/shipments/{id}', {
  params: { path: { id: 'shp_0000000000000000000000' } },
})
${print}`

export const withHeyApi = `
import { createClient } from './hey-api/client/index.js'
import { createShipment, getShipment, listShipments } from './hey-api/index.js'
import { order } from './order.js'
${settings}
const client = createClient({ baseUrl: url, auth: key })
const created = await createShipment({
  client,
  headers: { 'idempotency-key': order.external_reference },
  body: order,
})
const listed = await listShipments({
  client,
  query: { workspace_id: order.workspace_id, idempotency_key: order.external_reference },
})
const missing = await getShipment({ client, path: { id: 'shp_0000000000000000000000' } })
${print}`

/** What a union must tell by its field, in the types that each generator makes. */
const uses = `
export function operationOf(problem: Problem): string | null {
  return problem.reason === 'unknown_outcome' ? problem.operation_id : null
}
export function pointersOf(problem: Problem): readonly string[] {
  return problem.reason === 'validation_failed' ? problem.errors.map(({ pointer }) => pointer) : []
}
export function nextOf({ action }: Problem): string {
  return action
}
export function guideOf(shipment: Shipment): string | null {
  if (shipment.status === 'unknown_outcome') return shipment.operation_id
  return shipment.status === 'created' ? shipment.guide_number : null
}
export function nameOf(event: Event): string {
  switch (event.type) {
    case 'shipment.created':
      return event.data.object.external_reference
    case 'tracking.updated':
      return String(event.data.object.events_omitted)
    case 'operation.resolved':
      return event.previous?.status ?? event.data.object.deadline_at
    case 'connection.needs_reauth':
      return event.data.object.provider_code
    case 'webhook_endpoint.disabled':
      return event.data.object.event_types.join()
    case 'quota.threshold_reached':
      return event.data.object.period
    case 'batch.completed':
      return String(event.data.object.total)
    case 'courier_invoice.compared':
      return String(event.data.object.decisions.matched)
    case 'alert.courier_unreachable':
      return event.data.object.subject.type
    default:
      return event.type
  }
}
`

const misuses = `
export const operation = (problem: Problem): string => problem.operation_id
export const fields = (problem: Problem): number => problem.errors.length
export const guide = (shipment: Shipment): string => shipment.guide_number
export const otherGuide = (shipment: Shipment): string =>
  shipment.status === 'rejected' ? shipment.guide_number : ''
export const reference = (event: Event): string => event.data.object.external_reference
export const period = (event: Event): string =>
  event.type === 'shipment.created' ? event.data.object.period : ''
`

const componentsOf = (module: string) => `
import type { components } from '${module}'
type Problem = components['schemas']['Problem']
type Shipment = components['schemas']['Shipment']
type Event = components['schemas']['WebhookPayload'] | components['schemas']['WebhookEvent']
`
const ofHeyApi = `
import type { Problem, Shipment, WebhookEvent, WebhookPayload } from './hey-api/index.js'
type Event = WebhookPayload | WebhookEvent
`

/** By the module that the types are from, which `own` is for the project's own. */
export function unionPrograms(own: string): Readonly<Record<string, string>> {
  return {
    'unions-own': componentsOf(own) + uses,
    'unions-openapi-typescript': componentsOf('./openapi-typescript.js') + uses,
    'unions-hey-api': ofHeyApi + uses,
  }
}

/** The same without asking for the field first: each line is an error. */
export function unionMisuses(own: string): Readonly<Record<string, string>> {
  return {
    'misuses-own': componentsOf(own) + misuses,
    'misuses-openapi-typescript': componentsOf('./openapi-typescript.js') + misuses,
    'misuses-hey-api': ofHeyApi + misuses,
  }
}
