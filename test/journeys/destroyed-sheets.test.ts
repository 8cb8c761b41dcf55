import t from 'tap'
import { csvText } from '../../src/service/sheets/csv-text.ts'
import { type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

const errors = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#N/D', '#¡REF!', '#ERROR!']

async function post(own: ApiClient, path: string, headers: object, body: string | Buffer) {
  const answer = await fetch(`${own.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.seeded.operatorKey}`, ...headers },
    body: new Uint8Array(Buffer.from(body as string)),
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
  return { status: answer.status, body: (await answer.json()) as any }
}

function batchPath({ seeded }: ApiClient, name: string): string {
  const { workspaceId, connectionId } = seeded
  return `/v1/batches?external_reference=${name}&workspace_id=${workspaceId}&courier_connection_id=${connectionId}`
}

async function linesOf(own: ApiClient, id: string) {
  await eventually(
    () => own.call(`/v1/batches/${id}`),
    ({ body }) => body.ended_at !== null,
  )
  return (await own.call(`/v1/batches/${id}/items?limit=100`)).body.data
}

function lineOf(own: ApiClient, reference: string) {
  const { workspace_id, courier_connection_id, ...line } = own.bodyOf(reference)
  return line as typeof line & { readonly recipient: object }
}

t.test(
  'what a spreadsheet has destroyed is not shipped, whatever form the lines have',
  async (t) => {
    const own = await freshShop(shop, 'destroyed')
    const guides = shop.record.guideCount()
    const { recipient } = lineOf(own, 'any')
    const lines = errors.flatMap((error, n) => [
      lineOf(own, error),
      { ...lineOf(own, `content-${n}`), declared_content: error },
      { ...lineOf(own, `name-${n}`), recipient: { ...recipient, first_name: error } },
      { ...lineOf(own, `note-${n}`), metadata: { note: error } },
    ])
    const pointers = ['/external_reference', '/declared_content', '/recipient/first_name']
    const text = [...lines, lineOf(own, '#1001')].map((line) => JSON.stringify(line)).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const sent = await post(own, batchPath(own, 'destroyed'), headers, text)
    const found = await linesOf(own, sent.body.id)
    for (const [at, { error }] of found.slice(0, -1).entries()) {
      const pointer = [...pointers, '/metadata/note'][at % 4]
      t.match(error?.errors, [{ pointer, reason: 'spreadsheet_error' }], `line ${at + 1}`)
    }
    t.match(found.at(-1), { state: 'created', error: null }, '#1001 is a reference')
    t.equal(shop.record.guideCount(), guides + 1)
  },
)

t.test('an invoice with what a spreadsheet has destroyed is refused', async (t) => {
  const own = await freshShop(shop, 'destroyed-invoice')
  const key = own.seeded.operatorKey
  const about = { courier_connection_id: own.seeded.connectionId, reference: 'F001' }
  const sound = { guide_number: '#1001', amount: 1450, currency: 'PEN', client_reference: '#1' }
  for (const error of errors) {
    for (const field of ['guide_number', 'client_reference'] as const) {
      if (field === 'guide_number' && error === '#¡REF!') continue
      const body = { ...about, lines: [sound, { ...sound, [field]: error }] }
      const answer = await own.call('/v1/courier-invoices', { body, key })
      const expected = { pointer: `/lines/1/${field}`, reason: 'spreadsheet_error' }
      t.match(answer, { status: 422, body: { errors: [expected] } }, `${field} ${error}`)
      const { amount, currency, ...cells } = { ...sound, [field]: error }
      const csv = csvText([
        Object.keys({ ...cells, amount, currency }),
        [...Object.values(cells), amount, currency],
      ])
      const path = `/v1/courier-invoices?courier_connection_id=${about.courier_connection_id}&reference=F001`
      const sheet = await post(own, path, { 'content-type': 'text/csv' }, csv)
      t.match(sheet, { status: 422, body: { errors: [{ reason: 'spreadsheet_error' }] } })
    }
  }
  const good = await own.call('/v1/courier-invoices', {
    body: { ...about, lines: [sound] },
    key,
  })
  t.equal(good.status, 202)
})

t.test('a declared charset is read, or is 415', async (t) => {
  const own = await freshShop(shop, 'charsets')
  const {
    origin,
    destination,
    package: parcel,
    service: chosen,
    recipient,
  } = own.bodyOf(
    'any',
    // biome-ignore lint/suspicious/noExplicitAny: the example's own fields
  ) as any
  const cells = {
    pedido: 'Ñandú-1',
    origin_agency_id: origin.agency_id,
    destination_agency_id: destination.agency_id,
    ...parcel,
    service_mode: chosen.mode,
    'Quién paga': 'remitente',
    contenido: 'Año nuevo',
    ...recipient,
    last_name: 'Peña',
  }
  const text = csvText([Object.keys(cells), Object.values(cells)])
  const latin = Buffer.from(text, 'latin1')
  const send = (type: string, body: string | Buffer, more: object = {}) =>
    post(own, batchPath(own, 'charsets'), { 'content-type': type, ...more }, body)
  const untrue = await send('text/csv; charset=utf-8', latin)
  t.match(untrue, { status: 422, body: { errors: [{ pointer: '', reason: 'not_utf8' }] } })
  t.equal((await send('text/csv', latin)).status, 202, 'it is recognised')
  const told = await send('text/csv; charset=windows-1252', latin)
  t.equal(told.status, 202)
  const [line] = await linesOf(own, told.body.id)
  const { body: shipment } = await own.call(`/v1/shipments/${line.shipment_id}`)
  t.match(shipment, { external_reference: 'Ñandú-1', recipient: { last_name: 'Peña' } })
  const again = await send('Text/CSV; charset="UTF-16LE"', Buffer.from(text, 'utf16le'))
  t.equal(again.status, 202)
  const [found] = await linesOf(own, again.body.id)
  t.equal(found.shipment_id, line.shipment_id)

  const refusals = [
    ['text/csv; charset=ibm850', latin, {}],
    ['text/csv; charset=nonsense', latin, {}],
    ['text/csv', text, { 'content-encoding': 'gzip' }],
    ['application/x-ndjson; charset=windows-1252', '{}', {}],
  ] as const
  for (const [type, body, more] of refusals) {
    const answer = await send(type, body, more)
    t.match(answer, { status: 415, body: { reason: 'unsupported_media_type' } }, type)
  }
  const path = `/v1/courier-invoices?courier_connection_id=${own.seeded.connectionId}&reference=F001`
  const invoice = 'guide_number,amount_minor,currency,client_reference\r\n1,1,PEN,Peña\r\n'
  const other = await post(own, path, { 'content-type': 'text/csv; charset=ibm850' }, invoice)
  t.match(other, { status: 415, body: { reason: 'unsupported_media_type' } })
  const bytes = Buffer.from(invoice, 'latin1')
  const read = await post(own, path, { 'content-type': 'text/csv; charset=latin1' }, bytes)
  t.equal(read.status, 202)
  const { body: lines } = await own.call(`/v1/courier-invoices/${read.body.id}/lines`, {
    key: own.seeded.operatorKey,
  })
  t.equal(lines.data[0].client_reference, 'Peña')
})

t.test('metadata may have line breaks, and other text says what it may not have', async (t) => {
  const own = await freshShop(shop, 'line-breaks')
  const note = 'Timbre 2\r\nPiso 3'
  const made = await own.create('noted', { body: { metadata: { note } } })
  t.match(made, { status: 201, body: { metadata: { note: 'Timbre 2\nPiso 3' } } })
  const refused = await own.create('content', { body: { declared_content: 'two\nlines' } })
  t.match(refused, { status: 422, body: { errors: [{ pointer: '/declared_content' }] } })
  t.match(refused.body.errors[0], { reason: 'control_character', detail: /line break/ })
  const bell = await own.create('bell', { body: { metadata: { note: 'a\u0007' } } })
  t.match(bell.body.errors, [{ reason: 'control_character', detail: /^Control characters/ }])
  const twice = { 'an\u0303o': '1', 'a\u00f1o': '2' }
  const same = await own.create('same', { body: { metadata: twice } })
  t.match(same, { status: 422, body: { errors: [{ reason: 'duplicate_field' }] } })

  const line = { ...lineOf(own, 'cells'), metadata: { note } }
  const bad = { ...lineOf(own, 'cells-2'), declared_content: 'two\nlines' }
  const body = [line, bad].map((each) => JSON.stringify(each)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const sent = await post(own, batchPath(own, 'cells'), headers, body)
  const [good, broken] = await linesOf(own, sent.body.id)
  t.equal(good.state, 'created')
  t.match(broken.error.errors, [{ detail: /line break/ }])
})
