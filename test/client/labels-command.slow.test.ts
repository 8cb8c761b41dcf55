import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { fileNameOf } from '../../src/client/transport.ts'
import { freshShop } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { readImages, readZpl } from '../support/read-images.ts'
import { readPdf } from '../support/read-pdf.ts'
import { runClientCommand } from '../support/run-process.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-labels-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const environment = { SHIPPING_LEDGER_KEY: shop.seeded.shopKey, SHIPPING_LEDGER_URL: shop.url }
const labels = (...words: readonly string[]) => runClientCommand(environment, 'labels', ...words)

async function made(key: string) {
  const { body } = await shop.create(key)
  await eventually(
    () => shop.call(`/v1/shipments/${body.id}/documents/label`),
    ({ status }) => status === 200,
  )
  return { id: body.id as string, guide: body.guide_number as string }
}

const one = await made('labels-1')
const two = await made('labels-2')

t.test(
  'a label is saved in a folder under the name of its order, for its owner only',
  async (t) => {
    const out = join(folder, 'new', 'labels')
    const saved = await labels(one.id, '--out', `${out}/`)
    t.equal(saved.code, 0, saved.stderr)
    const name = `label-labels-1-${one.guide}.pdf`
    t.match(saved.stdout, `${join(out, name)}: `)
    t.strictSame(readdirSync(out), [name], 'and nothing else')
    t.equal(statSync(join(out, name)).mode & 0o777, 0o600)
    t.strictSame(await readPdf(readFileSync(join(out, name)))[0]?.barcodes(4), [one.guide])
  },
)

t.test('a label in every format is saved as a file, or written to standard output', async (t) => {
  const png = join(folder, 'one.png')
  const saved = await labels(one.id, '--format', 'png', '--dpi', '300', '--out', png, '--json')
  t.equal(saved.code, 0, saved.stderr)
  const { bytes, ...rest } = JSON.parse(saved.stdout)
  t.strictSame(rest, { object: 'label_file', file: png, content_type: 'image/png' })
  t.equal(bytes, statSync(png).size)
  t.strictSame((await readImages(readFileSync(png)))[0]?.barcodes, [one.guide])
  const zpl = await labels(one.id, '--format', 'zpl', '--size', '4x6', '--out', '-')
  t.equal(zpl.code, 0, zpl.stderr)
  t.match(zpl.stdout, /^\^XA.*\^XZ\n$/s, 'only the label')
  t.strictSame((await readZpl(Buffer.from(zpl.stdout), 203))[0]?.barcodes, [one.guide])
})

t.test('several labels are one file in their order, also four on a sheet', async (t) => {
  const both = `${two.id},${one.id}`
  const zpl = await labels(
    both,
    '--format',
    'zpl',
    '--dpi',
    '300',
    '--caption',
    'true',
    '--out',
    '-',
  )
  const read = await readZpl(Buffer.from(zpl.stdout), 300)
  t.strictSame(
    read.flatMap(({ barcodes }) => barcodes),
    [two.guide, one.guide],
  )
  const sheet = join(folder, 'sheet.pdf')
  const printed = await labels(both, '--layout', 'four_on_a4', '--out', sheet)
  t.equal(printed.code, 0, printed.stderr)
  t.strictSame(
    readPdf(readFileSync(sheet)).map(({ size }) => size),
    [[595, 842]],
  )
})

t.test('without flags labels are in the format of the shop, also those of a batch', async (t) => {
  const own = await freshShop(shop, 'labels-of-a-batch')
  const { workspaceId } = own.seeded
  await shop.client.workspaces.update({ id: workspaceId, label_format: { format: 'zpl' } })
  const { workspace_id, ...line } = own.bodyOf('labels-3')
  const items = [line, { ...line, external_reference: 'labels-4' }]
  const { body: batch } = await shop.call('/v1/batches', {
    body: { workspace_id, external_reference: 'monday', items },
  })
  await eventually(
    () => shop.call(`/v1/batches/${batch.id}`),
    ({ body }) => body.ended_at !== null,
  )
  const saved = await labels(batch.id, '--complete', '--out', folder, '--json')
  t.equal(saved.code, 0, saved.stderr)
  const { file } = JSON.parse(saved.stdout)
  t.match(file, /\/labels-monday\.zpl$/)
  t.equal((await readZpl(readFileSync(file), 203)).length, 2)
  const second = await labels(batch.id, '--lines', '2-2', '--out', '-')
  t.equal((await readZpl(Buffer.from(second.stdout), 203)).length, 1)
  const pdf = join(folder, 'monday.PDF')
  t.equal((await labels(batch.id, '--out', pdf)).code, 0, 'the name promises a PDF')
  t.equal(readPdf(readFileSync(pdf)).length, 2)
})

t.test('labels that cannot be saved are refused, and no file is left', async (t) => {
  const missing = `shp_${'0'.repeat(22)}`
  for (const [code, sentence, ...words] of [
    [64, 'must be one of pdf, png, zpl', one.id, '--format', 'tiff'],
    [64, 'of shipments (shp_…,shp_…) or of a batch (bat_…)', 'order-1'],
    [64, '--complete is only for a batch', one.id, '--complete'],
    [64, '--out ends in .pdf, but --format is zpl', one.id, '--format', 'zpl', '--out', 'x.pdf'],
    [1, 'come as a ZIP file', `${one.id},${two.id}`, '--out', 'x.png'],
    [64, '--lines must be like 1-200', `bat_${'0'.repeat(22)}`, '--lines', 'all'],
    [64, '--json needs a file', one.id, '--out', '-', '--json'],
    [1, 'Check the id', missing],
    [
      1,
      '/layout: Four labels on A4 are a PDF',
      `${one.id},${two.id}`,
      '--layout',
      'four_on_a4',
      '--format',
      'png',
    ],
  ] as const) {
    const out = words.includes('--out' as never) ? [] : ['--out', join(folder, 'refused')]
    const refused = await labels(...words, ...out)
    t.equal(refused.code, code, refused.stderr)
    t.match(refused.stdout + refused.stderr, sentence)
  }
  for (const file of [join(folder, 'refused'), 'x.pdf', 'x.png']) t.notOk(existsSync(file), file)
  const below = join(folder, 'one.png', 'label.pdf')
  t.match(await labels(one.id, '--out', below), { code: 1, stderr: /cannot be written/ })
})

t.test('the name that a server proposes for a file names no folder', async (t) => {
  const names = [
    ['attachment; filename=label-1.zpl', 'label-1.zpl'],
    ['inline; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    [`attachment; filename="lineas.pdf"; filename*=UTF-8''l%C3%ADneas.pdf`, 'líneas.pdf'],
    [`attachment; filename="x.pdf"; filename*=UTF-8''%`, 'x.pdf'],
    [`attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, '-..-etc-passwd'],
    ['attachment; filename="..\\\\x\u0007.pdf"', '-x-.pdf'],
    ['inline', null],
  ] as const
  for (const [disposition, name] of names) t.equal(fileNameOf(disposition), name, disposition)
  const label = await shop.client.documents.getLabel({ id: one.id, format: 'png' })
  t.match(label.lastAnswer, {
    contentType: 'image/png',
    fileName: `label-labels-1-${one.guide}.png`,
  })
})
