import t from 'tap'
import { type ApiClient, type Creation, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { comparedInvoice, postInvoiceCsv, sendInvoice } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const kind = 'cash_on_delivery'
const cash = { amount: 5_000, currency: 'PEN' }

type Made = { readonly id: string; readonly guide: string; readonly price: typeof cash }

async function create(own: ApiClient, key: string, more: Creation = {}): Promise<Made> {
  const { status, body } = await own.create(key, more)
  t.equal(status, 201)
  return { id: body.id, guide: body.guide_number, price: body.price }
}

const withCash = (own: ApiClient, key: string) =>
  create(own, key, { body: { cash_on_delivery: cash } })
const charge = ({ guide, price }: Made) => ({ guide_number: guide, ...price })
const payment = ({ guide }: Made, amount: number) => {
  return { kind, guide_number: guide, amount, currency: 'PEN' }
}

async function linesOf(own: ApiClient, id: string, query = '') {
  return (await own.call(`${path}/${id}/lines?limit=100${query}`, operator)).body.data
}

async function notPaidOut(own: ApiClient, id: string): Promise<readonly string[]> {
  const { body } = await own.call(`${path}/${id}/not-billed?kind=${kind}`, operator)
  return body.data.map(({ shipment_id }: { shipment_id: string }) => shipment_id)
}

t.test('cash that is paid out is compared apart from what is billed', async (t) => {
  const own = await freshShop(shop, 'compared')
  const [right, short, none, cancelled] = [
    await withCash(own, 'right'),
    await withCash(own, 'short'),
    await create(own, 'none'),
    await withCash(own, 'cancelled'),
  ]
  const headers = { 'idempotency-key': 'cancel' }
  const cancel = `/v1/shipments/${cancelled.id}/cancel`
  t.equal((await own.call(cancel, { method: 'POST', headers })).status, 200)
  const invoice = await sendInvoice(own, 'month', [
    charge(right),
    payment(right, 5_000),
    payment(short, 3_000),
    payment(short, 1_500),
    charge(short),
    payment(right, 5_000),
    payment(none, 700),
    payment(cancelled, 5_000),
    { kind, guide_number: 'NEVER', amount: 900, currency: 'PEN' },
  ])
  const expected = { amount: 5_000, currency: 'PEN' }
  t.match(await linesOf(own, invoice.id), [
    { kind: 'charge', finding: 'matched', expected: right.price },
    { kind, finding: 'matched', expected, at_stake: null, shipment_id: right.id },
    { kind, finding: 'part_of', billing: { line: 4, lines: 2, amount: 4_500 } },
    { kind, finding: 'amount_differs', expected, at_stake: 500 },
    { kind: 'charge', finding: 'matched', expected: short.price, billing: null },
    { kind, finding: 'billed_twice', at_stake: null, billed_before: { line: 2 } },
    { kind, finding: 'amount_differs', expected: { amount: 0, currency: 'PEN' }, at_stake: null },
    { kind, finding: 'cancelled_guide', at_stake: null },
    { kind, finding: 'unknown_guide', at_stake: null },
  ])
  const billed = right.price.amount + short.price.amount
  t.match(invoice.amounts, [
    { kind: 'charge', currency: 'PEN', lines: 2, amount: billed, at_stake: 0 },
    { kind, currency: 'PEN', lines: 7, amount: 21_100, at_stake: 500, to_check: { lines: 5 } },
  ])
  const found = invoice.totals.map((each: { kind: string; finding: string }) => each.finding)
  t.strictSame(found.slice(0, 2), ['matched', 'amount_differs'])
  const chosen = await linesOf(own, invoice.id, `&kind=${kind}&finding=matched`)
  t.match(chosen, [{ line: 2 }])
  t.equal(chosen.length, 1)
})

t.test('a later invoice that pays the cash out again is found, and a charge is not', async (t) => {
  const own = await freshShop(shop, 'again')
  const made = await withCash(own, 'made')
  const first = await sendInvoice(own, 'first', [payment(made, 2_000)])
  t.match(await linesOf(own, first.id), [{ finding: 'amount_differs', at_stake: 3_000 }])
  const second = await sendInvoice(own, 'second', [charge(made), payment(made, 3_000)])
  const rest = [{ finding: 'matched' }, { kind, finding: 'matched' }]
  t.match(await linesOf(own, second.id), rest, 'the rest of it')
  const third = await sendInvoice(own, 'third', [payment(made, 5_000)])
  const place = { courier_invoice_id: first.id, line: 1 }
  t.match(await linesOf(own, third.id), [{ finding: 'billed_twice', billed_before: place }])
})

t.test(
  'an invoice as CSV says of each line what it is, and the check sums each kind',
  async (t) => {
    const own = await freshShop(shop, 'csv')
    const made = await withCash(own, 'made')
    const { amount } = made.price
    const csv = `Guía;Tipo;Importe (S/)\n${made.guide};Flete;${amount / 100}\n${made.guide};Contra entrega;50,00\n${made.guide};;1,00\n`
    const about = `courier_connection_id=${own.seeded.connectionId}&reference=csv`
    const send = (more: string, text: string) => postInvoiceCsv(own, `${about}${more}`, text)
    const { body: check } = await send('&validate=true', csv)
    t.strictSame(check.totals.amounts, [
      { kind: 'charge', currency: 'PEN', amount: amount + 100, lines: 2 },
      { kind, currency: 'PEN', amount: 5_000, lines: 1 },
    ])
    const { body: sent } = await send('', csv)
    await comparedInvoice(own, sent.id)
    t.match(await linesOf(own, sent.id), [
      { kind: 'charge', finding: 'part_of' },
      { kind, finding: 'matched' },
      { kind: 'charge', finding: 'amount_differs', at_stake: 100 },
    ])
    const wrong = await send('', csv.replace('Contra entrega', 'Contra todo'))
    t.match(wrong, { status: 422, body: { errors: [{ pointer: '/lines/1/kind' }] } })
    const download = await own.call(`${path}/${sent.id}/lines.csv?kind=${kind}`, operator)
    t.match(String(download.body), /\r?\n3,.*,cash_on_delivery\r?\n$/)
  },
)

t.test('a line that changes its kind is another line, and loses its decision', async (t) => {
  const own = await freshShop(shop, 'kinds')
  const made = await withCash(own, 'made')
  const paid = payment(made, 4_000)
  const { id } = await sendInvoice(own, 'month', [paid])
  const decision = { decision: 'disputed', note: 'They collected 50.' }
  const decided = await own.call(`${path}/${id}/lines/1/decision`, { body: decision, ...operator })
  t.equal(decided.status, 200)
  const same = await sendInvoice(own, 'month', [paid])
  t.match(same, { id, version: 1 })
  const moved = await sendInvoice(own, 'month', [charge(made), paid])
  t.match(moved, { id, version: 2 })
  t.match(await linesOf(own, id), [{ decision: null }, { decision: { decision: 'disputed' } }])
  const other = await sendInvoice(own, 'month', [charge(made), { ...paid, kind: 'charge' }])
  t.match(other, { id, version: 3 })
  t.match(await linesOf(own, id), [{ decision: null }, { decision: null }])
})

t.test('the courier pays out what it collected, once the parcel is handed over', async (t) => {
  const own = await freshShop(shop, 'fetched')
  const made = await withCash(own, 'made')
  const held = await create(own, 'held', {
    body: { cash_on_delivery: cash },
    scenario: 'slow_success',
  })
  const { body: shipment } = await own.call(`/v1/shipments/${made.id}`)
  const fetchMonth = async () => {
    const month = shipment.created_at.slice(0, 7)
    const body = { courier_connection_id: own.seeded.connectionId, month }
    const { body: sent } = await own.call(`${path}/fetch`, { body, ...operator })
    return await comparedInvoice(own, sent.id)
  }
  const early = await fetchMonth()
  t.strictSame(await linesOf(own, early.id, `&kind=${kind}`), [])
  t.strictSame(await notPaidOut(own, early.id), [], 'nothing is collected yet')
  await own.advance('P3D')
  await eventually(
    () => notPaidOut(own, early.id),
    (ids) => ids.length === 2,
  )
  const late = await fetchMonth()
  t.match(await linesOf(own, late.id, `&kind=${kind}`), [
    { shipment_id: made.id, amount: 5_000, finding: 'matched' },
    { shipment_id: held.id, amount: 4_900, finding: 'amount_differs', at_stake: 100 },
  ])
  t.strictSame(await notPaidOut(own, late.id), [])
})

t.test('cash that was collected and is on no invoice is listed', async (t) => {
  const own = await freshShop(shop, 'missing')
  const [paid, missing, plain] = [
    await withCash(own, 'paid'),
    await withCash(own, 'missing'),
    await create(own, 'plain'),
  ]
  await own.advance('P3D')
  const { id } = await sendInvoice(own, 'month', [
    charge(paid),
    charge(missing),
    charge(plain),
    payment(paid, 100),
  ])
  await eventually(
    () => notPaidOut(own, id),
    (ids) => ids.length > 0,
  )
  const { body } = await own.call(`${path}/${id}/not-billed?kind=${kind}`, operator)
  t.match(body.data, [{ kind, shipment_id: missing.id, expected: { amount: 5_000 } }])
  t.equal(body.data.length, 1)
  t.strictSame((await own.call(`${path}/${id}/not-billed`, operator)).body.data, [])
})
