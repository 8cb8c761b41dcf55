import t from 'tap'
import {
  type ScenarioName,
  scenarioNames,
  scenarios,
} from '../../src/service/couriers/scenarios/scenarios.ts'
import { loadShipment } from '../../src/service/event-store/transact.ts'
import { documents } from '../../src/service/processes/documents/documents.ts'
import { type Answer, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { encrypted, largeForm, pages, repeatedImage } from '../support/hostile-labels.ts'
import { plain } from '../support/label-style.ts'
import { readImages, readZpl } from '../support/read-images.ts'
import { readPdf } from '../support/read-pdf.ts'
import { service } from '../support/service.ts'
import { storeLabel } from '../support/store-label.ts'

const shop = await service(t)
const { store, vault } = shop.parts
const { organizationId } = shop.seeded

type Made = { readonly id: string; readonly guide: string }

/** The answer of a printer that is not overloaded by other tests. */
function labelOf(id: string, query = '', headers: Record<string, string> = {}): Promise<Answer> {
  return eventually(
    () => shop.call(`/v1/shipments/${id}/documents/label${query}`, { headers }),
    ({ status }) => status !== 503,
  )
}

/** A shipment with its label. */
async function labelled(key: string, body: object = {}): Promise<Made> {
  const answer = await shop.create(key, { body })
  const { id, guide_number: guide } = answer.body
  const { status } = await labelOf(id)
  // An assertion outside of a test would end the file.
  if (status !== 200) throw new Error(`the label of ${key} answered ${status}`)
  return { id, guide }
}

/** The shipment of a scenario that ends with a guide, once its label is there. */
async function played(scenario: ScenarioName): Promise<Made> {
  const own = await freshShop(shop, `label-of-${scenario}`)
  let isFirst = true
  const { body } = await eventually(
    async () => {
      if (!isFirst) await own.advance('PT5M')
      isFirst = false
      return await own.create(scenario, { scenario })
    },
    ({ status }) => status === 201 || status === 200,
  )
  await eventually(
    async () => {
      await own.advance('PT5M')
      return await labelOf(body.id)
    },
    ({ status }) => status === 200,
  )
  return { id: body.id, guide: body.guide_number }
}

/** Of this one the connection must be repaired first. */
const withGuide = scenarioNames.filter(
  (name) => scenarios[name].expected.repeated.status < 300 && name !== 'credentials_invalid',
)

/** A shipment whose stored label is this file, as a courier could send it. */
async function stored(key: string, bytes: Buffer): Promise<string> {
  const { body } = await shop.create(key, { scenario: 'label_delayed' })
  await storeLabel(shop.parts, body.id, bytes)
  return body.id
}

const parcel = shop.bodyOf('any').package as object
const one = await labelled('one', { external_reference: 'ORDER 1001/A' })
const two = await labelled('two', {
  external_reference: 'ORDER-1002',
  package: { ...parcel, quantity: 2 },
})

t.test('the label of every scenario that has one is scanned as PNG and as ZPL', async (t) => {
  t.ok(withGuide.length >= 10, `${withGuide}`)
  for (const scenario of withGuide) {
    const { id, guide } = await played(scenario)
    const png = await labelOf(id, '?format=png')
    t.equal(png.headers.get('content-type'), 'image/png')
    t.strictSame((await readImages(png.body))[0]?.barcodes, [guide], scenario)
    const zpl = await labelOf(id, '?format=zpl&size=4x6')
    t.equal(zpl.headers.get('content-type'), 'application/zpl')
    t.ok(zpl.body.length < 60_000, `${zpl.body.length} bytes`)
    t.strictSame((await readZpl(zpl.body, 203))[0]?.barcodes, [guide], scenario)
  }
})

t.test('a file is named by the order and its guide', async (t) => {
  const name = `label-ORDER-1001-A-${one.guide}`
  const expected = [
    ['', `inline; filename=${name}.pdf`],
    ['?format=png', `inline; filename=${name}.png`],
    ['?format=zpl', `attachment; filename=${name}.zpl`],
  ] as const
  for (const [query, disposition] of expected) {
    t.equal((await labelOf(one.id, query)).headers.get('content-disposition'), disposition)
  }
  const several = await labelOf(two.id, '?format=png')
  t.equal(several.headers.get('content-type'), 'application/zip')
  t.strictSame(
    (await readImages(several.body)).map((image) => [image.name, image.barcodes]),
    [1, 2].map((page) => [`${page}-ORDER-1002-${two.guide}-${page}-of-2.png`, [two.guide]]),
  )
})

t.test('a caption names the order and the shop on every page, and no person', async (t) => {
  const body = { shipment_ids: [two.id, one.id], caption: true, size: '80mm' }
  const answer = await shop.call('/v1/labels', { body })
  t.match(answer.headers.get('content-disposition'), /=labels-ORDER-1002-and-1-more\.pdf$/)
  const read = readPdf(answer.body)
  t.strictSame(
    read.map(({ text }) => text.match(/ORDER[- ]100\d(\/A)? My first shop/)?.[0]),
    ['ORDER-1002 My first shop', 'ORDER-1002 My first shop', 'ORDER 1001/A My first shop'],
  )
  const own = readPdf((await labelOf(one.id, '?caption=true')).body)
  t.match(own[0]?.text, 'ORDER 1001/A')
  t.strictSame(own[0]?.size, [298, 420], 'the page keeps its size')
  const [image] = await readImages((await labelOf(one.id, '?caption=true&format=png')).body)
  const { tracking_url: link } = (await shop.call(`/v1/shipments/${one.id}`)).body
  t.strictSame(image?.qrCodes, [link], "and leads to the recipient's page")
})

t.test('chosen labels are one ZPL file in their order', async (t) => {
  const body = { shipment_ids: [two.id, one.id], format: 'zpl', dpi: 300 }
  const answer = await shop.call('/v1/labels', { body })
  const guides = [two.guide, two.guide, one.guide]
  const read = await readZpl(answer.body, 300)
  t.strictSame(
    read.flatMap(({ barcodes }) => barcodes),
    guides,
  )
  t.equal(String(answer.body).match(/\^XA/g)?.length, 3)
})

t.test('the same label in the same style has the same ETag', async (t) => {
  for (const query of ['?format=png', '?format=zpl', '?size=4x6', '?caption=true']) {
    const etag = (await labelOf(one.id, query)).headers.get('etag') ?? ''
    t.match(await labelOf(one.id, query, { 'if-none-match': etag }), { status: 304 }, query)
  }
})

t.test('a client that accepts one of the formats is answered', async (t) => {
  t.equal((await labelOf(one.id, '?format=png', { accept: 'image/png' })).status, 200)
  t.equal((await labelOf(one.id, '?format=zpl', { accept: 'application/zpl' })).status, 200)
  t.match(await labelOf(one.id, '', { accept: 'text/html' }), { status: 406 })
})

t.test('four labels on A4 are refused as an image or in another size', async (t) => {
  for (const more of [{ format: 'zpl' }, { size: '4x6' }]) {
    const body = { shipment_ids: [one.id], layout: 'four_on_a4', ...more }
    t.match(await shop.call('/v1/labels', { body }), {
      status: 422,
      body: { errors: [{ pointer: '/layout', reason: 'not_combinable' }] },
    })
  }
  t.match(await labelOf(one.id, '?format=tiff'), { status: 400 })
})

t.test('a label that cannot be drawn answers label_unreadable in every format', async (t) => {
  const unreadable = {
    broken: await stored('broken', Buffer.from('%PDF-1.7\nthis is all there is')),
    encrypted: await stored('encrypted', await encrypted()),
    'ten-thousand-pages': await stored('ten-thousand-pages', pages(10_000)),
  }
  for (const [what, id] of Object.entries(unreadable)) {
    for (const query of ['?format=png', '?format=zpl', '?size=4x6']) {
      t.match(await labelOf(id, query), { status: 409, body: { reason: 'label_unreadable' } }, what)
    }
  }
  const ids = [one.id, ...Object.values(unreadable)]
  const answer = await shop.call('/v1/labels', { body: { shipment_ids: ids, format: 'zpl' } })
  const read = await readZpl(answer.body, 203)
  t.strictSame(read.at(-1)?.barcodes, [one.guide], 'after the list of what is missing')
})

t.test('a label that takes too long to draw is remembered and not drawn again', async (t) => {
  const id = await stored('endless', repeatedImage(20_000))
  const own = documents(shop.parts, { labelMs: 1_000 })
  t.teardown(async () => own.close())
  const scope = { organizationId, livemode: false, workspaceId: null }
  const print = { ...plain, format: 'png', isCaptioned: false } as const
  const { state } = await loadShipment(store, id)
  const pdf = await vault.openItem(state?.label?.ref ?? '')
  if (state === null || !Buffer.isBuffer(pdf)) throw new Error('it has no label')
  await t.rejects(own.label({ scope, shipmentId: id, state, pdf, print }), {
    name: 'Problem',
    reason: 'label_unreadable',
  })
  t.match(await labelOf(id, '?format=png'), { status: 409, body: { reason: 'label_unreadable' } })
  t.match(
    await shop.parts.metrics.registry.metrics(),
    'labels_unreadable_total{why="ended_printer"} 1',
  )
})

t.test('a label of a cancelled shipment that ends the printer is remembered too', async (t) => {
  const id = await stored('cancelled', largeForm(100))
  const headers = { 'idempotency-key': 'cancel-it' }
  const cancelled = await shop.call(`/v1/shipments/${id}/cancel`, { method: 'POST', headers })
  t.equal(cancelled.body.status, 'cancelled')
  const own = documents(shop.parts, { memoryMaxMib: 64, labelMs: 60_000, printMs: 90_000 })
  t.teardown(async () => own.close())
  const scope = { organizationId, livemode: false, workspaceId: null }
  const print = { ...plain, format: 'png', isCaptioned: false } as const
  const { state } = await loadShipment(store, id)
  if (state === null) throw new Error('there is no such shipment')
  await t.rejects(own.label({ scope, shipmentId: id, state, pdf: largeForm(100), print }), {
    name: 'Problem',
    reason: 'label_unreadable',
  })
  const { status, body } = await labelOf(id)
  t.strictSame([status, body.reason], [409, 'label_unreadable'])
})
