import t from 'tap'
import { exampleShipmentRequest } from '../../../src/service/http/openapi/examples.ts'
import { recordingCourier } from '../../prove/lost-end/recording-courier.ts'
import { openShops, registerRecordingCourier } from '../../prove/lost-end/shops.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const sum = { amount: 12_500, currency: 'PEN' }
const phone = '+51987000111'
const email = 'canary@example.com'

function withPerson(body: object) {
  const { recipient } = exampleShipmentRequest('')
  return { ...body, recipient: { ...recipient, phone, email } }
}

t.test(
  'phone, e-mail, value and cash on delivery are shown, and the person is erased',
  async (t) => {
    const more = withPerson({ declared_value: sum, cash_on_delivery: sum })
    const made = await shop.create('all', { body: more })
    t.match(made, {
      status: 201,
      body: { recipient: { phone, email }, declared_value: sum, cash_on_delivery: sum },
    })
    const again = await shop.create('all', { body: more })
    t.equal(again.body.guide_number, made.body.guide_number)
    const events = await shop.call(`/v1/shipments/${made.body.id}/events`)
    t.match(JSON.stringify(events.body), /12500/)
    t.notMatch(JSON.stringify(events.body), /987000111|canary/)
    await eventually(
      () => shop.call(`/v1/events?shipment_id=${made.body.id}`),
      ({ body }) => body.data.length > 0,
    )
    const webhooks = await shop.call(`/v1/events?shipment_id=${made.body.id}`)
    t.notMatch(JSON.stringify(webhooks.body), /987000111|canary/)
    t.notMatch(shop.logged.join('\n'), /987000111|canary/)
    const { status } = await shop.call(`/v1/shipments/${made.body.id}/erase-personal-data`, {
      body: {},
    })
    t.equal(status, 200)
    const erased = await shop.call(`/v1/shipments/${made.body.id}`)
    t.match(erased.body, { recipient: null, declared_value: sum, cash_on_delivery: sum })
  },
)

t.test('a shipment without the optional fields shows null for them', async (t) => {
  const { body } = await shop.create('none', {})
  t.match(body, {
    recipient: { phone: null, email: null },
    declared_value: null,
    cash_on_delivery: null,
  })
})

t.test('sums and contacts of a wrong form are refused by their pointers', async (t) => {
  const pointers = async (name: string, more: object) => {
    const { status, body } = await shop.create(name, { body: more })
    t.equal(status, 422)
    return body.errors.map(({ pointer }: { pointer: string }) => pointer)
  }
  const { recipient } = exampleShipmentRequest('')
  for (const amount of [0, -1, 1.5, 10_000_000_001, '5']) {
    t.same(await pointers(`sum ${amount}`, { cash_on_delivery: { ...sum, amount } }), [
      '/cash_on_delivery/amount',
    ])
  }
  t.same(await pointers('currency', { declared_value: { amount: 1, currency: 'pen' } }), [
    '/declared_value/currency',
  ])
  for (const wrong of ['987654321', '+0123456789', '+51 987 654 321', '+1234567890123456']) {
    t.same(await pointers(`phone ${wrong}`, { recipient: { ...recipient, phone: wrong } }), [
      '/recipient/phone',
    ])
  }
  t.same(await pointers('mail', { recipient: { ...recipient, email: 'nobody' } }), [
    '/recipient/email',
  ])
})

t.test('a courier without a capability refuses what needs it, and gets no contacts', async (t) => {
  const courier = await recordingCourier()
  t.teardown(() => courier.close())
  await registerRecordingCourier(shop.parts, courier)
  const { live } = await openShops(shop.parts, [shop.url])
  const [api] = live.apis
  if (api === undefined) throw new Error('the shop has an API')
  const before = courier.calls.length
  const body = { declared_value: sum, cash_on_delivery: sum }
  const refused = await api.create('refused', { body })
  t.match(refused, {
    status: 422,
    body: {
      reason: 'not_supported_by_courier',
      errors: [
        { pointer: '/declared_value', reason: 'not_supported_by_courier' },
        { pointer: '/cash_on_delivery', reason: 'not_supported_by_courier' },
      ],
    },
  })
  t.same(
    courier.calls.slice(before).filter(({ route }) => route !== 'other'),
    [],
    'no guide was asked for',
  )
  const found = await api.call(
    `/v1/shipments?workspace_id=${live.workspaceId}&idempotency_key=refused`,
  )
  t.same(found.body.data, [], 'nothing was recorded')
  const made = await api.create('contacts', { body: withPerson({}) })
  t.match(made, { status: 201, body: { recipient: { phone, email } } })
  const { recipient } = exampleShipmentRequest('')
  t.strictSame(
    courier.guides.map((guide) => guide.recipient),
    [recipient],
  )
})
