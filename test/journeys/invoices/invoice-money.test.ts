import { sql } from 'kysely'
import t from 'tap'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { comparedInvoice, sendInvoice } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

type Sum = { readonly lines: number; readonly amount: number; readonly at_stake: number }
type Money = Sum & {
  readonly currency: string
  readonly finding?: string
  readonly to_check: Sum
  readonly disputed: Sum
  readonly accepted: Sum
}

const of = (lines: number, amount: number, at_stake: number): Sum => ({ lines, amount, at_stake })
const none = of(0, 0, 0)

async function guideOf(own: ApiClient, key: string) {
  const { body } = await own.create(key)
  return { guide_number: body.guide_number as string, ...body.price } as {
    readonly guide_number: string
    readonly amount: number
    readonly currency: string
  }
}

async function decide(own: ApiClient, id: string, line: number, decision: string) {
  const body = { decision, note: 'Checked.' }
  const answer = await own.call(`${path}/${id}/lines/${line}/decision`, { body, ...operator })
  t.equal(answer.status, 200)
}

const moneyOf = async (own: ApiClient, id: string) =>
  (await own.call(`${path}/${id}`, operator)).body as {
    readonly totals: readonly Money[]
    readonly amounts: readonly Money[]
    readonly decisions: { readonly to_check: number }
  }

const linesOf = async (own: ApiClient, id: string, query: string) =>
  (await own.call(`${path}/${id}/lines?${query}`, operator)).body.data.map(
    ({ line }: { line: number }) => line,
  )

t.test('an invoice says in money what is to check, disputed and accepted', async (t) => {
  const own = await freshShop(shop, 'money')
  const [a, b] = [await guideOf(own, 'a'), await guideOf(own, 'b')]
  const { amount: price } = a
  const { id } = await sendInvoice(own, 'month', [
    a,
    { ...b, amount: b.amount + 300 },
    a,
    { guide_number: 'NEVER-1', amount: 500, currency: 'PEN' },
    { guide_number: 'NEVER-2', amount: 900, currency: 'USD' },
  ])
  const differing = of(3, b.amount + 300 + price + 500, 300 + price + 500)
  const begun = await moneyOf(own, id)
  t.strictSame(begun.amounts, [
    {
      kind: 'charge',
      currency: 'PEN',
      ...of(4, price + differing.amount, differing.at_stake),
      to_check: differing,
      disputed: none,
      accepted: none,
    },
    {
      kind: 'charge',
      currency: 'USD',
      ...of(1, 900, 900),
      to_check: of(1, 900, 900),
      disputed: none,
      accepted: none,
    },
  ])
  t.equal(begun.decisions.to_check, 4)
  t.strictSame(await linesOf(own, id, 'differs=true&decided=false'), [2, 3, 4, 5])
  t.strictSame(await linesOf(own, id, 'differs=false'), [1])

  await decide(own, id, 2, 'disputed')
  await decide(own, id, 4, 'accepted')
  await decide(own, id, 1, 'accepted')
  const { amounts, totals, decisions } = await moneyOf(own, id)
  t.strictSame(amounts[0]?.to_check, of(1, price, price))
  t.strictSame(amounts[0]?.disputed, of(1, b.amount + 300, 300))
  t.strictSame(amounts[0]?.accepted, of(2, price + 500, 500), 'also a line that matched')
  t.strictSame(decisions, { accepted: 2, disputed: 1, outdated: 0, matched: 1, to_check: 2 })
  t.strictSame(await linesOf(own, id, 'differs=true&decided=false'), [3, 5])
  const found = totals.find(({ finding }) => finding === 'amount_differs')
  t.strictSame(found, {
    kind: 'charge',
    finding: 'amount_differs',
    currency: 'PEN',
    ...of(1, b.amount + 300, 300),
    to_check: none,
    disputed: of(1, b.amount + 300, 300),
    accepted: none,
  })
  const { body } = await own.call(`${path}?reference=month`, operator)
  t.strictSame(body.data[0].amounts, amounts, 'the list has the same sums')
  const file = String((await own.call(`${path}/${id}/lines.csv`, operator)).body)
  t.strictSame(
    file
      .trimEnd()
      .split('\r\n')
      .map((row) => row.split(',').at(-2)),
    ['at_stake', '', '300', String(price), '500', '900'],
  )
})

