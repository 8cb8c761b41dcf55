import { sql } from 'kysely'
import t from 'tap'
import { exampleShipmentRequest } from '../../src/service/http/openapi/examples.ts'
import { createApiKey, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { csvText } from '../../src/service/sheets/csv-text.ts'
import { type ApiClient, type CallOptions, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { readPdf } from '../support/read-pdf.ts'
import { receiver } from '../support/receiver.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Line = Readonly<Record<string, unknown>>
type Item = {
  readonly line: number
  readonly key: string | null
  readonly state: string
  readonly shipment_id: string | null
  readonly external_reference: string | null
  readonly error: null | {
    readonly reason: string
    readonly detail: string
    readonly outcome: string
    readonly operation_id?: string
    readonly errors?: readonly { readonly pointer: string; readonly reason: string }[]
  }
}

/** A line without the fields that the batch sets for all. */
function lineOf(own: ApiClient, reference: string, more: Line = {}): Line {
  const { workspace_id, courier_connection_id, ...line } = own.bodyOf(reference)
  return { ...line, ...more }
}

function batchOf(own: ApiClient, reference: string, items: readonly unknown[]) {
  const { workspace_id, courier_connection_id } = own.bodyOf('any')
  return { external_reference: reference, workspace_id, courier_connection_id, items }
}

async function send(own: ApiClient, body: object, options: CallOptions = {}) {
  return await own.call('/v1/batches', { body, ...options })
}

async function ended(own: ApiClient, id: string) {
  const { body } = await eventually(
    () => own.call(`/v1/batches/${id}`),
    (answer) => answer.body.status !== 'running',
  )
  return body
}

async function itemsOf(own: ApiClient, id: string, query = ''): Promise<readonly Item[]> {
  return (await own.call(`/v1/batches/${id}/items?limit=100${query}`)).body.data
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((all, one) => all + one, 0)

t.test('each line is answered as a single creation would be', async (t) => {
  const own = await freshShop(shop, 'lines')
  const scenario = (name: string) => ({ metadata: { sandbox_scenario: name } })
  await own.create('taken')
  const answer = await send(
    own,
    batchOf(own, 'mixed', [
      lineOf(own, 'fine'),
      { ...lineOf(own, 'wrong'), recipient: { document_type: 'DNI', document: '1' } },
      'not an object',
      lineOf(own, 'refused', scenario('courier_rejected')),
      lineOf(own, 'lost', scenario('lost_response_guide_created')),
      lineOf(own, 'fine'),
      lineOf(own, 'elsewhere', { courier_connection_id: shop.seeded.connectionId }),
      lineOf(own, 'other', { workspace_id: shop.seeded.workspaceId }),
      lineOf(own, 'other', { idempotency_key: 'taken' }),
      { ...own.bodyOf('taken'), idempotency_key: 'taken' },
      lineOf(own, 'strange', scenario('no such scenario')),
    ]),
  )
  t.equal(answer.status, 202)
  t.equal(answer.headers.get('location'), `/v1/batches/${answer.body.id}`)
  t.equal(sum(answer.body.counts), 11)
  t.equal(answer.body.result, null, 'not known before it has ended')
  const batch = await ended(own, answer.body.id)
  t.match(batch, { status: 'completed', total: 11, cancelled_at: null })
  t.ok(batch.ended_at >= batch.created_at)
  const items = await itemsOf(own, batch.id)
  t.strictSame(
    items.map(({ line }) => line),
    Array.from({ length: 11 }, (_, at) => at + 1),
  )
  const [fine, wrong, noObject, refused, lost, twice, elsewhere, other, reused, replayed, strange] =
    items
  t.match(fine, { state: 'created', error: null })
  t.match(wrong, { state: 'failed', key: null, shipment_id: null })
  t.match(
    wrong?.error?.errors?.map(({ pointer }) => pointer),
    ['/recipient/first_name', '/recipient/last_name'],
  )
  t.match(noObject?.error, { reason: 'validation_failed', errors: [{ pointer: '' }] })
  t.match(refused, { state: 'rejected', error: { reason: 'courier_rejected' } })
  const { body: single } = await own.create('refused-alone', { scenario: 'courier_rejected' })
  t.equal(refused?.error?.detail, single.detail, "with the courier's words")
  t.equal(lost?.error === null || lost?.error?.reason === 'unknown_outcome', true)
  t.match(twice?.error?.errors?.[0], { pointer: '/idempotency_key', reason: 'duplicate_key' })
  t.match(elsewhere, { state: 'failed', error: { reason: 'not_found', outcome: 'not_executed' } })
  t.match(other?.error?.errors?.[0], { pointer: '/workspace_id' })
  t.match(reused, { shipment_id: null, error: { reason: 'idempotency_key_reused' } })
  t.match(
    reused?.error?.detail,
    /cancel that shipment first/,
    'with more advice than to use a new key',
  )
  t.match(replayed, { state: 'failed', error: { errors: [{ reason: 'duplicate_key' }] } })
  t.match(strange, { state: 'failed', error: { reason: 'unknown_scenario' } })

  await eventually(
    () => itemsOf(own, batch.id, '&state=unknown_outcome'),
    (left) => left.length === 0,
  )
  const [settled] = (await itemsOf(own, batch.id)).slice(4)
  t.match(settled, { state: 'created', error: null })
  t.equal(settled?.external_reference, 'lost', 'the reference of its shipment')
  t.equal(wrong?.external_reference, 'wrong', 'a line without a shipment has its order too')
  t.equal(noObject?.external_reference, null)
  for (const { shipment_id: id } of [fine, settled] as Item[]) {
    t.equal(shop.record.guidesOf(String(id)).length, 1)
  }
})

t.test('the same batch again finds its shipments, wherever their lines are', async (t) => {
  const own = await freshShop(shop, 'again')
  const rejected = { metadata: { sandbox_scenario: 'courier_rejected' } }
  const first = await send(
    own,
    batchOf(own, 'again', [lineOf(own, 'a'), lineOf(own, 'b'), lineOf(own, 'c', rejected)]),
  )
  await ended(own, first.body.id)
  const before = await itemsOf(own, first.body.id)
  const ofShop = `workspace_id=${own.seeded.workspaceId}`
  await eventually(
    () => own.call(`/v1/shipments?status=rejected&${ofShop}`),
    ({ body }) => body.data.length === 1,
  )
  const calls = shop.record.callCount('createGuide')
  const items = [lineOf(own, 'new'), lineOf(own, 'c'), lineOf(own, 'b'), lineOf(own, 'a')]
  const second = await send(own, batchOf(own, 'again', items))
  await ended(own, second.body.id)
  const [added, corrected, b, a] = await itemsOf(own, second.body.id)
  t.not(second.body.id, first.body.id)
  t.equal(a?.shipment_id, before[0]?.shipment_id)
  t.equal(b?.shipment_id, before[1]?.shipment_id)
  t.equal(added?.state, 'created')
  t.match(corrected, { state: 'created' }, 'certain refusals are tried again')
  t.not(corrected?.shipment_id, before[2]?.shipment_id)
  t.equal(shop.record.callCount('createGuide'), calls + 2)
})

t.test('an order that has a guide under another key is not shipped again unasked', async (t) => {
  const own = await freshShop(shop, 'shipped')
  const alone = await own.create('alone')
  const first = await send(own, batchOf(own, 'exp1', [lineOf(own, 'a')]))
  await ended(own, first.body.id)
  const ofShop = `workspace_id=${own.seeded.workspaceId}`
  await eventually(
    () => own.call(`/v1/shipments?status=created&${ofShop}`),
    ({ body }) => body.data.length === 2,
  )
  const guides = shop.record.guideCount()
  const items = [lineOf(own, 'a'), lineOf(own, 'alone'), lineOf(own, 'b')]
  const second = await send(own, batchOf(own, 'Exp1', items))
  await ended(own, second.body.id)
  const [a, single, b] = await itemsOf(own, second.body.id)
  for (const refused of [a, single]) {
    t.match(refused, { state: 'failed', shipment_id: null })
    t.match(refused?.error?.errors, [{ pointer: '/external_reference', reason: 'order_has_guide' }])
  }
  t.match(JSON.stringify(single?.error), alone.body.id)
  t.equal(b?.state, 'created')
  t.equal(shop.record.guideCount(), guides + 1)
  const parcel = { ...lineOf(own, 'a'), idempotency_key: 'a, second parcel'.replaceAll(' ', '-') }
  const third = await send(own, batchOf(own, 'Exp2', [parcel]))
  t.match(await ended(own, third.body.id), { result: 'all', counts: { created: 1 } })
})

t.test('an Idempotency-Key names one batch, and another body is refused', async (t) => {
  const own = await freshShop(shop, 'keyed')
  const headers = { 'idempotency-key': 'monday' }
  const body = batchOf(own, 'keyed', [lineOf(own, 'a')])
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(own, body, { headers })))
  const ids = answers.filter(({ status }) => status === 202).map((answer) => answer.body.id)
  t.equal(new Set(ids).size, 1)
  const other = await send(own, batchOf(own, 'keyed', [lineOf(own, 'b')]), { headers })
  t.match(other, { status: 422, body: { reason: 'idempotency_key_reused' } })
  const text = (reference: string) =>
    own.call(`/v1/batches?external_reference=${reference}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'lines' },
    })
  t.match(await text('a'), { status: 422 }, 'a body is required')
  const broken = batchOf(own, 'broken', [{ ...lineOf(own, 'c'), declared_content: '\ud800' }])
  const sent = () => send(own, broken, { headers: { 'idempotency-key': 'broken' } })
  const [first, again] = [await sent(), await sent()]
  t.match(first, { status: 202, body: { counts: { failed: 1 } } }, 'text that is no Unicode')
  t.equal(again.body.id, first.body.id)
})

t.test('lines of text: NDJSON, and CSV as spreadsheets write it', async (t) => {
  const own = await freshShop(shop, 'text')
  const { workspace_id, courier_connection_id } = own.bodyOf('any')
  const about = `workspace_id=${workspace_id}&courier_connection_id=${courier_connection_id}`
  const post = async (query: string, type: string, text: string) => {
    const response = await fetch(`${own.url}/v1/batches?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${own.seeded.shopKey}`, 'content-type': type },
      body: text,
    })
    // biome-ignore lint/suspicious/noExplicitAny: an answer is checked field by field
    const body = (await response.json()) as any
    return { status: response.status, body }
  }
  const lines = [lineOf(own, 'n-1'), lineOf(own, 'n-2')].map((line) => JSON.stringify(line))
  const asLines = await post(
    `external_reference=ndjson&${about}`,
    'application/x-ndjson',
    `${lines.join('\n')}\n\n{"half":\n`,
  )
  t.equal(asLines.status, 202)
  t.match(await ended(own, asLines.body.id), { counts: { created: 2, failed: 1 } })
  t.equal((await itemsOf(own, asLines.body.id)).at(-1)?.line, 4)

  const line = exampleShipmentRequest('c-1', own.seeded)
  const header = [
    ...['external_reference', 'origin_agency_id', 'destination_agency_id', 'product_id'],
    ...['quantity', 'weight_kg', 'height_m', 'length_m', 'width_m', 'service_mode', 'payer'],
    ...['declared_content', 'document_type', 'document', 'first_name', 'last_name'],
  ]
  const row = (reference: string, document: string) => [
    ...[reference, line.origin.agency_id, line.destination.agency_id, line.package.product_id],
    ...['1', '0.8', '0.05', '0.2', '0.15', 'terrestrial', 'sender', '=Books', 'DNI', document],
    ...['Ana', 'Torres; "la mayor"'],
  ]
  const csv = csvText([header, row('c-1', '45678912'), row('c-2', '4.5679E+07')])
  const asCsv = await post(`external_reference=csv&${about}`, 'text/csv; charset=utf-8', csv)
  t.equal(asCsv.status, 202)
  t.match(await ended(own, asCsv.body.id), { counts: { created: 1, failed: 1 } })
  const [created, broken] = await itemsOf(own, asCsv.body.id)
  t.match(created, { line: 2, state: 'created' })
  t.match(broken, { line: 3, error: { errors: [{ pointer: '/recipient/document' }] } })
  const { body: shipment } = await own.call(`/v1/shipments/${created?.shipment_id}`)
  t.match(shipment, { declared_content: '=Books', recipient: { last_name: 'Torres; "la mayor"' } })

  const refusals: readonly (readonly [string, string, string])[] = [
    [about, csv, '#/query/external_reference'],
    [`external_reference=x&${about}`, 'nonsense\n1\n', ''],
    [`external_reference=x&${about}`, '', ''],
    ['external_reference=x&workspace_id=ws_0', csv, '#/query/workspace_id'],
  ]
  for (const [query, text, pointer] of refusals) {
    const { status, body } = await post(query, 'text/csv', text)
    t.ok(status === 422 || status === 400, `${status}`)
    t.ok(body.errors[0].pointer.startsWith(pointer), body.errors[0].pointer)
  }
  const big = await post(`external_reference=x&${about}`, 'text/csv', 'x'.repeat(9 * 1024 * 1024))
  t.match(big, { status: 413, body: { reason: 'body_too_large' } })
  const elsewhere = await fetch(`${own.url}/v1/shipments`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${own.seeded.shopKey}`,
      'content-type': 'text/csv',
      'idempotency-key': 'csv',
    },
    body: csv,
  })
  t.equal(elsewhere.status, 415, 'no other route accepts it')
})

