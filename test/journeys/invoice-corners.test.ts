import t from 'tap'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const bill = { guide_number: 'SG-OF-NOBODY', amount: 910, currency: 'PEN' }

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, more: object = {}) {
  const about = { courier_connection_id: own.seeded.connectionId, reference }
  const body = { ...about, lines: [bill], ...more }
  const sent = await own.call(path, { body, ...operator })
  t.equal(sent.status, 202, reference)
  return await compared(own, sent.body.id)
}

async function compared(own: ApiClient, id: string) {
  const { body } = await eventually(
    () => own.call(`${path}/${id}`, operator),
    (answer) => answer.body.status === 'compared',
  )
  return body
}

async function linesOf(own: ApiClient, id: string) {
  return (await own.call(`${path}/${id}/lines`, operator)).body.data
}

t.test('a line keeps its shipment when the reference that led to it is erased', async (t) => {
  const own = await freshShop(shop, 'erased')
  const refused = await own.create('refused', { scenario: 'courier_rejected' })
  const created = await own.create('created')
  const ids: readonly string[] = [refused.body.shipment_id, created.body.id]
  const lines = ids.map((id, at) => ({ ...bill, guide_number: `X${at}`, client_reference: id }))
  const { id } = await invoiced(own, 'erased', { lines })
  const found = [
    { finding: 'nothing_created', shipment_id: ids[0] },
    { finding: 'unknown_guide', shipment_id: ids[1] },
  ]
  t.match(await linesOf(own, id), found)
  for (const each of ids) {
    const erased = await own.call(`/v1/shipments/${each}/erase-personal-data`, { method: 'POST' })
    t.equal(erased.status, 200)
  }
  type Shown = readonly { readonly client_reference: string | null }[]
  await eventually(
    async () => (await linesOf(own, id)) as Shown,
    (all) => all.every(({ client_reference }) => client_reference === null),
  )
  const again = await own.call(`${path}/${id}/compare`, { method: 'POST', ...operator })
  t.equal(again.status, 202)
  await compared(own, id)
  t.match(await linesOf(own, id), found)
})

t.test('an amount with a decimal mark or thousands is not read as another amount', async (t) => {
  const own = await freshShop(shop, 'amounts')
  const send = async (amount: string) => {
    const query = `courier_connection_id=${own.seeded.connectionId}&reference=${amount}`
    const response = await fetch(`${own.url}${path}?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.key}`, 'content-type': 'text/csv' },
      body: `guide_number;amount;currency\r\nX;${amount};PEN\r\n`,
    })
    const { errors } = (await response.json()) as {
      readonly errors?: readonly { readonly pointer: string; readonly detail: string }[]
    }
    return { status: response.status, error: errors?.[0] }
  }
  for (const amount of ['910,00', '910.00', '1.000', '9,10', '1.000,00']) {
    const { status, error } = await send(amount)
    t.equal(status, 422, amount)
    t.match(error, { pointer: '/lines/0/amount', detail: /^Row 2: .*minor units/ }, amount)
  }
  t.equal((await send('910')).status, 202)
})
