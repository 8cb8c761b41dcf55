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
