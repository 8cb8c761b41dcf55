import { writeFile } from 'node:fs/promises'
import { createClient } from 'shipping-ledger/client'

const client = createClient({
  baseUrl: process.env.SHIPPING_LEDGER_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.SHIPPING_LEDGER_KEY ?? '',
})

// Run this again and you get the same workspace and the same connection.
const shop = await client.workspaces.create({ name: 'My shop', external_reference: 'my-shop' })
const connection = await client.courierConnections.create(
  {
    workspace_id: shop.id,
    provider_code: 'mock',
    display_name: 'Simulated courier',
    credentials: { username: 'sandbox', password: 'any' },
  },
  { idempotencyKey: `${shop.id}-mock` },
)

const { data: agencies } = await client.couriers.listAgencies({
  courier_connection_id: connection.id,
  limit: 2,
})
const { data: products } = await client.couriers.listPackageProducts({
  courier_connection_id: connection.id,
})
const [origin, destination] = agencies
const product = products.find((one) => one.max_weight_kg >= 1 && one.max_height_m >= 0.1)
if (!origin || !destination || !product) throw new Error('the courier offers nothing')

const order = (reference: string) => ({
  workspace_id: shop.id,
  courier_connection_id: connection.id,
  external_reference: reference,
  origin: { agency_id: origin.id },
  destination: { agency_id: destination.id },
  package: {
    product_id: product.id,
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
})

// One key, one guide: use the order's number, so that a restart of the shop continues with it.
const first = await client.ensureShipped('order-3001', order('order-3001'))
if (first.kind !== 'created') throw new Error(`order-3001: ${first.kind}`)
const { shipment } = first
console.log(`order-3001: ${shipment.status}, guide ${shipment.guide_number}`)

const label = await client.documents.getLabel({ id: shipment.id })
await writeFile('label.pdf', label)
const tracking = await client.tracking.get({ id: shipment.id })
console.log(`label.pdf: ${label.length > 0}, tracking ${tracking.monitoring.state}`)

// The courier's response is lost. Nothing is created again: the operation is followed to its end.
const end = await client.ensureShipped('order-3002', order('order-3002'), {
  scenario: 'lost_response_guide_created',
  onChange: ({ status }) => console.log(`order-3002: ${status}`),
})
switch (end.kind) {
  case 'created':
    console.log(`order-3002: guide ${end.shipment.guide_number}`)
    break
  case 'rejected':
    console.log(`order-3002: correct it and use another key: ${end.error.message}`)
    break
  case 'nothing_created':
    console.log('order-3002: ship it again, with another key')
    break
  case 'needs_attention':
    // The guide may exist. Call again with the same key: it continues.
    console.log(`order-3002: ${end.action}`)
}

// Every page of a list, one item at a time.
const references: string[] = []
for await (const one of client.shipments.list({ workspace_id: shop.id, limit: 1 })) {
  references.push(one.external_reference)
}
console.log(`shipped: ${references.sort().join(', ')}`)
