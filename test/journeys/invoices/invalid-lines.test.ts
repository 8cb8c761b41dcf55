import { sql } from 'kysely'
import t from 'tap'
import {
  detailsKeptDays,
  forgetInvoiceDetails,
} from '../../../src/service/processes/invoices/store-invoice.ts'
import { readZip } from '../../../src/verifier/verify.mjs'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { comparedInvoice, postInvoiceCsv } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

/** Sends a file as a clerk has it, with query parameters. */
async function sendCsv(own: ApiClient, reference: string, rows: readonly string[], query = '') {
  const about = `courier_connection_id=${own.seeded.connectionId}&reference=${reference}`
  return await postInvoiceCsv(own, `${about}${query}`, `${rows.join('\r\n')}\r\n`)
}

const skipping = '&skip_invalid=true'

async function guidesOf(own: ApiClient, count: number) {
  const keys = Array.from({ length: count }, (_, at) => `guide-${at}`)
  const created = await Promise.all(keys.map((key) => own.create(key)))
  return created.map(({ body }) => ({ id: body.id as string, guide: body.guide_number as string }))
}

async function dataOf(own: ApiClient, id: string, list: string) {
  const { status, body } = await own.call(`${path}/${id}/${list}`, operator)
  t.equal(status, 200, list)
  return body.data
}

const header = 'Guía,Importe (S/),Peso (g),Referencia'

t.test('good lines are compared, and bad ones are kept and never count', async (t) => {
  const own = await freshShop(shop, 'skip')
  const [a, b, c] = await guidesOf(own, 3)
  const rows = [
    header,
    `${a?.guide},14.50,,`,
    `${b?.guide},#N/A,,`,
    `${c?.guide},14.50,"1,234",para Ana Torres`,
    ',3.00,,',
    `${a?.guide},1,2,3,4,5,6`,
    'UNKNOWN,=1+1,,',
  ]
  const refused = await sendCsv(own, 'skip', rows)
  t.match(refused, { status: 422, body: { errors: [{ pointer: '/lines/1/amount' }] } })
  t.same((await own.call(path, operator)).body.data, [])

  const sent = await sendCsv(own, 'skip', rows, skipping)
  t.match(sent, { status: 202, body: { total: 1, invalid_lines: 5 } })
  const invoice = await comparedInvoice(own, sent.body.id)
  t.match(invoice, {
    total: 1,
    compared_lines: 1,
    invalid_lines: 5,
    totals: [{ currency: 'PEN', lines: 1, amount: 1_450 }],
  })
  t.equal(invoice.totals.length, 1)
  const invalid = await dataOf(own, sent.body.id, 'invalid-lines')
  const shown = { column: 'Importe (S/)', pointer: '/amount', value: '#N/A' }
  t.match(invalid, [
    {
      object: 'invalid_invoice_line',
      line: 3,
      guide_number: b?.guide,
      text: `${b?.guide},#N/A,,`,
      errors: [{ ...shown, reason: 'spreadsheet_error' }],
    },
    {
      line: 4,
      guide_number: c?.guide,
      text: `${c?.guide},14.50,"1,234",para Ana Torres`,
      errors: [{ column: 'Peso (g)', value: '1,234', reason: 'thousands_separator' }],
    },
    { line: 5, guide_number: null, errors: [{ column: 'Guía', value: null, reason: 'required' }] },
    {
      line: 6,
      guide_number: null,
      text: `${a?.guide},1,2,3,4,5,6`,
      errors: [{ column: null, pointer: '', reason: 'wrong_cell_count' }],
    },
    { line: 7, guide_number: 'UNKNOWN', text: "UNKNOWN,'=1+1,,", errors: [{ value: '=1+1' }] },
  ])
  t.equal(invalid.length, 5)

  const lines = await dataOf(own, sent.body.id, 'lines')
  t.match(lines, [{ line: 2, guide_number: a?.guide }])
  t.equal(lines.length, 1)
  const missing = await dataOf(own, sent.body.id, 'not-billed')
  t.same(
    missing.map(({ guide_number }: { guide_number: string }) => guide_number).toSorted(),
    [b?.guide, c?.guide].toSorted(),
    'an invalid line bills nothing',
  )
  const later = await sendCsv(own, 'later', ['guide_number,amount,currency', `${b?.guide},2,PEN`])
  await comparedInvoice(own, later.body.id)
  t.match(await dataOf(own, later.body.id, 'lines'), [{ finding: 'amount_differs' }])

  const decision = { body: { decision: 'disputed', note: 'x' }, ...operator }
  t.equal((await own.call(`${path}/${sent.body.id}/lines/2/decision`, decision)).status, 200)
  t.equal((await own.call(`${path}/${sent.body.id}/lines/3/decision`, decision)).status, 404)
  const evidence = await eventually(
    () => own.call(`${path}/${sent.body.id}/evidence?include_personal=true`, operator),
    ({ status }) => status !== 503,
  )
  const files = await readZip(evidence.body)
  t.equal(String(files.get('lines.csv')).trimEnd().split('\r\n').length, 2)
  const whole = [...files.values()].join('')
  t.notOk(whole.includes(String(b?.guide)))
  t.notOk(whole.includes('Ana Torres'))

  const again = await sendCsv(own, 'skip', rows, skipping)
  t.match(again, { status: 202, replayed: true, body: { id: sent.body.id, version: 1 } })
  const correct = rows.map((row) => row.replace('#N/A', '14.50'))
  const corrected = await sendCsv(own, 'skip', correct, skipping)
  t.match(corrected, {
    status: 202,
    replayed: false,
    body: { id: sent.body.id, version: 2, total: 2, invalid_lines: 4 },
  })
  const next = await comparedInvoice(own, sent.body.id)
  t.match(next.decisions, { disputed: 1 })
  t.equal((await dataOf(own, sent.body.id, 'invalid-lines')).length, 4)
  t.equal((await dataOf(own, sent.body.id, 'invalid-lines?version=1')).length, 5)
  t.equal((await own.call(`${path}/${sent.body.id}/invalid-lines?version=3`, operator)).status, 404)
  const page = await own.call(`${path}/${sent.body.id}/invalid-lines?limit=3`, operator)
  t.match(page.body, { has_more: true, data: { length: 3 } })
  const rest = await own.call(
    `${path}/${sent.body.id}/invalid-lines?limit=3&cursor=${page.body.next_cursor}`,
    operator,
  )
  t.match(rest.body, { has_more: false, data: [{ line: 7 }] })
})

