import pg from 'pg'
import t from 'tap'
import { byCli } from '../../src/service/cli/acting.ts'
import { currentAttempt } from '../../src/service/domain/shipment/shipment.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { documents } from '../../src/service/processes/documents/documents.ts'
import { createApiKey, defaultScopes, type NewKey } from '../../src/service/security/api-keys.ts'
import { createOrganization, suspend } from '../../src/service/security/organizations.ts'
import { type Answer, type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { fan, longList } from '../support/hostile-labels.ts'
import { plain } from '../support/label-style.ts'
import { readPdf } from '../support/read-pdf.ts'
import { service } from '../support/service.ts'
import { storeLabel } from '../support/store-label.ts'
import { type HeldCourier, heldCourier } from './held-courier.ts'

let courier: HeldCourier | undefined
const shop = await service(t, {
  courierUrl: async (url) => {
    courier = await heldCourier(t, url)
    return courier.url
  },
})
if (courier === undefined) throw new Error('no courier was asked for')
const { hold } = courier
const { store } = shop.parts
const { organizationId } = shop.seeded
const print = { ...plain, isCaptioned: false }
const never = `shp_${'0'.repeat(22)}`

type Made = { readonly id: string; readonly guide: string }

/** A shipment with its label. */
async function labelled(key: string, body: object = {}, from: ApiClient = shop): Promise<Made> {
  const made = await from.create(key, { body })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const label = await from.call(`/v1/shipments/${made.body.id}/documents/label`)
  if (label.status !== 200) throw new Error(JSON.stringify(label.body))
  return { id: made.body.id, guide: made.body.guide_number }
}

async function shipmentId(key: string, scenario: string): Promise<string> {
  const { body } = await shop.create(key, { scenario })
  return body.id ?? body.shipment_id ?? (await byReference(key))
}

async function byReference(reference: string): Promise<string> {
  const { body } = await eventually(
    () => shop.call(`/v1/shipments?external_reference=${reference}`),
    (answer) => answer.body.data.length === 1,
  )
  return body.data[0].id
}

function labels(ids: readonly string[], more: object = {}, key?: string): Promise<Answer> {
  const body = { shipment_ids: ids, ...more }
  return shop.call('/v1/labels', { body, ...(key === undefined ? {} : { key }) })
}

function manifest(ids: readonly string[], key?: string): Promise<Answer> {
  const body = { shipment_ids: ids }
  return shop.call('/v1/manifests', { body, ...(key === undefined ? {} : { key }) })
}

async function keyWith(order: Partial<NewKey>): Promise<string> {
  const usual = { workspaceId: null, livemode: false, scopes: defaultScopes, expiresAt: null }
  return (await createApiKey(shop.parts, { organizationId, ...usual, ...order }, byCli)).key
}

const parcel = shop.bodyOf('any').package as object
const one = await labelled('one')
const two = await labelled('two', { package: { ...parcel, quantity: 2 } })
const three = await labelled('three')
const delayed = await shipmentId('delayed', 'label_delayed')

/** A shipment whose stored label is this file, as a courier could send it. */
async function stored(key: string, bytes: Buffer, sizeBytes?: number): Promise<string> {
  const id = await shipmentId(key, 'label_delayed')
  await storeLabel(shop.parts, id, bytes, sizeBytes)
  return id
}

const garbage = Buffer.from('%PDF-1.7\nthis is all there is')

t.test('labels are in the order of the ids, with a page for each piece', async (t) => {
  const answer = await labels([three.id, two.id, one.id])
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('content-type'), 'application/pdf')
  t.match(answer.headers.get('content-disposition'), /filename=labels-three-and-2-more\.pdf$/)
  const pages = readPdf(answer.body)
  t.strictSame(
    pages.map(({ size }) => size),
    [0, 1, 2, 3].map(() => [298, 420]),
  )
  const read = await Promise.all(pages.map((page) => page.barcodes()))
  t.strictSame(read.flat(), [three.guide, two.guide, two.guide, one.guide])
  t.match(pages[1]?.text, /1\/2/)
  t.match(pages[2]?.text, /2\/2/)
})