t.test('what concerns the whole batch refuses it, and stores nothing', async (t) => {
  const own = await freshShop(shop, 'refused')
  const good = batchOf(own, 'refused', [lineOf(own, 'a')])
  const cases: readonly (readonly [object, number, string])[] = [
    [{ ...good, items: [] }, 422, '/items'],
    [{ ...good, items: Array.from({ length: 1_001 }, () => 1) }, 422, '/items'],
    [{ ...good, external_reference: undefined }, 422, '/external_reference'],
    [{ ...good, courier_connection_id: 'x' }, 422, '/courier_connection_id'],
    [{ ...good, more: 1 }, 422, '/more'],
    [{ external_reference: 'x', items: [1] }, 422, '/workspace_id'],
  ]
  for (const [body, status, pointer] of cases) {
    const answer = await send(own, body)
    t.match(answer, { status, body: { errors: [{ pointer }] } })
  }
  const headers = { 'sandbox-scenario': 'no such' }
  t.match(await send(own, good, { headers }), { body: { reason: 'unknown_scenario' } })
  const missing = { ...good, workspace_id: 'ws_0aB1cD2eF3gH4iJ5kL6mN7' }
  t.match(await send(own, missing), { status: 404 })
  const foreign = { ...good, courier_connection_id: shop.seeded.connectionId }
  t.match(await send(own, foreign), { status: 404 })
  const list = await own.call(`/v1/batches?workspace_id=${own.seeded.workspaceId}`)
  t.strictSame(list.body.data, [])
})