t.test('rows of totals are set aside, and what only looks like one is not', async (t) => {
  const own = await freshShop(shop, 'totals')
  const [a] = await guidesOf(own, 1)
  const rows = [
    header,
    `${a?.guide},14.50,,`,
    'TOTAL-123,3.00,,',
    'Subtotal,"17.50",,',
    'IGV 18%,3.15,,',
    ',,,Nota: precios en soles',
    ',20.65,,Total general a pagar',
    'Suma de 2 guías',
  ]
  const { status, body: check } = await sendCsv(own, 'totals', rows, '&validate=true')
  t.equal(status, 200)
  t.match(check, { lines: 2, good: 2, errors: [], totals: { amounts: [{ amount: 1_750 }] } })
  t.strictSame(check.set_aside, [
    { line: 4, text: 'Subtotal', amount: 1_750, currency: 'PEN' },
    { line: 5, text: 'IGV 18%', amount: 315, currency: 'PEN' },
    { line: 6, text: 'Nota: precios en soles', amount: null, currency: null },
    { line: 7, text: 'Total general a pagar', amount: 2_065, currency: 'PEN' },
    { line: 8, text: 'Suma de 2 guías', amount: null, currency: null },
  ])
  const sent = await sendCsv(own, 'totals', rows)
  t.match(sent, { status: 202, body: { total: 2, invalid_lines: 0 } })
  const again = await sendCsv(own, 'totals', rows.slice(0, 3))
  t.ok(again.replayed, 'they are no part of the content')

  const not = [
    [',14.50,,', 'a row without a guide number'],
    [',14.50,,Total Market', 'a name that begins like a total'],
    [',14.50,,Nota de cargo', 'a note with an amount'],
    ['Total,-14.50,,', 'a negative total'],
    ['Total,(14.50),,', 'a total in parentheses'],
    ['Nota de crédito,-2.00,,', 'a credit'],
    [',2.00,,Descuento', 'a discount'],
    [',2.00,,Total descuentos', 'a sum of discounts'],
  ] as const
  for (const [row, what] of not) {
    const tried = await sendCsv(own, 'not', [header, `${a?.guide},14.50,,`, row], '&validate=true')
    t.match(tried.body, { lines: 2, good: 1, set_aside: [] }, what)
  }
  const many = Array.from({ length: 60 }, () => ',1.00,,Total')
  const long = await sendCsv(
    own,
    'many',
    [header, `${a?.guide},14.50,,`, ...many],
    '&validate=true',
  )
  t.match(long.body, { lines: 1, more_set_aside: 10 })
  t.equal(long.body.set_aside.length, 50)
  t.match(await sendCsv(own, 'none', [header, 'Total,1.00,,']), { status: 422 })
  const inPen = ['guide_number,amount,currency', `${a?.guide},14.50,PEN`, 'Total,14.50,']
  const { body } = await sendCsv(own, 'pen', inPen, '&validate=true')
  t.match(body.set_aside, [{ amount: 1_450, currency: 'PEN' }], 'the currency of the line before')
})

