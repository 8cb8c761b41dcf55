import { sql } from 'kysely'
import t from 'tap'
import { csvText } from '../../src/service/sheets/csv-text.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

type Query = Readonly<Record<string, string | object | undefined>>

/** Sends a file or a body as it is. */
async function post(
  own: ApiClient,
  path: string,
  query: Query,
  content: string | Buffer | { readonly type: string; readonly text: string },
) {
  const isCsv = typeof content === 'string' || Buffer.isBuffer(content)
  const { type, text } = isCsv ? { type: 'text/csv', text: content } : content
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined)
      given.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  const answer = await fetch(`${own.url}${path}?${given}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.seeded.operatorKey}`, 'content-type': type },
    body: new Uint8Array(Buffer.from(text as string)),
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  return { status: answer.status, body: (await answer.json()) as any }
}

function placeOf({ seeded }: ApiClient) {
  const { workspaceId: workspace_id, connectionId: courier_connection_id } = seeded
  return { workspace_id, courier_connection_id }
}

/** The example's line as cells of a sheet in Spanish, with small units. */
function cellsOf(own: ApiClient, reference: string) {
  // biome-ignore lint/suspicious/noExplicitAny: the example's own fields
  const { origin, destination, package: parcel, recipient } = own.bodyOf(reference) as any
  return {
    'N° de pedido': reference,
    Origen: origin.agency_id as string,
    Destino: destination.agency_id as string,
    'ID producto': parcel.product_id as string,
    Bultos: '1',
    'Peso (g)': '800',
    'Alto (cm)': '5',
    'Largo (cm)': '20',
    'Ancho (mm)': '150',
    Servicio: 'Terrestre',
    '¿Quién paga?': 'remitente',
    Contenido: 'Libros',
    'Tipo de documento': 'D.N.I.',
    DNI: recipient.document as string,
    Nombres: 'José',
    Apellidos: 'Peña',
  }
}
type Cells = ReturnType<typeof cellsOf>

function sheetOf(lines: readonly Cells[]): string {
  const [first] = lines
  return csvText([Object.keys(first ?? {}), ...lines.map((line) => Object.values(line))])
}

t.test('a check says what a creation would refuse, and stores nothing', async (t) => {
  const own = await freshShop(shop, 'check')
  const taken = await own.create('taken')
  t.equal(taken.status, 201)
  const { body: agencies } = await own.call(
    `/v1/agencies?courier_connection_id=${own.seeded.connectionId}&capability=pickup&search=cusco`,
  )
  const [cusco] = agencies.data
  const cells = (reference: string, more: Partial<Cells> = {}) => ({
    ...cellsOf(own, reference),
    ...more,
  })
  const lines = [
    cells('good'),
    cells('heavy', { 'Peso (g)': '900000' }),
    cells('misspelt', { Destino: `${cusco.name}`.replace(/Cusco/i, 'Cuzco') }),
    cells('word', { Servicio: 'terestre' }),
    cells('#N/A'),
    cells('dni', { DNI: '4567891' }),
    cells('good'),
    cells(taken.body.external_reference),
    cells('same', { Destino: cellsOf(own, 'any').Origen }),
  ]
  const before = await own.call('/v1/batches')
  const checked = await post(
    own,
    '/v1/batches',
    { ...placeOf(own), external_reference: 'monday', validate: 'true' },
    sheetOf(lines),
  )
  t.equal(checked.status, 200)
  const { columns, errors, sample, ...rest } = checked.body
  t.match(columns.slice(0, 6), [
    { header: 'N° de pedido', field: 'external_reference', unit: null },
    { header: 'Origen', field: 'origin_agency', unit: null },
    { header: 'Destino', field: 'destination_agency' },
    { header: 'ID producto', field: 'product_id' },
    { header: 'Bultos', field: 'quantity' },
    { header: 'Peso (g)', field: 'weight_kg', unit: 'g' },
  ])
  t.match(rest, {
    object: 'batch_check',
    lines: 9,
    good: 1,
    more_errors: 0,
    totals: { pieces: 1, weight_kg: 0.8 },
  })
  const seen = (line: number) => errors.filter((error: { line: number }) => error.line === line)
  t.same(seen(2), [])
  t.match(seen(3), [
    {
      column: 'Peso (g)',
      pointer: '/package/weight_kg',
      reason: 'exceeds_product_limit',
      value: '900000',
    },
  ])
  t.match(seen(4), [{ column: 'Destino', reason: 'agency_not_found' }])
  t.match(
    seen(4)[0].suggestions.map(({ label }: { label: string }) => label),
    [/Cusco/],
  )
  t.match(seen(5), [
    {
      column: 'Servicio',
      value: 'terestre',
      suggestions: [{ value: 'terrestrial', label: 'terrestrial' }],
    },
  ])
  t.match(seen(6), [{ column: 'N° de pedido', reason: 'spreadsheet_error', value: '#N/A' }])
  t.match(seen(7), [{ column: 'DNI', reason: 'invalid_document', value: '4567891' }])
  t.match(seen(8), [{ column: null, reason: 'duplicate_key' }])
  t.match(seen(9), [{ column: 'N° de pedido', reason: 'order_has_guide', value: 'taken' }])
  t.match(seen(10), [{ column: 'Destino', reason: 'same_origin_and_destination' }])
  t.equal(sample.length, 5)
  t.same(sample[2].fields.destination, {}, 'a name that nothing has is no id')
  t.equal(sample[2].fields.origin.agency_id, lines[2]?.Origen)
  t.match(sample[0], {
    line: 2,
    fields: {
      external_reference: 'good',
      package: { weight_kg: 0.8, height_m: 0.05, length_m: 0.2, width_m: 0.15 },
      recipient: { first_name: 'José', last_name: 'Peña' },
    },
  })
  t.equal((await own.call('/v1/batches')).body.data.length, before.body.data.length)
})

