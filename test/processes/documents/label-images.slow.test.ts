import t from 'tap'
import { labelSizes } from '../../../src/service/domain/label-format.ts'
import { LabelFile } from '../../../src/service/processes/documents/print/label-file.ts'
import { LabelImages } from '../../../src/service/processes/documents/print/label-images.ts'
import { printCover } from '../../../src/service/processes/documents/print/print-cover.ts'
import type {
  Caption,
  LabelStyle,
} from '../../../src/service/processes/documents/print-messages.ts'
import { label } from '../../../src/simulator/simulated-label.ts'
import { content, plain } from '../../support/label-style.ts'
import { readImages, readZpl } from '../../support/read-images.ts'
import { readPdf } from '../../support/read-pdf.ts'

const { guideNumber } = content
const one = await label(content, 'a6')
const three = await label({ ...content, quantity: 3 }, 'a6')
const caption: Caption = { reference: 'ORDER-1001', shop: 'Librería Ñandú', link: null }

type Added = { readonly pdf: Uint8Array; readonly name?: string; readonly caption?: Caption }

async function images(style: Partial<LabelStyle>, labels: readonly Added[]) {
  const file = new LabelImages({ ...plain, ...style })
  for (const { pdf, name = 'label', caption = null } of labels) {
    t.equal(await file.add({ pdf, name, caption }), 'added')
    while (file.pagesToDraw > 0) await file.drawPage()
  }
  return file
}

/** The size in dots of a page of this many millimeters. */
const dotsOf = (millimeters: number, dpi: number) => (millimeters / 25.4) * dpi

const pageSizes = {
  a6: [105, 148],
  a4: [210, 297],
  '4x6': [101.6, 152.4],
  // The label of 148 mm, made smaller until it is 72 mm wide, and the strip of its caption.
  '80mm': [80, 148 * (72 / 105) + 6],
} as const

/** Reading ZPL takes seconds. */
const cases = [
  ['a6', 203, 'png', 'zpl'],
  ['a4', 203, 'png'],
  ['4x6', 300, 'png', 'zpl'],
  ['80mm', 203, 'png', 'zpl'],
] as const

for (const [size, dpi, ...formats] of cases) {
  t.test(
    `a captioned label of ${size} at ${dpi} dpi is scanned as ${formats.join(' and ')}`,
    async (t) => {
      const [width, height] = pageSizes[size].map((each) => dotsOf(each, dpi)) as [number, number]
      const png = await (await images({ size, dpi, format: 'png' }, [{ pdf: one, caption }])).end(
        null,
      )
      t.equal(png.media, 'image/png')
      const [image] = await readImages(png.bytes)
      t.strictSame(image?.barcodes, [guideNumber])
      t.ok(Math.abs((image?.size[0] ?? 0) - width) <= 2, `${image?.size}`)
      t.ok(Math.abs((image?.size[1] ?? 0) - height) <= 4, `${image?.size}`)
      const perMeter = Buffer.from(png.bytes).readUInt32BE(
        Buffer.from(png.bytes).indexOf('pHYs') + 4,
      )
      t.equal(perMeter, Math.round(dpi * 39.37), 'it is printed at its real size')
      const zpl = await (await images({ size, dpi, format: 'zpl' }, [{ pdf: one, caption }])).end(
        null,
      )
      t.equal(zpl.media, 'application/zpl')
      t.match(
        String(Buffer.from(zpl.bytes)),
        /^\^XA\^PW\d+\^LL\d+\^LH0,0\^FO0,0\^GFA,[^^]*\^FS\^XZ\n$/,
      )
      if (dpi === 203) t.ok(zpl.bytes.length < 60_000, `${zpl.bytes.length} bytes`)
      if (!formats.some((format) => format === 'zpl')) return
      const [printed] = await readZpl(zpl.bytes, dpi)
      t.strictSame(printed?.barcodes, [guideNumber])
    },
  )
}

const link = `https://shipping.example/t/${'aB3'.repeat(15)}0`
const linked: Caption = { ...caption, link }

