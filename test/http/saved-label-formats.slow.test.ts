import t from 'tap'
import {
  type LabelFormat,
  labelDpis,
  labelFormats,
  labelSizes,
} from '../../src/service/domain/label-format.ts'
import { type Answer, type ApiClient, freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { readImages, readZpl } from '../support/read-images.ts'
import { readPdf } from '../support/read-pdf.ts'
import { service } from '../support/service.ts'

const shop = await service(t)

type Made = { readonly id: string; readonly guide: string }

/** The answer of a printer that is not overloaded by other tests. */
function printed(path: string, options: object = {}): Promise<Answer> {
  return eventually(
    () => shop.call(path, options),
    ({ status }) => status !== 503,
  )
}

const labelPath = (id: string, query = '') => `/v1/shipments/${id}/documents/label${query}`

async function made(of: ApiClient, key: string): Promise<Made> {
  const { body } = await of.create(key)
  const { status } = await printed(labelPath(body.id))
  // An assertion outside of a test would end the file.
  if (status !== 200) throw new Error(`the label of ${key} answered ${status}`)
  return { id: body.id, guide: body.guide_number }
}

function save(of: ApiClient, format: object | null): Promise<Answer> {
  const { workspaceId } = of.seeded
  return shop.call(`/v1/workspaces/${workspaceId}`, {
    method: 'PATCH',
    body: { label_format: format },
  })
}

const zebra: LabelFormat = { format: 'zpl', size: '4x6', dpi: 300, caption: true }
const media = { pdf: 'application/pdf', png: 'image/png', zpl: 'application/zpl' } as const

/** The barcodes that a scanner reads on the first page. */
async function scanned({ body, headers }: Answer, dpi: 203 | 300): Promise<readonly string[]> {
  switch (headers.get('content-type')) {
    case 'application/zpl':
      return (await readZpl(body, dpi))[0]?.barcodes ?? []
    case 'image/png':
      return (await readImages(body))[0]?.barcodes ?? []
    default:
      return (await readPdf(body)[0]?.barcodes(4)) ?? []
  }
}

t.test('a workspace saves how its labels are printed, and each change is audited', async (t) => {
  const own = await freshShop(shop, 'saves')
  const path = `/v1/workspaces/${own.seeded.workspaceId}`
  t.equal((await shop.call(path)).body.label_format, null)
  const saved = await save(own, { format: 'zpl', dpi: 300 })
  const format = { format: 'zpl', size: 'a6', dpi: 300, caption: false }
  t.match(saved, { status: 200, body: { version: 2 } })
  t.strictSame(saved.body.label_format, format, 'what is left out has its default')
  t.equal((await save(own, format)).body.version, 2, 'the same format is no change')
  t.strictSame((await save(own, { size: '80mm' })).body.label_format, {
    ...format,
    format: 'pdf',
    size: '80mm',
    dpi: 203,
  })
  t.strictSame((await save(own, null)).body.label_format, null)
  const acts = await eventually(
    () => shop.call(`/v1/audit-events?resource_id=${own.seeded.workspaceId}`),
    ({ body }) => body.data.length === 4,
  )
  const [last, , first, created] = acts.body.data
  t.strictSame(last.changed_fields, ['label_format'])
  t.match(last, { before: { label_format: { size: '80mm' } }, after: { label_format: null } })
  t.match(first, { before: { label_format: null }, after: { label_format: format } })
  t.match(created.after, { label_format: null })
})

t.test('a workspace is created with its format', async (t) => {
  const { body } = await shop.call('/v1/workspaces', {
    body: { name: 'Zebra', external_reference: 'zebra', label_format: zebra },
  })
  t.strictSame(body.label_format, zebra)
})

t.test('a wrong format is refused with a pointer to its field', async (t) => {
  const own = await freshShop(shop, 'wrong')
  const wrong = [
    [{ format: 'epl' }, '/label_format/format'],
    [{ size: 'a5' }, '/label_format/size'],
    [{ dpi: 600 }, '/label_format/dpi'],
    [{ dpi: '203' }, '/label_format/dpi'],
    [{ caption: 'true' }, '/label_format/caption'],
    [{ layout: 'four_on_a4' }, '/label_format/layout'],
    ['zpl', '/label_format'],
  ] as const
  for (const [format, pointer] of wrong) {
    const { status, body } = await save(own, format as object)
    t.match([status, body.errors?.[0]?.pointer], [422, pointer], JSON.stringify(format))
  }
  const { body } = await shop.call(`/v1/workspaces/${own.seeded.workspaceId}`)
  t.match(body, { label_format: null, version: 1 })
})

t.test('every saved format is printed as if the request named it, and is scanned', async (t) => {
  const own = await freshShop(shop, 'every')
  const { id, guide } = await made(own, 'every')
  for (const format of labelFormats) {
    for (const size of labelSizes) {
      for (const dpi of format === 'pdf' ? ([203] as const) : labelDpis) {
        const what = `${format} ${size} ${dpi}`
        const isCaptioned = dpi === 300
        await save(own, { format, size, dpi, caption: isCaptioned })
        const plain = await printed(labelPath(id))
        t.equal(plain.headers.get('content-type'), media[format], what)
        t.match(plain.headers.get('content-disposition'), `.${format}`, what)
        t.strictSame(await scanned(plain, dpi), [guide], what)
      }
    }
    const named = await printed(labelPath(id, `?format=${format}&size=80mm&dpi=300&caption=true`))
    await save(own, { format, size: '80mm', dpi: 300, caption: true })
    const saved = await printed(labelPath(id))
    t.equal(saved.headers.get('etag'), named.headers.get('etag'), format)
  }
})

t.test('a request wins over the saved format, field by field', async (t) => {
  const own = await freshShop(shop, 'wins')
  const { id, guide } = await made(own, 'wins')
  await save(own, zebra)
  const etagOf = async (query: string) => (await printed(labelPath(id, query))).headers.get('etag')
  const same = [
    ['?format=pdf', '?format=pdf&size=4x6&dpi=203&caption=true'],
    ['?dpi=203', '?format=zpl&size=4x6&dpi=203&caption=true'],
    ['?size=80mm', '?format=zpl&size=80mm&dpi=300&caption=true'],
    ['?caption=false', '?format=zpl&size=4x6&dpi=300&caption=false'],
  ] as const
  for (const [query, all] of same) t.equal(await etagOf(query), await etagOf(all), query)
  const etags = await Promise.all(['', ...same.map(([query]) => query)].map(etagOf))
  t.equal(new Set(etags).size, etags.length, 'each is another file')
  const current = etags[0] ?? ''
  const headers = { 'if-none-match': current }
  t.equal((await printed(labelPath(id), { headers })).status, 304)
  await save(own, { ...zebra, caption: false })
  const changed = await printed(labelPath(id), { headers })
  t.equal(changed.status, 200, 'the format is part of what the ETag says')
  t.strictSame(await scanned(changed, 300), [guide])
})

t.test('chosen labels of shops that agree are in their format, and else a PDF in A6', async (t) => {
  const [one, two, plain] = [
    await freshShop(shop, 'agrees-1'),
    await freshShop(shop, 'agrees-2'),
    await freshShop(shop, 'agrees-not'),
  ]
  const [first, second, third] = [
    await made(one, '1'),
    await made(two, '2'),
    await made(plain, '3'),
  ]
  await save(one, zebra)
  await save(two, zebra)
  const labels = (made: readonly Made[], more: object = {}) =>
    printed('/v1/labels', { body: { shipment_ids: made.map(({ id }) => id), ...more } })
  const common = await labels([first, second])
  t.equal(common.headers.get('content-type'), 'application/zpl')
  const read = await readZpl(common.body, 300)
  t.strictSame(
    read.flatMap(({ barcodes }) => barcodes),
    [first.guide, second.guide],
  )
  const mixed = await labels([first, second, third])
  t.equal(mixed.headers.get('content-type'), 'application/pdf')
  t.strictSame(
    readPdf(mixed.body).map(({ size }) => size),
    [1, 2, 3].map(() => [298, 420]),
  )
  const named = await labels([first, third], { format: 'zpl', dpi: 203 })
  t.strictSame(
    (await readZpl(named.body, 203)).flatMap(({ barcodes }) => barcodes),
    [first.guide, third.guide],
  )
  await save(two, { ...zebra, dpi: 203 })
  t.equal((await labels([first, second])).headers.get('content-type'), 'application/pdf')
})

t.test('four labels on A4 are a PDF, whatever the shop has saved', async (t) => {
  const own = await freshShop(shop, 'four')
  const { id } = await made(own, 'four')
  await save(own, { ...zebra, caption: false })
  const body = { shipment_ids: [id], layout: 'four_on_a4' }
  const sheet = await printed('/v1/labels', { body })
  t.equal(sheet.headers.get('content-type'), 'application/pdf')
  t.strictSame(readPdf(sheet.body)[0]?.size, [595, 842])
})

t.test('the labels of a batch are in the format of its workspace', async (t) => {
  const own = await freshShop(shop, 'batch')
  await save(own, zebra)
  const { workspace_id, ...line } = own.bodyOf('line-1')
  const batch = await shop.call('/v1/batches', {
    body: { workspace_id, external_reference: 'monday', items: [line] },
  })
  const path = `/v1/batches/${batch.body.id}/documents/labels`
  await eventually(
    () => shop.call(`/v1/batches/${batch.body.id}`),
    ({ body }) => body.ended_at !== null,
  )
  const answer = await eventually(
    () => shop.call(`${path}?complete=true`),
    ({ status }) => status === 200,
  )
  t.equal(answer.headers.get('content-type'), 'application/zpl')
  t.match(answer.headers.get('content-disposition'), '.zpl')
  t.equal((await readZpl(answer.body, 300))[0]?.barcodes.length, 1)
  const pdf = await printed(`${path}?format=pdf`)
  t.equal(pdf.headers.get('content-type'), 'application/pdf')
  t.strictSame(readPdf(pdf.body)[0]?.size, [288, 432], 'the size is still the saved one')
})