t.test('JSON keeps invalid lines as they were sent', async (t) => {
  const own = await freshShop(shop, 'json')
  const [a] = await guidesOf(own, 1)
  const good = { guide_number: a?.guide, amount: 1_450, currency: 'PEN' }
  const lines = [{ ...good, amount: -1 }, good, 'Ana', { ...good, more: 'é' }]
  const body = { courier_connection_id: own.seeded.connectionId, reference: 'json', lines }
  t.equal((await own.call(path, { body, ...operator })).status, 422)
  const sent = await own.call(`${path}?skip_invalid=true`, { body, ...operator })
  t.match(sent, { status: 202, body: { total: 1, invalid_lines: 3 } })
  t.match(await dataOf(own, sent.body.id, 'invalid-lines'), [
    {
      line: 1,
      guide_number: a?.guide,
      text: JSON.stringify(lines[0]),
      errors: [{ column: null, pointer: '/amount', value: null, reason: 'too_small' }],
    },
    { line: 3, guide_number: null, text: '"Ana"', errors: [{ reason: 'invalid_type' }] },
    { line: 4, guide_number: a?.guide, text: JSON.stringify(lines[3]) },
  ])
  const plain = await own.call(`${path}?skip_invalid=true`, {
    body: { ...body, reference: 'good', lines: [good] },
    ...operator,
  })
  t.match(plain, { status: 202, body: { total: 1, invalid_lines: 0 } })
  t.same(await dataOf(own, plain.body.id, 'invalid-lines'), [])
})

t.test('a file of which no line is good, or whose header is wrong, is refused', async (t) => {
  const own = await freshShop(shop, 'none')
  const [a] = await guidesOf(own, 1)
  const good = await sendCsv(own, 'none', [header, `${a?.guide},14.50,,`], skipping)
  t.equal(good.status, 202)
  const none = await sendCsv(own, 'none', [header, `${a?.guide},#REF!,,`, ',1,,'], skipping)
  t.match(none, {
    status: 422,
    body: { errors: [{ pointer: '/lines/0/amount' }, { pointer: '/lines/1/guide_number' }] },
  })
  const wrong = await sendCsv(own, 'none', [`${header},Otra`, `${a?.guide},14.50,,,x`], skipping)
  t.match(wrong, { status: 422, body: { errors: [{ reason: 'unknown_column' }] } })
  t.match(await comparedInvoice(own, good.body.id), { version: 1, total: 1 })
})

t.test('a currency beyond the tenth makes its lines invalid', async (t) => {
  const own = await freshShop(shop, 'currencies')
  const currencies = ['PEN', 'USD', 'EUR', 'BRL', 'CLP', 'COP', 'MXN', 'ARS', 'BOB', 'GBP', 'CAD']
  const rows = [...currencies, 'PEN'].map((currency, at) => `G${at},1,${currency}`)
  const file = ['guide_number,amount,currency', ...rows]
  const sent = await sendCsv(own, 'many', file, skipping)
  t.match(sent, { status: 202, body: { total: 11, invalid_lines: 1 } })
  t.match(await dataOf(own, sent.body.id, 'invalid-lines'), [
    { line: 12, text: 'G10,1,CAD', errors: [{ reason: 'too_many_currencies', value: 'CAD' }] },
  ])
})

t.test('what an invalid line says is sealed, and deleted with the person', async (t) => {
  const own = await freshShop(shop, 'personal')
  const [a, b] = await guidesOf(own, 2)
  const rows = [
    header,
    `${b?.guide},14.50,,`,
    `${a?.guide},#N/A,,Zoraida Canaria`,
    `${b?.guide},#N/A,,Ramiro Canario`,
  ]
  const sent = await sendCsv(own, 'personal', rows, skipping)
  await comparedInvoice(own, sent.body.id)
  const { rows: stored } = await sql<{ text: string }>`
    SELECT string_agg(l::text, ' ') AS text FROM courier_invoice_invalid_lines l`.execute(
    shop.parts.db,
  )
  const text = String(stored[0]?.text)
  t.match(text, String(a?.guide))
  for (const personal of ['Zoraida', '#N/A', 'spreadsheet_error']) {
    t.notOk(text.includes(personal), personal)
    t.notOk(text.includes(Buffer.from(personal).toString('hex')), personal)
  }
  t.match((await dataOf(own, sent.body.id, 'invalid-lines'))[0].text, /Zoraida/)

  const erased = await own.call(`/v1/shipments/${a?.id}/erase-personal-data`, { method: 'POST' })
  t.equal(erased.status, 200)
  const deleted = { line: 3, guide_number: a?.guide, text: null, errors: [] }
  const kept = { line: 4, text: /Ramiro/ }
  t.match(await dataOf(own, sent.body.id, 'invalid-lines'), [deleted, kept])
  const later = await sendCsv(own, 'later', rows, skipping)
  await comparedInvoice(own, later.body.id)
  t.match(await dataOf(own, later.body.id, 'invalid-lines'), [deleted, kept], 'imported later')

  await sql`
    UPDATE courier_invoices SET imported_at = now() - ${detailsKeptDays + 1} * interval '1 day'
    WHERE id = ${sent.body.id}`.execute(shop.parts.db)
  await forgetInvoiceDetails(shop.parts.db)
  t.match(await dataOf(own, sent.body.id, 'invalid-lines'), [
    deleted,
    { line: 4, guide_number: b?.guide, text: null, errors: [] },
  ])
  t.match((await own.call(`${path}/${sent.body.id}`, operator)).body, { invalid_lines: 2 })
})