t.test('a cancelled batch leaves out the lines that have not begun', async (t) => {
  const own = await freshShop(shop, 'cancelled')
  const slow = { metadata: { sandbox_scenario: 'slow_success' } }
  const items = Array.from({ length: 300 }, (_, n) => lineOf(own, `c-${n}`, slow))
  const { body } = await send(own, batchOf(own, 'cancelled', items))
  await eventually(
    () => own.call(`/v1/batches/${body.id}`),
    (answer) => (answer.body.counts.creating ?? 0) > 0,
  )
  const { body: cancelled } = await own.call(`/v1/batches/${body.id}/cancel`, { method: 'POST' })
  t.equal(cancelled.status, 'cancelled')
  t.ok(cancelled.counts.not_begun > 200, `${cancelled.counts.not_begun} left out`)
  const { body: last } = await eventually(
    () => own.call(`/v1/batches/${body.id}`),
    (answer) => answer.body.ended_at !== null,
  )
  t.equal(last.counts.not_begun, cancelled.counts.not_begun)
  t.equal(last.counts.created + last.counts.not_begun, 300)
  const left = (await itemsOf(own, body.id, '&state=not_begun'))[0]
  t.match(left, { shipment_id: null, error: null })
  t.same((await own.call(`/v1/batches/${body.id}/cancel`, { method: 'POST' })).body, last)
})

