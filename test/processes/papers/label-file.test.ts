import { degrees, grayscale, PDFDocument } from '@cantoo/pdf-lib'
import * as mupdf from 'mupdf'
import PdfKit from 'pdfkit'
import t from 'tap'
import {
  LabelFile,
  labelPagesMax,
  TooManyPages,
} from '../../../src/processes/papers/print/label-file.ts'
import { readPdf } from '../../support/read-pdf.ts'

type Size = readonly [width: number, height: number]
const shades = [0.2, 0.4, 0.6, 0.8] as const

/** A page with a shade in each quarter, shown turned. */
async function page(size: Size, turn = 0, pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const [width, height] = [size[0] / 2, size[1] / 2]
  for (let number = 0; number < pages; number++) {
    const page = document.addPage([...size])
    page.setRotation(degrees(turn))
    for (const [quarter, shade] of shades.entries()) {
      const [x, y] = [(quarter % 2) * width, Math.floor(quarter / 2) * height]
      page.drawRectangle({ x, y, width, height, color: grayscale(shade) })
    }
  }
  return await document.save()
}

/** The shades in the middle of the four quarters of an area, as they are shown. */
function shadesIn(pdf: Uint8Array, area: { x: number; y: number; width: number; height: number }) {
  const pixels = mupdf.Document.openDocument(pdf, 'application/pdf')
    .loadPage(0)
    .toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceGray, false)
  const samples = pixels.getPixels()
  return [0, 1, 2, 3].map((quarter) => {
    const x = Math.round(area.x + area.width * (quarter % 2 === 0 ? 0.25 : 0.75))
    const y = Math.round(area.y + area.height * (quarter < 2 ? 0.25 : 0.75))
    return samples[y * pixels.getStride() + x]
  })
}

/** Where a page of this size comes to lie as the first of a sheet. */
function firstPlace([width, height]: Size) {
  const place = { width: 595.28 / 2, height: 841.89 / 2 }
  const scale = Math.min(1, place.width / width, place.height / height)
  return {
    x: (place.width - width * scale) / 2,
    y: (place.height - height * scale) / 2,
    width: width * scale,
    height: height * scale,
  }
}

for (const turn of [0, 90, 180, 270]) {
  for (const size of [
    [200, 300],
    [800, 500],
  ] as const) {
    t.test(
      `a page of ${size.join(' by ')}, turned by ${turn}, is upright on a sheet`,
      async (t) => {
        const label = await page(size, turn)
        const shown: Size = turn % 180 === 0 ? size : [size[1], size[0]]
        const file = await LabelFile.begin('four_on_a4')
        t.ok(await file.add(label))
        const sheet = await file.end(null)
        const whole = { x: 0, y: 0, width: shown[0], height: shown[1] }
        t.strictSame(shadesIn(sheet, firstPlace(shown)), shadesIn(label, whole))
        t.equal(new Set(shadesIn(sheet, firstPlace(shown))).size, 4)
      },
    )
  }
}

t.test('a page of another size stays as it is where each has a page of its own', async (t) => {
  const file = await LabelFile.begin('a6')
  t.ok(await file.add(await page([283, 425])))
  t.strictSame(readPdf(await file.end(null))[0]?.size, [283, 425])
})

async function encrypted(): Promise<Uint8Array> {
  const document = new PdfKit({ userPassword: 'secret' })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.text('Nobody reads this')
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

t.test('what cannot be read is told and leaves no page behind', async (t) => {
  const whole = await page([298, 420])
  const unreadable: Readonly<Record<string, Uint8Array>> = {
    nothing: new Uint8Array(),
    text: Buffer.from('<html>Service unavailable</html>'),
    'only a header': Buffer.from('%PDF-1.7\n'),
    'the start of a file': whole.subarray(0, 40),
    'an encrypted file': await encrypted(),
    'a file whose pages are missing': Buffer.from(
      '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF',
    ),
    'a file without pages': Buffer.from(
      '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF',
    ),
  }
  for (const layout of ['a6', 'four_on_a4'] as const) {
    const file = await LabelFile.begin(layout)
    t.ok(await file.add(whole))
    for (const [what, pdf] of Object.entries(unreadable)) t.notOk(await file.add(pdf), what)
    t.ok(await file.add(whole))
    const pages = readPdf(await file.end(null))
    t.equal(pages.length, layout === 'a6' ? 2 : 1)
  }
})

t.test('a file never has more pages than the limit', async (t) => {
  const file = await LabelFile.begin('a6')
  const many = await page([298, 420], 0, labelPagesMax)
  t.ok(await file.add(many))
  await t.rejects(file.add(await page([298, 420])), TooManyPages)
})