t.test('lines that are wrong are skipped, stay in the batch and never begin', async (t) => {
  const own = await freshShop(shop, 'skip')
  const lines = [
    cellsOf(own, 'first'),
    { ...cellsOf(own, 'heavy'), 'Peso (g)': '900000' },
    { ...cellsOf(own, 'dni'), DNI: '1' },
    cellsOf(own, 'last'),
  ]
  const query = { ...placeOf(own), external_reference: 'skip', skip_invalid: 'true' }
  const sent = await post(own, '/v1/batches', query, sheetOf(lines))
  t.equal(sent.status, 202)
  t.match(sent.body, { total: 4, counts: { invalid: 2 } })
  const { body: ended } = await eventually(
    () => own.call(`/v1/batches/${sent.body.id}`),
    ({ body }) => body.ended_at !== null,
  )
  t.match(ended, { result: 'some', counts: { created: 2, invalid: 2 } })
  const { body: items } = await own.call(`/v1/batches/${sent.body.id}/items?state=invalid`)
  t.match(items.data, [
    {
      line: 3,
      external_reference: 'heavy',
      state: 'invalid',
      shipment_id: null,
      error: { errors: [{ reason: 'exceeds_product_limit' }] },
    },
    {
      line: 4,
      external_reference: 'dni',
      state: 'invalid',
      shipment_id: null,
      error: { errors: [{ reason: 'invalid_document' }] },
    },
  ])
})

t.test('headers, values and names that the service does not know are mapped', async (t) => {
  const own = await freshShop(shop, 'mapped')
  const cells = cellsOf(own, 'P-1')
  const { Servicio: _, '¿Quién paga?': __, 'Peso (g)': weight, ...rest } = cells
  const line = { ...rest, Peso: weight, Destino: 'La de siempre', Notas: 'x' } as unknown as Cells
  const place = { ...placeOf(own), external_reference: 'mapped' }
  const unmapped = await post(own, '/v1/batches', { ...place, validate: 'true' }, sheetOf([line]))
  t.match(unmapped, { status: 200, body: { lines: 1, good: 0 } })
  t.match(
    unmapped.body.errors.map(({ line, column, reason }: Record<string, unknown>) => [
      line,
      column,
      reason,
    ]),
    [
      [1, 'Peso', 'unit_missing'],
      [1, 'Notas', 'unknown_column'],
      [1, null, 'missing_column'],
      [1, null, 'missing_column'],
      [1, null, 'missing_column'],
      [2, 'Destino', 'agency_not_found'],
    ],
  )
  const mapping = {
    columns: { Peso: 'weight_g', '*': null },
    values: { service_mode: 'terrestre', payer: 'remitente' },
    names: { 'la de siempre': cells.Destino },
  }
  const mapped = await post(
    own,
    '/v1/batches',
    { ...place, ...mapping, validate: 'true' },
    sheetOf([line]),
  )
  t.match(mapped.body, { lines: 1, good: 1, errors: [] })
  t.match(mapped.body.sample[0].fields, {
    package: { weight_kg: 0.8 },
    service: { mode: 'terrestrial', payer: 'sender' },
    destination: { agency_id: cells.Destino },
  })
  const sent = await post(own, '/v1/batches', { ...place, ...mapping }, sheetOf([line]))
  t.match(sent, { status: 202, body: { total: 1, counts: { waiting: 1 } } })
  const wrong = await post(
    own,
    '/v1/batches',
    { ...place, columns: { Peso: 'mass' } },
    sheetOf([line]),
  )
  t.match(wrong, { status: 400, body: { errors: [{ pointer: '#/query/columns' }] } })
})