t.test('four labels are on each sheet of A4, and each can still be scanned', async (t) => {
  const answer = await labels([two.id, one.id, three.id], { layout: 'four_on_a4' })
  const pages = readPdf(answer.body)
  t.strictSame(
    pages.map(({ size }) => size),
    [[595, 842]],
  )
  t.strictSame(await pages[0]?.barcodes(), [two.guide, two.guide, one.guide, three.guide])
  const more = await labelled('four')
  const both = readPdf(
    (await labels([two.id, one.id, three.id, more.id], { layout: 'four_on_a4' })).body,
  )
  t.equal(both.length, 2)
  t.strictSame(await both[1]?.barcodes(), [more.guide])
})

t.test('a shipment without a label is named at the front with its reason', async (t) => {
  const cancelled = await labelled('cancelled')
  await shop.call(`/v1/shipments/${cancelled.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'cancel-it' },
  })
  const erased = await labelled('erased')
  await shop.call(`/v1/shipments/${erased.id}/erase-personal-data`, { method: 'POST' })
  const missing = [
    [delayed, 'delayed', /has not made the label yet/],
    [await shipmentId('rejected', 'courier_rejected'), 'rejected', /the courier refused/],
    [await shipmentId('lost', 'lost_response_human_review'), 'lost', /Unknown outcome/],
    [cancelled.id, 'cancelled', /It was cancelled/],
    [erased.id, 'erased', /personal data was erased/],
    [await stored('garbage', garbage), 'garbage', /cannot be read as a PDF/],
  ] as const
  const ids = missing.map(([id]) => id)
  for (const [layout, size] of [
    ['a6', [298, 420]],
    ['four_on_a4', [595, 842]],
  ] as const) {
    const answer = await labels([one.id, ...ids, three.id], { layout })
    t.equal(answer.status, 200)
    const pages = readPdf(answer.body)
    const covers = pages.filter(({ text }) => text.includes('Missing labels: 6 of 8'))
    t.strictSame(pages.slice(0, covers.length), covers, 'they are at the front')
    t.strictSame(covers[0]?.size, size)
    const said = covers.map(({ text }) => text).join(' ')
    for (const [id, reference, why] of missing) {
      const from = said.indexOf(id)
      t.ok(from > said.indexOf(`${reference} `), `${reference} is named`)
      t.match(said.slice(from, from + 160), why)
    }
    t.match(covers.at(-1)?.text, `Page ${covers.length} of ${covers.length}`)
    const rest = await Promise.all(pages.slice(covers.length).map((page) => page.barcodes()))
    t.strictSame(rest.flat(), [one.guide, three.guide], 'the others are printed')
  }
  const none = readPdf((await labels(ids)).body)
  t.match(none[0]?.text, 'Missing labels: 6 of 6')
})

t.test('labels that are too large together are refused before any is read', async (t) => {
  const large = await stored('large', garbage, 31 * 1024 * 1024)
  t.match(await labels([one.id, large]), { status: 422, body: { reason: 'papers_too_large' } })
})

t.test('a label that stops the printer is named, remembered, and not tried again', async (t) => {
  const hostile = {
    ended_printer: await stored('ends-it', longList()),
    too_complex: await stored('fans-out', fan()),
  }
  const own = documents(shop.parts, { memoryMaxMib: 64, printMs: 100_000 })
  t.teardown(async () => own.close())
  const reach = { organizationId, livemode: false, workspaceId: null }
  const shipmentIds = [one.id, ...Object.values(hostile), three.id]
  // The second time with as much memory as it could want.
  const [first, again] = [
    readPdf((await own.labels({ scope: reach, shipmentIds, print })).bytes),
    readPdf((await labels(shipmentIds)).body),
  ]
  for (const pages of [first, again]) {
    t.match(pages[0]?.text, 'Missing labels: 2 of 4')
    t.match(pages[0]?.text, /cannot be printed.*cannot be printed/s)
    t.strictSame(await pages[1]?.barcodes(), [one.guide])
    t.strictSame(await pages[2]?.barcodes(), [three.guide])
  }
  const metrics = await shop.parts.metrics.registry.metrics()
  for (const [why, id] of Object.entries(hostile)) {
    t.match(metrics, `labels_unreadable_total{why="${why}"} 1`)
    t.match(await shop.call(`/v1/shipments/${id}/documents/label`), {
      status: 409,
      body: { reason: 'label_unreadable' },
    })
  }
})

for (const path of ['/v1/labels', '/v1/manifests']) {
  const ask = (ids: readonly unknown[], key?: string) =>
    shop.call(path, { body: { shipment_ids: ids }, ...(key === undefined ? {} : { key }) })

  t.test(`${path} names the ids that it cannot find and prints nothing`, async (t) => {
    const answer = await ask([one.id, never, two.id, `shp_${'1'.repeat(22)}`])
    t.match(answer, { status: 404, body: { reason: 'not_found', outcome: 'not_executed' } })
    t.strictSame(
      answer.body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/shipment_ids/1', '/shipment_ids/3'],
    )
    t.equal(answer.headers.get('content-type'), 'application/problem+json')
  })

  t.test(`${path} answers foreign ids as ids that never existed`, async (t) => {
    const foreign = await createOrganization(shop.parts, { name: 'F', type: 'external' }, byCli)
    const { body: workspace } = await shop.call('/v1/workspaces', {
      body: { name: 'Another', external_reference: `papers-${path}` },
    })
    const keys = {
      'of another organization': await keyWith({ organizationId: foreign.id }),
      'of the other mode': await keyWith({ livemode: true }),
      'of another workspace': await keyWith({ workspaceId: workspace.id }),
    }
    for (const [whose, key] of Object.entries(keys)) {
      const [answer, unknown] = [await ask([one.id], key), await ask([never], key)]
      t.equal(answer.status, 404, `a key ${whose}`)
      const plain = ({ body }: Answer) => ({ ...body, instance: null, request_id: null })
      t.strictSame(plain(answer), plain(unknown))
    }
    const restricted = await keyWith({ workspaceId: shop.seeded.workspaceId })
    t.equal((await ask([one.id], restricted)).status, 200, 'its own workspace is in scope')
  })

  t.test(`${path} refuses ids that are doubled, malformed, too many or none`, async (t) => {
    const pointersOf = ({ body }: Answer) =>
      body.errors.map((error: { pointer: string; reason: string }) => [error.pointer, error.reason])
    const doubled = await ask([one.id, two.id, one.id])
    t.equal(doubled.status, 422)
    t.strictSame(pointersOf(doubled), [['/shipment_ids/2', 'duplicate']])
    t.strictSame(pointersOf(await ask([one.id, 'shp_1'])), [['/shipment_ids/1', 'invalid_id']])
    t.strictSame(pointersOf(await ask([])), [['/shipment_ids', 'too_small']])
    const many = Array.from({ length: 201 }, (_, n) => `shp_${String(n).padStart(22, '0')}`)
    t.strictSame(pointersOf(await ask(many)), [['/shipment_ids', 'too_big']])
  })

  t.test(`${path} requires the scope to read shipments and changes nothing`, async (t) => {
    const bare = await keyWith({ scopes: ['shipments:write'] })
    for (const id of [one.id, never]) {
      t.match(await ask([id], bare), { status: 403, body: { reason: 'forbidden_scope' } })
    }
    const traces = async () => [
      (await loadShipment(store, one.id)).revision,
      shop.record.callsOf(one.id).length,
    ]
    const before = await traces()
    t.equal((await ask([one.id, delayed])).status, 200)
    t.strictSame(await traces(), before, 'no event, and no call to the courier')
  })
}

t.test('the manifest has a list to sign for each workspace and origin agency', async (t) => {
  const { body: agencies } = await shop.call(
    `/v1/agencies?courier_connection_id=${shop.seeded.connectionId}&capability=drop_off&limit=5`,
  )
  const names = new Map<string, string>(
    agencies.data.map(({ id, name }: { id: string; name: string }) => [id, name]),
  )
  const [first, , third] = [...names.keys()]
  const elsewhere = { origin: { agency_id: third }, destination: { agency_id: first } }
  const moved = await labelled('moved', elsewhere)
  const other = await freshShop(shop, 'papers-other-shop')
  const others = await labelled('others', {}, other)
  const answer = await manifest([three.id, moved.id, others.id, two.id, one.id])
  t.equal(answer.status, 200)
  t.match(
    answer.headers.get('content-disposition'),
    /filename=hand-over-list-three-and-4-more\.pdf$/,
  )
  const pages = readPdf(answer.body)
  t.equal(pages.length, 3)
  t.strictSame(await Promise.all(pages.map((page) => page.barcodes())), [
    [three.guide, two.guide, one.guide],
    [moved.guide],
    [others.guide],
  ])
  const [list, listMoved, listOther] = pages.map(({ text }) => text)
  t.match(list, /Page 1 of 3/)
  t.match(list, '3 shipments · 4 pieces · 3.2 kg')
  t.match(list, `At: ${names.get(String(shop.seeded.originId))}`)
  t.match(list, /From: My first shop/)
  for (const { guide } of [one, two, three]) t.match(list, guide, 'as text too')
  for (const reference of ['one', 'two', 'three']) t.match(list, ` ${reference} `)
  t.match(list, String(names.get(String(shop.seeded.destinationId))))
  t.match(list, /Handed over by.*Received by.*Name.*Signature.*Date and time/)
  t.match(listMoved, `At: ${names.get(String(third))}`)
  t.match(listMoved, '1 shipment · 1 piece · 0.8 kg')
  t.match(listOther, /From: Another shop/)
  for (const { text } of pages) {
    t.match(text, /Test mode/)
    t.notMatch(text, /Ana|Torres|45678912|Books/)
  }
})

t.test('the manifest names apart what must not be handed over', async (t) => {
  const cancelled = await labelled('taken-back')
  await shop.call(`/v1/shipments/${cancelled.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'take-it-back' },
  })
  const cancelling = await labelled('uncertain')
  const release = hold('/guides/cancel')
  const cancellation = shop.call(`/v1/shipments/${cancelling.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'take-that-back' },
  })
  await eventually(
    () => shop.call(`/v1/shipments/${cancelling.id}`),
    ({ body }) => body.status === 'cancelling',
  )
  const lost = await shipmentId('lost-too', 'lost_response_human_review')
  const answer = await manifest([lost, one.id, cancelled.id, cancelling.id])
  const held = readPdf((await labels([cancelling.id])).body)
  release()
  await cancellation
  t.match(held[0]?.text, /It is being cancelled/, 'and its label is not printed')
  const pages = readPdf(answer.body)
  const [list, apart] = pages.map(({ text }) => text)
  t.match(list, 'Not to hand over: 3 more')
  t.match(list, '1 shipment ')
  t.strictSame(await pages[0]?.barcodes(), [one.guide])
  t.match(apart, /^Not to hand over/)
  t.match(apart, new RegExp(`lost-too ${lost} Unknown outcome`))
  t.match(apart, `taken-back ${cancelled.id} It was cancelled. Guide ${cancelled.guide}.`)
  t.match(apart, `uncertain ${cancelling.id} It is being cancelled`)
  t.strictSame(await pages[1]?.barcodes(), [], 'a scanner finds no barcode there')
  const none = readPdf((await manifest([lost])).body)
  t.equal(none.length, 1)
})

t.test('the date of a manifest is on the clock of the workspace', async (t) => {
  const own = await freshShop(shop, 'papers-clock')
  const made = await labelled('in-its-own-time', {}, own)
  await own.advance('P40D')
  const minute = async () => {
    const { body } = await own.call(`/v1/sandbox/clock?workspace_id=${own.seeded.workspaceId}`)
    return `${body.now.slice(0, 16).replace('T', ' ')} UTC`
  }
  const before = await minute()
  const [page] = readPdf((await manifest([made.id])).body)
  const text = page?.text ?? ''
  t.ok(
    [before, await minute()].some((each) => text.includes(each)),
    `${before}: ${text}`,
  )
})

t.test('an erased shipment can be handed over, since its list names no person', async (t) => {
  const erased = await labelled('erased-too')
  await shop.call(`/v1/shipments/${erased.id}/erase-personal-data`, { method: 'POST' })
  const [page] = readPdf((await manifest([erased.id])).body)
  t.strictSame(await page?.barcodes(), [erased.guide])
  const { state } = await loadShipment(store, erased.id)
  t.ok(state !== null && state.erasedAt !== null && currentAttempt(state).guide !== null)
})

t.test(
  'more shipments than a request may name are printed, and only those within reach',
  async (t) => {
    // A busy machine may need longer than a request may take.
    const own = documents(shop.parts, { printMs: 120_000 })
    t.teardown(async () => own.close())
    const reach = { organizationId, livemode: false, workspaceId: null }
    const shipmentIds = Array.from({ length: 250 }, (_, n) => (n % 2 === 0 ? one.id : three.id))
    const printed = readPdf((await own.labels({ scope: reach, shipmentIds, print })).bytes)
    t.equal(printed.length, 250)
    t.strictSame(await printed.at(-1)?.barcodes(), [three.guide])
    const listed = readPdf(
      (await own.manifest({ scope: reach, language: 'en', shipmentIds })).bytes,
    )
    const rows = await Promise.all(listed.map((page) => page.barcodes()))
    t.equal(rows.flat().length, 250)
    const unknown = { name: 'Problem', reason: 'not_found' }
    for (const other of [
      { ...reach, livemode: true },
      { ...reach, workspaceId: 'ws_of_another_shop' },
      { ...reach, organizationId: 'org_of_others' },
    ]) {
      await t.rejects(own.manifest({ scope: other, language: 'en', shipmentIds }), unknown)
      await t.rejects(own.labels({ scope: other, shipmentIds, print }), unknown)
    }
  },
)

t.test('while others of the organization print, a request is told when to come back', async (t) => {
  const admin = new pg.Client({ connectionString: shop.database.adminUrl })
  await admin.connect()
  t.teardown(() => admin.end())
  // The first request cannot read a label until the lock is released, so three others wait for it.
  await admin.query('BEGIN; LOCK TABLE vault_items IN ACCESS EXCLUSIVE MODE')
  const answers = Array.from({ length: 6 }, () => labels([one.id]))
  const refused: Answer[] = []
  const allRefused = Promise.withResolvers<void>()
  for (const answer of answers) {
    void answer.then((each) => {
      if (each.status === 503) refused.push(each)
      if (refused.length === 2) allRefused.resolve()
    })
  }
  await allRefused.promise
  await admin.query('COMMIT')
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  t.strictSame(statuses.toSorted(), [200, 200, 200, 200, 503, 503])
  for (const { body, headers } of refused) {
    t.match(body, { reason: 'overloaded', outcome: 'not_executed', retryable: true })
    t.equal(headers.get('retry-after'), '5')
  }
})

t.test('a suspended organization still prints', async (t) => {
  await suspend(shop.parts, organizationId, true, byCli)
  // Keys are cached for some seconds, so only a new key notices the suspension.
  const late = await keyWith({})
  t.equal((await shop.call('/v1/workspaces', { key: late, body: { name: 'X' } })).status, 403)
  t.equal((await labels([one.id], {}, late)).status, 200)
  t.equal((await manifest([one.id], late)).status, 200)
})