t.test('sums of decisions survive a new version, and end with a withdrawal', async (t) => {
  const own = await freshShop(shop, 'money-versions')
  const a = await guideOf(own, 'a')
  const dearer = { ...a, amount: a.amount + 200 }
  const unknown = { guide_number: 'NEVER-3', amount: 700, currency: 'PEN' }
  const { id } = await sendInvoice(own, 'month', [dearer, unknown])
  await decide(own, id, 1, 'disputed')
  await decide(own, id, 2, 'disputed')
  await sendInvoice(own, 'month', [{ ...unknown, amount: 800 }, dearer])
  await comparedInvoice(own, id)
  const { amounts } = await moneyOf(own, id)
  t.strictSame(amounts, [
    {
      kind: 'charge',
      currency: 'PEN',
      ...of(2, dearer.amount + 800, 1_000),
      to_check: of(1, 800, 800),
      disputed: of(1, dearer.amount, 200),
      accepted: none,
    },
  ])
  await own.call(`${path}/${id}/withdraw`, { method: 'POST', ...operator })
  const withdrawn = await moneyOf(own, id)
  t.strictSame(withdrawn.amounts[0]?.to_check, none)
  t.equal(withdrawn.decisions.to_check, 0)
})

t.test(
  'totals that a service without amounts at stake has written are counted again',
  async (t) => {
    const own = await freshShop(shop, 'money-upgrade')
    const { id } = await sendInvoice(own, 'month', [
      { guide_number: 'NEVER-4', amount: 700, currency: 'PEN' },
    ])
    const before = await moneyOf(own, id)
    const former = [{ finding: 'unknown_guide', currency: 'PEN', lines: 1, amount: 700 }]
    await sql`
    UPDATE courier_invoice_versions SET totals = ${JSON.stringify(former)}::jsonb
    WHERE invoice_id = ${id}`.execute(shop.parts.db)
    t.strictSame((await moneyOf(own, id)).totals, before.totals)
  },
)

t.test('a shipment has the lines that bill it, of every invoice in force', async (t) => {
  const own = await freshShop(shop, 'billed-lines')
  const { body: shipment } = await own.create('billed')
  const line = { guide_number: shipment.guide_number, ...shipment.price }
  const other = { guide_number: 'NEVER-5', amount: 100, currency: 'PEN' }
  const first = await sendInvoice(own, 'January', [other, line, line])
  const second = await sendInvoice(own, 'February', [{ ...line, client_reference: 'by name' }])
  await decide(own, second.id, 1, 'disputed')
  const billed = async (query = '') =>
    (await own.call(`/v1/shipments/${shipment.id}/courier-invoice-lines${query}`, operator)).body
  t.match(await billed(), {
    has_more: false,
    data: [
      { courier_invoice_id: first.id, reference: 'January', version: 1, line: 2, at_stake: null },
      { courier_invoice_id: first.id, line: 3, finding: 'billed_twice', at_stake: line.amount },
      {
        courier_invoice_id: second.id,
        reference: 'February',
        line: 1,
        client_reference: 'by name',
        decision: { decision: 'disputed', note: 'Checked.' },
      },
    ],
  })
  const page = await billed('?limit=2')
  t.ok(page.has_more)
  const rest = await billed(`?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`)
  t.match(rest, { has_more: false, data: [{ reference: 'February' }] })
  await sendInvoice(own, 'January', [line])
  await own.call(`${path}/${second.id}/withdraw`, { method: 'POST', ...operator })
  await comparedInvoice(own, first.id)
  const now = await billed()
  t.match(now.data, [{ reference: 'January', version: 2, line: 1, finding: 'matched' }])
  t.equal(now.data.length, 1)
  const { body: none } = await own.create('not-billed')
  const empty = await own.call(`/v1/shipments/${none.id}/courier-invoice-lines`, operator)
  t.same(empty.body.data, [])
})
