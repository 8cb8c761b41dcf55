import t from 'tap'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const bill = { guide_number: 'SG-UNKNOWN', amount: 910, currency: 'PEN' }

const send = (own: ApiClient, reference: string, lines: readonly object[]) =>
  own.call(path, {
    body: { courier_connection_id: own.seeded.connectionId, reference, lines },
    ...operator,
  })

t.test('a webhook tells of each comparison once, with the totals', async (t) => {
  const own = await freshShop(shop, 'told')
  const mine = await receiver(t)
  await own.client.webhookEndpoints.create({
    workspace_id: own.seeded.workspaceId,
    url: mine.url,
    event_types: ['courier_invoice.*'],
  })
  const told = async (count: number) => {
    await eventually(
      async () => mine.received.length,
      (received) => received >= count,
    )
    t.equal(mine.received.length, count)
    return JSON.parse(String(mine.received[count - 1]?.body))
  }
  const secret = 'Ana Torres'
  const { body: sent } = await send(own, 'told', [{ ...bill, client_reference: secret }, bill])
  const first = await told(1)
  const { body: invoice } = await own.call(`${path}/${sent.id}`, operator)
  t.match(first, {
    type: 'courier_invoice.compared',
    workspace_id: own.seeded.workspaceId,
    resource: { type: 'courier_invoice', id: sent.id, version: 1 },
    previous: null,
  })
  t.strictSame(first.data.object, invoice, 'as the API shows it')
  t.match(first.data.object.totals, [
    { finding: 'billed_twice', lines: 1 },
    { finding: 'unknown_guide', lines: 1 },
  ])
  t.notOk(String(mine.received[0]?.body).includes(secret))

  const repeated = await own.call(`${path}/${sent.id}/compare`, { method: 'POST', ...operator })
  t.equal(repeated.status, 202)
  const second = await told(2)
  t.match(second, { resource: { version: 1 } })
  t.not(second.id, first.id)
  await send(own, 'told', [bill])
  t.match(await told(3), { resource: { version: 2 }, data: { object: { version: 2, total: 1 } } })
})

t.test('the totals have few enough currencies to be shown whole', async (t) => {
  const own = await freshShop(shop, 'currencies')
  const inCurrencies = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ ...bill, currency: `A${'ABCDEFGHIJK'[at]}A` }))
  t.equal((await send(own, 'many', inCurrencies(10))).status, 202)
  const refused = await send(own, 'too many', inCurrencies(11))
  t.match(refused, {
    status: 422,
    body: { errors: [{ pointer: '/lines/10/currency', reason: 'too_many_currencies' }] },
  })
})
