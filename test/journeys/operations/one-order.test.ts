import t from 'tap'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)

t.test('answers, errors and webhooks of a shipment are put in order by its version', async (t) => {
  const webhooks = await receiver(t)
  await shop.client.webhookEndpoints.create({
    workspace_id: shop.seeded.workspaceId,
    url: webhooks.url,
    event_types: ['shipment.*'],
  })
  const scenario = 'lost_response_late_guide'
  const { status, body: lost } = await shop.create('ordered', { scenario })
  t.equal(status, 409)
  t.equal(lost.reason, 'unknown_outcome')
  const id: string = lost.shipment_id
  const versionNow = async () => (await shop.call(`/v1/shipments/${id}`)).body.version
  t.ok(lost.shipment_version >= 3, 'the request, the intent and the lost answer')
  const again = await shop.create('ordered', { scenario })
  t.ok(again.body.shipment_version >= lost.shipment_version)
  t.ok(again.body.shipment_version <= (await versionNow()))
  const label = await shop.call(`/v1/shipments/${id}/documents/label`)
  t.match(label.body, { reason: 'unknown_outcome', shipment_id: id, shipment_version: Number })

  await shop.advance('PT10M')
  const { body: created } = await eventually(
    () => shop.create('ordered', { scenario }),
    (answer) => answer.status === 201,
  )
  t.ok(created.version > again.body.shipment_version, 'the answer is newer than the error')
  const of = (type: string) => webhooks.received.find(({ event }) => event.type === type)?.event
  await eventually(
    () => of('shipment.outcome_unknown') !== undefined && of('shipment.reconciled') !== undefined,
    (haveCome) => haveCome,
  )
  const [unknown, reconciled] = [of('shipment.outcome_unknown'), of('shipment.reconciled')]
  t.equal(unknown.resource.version, lost.shipment_version, 'it shows what the error told')
  t.ok(reconciled.resource.version > again.body.shipment_version)
  t.ok(reconciled.resource.version <= created.version)
  for (const event of [unknown, reconciled]) {
    t.match(event.resource, { type: 'shipment', id })
    t.equal(event.resource.version, event.data.object.version)
  }
  const asOf = `/v1/shipments/${id}?as_of=${reconciled.resource.version}`
  t.match((await shop.call(asOf)).body, { version: reconciled.resource.version, status: 'created' })

  const cancelled = await shop.create('ordered-again', { scenario: 'happy_path' })
  await shop.advance('P2D')
  const cancel = { method: 'POST', headers: { 'idempotency-key': 'too-late' } }
  const refused = await shop.call(`/v1/shipments/${cancelled.body.id}/cancel`, cancel)
  t.match(refused.body, { reason: 'shipment_not_cancellable', shipment_id: cancelled.body.id })
  t.ok(refused.body.shipment_version > cancelled.body.version)
})

t.test('the error of a line of a batch has the version of its shipment', async (t) => {
  const { external_reference: _, workspace_id, courier_connection_id, ...item } = shop.bodyOf('any')
  const metadata = { sandbox_scenario: 'courier_rejected' }
  const batch = await shop.call('/v1/batches', {
    body: {
      workspace_id,
      courier_connection_id,
      external_reference: 'versions',
      items: [{ ...item, external_reference: 'line-1', metadata }],
    },
  })
  t.equal(batch.status, 202)
  const line = await eventually(
    async () => (await shop.call(`/v1/batches/${batch.body.id}/items`)).body.data[0],
    ({ state }) => state === 'rejected',
  )
  const { body: shipment } = await shop.call(`/v1/shipments/${line.shipment_id}`)
  t.match(line.error, { reason: 'courier_rejected', shipment_version: shipment.version })
})