t.test('JSON and NDJSON are checked by the same rules', async (t) => {
  const own = await freshShop(shop, 'json')
  const before = await own.call('/v1/batches')
  const good = own.bodyOf('json-1') as { readonly package: object }
  const heavy = {
    ...good,
    external_reference: 'json-2',
    package: { ...good.package, weight_kg: 900 },
  }
  const query = { ...placeOf(own), validate: 'true' }
  const text = [good, heavy].map((line) => JSON.stringify(line)).join('\n')
  const ndjson = await post(own, '/v1/batches', query, { type: 'application/x-ndjson', text })
  const expected = {
    columns: [],
    lines: 2,
    good: 1,
    errors: [
      {
        line: 2,
        column: null,
        external_reference: 'json-2',
        guide_number: null,
        pointer: '/package/weight_kg',
        value: null,
      },
    ],
  }
  t.match(ndjson, { status: 200, body: expected })
  const columns = await post(
    own,
    '/v1/batches',
    { ...query, columns: { Peso: 'weight_g' }, names: {} },
    { type: 'application/x-ndjson', text },
  )
  t.match(columns, {
    status: 400,
    body: {
      reason: 'invalid_filter',
      errors: [
        { pointer: '#/query/columns', detail: 'It is only for CSV.' },
        { pointer: '#/query/names' },
      ],
    },
  })
  const body = JSON.stringify({ items: [good, heavy] })
  const unnamed = await post(own, '/v1/batches', {}, { type: 'application/json', text: body })
  t.match(unnamed, {
    status: 422,
    body: { errors: [{ pointer: '/external_reference', reason: 'required' }] },
  })
  const json = await post(
    own,
    '/v1/batches',
    { validate: 'true' },
    { type: 'application/json', text: body },
  )
  t.match(json, { status: 200, body: expected })
  const refused = await post(
    own,
    '/v1/batches',
    { workspace_id: own.seeded.workspaceId, columns: {} },
    { type: 'application/json', text: body },
  )
  t.match(refused, {
    status: 400,
    body: {
      reason: 'invalid_filter',
      errors: [
        { pointer: '#/query/workspace_id', detail: 'In a JSON body it is a field.' },
        { pointer: '#/query/columns', detail: 'It is only for CSV.' },
      ],
    },
  })
  t.equal((await own.call('/v1/batches')).body.data.length, before.body.data.length)
})

t.test('an invoice is checked, with decimal amounts and the currency of the header', async (t) => {
  const own = await freshShop(shop, 'invoice-check')
  const query = { courier_connection_id: own.seeded.connectionId, validate: 'true' }
  const sheet = Buffer.from(
    'Guía;Importe (S/);Peso (g);Fecha\r\nG1;29,50;800;2026-03-01\r\nG2;1.234,5;;\r\nG3;USD 3;;\r\nG4;1,005;;\r\n;2;;\r\n',
    'latin1',
  )
  const checked = await post(own, '/v1/courier-invoices', query, sheet)
  t.match(checked, {
    status: 200,
    body: {
      object: 'courier_invoice_check',
      columns: [
        { header: 'Guía', field: 'guide_number' },
        { header: 'Importe (S/)', field: 'amount', unit: 'PEN' },
        { header: 'Peso (g)', field: 'weight_kg', unit: 'g' },
        { header: 'Fecha', field: 'date' },
      ],
      lines: 5,
      good: 2,
      errors: [
        {
          line: 4,
          guide_number: 'G3',
          column: 'Importe (S/)',
          value: 'USD 3',
          reason: 'currency_mismatch',
        },
        { line: 5, column: 'Importe (S/)', value: '1,005', reason: 'thousands_separator' },
        { line: 6, guide_number: null, column: 'Guía', value: null, reason: 'required' },
      ],
      totals: { amounts: [{ currency: 'PEN', amount: 126_400, lines: 2 }] },
    },
  })
  t.match(checked.body.sample[0].fields, { amount: 2_950, currency: 'PEN', weight_kg: 0.8 })
  const line = { guide_number: 'G1', amount: -1, currency: 'PEN' }
  const { courier_connection_id } = query
  const text = JSON.stringify({ courier_connection_id, lines: [line] })
  const asJson = { type: 'application/json', text }
  const json = await post(own, '/v1/courier-invoices', { validate: 'true' }, asJson)
  t.match(json.body.errors, [{ line: 1, guide_number: 'G1', pointer: '/amount' }])
  t.match(await post(own, '/v1/courier-invoices', {}, asJson), {
    status: 422,
    body: { errors: [{ pointer: '/reference', reason: 'required' }] },
  })
  const { body: list } = await own.call('/v1/courier-invoices', { key: own.seeded.operatorKey })
  t.same(list.data, [])
  const currencies = ['PEN', 'USD', 'EUR', 'BRL', 'CLP', 'COP', 'MXN', 'ARS', 'BOB', 'GBP', 'CAD']
  const rows = currencies.map((currency, at) => [`G${at}`, '1', currency])
  const many = csvText([['guide_number', 'amount', 'currency'], ...rows])
  const answer = await post(own, '/v1/courier-invoices', query, many)
  t.match(answer.body.errors, [
    { line: 12, reason: 'too_many_currencies', detail: /^An invoice has at most 10 currencies\.$/ },
  ])
})