t.test('its labels and hand-over list are printed, and what is missing is named', async (t) => {
  const own = await freshShop(shop, 'printed')
  const { body } = await send(
    own,
    batchOf(own, 'printed', [lineOf(own, 'p-1'), { wrong: 1 }, lineOf(own, 'p-3')]),
  )
  await ended(own, body.id)
  const shipments = (await itemsOf(own, body.id)).flatMap((item) => item.shipment_id ?? [])
  for (const id of shipments) await own.call(`/v1/shipments/${id}/documents/label`)
  const guides = await Promise.all(
    shipments.map(async (id) => (await own.call(`/v1/shipments/${id}`)).body.guide_number),
  )
  const printed = async (path: string) => {
    const answer = await own.call(`/v1/batches/${body.id}/documents/${path}`)
    t.equal(answer.status, 200, path)
    t.equal(answer.headers.get('content-type'), 'application/pdf')
    return await readPdf(answer.body)
  }
  const labels = await printed('labels')
  t.equal(labels.length, 3, 'a cover and two labels')
  t.match(labels[0]?.text, /Line 2/)
  t.match(labels[0]?.text, /The request is not valid/)
  t.same(
    labels.slice(1).map(({ text }) => guides.find((guide) => text.includes(guide))),
    guides,
  )
  t.equal((await printed('labels?first_line=3&layout=four_on_a4')).length, 1)
  const list = (await printed('manifest')).map(({ text }) => text).join(' ')
  for (const guide of guides) t.ok(list.includes(guide))
  t.match(list, /Line 2/)
  t.notOk(list.includes('Torres'), 'no recipient')
  const none = await own.call(`/v1/batches/${body.id}/documents/labels?first_line=9`)
  t.match(none, { status: 400, body: { reason: 'invalid_filter' } })
})

