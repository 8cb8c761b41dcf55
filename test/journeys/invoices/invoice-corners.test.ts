import t from 'tap'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { comparedInvoice, postInvoiceCsv } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const bill = { guide_number: 'SG-UNKNOWN', amount: 910, currency: 'PEN' }

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, more: object = {}) {
  const about = { courier_connection_id: own.seeded.connectionId, reference }
  const body = { ...about, lines: [bill], ...more }
  const sent = await own.call(path, { body, ...operator })
  t.equal(sent.status, 202, reference)
  return await comparedInvoice(own, sent.body.id)
}

async function linesOf(own: ApiClient, id: string) {
  return (await own.call(`${path}/${id}/lines`, operator)).body.data
}

async function notBilled(own: ApiClient, id: string): Promise<readonly string[]> {
  const { status, body } = await own.call(`${path}/${id}/not-billed`, operator)
  t.equal(status, 200)
  return body.data.map((guide: { guide_number: string }) => guide.guide_number)
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
  await comparedInvoice(own, id)
  t.match(await linesOf(own, id), found)
})

t.test('an amount with a decimal mark or thousands is not read as another amount', async (t) => {
  const own = await freshShop(shop, 'amounts')
  const send = async (amount: string, column = 'amount_minor') => {
    const query = `courier_connection_id=${own.seeded.connectionId}&reference=${column}-${amount}`
    const text = `guide_number;${column};currency\r\nX;${amount};PEN\r\n`
    const { status, body } = await postInvoiceCsv(own, query, text)
    return { status, error: body.errors?.[0], id: body.id as string }
  }
  for (const amount of ['910,00', '910.00', '1.000', '9,10', '1.000,00']) {
    const { status, error } = await send(amount)
    t.equal(status, 422, amount)
    t.match(error, { pointer: '/lines/0/amount', detail: /^Row 2: .*minor units/ }, amount)
  }
  t.equal((await send('910')).status, 202)
  for (const [amount, minor] of [
    ['9,1', 910],
    ['910', 91_000],
    ['1.910,00', 191_000],
    ['1,910.5', 191_050],
    ['S/ 9.10', 910],
  ] as const) {
    const { id } = await send(amount, 'amount')
    t.match(await linesOf(own, id), [{ amount: minor }], amount)
  }
  const doubtful = await send('1.910', 'amount')
  t.match(doubtful, { status: 422, error: { detail: /^Row 2: .*thousands separator/ } })
})

t.test('a credit is refused, and the refusal says where it belongs', async (t) => {
  const own = await freshShop(shop, 'credits')
  const about = { courier_connection_id: own.seeded.connectionId, reference: 'credits' }
  const lines = [bill, { ...bill, amount: -910 }]
  const json = await own.call(path, { body: { ...about, lines }, ...operator })
  const text = 'guide_number,amount,currency\r\nX,910,PEN\r\nX,-910,PEN\r\n'
  const csv = await postInvoiceCsv(own, `${new URLSearchParams(about)}`, text)
  for (const answer of [json, csv]) {
    t.match(answer, {
      status: 422,
      body: { errors: [{ pointer: '/lines/1/amount', detail: /leave it out/ }] },
    })
  }
})

t.test('guides that were not billed are found by the clock of the workspace', async (t) => {
  const own = await freshShop(shop, 'clock')
  await own.advance('P3D')
  const { body: ahead } = await own.create('ahead')
  t.strictSame(await notBilled(own, (await invoiced(own, 'no period')).id), [ahead.guide_number])
})

t.test('a period may begin and end in any year', async (t) => {
  const own = await freshShop(shop, 'years')
  const { body: guide } = await own.create('guide')
  const of = async (from: string, to: string) =>
    await notBilled(own, (await invoiced(own, `${from} ${to}`, { period: { from, to } })).id)
  t.strictSame(await of('0000-01-01', '9999-12-31'), [guide.guide_number])
  t.strictSame(await of('0000-01-01', '0000-01-01'), [])
  t.strictSame(await of('0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'), [guide.guide_number])
})

t.test('the file names the line that billed a guide before', async (t) => {
  const own = await freshShop(shop, 'file')
  const { id } = await invoiced(own, 'file', { lines: [bill, bill] })
  const { body } = await own.call(`${path}/${id}/lines.csv`, operator)
  const [header = [], ...rows] = String(body)
    .split('\r\n')
    .map((row) => row.split(','))
  const at = header.indexOf('billed_before_invoice_id')
  t.strictSame(
    rows.slice(0, 2).map((row) => row.slice(at, at + 3)),
    [
      ['', '', ''],
      [id, '1', '1'],
    ],
  )
})

t.test('JSON has room for its lines, and no more', async (t) => {
  const own = await freshShop(shop, 'room')
  const longest = { ...bill, weight_kg: 999_999.999, client_reference: '\u{1f4e6}'.repeat(127) }
  const lines = Array.from({ length: 1_000 }, (_, at) => ({ ...longest, guide_number: `G${at}` }))
  t.equal((await invoiced(own, 'longest', { lines })).total, 1_000)
  const tooMuch = { reference: 'x'.repeat(2 * 1024 * 1024) }
  const refused = await own.call(path, { body: tooMuch, ...operator })
  t.match(refused, { status: 413, body: { reason: 'body_too_large' } })
  const repeated = await fetch(`${own.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator.key}`, 'content-type': 'application/json' },
    body: '{"reference":"a","reference":"b"}',
  })
  t.equal(repeated.status, 422)
  t.match(await repeated.json(), { errors: [{ reason: 'duplicate_field' }] })
})
