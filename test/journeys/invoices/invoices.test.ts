import { sql } from 'kysely'
import t from 'tap'
import { createApiKey, type Scope, scopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { csvText } from '../../../src/service/sheets/csv-text.ts'
import { type ApiClient, type CallOptions, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { comparedInvoice, postInvoiceCsv } from '../../support/sent-invoice.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }

type Guide = {
  readonly id: string
  readonly guide_number: string
  readonly price: { readonly amount: number; readonly currency: string }
}
type Line = {
  readonly line: number
  readonly guide_number: string
  readonly finding: string | null
  readonly shipment_id: string | null
  readonly shipment_version: number | null
  readonly expected: unknown
  readonly billed_before: unknown
  readonly decision: unknown
  readonly client_reference: string | null
}

async function guideOf(own: ApiClient, key: string, scenario?: string): Promise<Guide> {
  const { status, body } = await own.create(key, scenario === undefined ? {} : { scenario })
  t.equal(status, 201, key)
  return body
}

/** A line as a courier bills it correctly. */
function lineOf({ guide_number, price }: Guide, more: object = {}) {
  return { guide_number, amount: price.amount, currency: price.currency, ...more }
}

function invoiceOf(own: ApiClient, reference: string, lines: readonly unknown[], more = {}) {
  return { courier_connection_id: own.seeded.connectionId, reference, lines, ...more }
}

async function send(own: ApiClient, body: object, options: CallOptions = {}) {
  return await own.call(path, { body, ...operator, ...options })
}

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, lines: readonly unknown[], more = {}) {
  const { status, body } = await send(own, invoiceOf(own, reference, lines, more))
  t.equal(status, 202, reference)
  return await comparedInvoice(own, body.id)
}

async function linesOf(own: ApiClient, id: string, query = ''): Promise<readonly Line[]> {
  return (await own.call(`${path}/${id}/lines?limit=100${query}`, operator)).body.data
}

async function findingsOf(own: ApiClient, id: string): Promise<readonly (string | null)[]> {
  return (await linesOf(own, id)).map(({ finding }) => finding)
}

/** An attempt concluded by looks as having created nothing; the courier has no guide. */
async function nothingCreated(own: ApiClient, key: string): Promise<string> {
  const { body } = await own.create(key, { scenario: 'lost_response_nothing_created' })
  await own.advance('PT5M')
  const { body: operation } = await own.call(`/v1/operations/${body.operation_id}`)
  t.equal(operation.result, 'nothing_created')
  return operation.shipment_id
}

/** An attempt that a person concluded as having created nothing, and whose guide exists. */
async function decidedWrongly(own: ApiClient, key: string): Promise<string> {
  const { body } = await own.create(key, { scenario: 'lost_response_human_review' })
  await own.advance('PT8H1M')
  const { status } = await own.call(`/v1/operations/${body.operation_id}/resolve`, {
    body: { decision: 'nothing_created', note: 'They say so.' },
    ...operator,
  })
  t.equal(status, 200)
  // The courier answers again, and the next automatic look is hours away.
  await own.advance('PT12H30M')
  return body.shipment_id
}

t.test('each line has its finding, and what was expected', async (t) => {
  const own = await freshShop(shop, 'findings')
  const [a, b, c, d, e] = await Promise.all([
    guideOf(own, 'a'),
    guideOf(own, 'b'),
    guideOf(own, 'c'),
    guideOf(own, 'd'),
    guideOf(own, 'e'),
  ])
  const cancelled = await own.call(`/v1/shipments/${e.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'cancel-e' },
  })
  t.equal(cancelled.status, 200)
  const refused = await own.create('refused', { scenario: 'courier_rejected' })
  t.equal(refused.status, 422)
  const refusedId = refused.body.shipment_id
  const doubtful = await own.create('doubtful', { scenario: 'duplicate_guides' })
  const operation = await eventually(
    () => own.call(`/v1/operations/${doubtful.body.operation_id}`),
    ({ body }) => body.status === 'needs_review',
  )
  const [seen] = operation.body.looks.at(-1).guide_numbers
  const elsewhere = await guideOf(shop, 'of-another-connection')

  const invoice = await invoiced(own, 'findings', [
    lineOf(a, { weight_kg: 0.8, date: '2026-03-01', client_reference: a.id }),
    lineOf(b, { amount: b.price.amount + 100 }),
    lineOf(b, { currency: 'USD' }),
    lineOf(c, { weight_kg: 1.2 }),
    lineOf(c, { weight_kg: 0.8 }),
    lineOf(d),
    lineOf(e),
    lineOf(d, { guide_number: 'UNHEARD-OF', client_reference: refusedId }),
    lineOf(d, { guide_number: 'UNHEARD-OF-2', client_reference: 'Ana Torres' }),
    lineOf(d, { guide_number: 'UNHEARD-OF-3', client_reference: d.id }),
    lineOf(d, { guide_number: seen }),
    lineOf(elsewhere),
    lineOf(d, { guide_number: 'UNHEARD-OF-4', client_reference: elsewhere.id }),
  ])
  const lines = await linesOf(own, invoice.id)
  t.strictSame(
    lines.map(({ line, finding, shipment_id }) => [line, finding, shipment_id]),
    [
      [1, 'matched', a.id],
      [2, 'part_of', b.id],
      [3, 'amount_differs', b.id],
      [4, 'weight_differs', c.id],
      [5, 'billed_twice', c.id],
      [6, 'matched', d.id],
      [7, 'cancelled_guide', e.id],
      [8, 'nothing_created', refusedId],
      [9, 'unknown_guide', null],
      [10, 'unknown_guide', d.id],
      [11, 'unresolved', operation.body.shipment_id],
      [12, 'unknown_guide', null],
      [13, 'unknown_guide', null],
    ],
  )
  const expected = { amount: a.price.amount, currency: a.price.currency, weight_kg: 0.8 }
  t.strictSame(
    lines.map((line) => line.expected !== null),
    [true, false, true, true, false, true, false, false, false, false, false, false, false],
  )
  t.strictSame(lines[2]?.expected, expected)
  t.match(lines[0], { weight_kg: 0.8, date: '2026-03-01', client_reference: a.id })
  t.match(lines[1], { weight_kg: null, date: null, client_reference: null, decision: null })
  t.match(lines[2], { billed_before: null, billing: { line: 3, lines: 2, amount: null } })
  t.strictSame(lines[4]?.billed_before, { courier_invoice_id: invoice.id, version: 1, line: 4 })
  t.equal(lines[8]?.client_reference, 'Ana Torres')
  const version = (await own.call(`/v1/shipments/${e.id}`)).body.version
  t.equal(lines[6]?.shipment_version, version)

  t.match(invoice, { object: 'courier_invoice', version: 1, total: 13, livemode: false })
  t.type(invoice.ledger_position, 'string')
  const billed = new Map<string, [number, number]>()
  for (const { finding, currency, amount } of lines as unknown as Record<string, never>[]) {
    const [count, sum] = billed.get(`${finding} ${currency}`) ?? [0, 0]
    billed.set(`${finding} ${currency}`, [count + 1, sum + amount!])
  }
  t.strictSame(
    invoice.totals.map(({ finding, currency, lines: count, amount }: Record<string, unknown>) => [
      `${finding} ${currency}`,
      [count, amount],
    ]),
    [...billed].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
  t.strictSame(
    (await linesOf(own, invoice.id, '&finding=billed_twice')).map(({ line }) => line),
    [5],
  )
})

t.test('the same content is the same invoice, and other content its next version', async (t) => {
  const own = await freshShop(shop, 'versions')
  const [a, b] = await Promise.all([guideOf(own, 'a'), guideOf(own, 'b')])
  const body = invoiceOf(own, 'versions', [lineOf(a, { client_reference: 'x' })])
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(own, body)))
  t.strictSame([...new Set(answers.map(({ status }) => status))], [202])
  t.equal(new Set(answers.map((answer) => answer.body.id)).size, 1)
  const replays = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
  t.equal(replays.length, 7)
  const { id } = answers[0]!.body
  t.equal(answers[0]!.headers.get('location'), `${path}/${id}`)
  t.equal((await comparedInvoice(own, id)).version, 1)

  const asCsv = await postInvoiceCsv(
    own,
    aboutOf(own, 'versions'),
    csvText([
      ['guide_number', 'amount_minor', 'currency', 'client_reference'],
      [a.guide_number, a.price.amount, a.price.currency, 'x'],
    ]),
  )
  t.match(asCsv, { status: 202, body: { id, version: 1 } }, 'in any format')

  const second = await send(own, invoiceOf(own, 'versions', [lineOf(b), lineOf(a)]))
  t.match(second, { status: 202, body: { id, version: 2, total: 2 } })
  t.equal(second.headers.get('idempotent-replayed'), null)
  await comparedInvoice(own, id)
  t.strictSame(await findingsOf(own, id), ['matched', 'matched'], 'no line is billed before')
  const [first] = await linesOf(own, id, '&version=1')
  t.match(first, { guide_number: a.guide_number, finding: 'matched', client_reference: 'x' })
  t.equal((await own.call(`${path}/${id}/lines?version=3`, operator)).status, 404)
  const list = await own.call(`${path}?reference=versions`, operator)
  t.strictSame(
    list.body.data.map((each: { id: string }) => each.id),
    [id],
  )

  const keyed = { headers: { 'idempotency-key': 'march' } }
  t.equal((await send(own, body, keyed)).body.version, 3)
  t.equal((await send(own, body, keyed)).body.id, id)
  const other = invoiceOf(own, 'another', [lineOf(a)])
  t.match(await send(own, other, keyed), { body: { reason: 'idempotency_key_reused' } })
})

t.test('a guide is billed once, across the invoices of a connection', async (t) => {
  const own = await freshShop(shop, 'twice')
  const [a, b] = await Promise.all([guideOf(own, 'a'), guideOf(own, 'b')])
  const january = await invoiced(own, 'january', [lineOf(a)])
  const february = await invoiced(own, 'february', [lineOf(b), lineOf(a)])
  const [right, again] = await linesOf(own, february.id)
  t.match(right, { finding: 'matched', billed_before: null })
  t.match(again, {
    finding: 'billed_twice',
    billed_before: { courier_invoice_id: january.id, version: 1, line: 1 },
  })
  await invoiced(own, 'january', [lineOf(a, { date: '2026-01-02' }), lineOf(b)])
  t.strictSame(
    await findingsOf(own, january.id),
    ['matched', 'billed_twice'],
    "a later version keeps the place of the earlier one's lines",
  )
  await invoiced(own, 'january', [lineOf(b)])
  const repeated = await own.call(`${path}/${february.id}/compare`, { method: 'POST', ...operator })
  t.match(repeated, { status: 202, body: { id: february.id, status: 'comparing' } })
  await comparedInvoice(own, february.id)
  t.strictSame(await findingsOf(own, february.id), ['matched', 'matched'])
})

t.test('a bill for an attempt that made nothing is evidence', async (t) => {
  const own = await freshShop(shop, 'evidence')
  const mine = await receiver(t)
  await own.client.webhookEndpoints.create({
    workspace_id: own.seeded.workspaceId,
    url: mine.url,
    event_types: ['operation.contradicted', 'alert.contradicted'],
  })
  const without = await nothingCreated(own, 'without')
  const hidden = await decidedWrongly(own, 'hidden')
  const [guide] = shop.record.guidesOf(hidden)
  const bill = { amount: guide?.priceAmount, currency: 'PEN', client_reference: hidden }
  const looks = shop.record.callsOf(without).length
  const { body: invoice } = await send(
    own,
    invoiceOf(own, 'evidence', [
      { guide_number: 'SG-UNKNOWN', amount: 1, currency: 'PEN', client_reference: without },
      { guide_number: guide?.guideNumber, ...bill },
    ]),
  )
  await comparedInvoice(own, invoice.id)
  t.strictSame(await findingsOf(own, invoice.id), ['nothing_created', 'unresolved'])
  t.equal(shop.record.callsOf(without).length, looks + 1, 'the courier was asked about both')
  const { body: shipment } = await own.call(`/v1/shipments/${hidden}`)
  t.equal(shipment.status, 'unknown_outcome')
  const { body: operation } = await own.call(`/v1/operations/${shipment.operation_id}`)
  t.match(operation, { status: 'needs_review', contradicted: true, escalated: true })
  await eventually(
    async () => mine.received.length,
    (count) => count >= 2,
  )
  t.strictSame(mine.received.map(({ body }) => JSON.parse(String(body)).type).toSorted(), [
    'alert.contradicted',
    'operation.contradicted',
  ])

  const resolved = await own.call(`/v1/operations/${shipment.operation_id}/resolve`, {
    body: { decision: 'guide_exists', guide_number: guide?.guideNumber, note: 'It is billed.' },
    ...operator,
  })
  t.equal(resolved.status, 200)
  await eventually(
    () => findingsOf(own, invoice.id),
    ([, finding]) => finding === 'matched',
  )
  const { body: after } = await own.call(`${path}/${invoice.id}`, operator)
  t.match(
    after.totals.map(({ finding }: { finding: string }) => finding),
    ['matched', 'nothing_created'],
    'without a request to compare again',
  )
})

t.test('guides issued in the period and on no invoice are listed', async (t) => {
  const own = await freshShop(shop, 'not billed')
  const guides = await Promise.all(['a', 'b', 'c'].map((key) => guideOf(own, key)))
  const days = { from: '2000-01-01', to: '2100-01-01' }
  const numbers = async (id: string) =>
    (await own.call(`${path}/${id}/not-billed?limit=1`, operator)).body
  const first = await invoiced(own, 'first', [lineOf(guides[1]!)], { period: days })
  t.strictSame(first.period, days)
  const page = await numbers(first.id)
  t.equal(page.has_more, true)
  t.match(page.data, [
    { object: 'unbilled_guide', status: 'created', expected: { weight_kg: 0.8 } },
  ])
  const next = await own.call(
    `${path}/${first.id}/not-billed?limit=1&cursor=${page.next_cursor}`,
    operator,
  )
  t.equal(next.body.has_more, false)
  t.strictSame(
    [...page.data, ...next.body.data].map(({ guide_number }: Guide) => guide_number).toSorted(),
    [guides[0]!.guide_number, guides[2]!.guide_number].toSorted(),
  )
  await invoiced(own, 'second', [lineOf(guides[0]!), lineOf(guides[2]!)])
  t.strictSame((await numbers(first.id)).data, [])
  const past = { from: '2000-01-01T00:00:00Z', to: '2000-01-02T00:00:00-05:00' }
  const third = await invoiced(own, 'third', [lineOf(guides[0]!)], { period: past })
  t.strictSame((await numbers(third.id)).data, [])
})

t.test('a person accepts or disputes a line, and the note is sealed', async (t) => {
  const own = await freshShop(shop, 'decided')
  const [a, b] = await Promise.all([guideOf(own, 'a'), guideOf(own, 'b')])
  const invoice = await invoiced(own, 'decided', [lineOf(a, { amount: 1 }), lineOf(b)])
  const decide = (line: number | string, body: object, options: CallOptions = operator) =>
    own.call(`${path}/${invoice.id}/lines/${line}/decision`, { body, ...options })
  const disputed = { decision: 'disputed', note: 'Quoted higher, so strange.' }
  const { status, body } = await decide(1, disputed)
  t.equal(status, 200)
  t.match(body, {
    line: 1,
    finding: 'amount_differs',
    decision: {
      ...disputed,
      finding: 'amount_differs',
      operator_id: shop.seeded.operatorId,
      decided_by: 'Sandbox operator',
    },
  })
  t.strictSame((await decide(1, disputed)).body, body, 'a repeat changes nothing')
  t.match((await decide(2, { decision: 'accepted', note: '=1+1' })).body, {
    decision: { decision: 'accepted', finding: 'matched' },
  })
  t.match((await own.call(`${path}/${invoice.id}`, operator)).body, {
    decisions: { accepted: 1, disputed: 1 },
  })
  t.strictSame(await linesOf(own, invoice.id, '&decided=false'), [])
  t.equal((await linesOf(own, invoice.id, '&decided=true')).length, 2)
  const accepted = await linesOf(own, invoice.id, '&decision=accepted')
  t.strictSame(
    accepted.map(({ line }: { line: number }) => line),
    [2],
  )
  t.match((await decide(1, { decision: 'accepted', note: 'They explained it.' })).body, {
    decision: { decision: 'accepted' },
  })

  const acts = await eventually(
    () => own.call(`/v1/audit-events?resource_id=${invoice.id}`, operator),
    (answer) => answer.body.data.length === 4,
  )
  t.strictSame(
    acts.body.data.map((act: { action: string }) => act.action),
    [...Array(3).fill('CourierInvoiceLineDecided'), 'CourierInvoiceImported'],
  )
  t.match(acts.body.data[0], {
    resource: { type: 'courier_invoice', id: invoice.id },
    changed_fields: ['lines/1/decision'],
    before: { 'lines/1/decision': 'disputed' },
    after: { 'lines/1/decision': 'accepted' },
  })

  t.equal((await decide(3, disputed)).status, 404)
  t.equal((await decide('x', disputed)).status, 404)
  t.match(await decide(1, { decision: 'maybe', note: 'x' }), {
    status: 422,
    body: { errors: [{ pointer: '/decision' }] },
  })
  t.match(await decide(1, { ...disputed, decided_by: 'me' }), {
    status: 422,
    body: { errors: [{ pointer: '/decided_by', reason: 'not_allowed' }] },
  })
  const { key } = await aKey(own, { scopes: ['operations:review', 'operations:read'] })
  t.match(await decide(1, disputed, { key }), {
    status: 422,
    body: { errors: [{ pointer: '/decided_by', reason: 'required' }] },
  })
  t.match(await decide(1, { ...disputed, decided_by: 'ana.torres' }, { key }), {
    status: 200,
    body: { decision: { operator_id: null, decided_by: 'ana.torres' } },
  })

  const file = await own.call(`${path}/${invoice.id}/lines.csv`, operator)
  t.equal(file.status, 200)
  t.match(file.headers.get('content-type'), /^text\/csv/)
  const [header, ...rows] = file.body.toString('utf8').split('\r\n')
  t.match(header, /^\ufeffline,guide_number,amount,currency,/)
  t.equal(rows.length, 3)
  t.match(rows[1], /,accepted,Sandbox operator,[^,]+,'=1\+1,,charge$/)
})

t.test('CSV that is wrong is refused as a whole, and the errors name the rows', async (t) => {
  const own = await freshShop(shop, 'csv')
  const a = await guideOf(own, 'a')
  const about = aboutOf(own, 'csv')
  const good = [a.guide_number, a.price.amount, a.price.currency]
  const header = ['guide_number', 'amount', 'currency']
  const cases: readonly (readonly [string, string, string, string])[] = [
    [about, csvText([header]), '', 'too_small'],
    [about, '', '', 'required'],
    [about, 'a,b\r\n1,2\r\n', '', 'unknown_column'],
    [about, csvText([['guide_number', 'amount'], good]), '/currency', 'missing_column'],
    [about, csvText([[...header, 'metadata.a'], good]), '', 'unknown_column'],
    [about, csvText([header, good, ['X', 'twelve', 'PEN']]), '/lines/1/amount', 'invalid_type'],
    [about, csvText([header, ['X', '1.005', 'PEN']]), '/lines/0/amount', 'thousands_separator'],
    [about, csvText([header, ['X', '1.5', 'JPY']]), '/lines/0/amount', 'too_many_decimals'],
    [about, csvText([header, ['X', -1, 'PEN']]), '/lines/0/amount', 'too_small'],
    [about, csvText([header, ['X', 1, 'soles']]), '/lines/0/currency', 'invalid_format'],
    [about, csvText([header, ['', 1, 'PEN']]), '/lines/0/guide_number', 'required'],
    [
      about,
      csvText([header, ['4.5E+11', 1, 'PEN']]).replace("'", ''),
      '/lines/0/guide_number',
      'spreadsheet_error',
    ],
    [
      about,
      csvText([
        [...header, 'date'],
        [...good, '03/27/2026'],
      ]),
      '/lines/0/date',
      'invalid_format',
    ],
    [`reference=csv`, csvText([header, good]), '#/query/courier_connection_id', 'required'],
    [
      `courier_connection_id=${own.seeded.connectionId}`,
      csvText([header, good]),
      '#/query/reference',
      'required',
    ],
    [`${about}&period_from=2026-01-01`, csvText([header, good]), '#/query/period_to', 'required'],
  ]
  for (const [query, text, pointer, reason] of cases) {
    const { status, body } = await postInvoiceCsv(own, query, text)
    t.match({ status, error: body.errors[0] }, { status: 422, error: { pointer, reason } }, text)
  }
  const { body } = await postInvoiceCsv(own, about, csvText([header, good, ['X', 'a', 'PEN']]))
  t.match(body.errors[0].detail, /^Row 3: Column `amount`/)
  t.strictSame((await own.call(`${path}?reference=csv`, operator)).body.data, [])

  const semicolons = `sep=;\r\nGuide_Number;currency;amount (minor units);weight_kg\r\n\r\n${a.guide_number};${a.price.currency};${a.price.amount};0,8\r\n`
  const read = await postInvoiceCsv(
    own,
    `${about}&period_from=2026-01-01&period_to=2026-01-31`,
    semicolons,
  )
  t.match(read, { status: 202, body: { period: { from: '2026-01-01' } } })
  await comparedInvoice(own, read.body.id)
  t.match(await linesOf(own, read.body.id), [{ line: 3, finding: 'matched', weight_kg: 0.8 }])

  const json: readonly (readonly [object, string])[] = [
    [{ lines: [] }, '/lines'],
    [{ lines: Array.from({ length: 1_001 }, () => lineOf(a)) }, '/lines'],
    [{ lines: [lineOf(a, { amount: 1.5 })] }, '/lines/0/amount'],
    [{ lines: [lineOf(a, { weight_kg: 0.0001 })] }, '/lines/0/weight_kg'],
    [{ period: { from: '2026-02-01', to: '2026-01-01' } }, '/period'],
    [{ more: 1 }, '/more'],
  ]
  for (const [more, pointer] of json) {
    const answer = await send(own, { ...invoiceOf(own, 'json', [lineOf(a)]), ...more })
    t.match(answer, { status: 422, body: { errors: [{ pointer }] } })
  }
})

t.test(
  'erasing a person takes the references out of lines, and leaves their findings',
  async (t) => {
    const own = await freshShop(shop, 'erased')
    const a = await guideOf(own, 'a')
    const bill = lineOf(a, { weight_kg: 1.5, client_reference: a.id })
    const invoice = await invoiced(own, 'erased', [bill])
    const erased = await own.call(`/v1/shipments/${a.id}/erase-personal-data`, { method: 'POST' })
    t.equal(erased.status, 200)
    const withoutReference = { finding: 'weight_differs', weight_kg: 1.5, client_reference: null }
    const readAgain = (id: string) =>
      eventually(
        () => linesOf(own, id),
        ([line]) => line?.client_reference === null,
      )
    t.match(await readAgain(invoice.id), [withoutReference])
    await invoiced(own, 'later', [{ ...bill, guide_number: 'OTHER' }])
    const later = await invoiced(own, 'erased', [bill, lineOf(a)])
    t.match((await readAgain(later.id))[0], withoutReference, 'also in later imports')
  },
)

t.test('another organization, workspace or mode sees nothing of an invoice', async (t) => {
  const own = await freshShop(shop, 'hidden')
  const a = await guideOf(own, 'a')
  const invoice = await invoiced(own, 'hidden', [lineOf(a)])
  const stranger = await createOrganization(shop.parts, { name: 'Stranger', type: 'external' }, by)
  const keys = [
    await aKey(own, { organizationId: stranger.id }),
    await aKey(own, { workspaceId: shop.seeded.workspaceId }),
    await aKey(own, { livemode: true }),
  ]
  for (const { key } of keys) {
    for (const [rest, method] of [
      ['', 'GET'],
      ['/lines', 'GET'],
      ['/lines.csv', 'GET'],
      ['/not-billed', 'GET'],
      ['/invalid-lines', 'GET'],
      ['/compare', 'POST'],
    ] as const) {
      t.equal((await own.call(`${path}/${invoice.id}${rest}`, { method, key })).status, 404, rest)
    }
    const decided = await own.call(`${path}/${invoice.id}/lines/1/decision`, {
      body: { decision: 'accepted', note: 'x' },
      key,
    })
    t.equal(decided.status, 404)
    t.strictSame((await own.call(path, { key })).body.data, [])
    t.equal((await send(own, invoiceOf(own, 'hidden', [lineOf(a)]), { key })).status, 404)
  }
  const { key: reader } = await aKey(own, { scopes: ['operations:read'] })
  t.equal((await own.call(`${path}/${invoice.id}/lines`, { key: reader })).status, 200)
  t.equal((await send(own, invoiceOf(own, 'x', [lineOf(a)]), { key: reader })).status, 403)
  const again = { method: 'POST', key: reader }
  t.equal((await own.call(`${path}/${invoice.id}/compare`, again)).status, 403)
  const { key: sender } = await aKey(own, { scopes: ['shipments:read'] })
  t.equal((await own.call(`${path}/${invoice.id}`, { key: sender })).status, 403)
})

t.test('personal details of lines, and the notes, are sealed', async (t) => {
  const { rows } = await sql<{ text: string }>`
    SELECT (SELECT string_agg(l::text, ' ') FROM courier_invoice_lines l)
      || (SELECT string_agg(v::text, ' ') FROM courier_invoice_versions v)
      || (SELECT string_agg(i::text, ' ') FROM courier_invoices i) AS text`.execute(shop.parts.db)
  const text = String(rows[0]?.text)
  t.match(text, 'UNHEARD-OF-2')
  for (const personal of ['Ana Torres', 'Quoted higher', 'ana.torres', '2026-03-01']) {
    t.notOk(text.includes(personal), personal)
    t.notOk(text.includes(Buffer.from(personal).toString('hex')), personal)
  }
})

async function aKey(
  own: ApiClient,
  more: {
    readonly organizationId?: string
    readonly workspaceId?: string
    readonly livemode?: boolean
    readonly scopes?: readonly Scope[]
  },
) {
  const asked = {
    organizationId: own.seeded.organizationId,
    workspaceId: null,
    livemode: false,
    scopes,
    expiresAt: null,
    ...more,
  }
  return await createApiKey(shop.parts, asked, by)
}

function aboutOf(own: ApiClient, reference: string): string {
  return `courier_connection_id=${own.seeded.connectionId}&reference=${reference}`
}