t.test(
  'its labels are printed without the one that is late, or refused until it is there',
  async (t) => {
    const own = await freshShop(shop, 'late-label')
    const late = lineOf(own, 'late', { metadata: { sandbox_scenario: 'label_delayed' } })
    const { body } = await send(own, batchOf(own, 'late', [lineOf(own, 'soon'), late]))
    await ended(own, body.id)
    const [soon, waits] = await itemsOf(own, body.id)
    t.equal((await own.call(`/v1/shipments/${soon?.shipment_id}/documents/label`)).status, 200)
    const labels = (query: string) => own.call(`/v1/batches/${body.id}/documents/labels${query}`)
    const refused = await labels('?complete=true')
    t.match(refused, { status: 409, body: { reason: 'label_not_ready', retryable: true } })
    t.equal(refused.headers.get('retry-after'), '2')
    t.equal((await labels('?complete=true&last_line=1')).status, 200, 'only what is printed counts')
    t.match((await readPdf((await labels('')).body))[0]?.text, /Line 2|late/)
    await own.advance('PT15M')
    t.equal((await own.call(`/v1/shipments/${waits?.shipment_id}/documents/label`)).status, 200)
    t.equal((await labels('?complete=true')).status, 200)
  },
)

t.test('its end is a webhook, with the counts', async (t) => {
  const own = await freshShop(shop, 'told')
  const mine = await receiver(t)
  await own.client.webhookEndpoints.create({
    workspace_id: own.seeded.workspaceId,
    url: mine.url,
    event_types: ['batch.*'],
  })
  const { body } = await send(own, batchOf(own, 'told', [lineOf(own, 'a'), 1]))
  await eventually(
    async () => mine.received.length,
    (count) => count > 0,
  )
  t.equal(mine.received.length, 1)
  await send(own, batchOf(own, 'nothing sound', [1, 2]))
  await eventually(
    async () => mine.received.length,
    (count) => count > 1,
  )
  const none = JSON.parse(String(mine.received[1]?.body)).data.object
  t.match(none, { result: 'none', counts: { failed: 2 } })
  const told = JSON.parse(String(mine.received[0]?.body))
  t.match(told, {
    type: 'batch.completed',
    workspace_id: own.seeded.workspaceId,
    resource: { type: 'batch', id: body.id },
    data: { object: { id: body.id, status: 'completed', result: 'some', counts: { failed: 1 } } },
  })
})