t.test('a check says how many lines exceed the quota, and reserves nothing', async (t) => {
  const own = await freshShop(shop, 'quota')
  const { organizationId } = own.seeded
  const { db } = shop.parts
  const usedNow = async () => (await own.call('/v1/usage')).body.shipments.used
  t.teardown(async () => {
    await sql`UPDATE organizations SET plan = ${plan} WHERE id = ${organizationId}`.execute(db)
  })
  const { plan } = await db
    .selectFrom('organizations')
    .select('plan')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const limitTo = async (shipments: number) => {
    await sql`
      INSERT INTO plans (name, shipments_per_month) VALUES ('checked', ${shipments})
      ON CONFLICT (name) DO UPDATE SET shipments_per_month = ${shipments}`.execute(db)
    await sql`UPDATE organizations SET plan = 'checked' WHERE id = ${organizationId}`.execute(db)
  }
  const place = { ...placeOf(own), external_reference: 'quota' }
  const lines = ['q-1', 'q-2', 'q-3', 'q-4'].map((reference) => cellsOf(own, reference))
  const sheet = sheetOf([...lines.slice(0, 3), { ...(lines[3] as Cells), DNI: '1' }])
  const checkNow = async () =>
    (await post(own, '/v1/batches', { ...place, validate: 'true' }, sheet)).body
  t.match(await checkNow(), { good: 3, over_quota: 0 })
  const used = await usedNow()
  await limitTo(used + 1)
  t.match(await checkNow(), { good: 3, errors: [{ line: 5 }], over_quota: 2 })
  await limitTo(0)
  t.match(await checkNow(), { good: 3, over_quota: 3 }, 'more is used than is left')
  await limitTo(used + 3)
  t.match(await checkNow(), { good: 3, over_quota: 0 })
  t.equal(await usedNow(), used, 'nothing is reserved')

  const sent = await post(own, '/v1/batches', place, sheetOf(lines.slice(0, 2)))
  await eventually(
    () => own.call(`/v1/batches/${sent.body.id}`),
    ({ body }) => body.ended_at !== null,
  )
  await limitTo(used + 2)
  t.match(await checkNow(), { good: 3, over_quota: 1 }, 'two of the three count already')
  await limitTo(used + 3)
  t.match(await checkNow(), { over_quota: 0 })
})

t.test('an order with a guide is reported before hundreds of later errors', async (t) => {
  const own = await freshShop(shop, 'late')
  t.equal((await own.create('late', { body: { external_reference: 'taken' } })).status, 201)
  const wrong = { ...cellsOf(own, 'x'), DNI: '1' }
  const others = Array.from({ length: 450 }, (_, at) => ({ ...wrong, 'N° de pedido': `x-${at}` }))
  const sheet = sheetOf([...others.slice(0, 1), cellsOf(own, 'taken'), ...others.slice(1)])
  const { body } = await eventually(
    () => post(own, '/v1/batches', { ...placeOf(own), validate: 'true' }, sheet),
    ({ body: answer }) => answer.good === 0,
  )
  t.match(body, { lines: 451, errors: { length: 200 }, more_errors: 251 })
  t.match(body.errors.slice(0, 3), [
    { line: 2, external_reference: 'x-0', reason: 'invalid_document' },
    { line: 3, external_reference: 'taken', value: 'taken', reason: 'order_has_guide' },
    { line: 4, external_reference: 'x-1' },
  ])
})