for (const [size, dpi, ...formats] of cases) {
  t.test(
    `a camera reads the link on a label of ${size} at ${dpi} dpi as ${formats.join(' and ')}`,
    async (t) => {
      for (const format of formats) {
        const added = [{ pdf: one, caption: linked }]
        const { bytes } = await (await images({ size, dpi, format }, added)).end(null)
        const [image] = format === 'png' ? await readImages(bytes) : await readZpl(bytes, dpi)
        t.strictSame(image?.qrCodes, [link])
        t.strictSame(image?.barcodes, [guideNumber], 'and a scanner reads its guide')
      }
    },
  )
}

for (const size of labelSizes) {
  t.test(`a captioned PDF of ${size} shows order and shop, and can be scanned`, async (t) => {
    const file = await LabelFile.begin({ ...plain, size })
    t.equal(await file.add(three, caption), 'added')
    const pages = readPdf(await file.end(null))
    t.equal(pages.length, 3)
    for (const page of pages) {
      t.match(page.text, 'ORDER-1001')
      t.match(page.text, 'Librería Ñandú')
      t.strictSame(await page.barcodes(), [guideNumber])
      const [width] = pageSizes[size]
      t.ok(Math.abs(page.size[0] - dotsOf(width, 72)) <= 1)
    }
  })
}

t.test('each of four labels on a sheet has its own caption', async (t) => {
  const file = await LabelFile.begin({ ...plain, layout: 'four_on_a4' })
  t.equal(await file.add(three, caption), 'added')
  t.equal(await file.add(one, { ...caption, reference: 'ORDER-1002' }), 'added')
  const [sheet] = readPdf(await file.end(null))
  t.equal(sheet?.text.match(/ORDER-1001/g)?.length, 3)
  t.equal(sheet?.text.match(/ORDER-1002/g)?.length, 1)
  t.equal((await sheet?.barcodes())?.length, 4)
})

t.test('several images are a ZIP file in the order of the labels', async (t) => {
  const labels = [
    { pdf: three, name: 'ORDER-2' },
    { pdf: one, name: 'ORDER-1' },
    { pdf: one, name: 'ORDER-1' },
  ]
  const { bytes, media } = await (await images({ format: 'png' }, labels)).end(null)
  t.equal(media, 'application/zip')
  const read = await readImages(bytes)
  t.strictSame(
    read.map(({ name }) => name),
    [
      '1-ORDER-2-1-of-3.png',
      '2-ORDER-2-2-of-3.png',
      '3-ORDER-2-3-of-3.png',
      '4-ORDER-1.png',
      '5-ORDER-1.png',
    ],
  )
  for (const { barcodes } of read) t.strictSame(barcodes, [guideNumber])
  const again = await (await images({ format: 'png' }, labels)).end(null)
  t.strictSame(again.bytes, bytes, 'the same labels are the same bytes')
})

t.test('the list of missing labels is the first label of a printer', async (t) => {
  const style = { ...plain, size: '80mm', format: 'zpl' } as const
  const excluded = [{ shipmentId: 'shp_1', reference: 'ORDER-9', why: 'It was cancelled.' }]
  const cover = await printCover({ excluded, requested: 2 }, style)
  const { bytes } = await (await images(style, [{ pdf: one }])).end(cover)
  const printed = await readZpl(bytes, 203)
  t.strictSame(
    printed.map(({ barcodes }) => barcodes.length),
    [0, 1],
  )
})

t.test('a label that cannot be drawn leaves no page behind', async (t) => {
  const file = await images({ format: 'png' }, [{ pdf: one }])
  for (const pdf of [new Uint8Array(), Buffer.from('<html></html>'), one.subarray(0, 100)]) {
    t.equal(await file.add({ pdf, name: 'broken', caption: null }), 'unreadable')
    t.equal(file.pagesToDraw, 0)
  }
  const { media } = await file.end(null)
  t.equal(media, 'image/png', 'only the first label is in it')
})

t.test('more pixels than a file may have are refused', async (t) => {
  const file = new LabelImages({ ...plain, size: 'a4', dpi: 300, format: 'zpl' })
  const pages = await label({ ...content, quantity: 60 }, 'a4')
  t.equal(await file.add({ pdf: pages, name: 'many', caption: null }), 'added')
  await t.rejects(
    async () => {
      while (file.pagesToDraw > 0) await file.drawPage()
    },
    { name: 'TooManyPages' },
  )
})
