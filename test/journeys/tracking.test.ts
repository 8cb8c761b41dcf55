import t from 'tap'
import { service } from '../support/service.ts'

t.test('a guide is registered and followed at once, and first polled an hour later', async (t) => {
  const shop = await service(t)
  const { body } = await shop.create('registered')
  const registered = { status: 'registered', phase: 'pre_transit', exception: null }
  t.match(body.tracking, registered)
  const path = `/v1/shipments/${body.id}/tracking`
  const [issued] = (await shop.events(body.id)).filter(({ type }) => type === 'GuideIssued')
  const issuedAt = issued?.recorded_at ?? ''
  const nextCheckAt = new Date(Date.parse(issuedAt) + 3_600_000).toISOString()
  const monitoring = { state: 'active', last_checked_at: null, next_check_at: nextCheckAt }
  const answered = { ...registered, events: [], monitoring, version: 3 }
  t.match((await shop.call(path)).body, answered, 'as soon as there is a guide')
  await shop.advance('PT59M')
  t.match((await shop.call(path)).body, { ...answered, version: 4 })
  const asked = () => shop.record.callsOf(body.id).map(({ route }) => route)
  t.same(asked(), ['createGuide', 'label', 'label'])
  const types = async () => (await shop.events(body.id)).map(({ type }) => type)
  const made = ['ShipmentRequested', 'GuideRequested', 'GuideIssued', 'LabelReady']
  t.same(await types(), made)
  const webhooks = (await shop.call(`/v1/events?shipment_id=${body.id}`)).body.data
  t.same(
    webhooks.map(({ type }: { type: string }) => type),
    ['label.ready', 'shipment.created'],
  )
  const asOf = (await shop.call(`/v1/shipments/${body.id}?as_of=3`)).body
  t.match(asOf.tracking, registered)
  await shop.advance('PT2M')
  t.equal(asked().filter((route) => route === 'track').length, 1)
  t.same(await types(), [...made, 'TrackingObserved'])
  const read = (await shop.call(path)).body
  t.match(read, { status: 'registered', events: [{ code: 'registered' }] })
  t.equal(read.monitoring.last_checked_at, nextCheckAt, 'when it was due')
})
