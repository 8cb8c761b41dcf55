import t from 'tap'
import { comparedInvoice } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

async function invoiced(reference: string, lines: readonly object[]): Promise<string> {
  const { connectionId } = shop.seeded
  const body = { courier_connection_id: connectionId, reference, lines }
  const { id } = (await shop.call(path, { body, ...operator })).body
  await comparedInvoice(shop, id)
  return id
}

async function listed(undecided: boolean): Promise<readonly string[]> {
  const { body } = await shop.call(`${path}?undecided=${undecided}`, operator)
  return body.data.map(({ id }: { id: string }) => id)
}

t.test('the list shows only invoices with a line to decide, or only the others', async (t) => {
  const { body: shipment } = await shop.create('billed')
  const { guide_number, price } = shipment
  const right = { guide_number, amount: price.amount, currency: price.currency }
  const unknown = { guide_number: '100000000009', amount: 1450, currency: 'PEN' }
  const matched = await invoiced('F-1', [right])
  const differing = await invoiced('F-2', [unknown])
  const withdrawn = await invoiced('F-3', [{ ...unknown, guide_number: '100000000010' }])
  await shop.call(`${path}/${withdrawn}/withdraw`, { method: 'POST', ...operator })
  t.same(await listed(true), [differing])
  t.same(await listed(false), [withdrawn, matched])

  const note = { decision: 'disputed', note: 'No shipment has this guide.' }
  const decided = await shop.call(`${path}/${differing}/lines/1/decision`, {
    body: note,
    ...operator,
  })
  t.equal(decided.status, 200)
  t.same(await listed(true), [], 'its only line is decided')
  t.same(await listed(false), [withdrawn, differing, matched])
})
