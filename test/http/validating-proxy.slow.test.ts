import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { ShippingLedgerError } from '../../src/client/shipping-ledger-error.ts'
import { exampleConnectionRequest } from '../../src/service/http/openapi/examples.ts'
import { apiClient } from '../support/api-client.ts'
import { receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'
import { validatingProxy } from '../support/validating-proxy.ts'

const ledger = await service(t)

async function refusalOf(call: Promise<unknown>): Promise<ShippingLedgerError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ShippingLedgerError) return error
  throw new Error('the call was not refused')
}

t.test("a shop's day through a public validator breaks no rule of the document", async (t) => {
  const proxy = await validatingProxy(t, ledger.url)
  const shop = apiClient(proxy.url, ledger.seeded)
  const { client } = shop
  const { workspaceId: workspace_id, connectionId } = ledger.seeded
  const hook = await receiver(t)

  t.equal((await client.keys.get()).object, 'api_key')
  const workspace = await client.workspaces.create({
    name: 'Second shop',
    external_reference: 'second-shop',
  })
  const connection = await client.courierConnections.create(exampleConnectionRequest(workspace.id))
  await client.courierConnections.verify({ id: connection.id })
  await client.courierConnections.update({ id: connection.id, display_name: 'Renamed' })
  const endpoint = await client.webhookEndpoints.create({
    workspace_id,
    url: hook.url,
    event_types: ['shipment.*', 'label.*', 'operation.*', 'tracking.*'],
  })
  await client.webhookEndpoints.test({ id: endpoint.id, type: 'shipment.created' })
  await client.webhookEndpoints.rotateSecret({ id: endpoint.id })
  for await (const agency of client.couriers.listAgencies({
    courier_connection_id: connectionId,
  })) {
    t.equal((await client.couriers.getAgency({ id: agency.id })).id, agency.id)
    break
  }

  const quote = await shop.call('/v1/quotes', { body: shop.quoteBody() })
  t.equal(quote.status, 201)
  const created = await shop.create('day-1')
  t.equal(created.status, 201)
  t.equal((await shop.create('day-1')).headers.get('idempotent-replayed'), 'true')
  const changed = { body: { declared_content: 'Other things' } }
  t.match(await shop.create('day-1', changed), { body: { reason: 'idempotency_key_reused' } })
  t.match(await shop.create('day-2', { scenario: 'courier_rejected' }), { status: 422 })
  const ofGuide = { scenario: 'lost_response_guide_created' }
  const ofNothing = { scenario: 'lost_response_nothing_created' }
  const lost = await shop.create('day-3', ofGuide)
  t.match(lost, { status: 409, body: { reason: 'unknown_outcome', action: 'follow' } })
  const none = await shop.create('day-4', ofNothing)
  t.match(none, { status: 409, body: { reason: 'unknown_outcome' } })

  t.equal((await shop.advance('PT10M')).status, 200)
  const found = await client.waitForOperation(lost.body.operation_id)
  t.equal(found.kind, 'guide_exists')
  t.equal((await shop.create('day-3', ofGuide)).status, 201)
  t.match(await shop.create('day-4', ofNothing), {
    body: { reason: 'nothing_created', action: 'new_key' },
  })

  const { id } = created.body
  t.ok((await client.documents.getLabel({ id })).length > 1_000)
  t.ok((await client.tracking.get({ id })).monitoring)
  t.equal((await client.documents.list({ id })).data.length, 1)
  t.equal(
    (await client.shipments.cancel({ id }, { idempotencyKey: 'day-1-back' })).status,
    'cancelled',
  )
  t.match(await refusalOf(client.shipments.get({ id: `shp_${'0'.repeat(22)}` })), {
    reason: 'not_found',
  })
  const lists = [
    client.shipments.list({ workspace_id }),
    client.operations.list({ workspace_id }),
    client.webhookEvents.list({ workspace_id }),
    client.webhookDeliveries.list({ workspace_id }),
    client.ledger.listShipmentEvents({ id }),
    client.workspaces.list(),
    client.courierConnections.list({ workspace_id }),
    client.webhookEndpoints.list({ workspace_id }),
  ]
  for (const list of lists) {
    let items = 0
    for await (const _item of list) items += 1
    t.ok(items > 0)
  }
  t.equal((await client.keys.getUsage()).object, 'usage')
  t.same(await proxy.violations(), [])
})

type Change = (answer: Record<string, unknown>) => { readonly status: number } | undefined
type Tampering = {
  readonly url: string
  /** From now on every JSON answer is changed so. */
  readonly become: (change: Change) => void
}

/** The service, as a faulty one would answer. */
async function tampering(t: { teardown(close: () => unknown): unknown }): Promise<Tampering> {
  let change: Change = () => undefined
  const server = createServer(async (near, answer) => {
    const { authorization = '' } = near.headers
    const far = await fetch(ledger.url + near.url, { headers: { authorization } })
    const body = (await far.json()) as Record<string, unknown>
    const { status } = change(body) ?? far
    const type = far.headers.get('content-type') ?? ''
    answer.writeHead(status, { 'content-type': type, 'x-request-id': 'req_tampered' })
    answer.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    become: (next) => {
      change = next
    },
  }
}

t.test('the public validator notices an answer that contradicts the document', async (t) => {
  const { client } = ledger
  const made = await ledger.create('wrong-1')
  const lost = await ledger.create('wrong-2', { scenario: 'lost_response_nothing_created' })
  t.equal(lost.status, 409)
  const { id } = made.body
  const { shipment_id: lostId } = lost.body
  t.equal((await client.shipments.get({ id })).status, 'created')
  const changes: Readonly<Record<string, readonly [path: string, change: Change]>> = {
    'a field that is missing': [`/v1/shipments/${id}`, (body) => void delete body.version],
    'a status that contradicts the guide': [
      `/v1/shipments/${id}`,
      (body) => void Object.assign(body, { guide_number: null }),
    ],
    'an unknown outcome without an operation': [
      `/v1/shipments/${lostId}`,
      (body) => void Object.assign(body, { operation_id: null }),
    ],
    'a problem without its action': ['/v1/shipments/none', (body) => void delete body.action],
  }
  const { url, become } = await tampering(t)
  const proxy = await validatingProxy(t, url)
  const headers = { authorization: `Bearer ${ledger.seeded.shopKey}` }
  const ask = async (path: string) => await (await fetch(proxy.url + path, { headers })).text()
  t.equal(JSON.parse(await ask(`/v1/shipments/${id}`)).status, 'created')
  t.same(await proxy.violations(), [])
  let seen = 0
  for (const [name, [path, change]] of Object.entries(changes)) {
    become(change)
    t.match(await ask(path), /stoplight\.io\/prism\/errors#VIOLATIONS/, name)
    seen += 1
    t.equal((await proxy.violations()).length, seen, name)
  }
  become(() => ({ status: 418 }))
  await ask(`/v1/shipments/${id}`)
  t.match((await proxy.violations()).at(-1), /Unable to match the returned status code/)
})