t.test('another organization, workspace or mode sees nothing of a batch', async (t) => {
  const own = await freshShop(shop, 'hidden')
  const { body } = await send(own, batchOf(own, 'hidden', [lineOf(own, 'a')]))
  await ended(own, body.id)
  const stranger = await createOrganization(shop.parts, { name: 'Stranger', type: 'external' }, by)
  const key = async (more: object) =>
    (
      await createApiKey(
        shop.parts,
        {
          organizationId: own.seeded.organizationId,
          workspaceId: null,
          livemode: false,
          scopes,
          expiresAt: null,
          ...more,
        },
        by,
      )
    ).key
  const keys = [
    await key({ organizationId: stranger.id }),
    await key({ workspaceId: shop.seeded.workspaceId }),
    await key({ livemode: true }),
  ]
  for (const each of keys) {
    for (const [path, method] of [
      [`/v1/batches/${body.id}`, 'GET'],
      [`/v1/batches/${body.id}/items`, 'GET'],
      [`/v1/batches/${body.id}/cancel`, 'POST'],
    ] as const) {
      t.equal((await own.call(path, { method, key: each })).status, 404, path)
    }
    const { body: list } = await own.call('/v1/batches', { key: each })
    t.notOk(list.data.some(({ id }: { readonly id: string }) => id === body.id))
    const answer = await send(own, batchOf(own, 'hidden', [lineOf(own, 'b')]), { key: each })
    t.equal(answer.status, 404)
  }
  const reader = await key({ scopes: ['shipments:read'] })
  t.equal((await send(own, batchOf(own, 'x', [1]), { key: reader })).status, 403)
  t.equal((await own.call(`/v1/batches/${body.id}`, { key: reader })).status, 200)
})

t.test('bodies and refusals are sealed, and a body is gone once its line has ended', async (t) => {
  const { rows } = await sql<{ text: string; bodies: number }>`
    SELECT (SELECT string_agg(l::text, ' ') FROM batch_lines l)
      || (SELECT string_agg(b::text, ' ') FROM batches b) AS text,
      (SELECT count(*)::int FROM batch_lines WHERE body IS NOT NULL) AS bodies`.execute(
    shop.parts.db,
  )
  const { recipient, declared_content: content } = exampleShipmentRequest('any', shop.seeded)
  const text = String(rows[0]?.text)
  for (const personal of [recipient.document, recipient.last_name, content, 'first_name']) {
    t.notOk(text.includes(personal), personal)
  }
  t.equal(rows[0]?.bodies, 0)
})
