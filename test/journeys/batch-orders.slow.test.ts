import { sql } from 'kysely'
import t from 'tap'
import type { ShipmentPayload } from '../../src/service/domain/shipment/shipment-payload.ts'
import { exampleConnectionRequest } from '../../src/service/http/openapi/examples.ts'
import { createShipment } from '../../src/service/processes/calls/shipment-creation.ts'
import { type ApiClient, apiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

type Item = {
  readonly state: string
  readonly shipment_id: string | null
  readonly error: null | {
    readonly errors?: readonly { readonly reason: string; readonly detail: string }[]
  }
}
type Order = string | object

/** The lines of these orders; an object contains the fields that differ. */
function itemsOf(own: ApiClient, orders: readonly Order[], scenario?: string) {
  return orders.map((order) => {
    const { workspace_id, courier_connection_id, ...line } = own.bodyOf('any')
    const more = typeof order === 'string' ? { external_reference: order } : order
    const played = scenario === undefined ? {} : { metadata: { sandbox_scenario: scenario } }
    return { ...line, ...played, ...more }
  })
}

async function send(
  own: ApiClient,
  name: string,
  items: readonly object[],
  connection = own.seeded.connectionId,
): Promise<string> {
  const { body, status } = await own.call('/v1/batches', {
    body: {
      external_reference: name,
      workspace_id: own.seeded.workspaceId,
      courier_connection_id: connection,
      items,
    },
  })
  if (status !== 202) throw new Error(`the batch was answered ${status}`)
  return body.id
}

async function ended(own: ApiClient, id: string): Promise<readonly Item[]> {
  await eventually(
    () => own.call(`/v1/batches/${id}`),
    ({ body }) => body.ended_at !== null,
  )
  return (await own.call(`/v1/batches/${id}/items?limit=100`)).body.data
}

const reasonsOf = (items: readonly Item[]) =>
  items.map(({ state, error }) => error?.errors?.[0]?.reason ?? state)

async function connectionsOf(own: ApiClient, count: number): Promise<readonly string[]> {
  const made = Array.from({ length: count }, () =>
    own.client.courierConnections.create(exampleConnectionRequest(own.seeded.workspaceId)),
  )
  return (await Promise.all(made)).map(({ id }) => id)
}

async function untilListed(own: ApiClient, id: unknown, status: string): Promise<void> {
  await eventually(
    () =>
      own.call(`/v1/shipments?status=${status}&workspace_id=${own.seeded.workspaceId}&limit=100`),
    ({ body }) => body.data.some((each: { readonly id: string }) => each.id === id),
  )
}

t.test('three batches with the same orders at once make one guide an order', async (t) => {
  const own = await freshShop(shop, 'three')
  const connections = await connectionsOf(own, 3)
  const items = itemsOf(
    own,
    Array.from({ length: 60 }, (_, n) => `o-${n}`),
  )
  const guides = shop.record.guideCount()
  const ids = await Promise.all(
    connections.map((connection, n) => send(own, `name-${n}`, items, connection)),
  )
  const all = await Promise.all(ids.map((id) => ended(own, id)))
  t.equal(shop.record.guideCount() - guides, 60)
  for (const at of items.keys()) {
    const reasons = reasonsOf(all.map((each) => each[at] as Item)).toSorted()
    t.strictSame(reasons, ['created', 'order_has_guide', 'order_has_guide'], `line ${at + 1}`)
  }
})

t.test('two spellings of one order are one order, in a batch and over batches', async (t) => {
  const own = await freshShop(shop, 'spelled')
  const guides = shop.record.guideCount()
  const first = ['PEDIDO-\u00d11', 'PEDIDO-N\u03031', '8001', '8001.0', 'a-1', 'A-1']
  const one = await ended(own, await send(own, 'one', itemsOf(own, first)))
  t.strictSame(reasonsOf(one), [
    'created',
    'duplicate_key',
    'created',
    'duplicate_key',
    'created',
    'created',
  ])
  const other = ['pedido', 'PEDIDO-N\u03031', '8001.0', '８００１']
  const two = await ended(own, await send(own, 'two', itemsOf(own, other.slice(0, 3))))
  t.strictSame(reasonsOf(two), ['created', 'order_has_guide', 'order_has_guide'])
  const again = await ended(
    own,
    await send(own, 'one', itemsOf(own, ['8001.0', 'PEDIDO-N\u03031'])),
  )
  t.strictSame(reasonsOf(again), ['order_has_guide', 'created'], 'the same text finds its own')
  t.equal(again[1]?.shipment_id, one[0]?.shipment_id)
  t.equal(shop.record.guideCount() - guides, 5)
})

t.test('an order is free again once its line failed or its guide was cancelled', async (t) => {
  const own = await freshShop(shop, 'free')
  const refused = await ended(
    own,
    await send(own, 'refused', itemsOf(own, ['r-1'], 'courier_rejected')),
  )
  t.strictSame(
    refused.map(({ state }) => state),
    ['rejected'],
  )
  const bad = { external_reference: 'r-2', origin: { agency_id: 'agy_0aB1cD2eF3gH4iJ5kL6mN7' } }
  const failed = await ended(own, await send(own, 'failed', itemsOf(own, [bad])))
  t.strictSame(
    failed.map(({ state }) => state),
    ['failed'],
  )
  const items = itemsOf(own, ['r-1', 'r-2'])
  const made = await ended(own, await send(own, 'made', items))
  t.strictSame(reasonsOf(made), ['created', 'created'])
  const cancelled = made[0]?.shipment_id
  await own.call(`/v1/shipments/${cancelled}/cancel`, {
    body: {},
    headers: { 'idempotency-key': 'cancel' },
  })
  await untilListed(own, cancelled, 'cancelled')
  const after = await ended(own, await send(own, 'after', items))
  t.strictSame(reasonsOf(after), ['created', 'order_has_guide'])
})

t.test('a single creation counts at once, and is never refused itself', async (t) => {
  const own = await freshShop(shop, 'single')
  const orders = Array.from({ length: 10 }, (_, n) => `s-${n}`)
  const guides = shop.record.guideCount()
  for (const order of orders) {
    // The read models lag a moment; the line waits for them.
    const { body } = await own.create(order)
    const [item] = await ended(own, await send(own, `of ${order}`, itemsOf(own, [`${order}.0`])))
    t.strictSame(reasonsOf([item as Item]), ['order_has_guide'])
    t.match(item?.error?.errors?.[0]?.detail, body.id)
  }
  t.equal((await own.create('another', { body: { external_reference: 's-1' } })).status, 201)
  t.equal(shop.record.guideCount() - guides, 11)
})

t.test('an order that waits in another batch is refused when the file is sent', async (t) => {
  const own = await freshShop(shop, 'waits')
  const orders = Array.from({ length: 200 }, (_, n) => `w-${n}`)
  const id = await send(own, 'slow', itemsOf(own, orders, 'slow_success'))
  const items = itemsOf(own, ['w-199.0'])
  const [refused] = await ended(own, await send(own, 'other', items))
  t.match(refused?.error?.errors, [{ reason: 'order_has_guide', detail: new RegExp(id) }])
  await own.call(`/v1/batches/${id}/cancel`, { method: 'POST' })
  await ended(own, id)
  const [made] = await ended(own, await send(own, 'again', items))
  t.equal(made?.state, 'created', 'lines of a cancelled batch hold no order')
})

t.test('a second parcel has a key of its own, and both are found again', async (t) => {
  const own = await freshShop(shop, 'parcels')
  const second = { external_reference: 'p-1', idempotency_key: 'p-1-second' }
  const items = itemsOf(own, [second, 'p-1'])
  const first = await ended(own, await send(own, 'parcels', items))
  t.strictSame(reasonsOf(first), ['created', 'created'])
  await untilListed(own, first[1]?.shipment_id, 'created')
  const again = await ended(own, await send(own, 'parcels', items))
  t.strictSame(again, first)
  const elsewhere = await ended(own, await send(own, 'elsewhere', itemsOf(own, ['p-1'])))
  t.strictSame(reasonsOf(elsewhere), ['order_has_guide'])
})

t.test('a shipment that a recovered ledger has forgotten still holds its order', async (t) => {
  const own = await freshShop(shop, 'forgotten')
  const [made] = await ended(own, await send(own, 'before', itemsOf(own, ['f-1'])))
  const id = String(made?.shipment_id)
  await untilListed(own, id, 'created')
  await sql`DELETE FROM projections.shipments WHERE shipment_id = ${id}`.execute(shop.parts.db)
  const [refused] = await ended(own, await send(own, 'after', itemsOf(own, ['f-1'])))
  t.match(refused?.error?.errors, [{ reason: 'order_has_guide', detail: new RegExp(id) }])
  t.equal(shop.record.guidesOf(id).length, 1)
})

t.test('text that was stored as it came is found in the form that is stored now', async (t) => {
  const own = await freshShop(shop, 'former')
  const decomposed = 'N\u0303-1'
  const body = {
    ...own.bodyOf(decomposed),
    declared_content: 'Man\u0303ana',
    metadata: { 'an\u0303o': 'pen\u0303a' },
  } as unknown as ShipmentPayload
  const { organizationId, workspaceId } = own.seeded
  const former = await createShipment(shop.parts, {
    organizationId,
    livemode: false,
    actor: { type: 'system', keyId: null },
    requestId: 'req_0aB1cD2eF3gH4iJ5kL6mN7',
    idempotencyKey: 'former',
    body,
    scenario: 'happy_path',
  })
  for (const form of ['NFC', 'NFD'] as const) {
    const sent = JSON.parse(JSON.stringify(body).normalize(form))
    const again = await own.create('former', { body: sent })
    t.match(again, { status: 201, body: { id: former.shipmentId } }, form)
    const other = await own.create('former', { body: { ...sent, declared_content: 'otra' } })
    t.match(other, { status: 422, body: { reason: 'idempotency_key_reused' } }, form)
    await untilListed(own, former.shipmentId, 'created')
    const reference = encodeURIComponent(decomposed.normalize(form))
    const about = `external_reference=${reference}&workspace_id=${workspaceId}`
    const { body: list } = await own.call(`/v1/shipments?${about}`)
    t.equal(list.data[0]?.id, former.shipmentId, form)
  }
  const [line] = await ended(own, await send(own, 'later', itemsOf(own, ['\u00d1-1'])))
  t.match(line?.error?.errors, [{ reason: 'order_has_guide' }])
})

t.test('lines that were stored before lines had an order are compared too', async (t) => {
  const api = await service(t, { roles: ['api', 'projector'] })
  const own = await freshShop(api, 'upgraded')
  const connections = await connectionsOf(own, 3)
  const ids: string[] = []
  for (const [n, connection] of connections.entries()) {
    ids.push(await send(own, `before-${n}`, itemsOf(own, ['u-1', 'u-2']), connection))
    await sql`UPDATE batch_lines SET order_key = NULL`.execute(api.parts.db)
  }
  await api.stop()
  const after = await service(t, { after: api })
  const now = apiClient(after.url, own.seeded)
  const all = await Promise.all(ids.map((id) => ended(now, id)))
  t.equal(after.record.guideCount(), 2)
  t.equal(all.flat().filter(({ state }) => state === 'created').length, 2)
})
