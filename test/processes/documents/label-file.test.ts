import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { degrees, grayscale, PDFDocument } from '@cantoo/pdf-lib'
import * as mupdf from 'mupdf'
import t from 'tap'
import {
  LabelFile,
  labelPagesMax,
  TooManyPages,
} from '../../../src/service/processes/documents/print/label-file.ts'
import {
  catalog,
  encrypted,
  fan,
  onePage,
  pages,
  pdfOf,
  streamOf,
} from '../../support/hostile-labels.ts'
import { plain } from '../../support/label-style.ts'
import { readPdf } from '../../support/read-pdf.ts'

type Size = readonly [width: number, height: number]
const shades = [0.2, 0.4, 0.6, 0.8] as const

/** A page with a shade in each quarter, displayed rotated. */
async function page(size: Size, job = 0, pages = 1): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  const [width, height] = [size[0] / 2, size[1] / 2]
  for (let number = 0; number < pages; number++) {
    const page = document.addPage([...size])
    page.setRotation(degrees(job))
    for (const [quarter, shade] of shades.entries()) {
      const [x, y] = [(quarter % 2) * width, Math.floor(quarter / 2) * height]
      page.drawRectangle({ x, y, width, height, color: grayscale(shade) })
    }
  }
  return await document.save()
}

/** The shades in the middle of the four quarters of an area, as displayed. */
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

/** The area of a page of this size when it is the first on a sheet. */
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
        const file = await LabelFile.begin({ ...plain, layout: 'four_on_a4' })
        t.equal(await file.add(label), 'added')
        const sheet = await file.end(null)
        const whole = { x: 0, y: 0, width: shown[0], height: shown[1] }
        t.strictSame(shadesIn(sheet, firstPlace(shown)), shadesIn(label, whole))
        t.equal(new Set(shadesIn(sheet, firstPlace(shown))).size, 4)
      },
    )
  }
}

t.test('a page of another size stays as it is where each has a page of its own', async (t) => {
  const file = await LabelFile.begin(plain)
  t.equal(await file.add(await page([283, 425])), 'added')
  t.strictSame(readPdf(await file.end(null))[0]?.size, [283, 425])
})

t.test('an unreadable label is reported and leaves no page behind', async (t) => {
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
    const file = await LabelFile.begin({ ...plain, layout })
    t.equal(await file.add(whole), 'added')
    for (const [what, pdf] of Object.entries(unreadable)) {
      t.equal(await file.add(pdf), 'unreadable', what)
    }
    t.equal(await file.add(whole), 'added')
    const pages = readPdf(await file.end(null))
    t.equal(pages.length, layout === 'a6' ? 2 : 1)
  }
})

t.test('a file never has more pages than the limit', async (t) => {
  const file = await LabelFile.begin(plain)
  const many = pages(labelPagesMax)
  t.equal(await file.add(many), 'added')
  await t.rejects(file.add(await page([298, 420])), TooManyPages)
})

/** Compressed data that unpacks to 0.9 GB of one byte. */
function packed(byte: string): Buffer {
  const mib = Buffer.alloc(1024 * 1024, byte)
  const block = deflateRawSync(mib, { finishFlush: constants.Z_FULL_FLUSH })
  const header = Buffer.from([0x78, 0x9c])
  return Buffer.concat([header, ...Array.from({ length: 900 }, () => block), deflateRawSync('')])
}

/** A page with this content. */
function pageOf(content: Buffer, filters: string): Buffer {
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]/Contents 4 0 R>>'
  return pdfOf([catalog, onePage, page, streamOf(`/Filter[${filters}]`, content)])
}

/** Objects in a stream, which is unpacked when the file is opened. */
function objectsIn(content: Buffer): Buffer {
  const dict = '/Type/ObjStm/N 1/First 5/Filter/FlateDecode'
  return pdfOf([catalog, onePage, '<</Type/Page/Parent 2 0 R>>', streamOf(dict, content)])
}

t.test('a label beyond the limits is read no further', async (t) => {
  const whole = await page([298, 420])
  const zeros = packed('\0')
  t.ok(zeros.length < 1024 * 1024 && fan().length < 4096)
  const flate = '/FlateDecode'
  const complex: Readonly<Record<string, readonly [Uint8Array, 'a6' | 'four_on_a4']>> = {
    'a page tree that names its nodes 2^34 times': [fan(), 'a6'],
    'ten thousand pages': [pages(10_000), 'a6'],
    'one page more than a file may have': [pages(labelPagesMax + 1), 'a6'],
    'a page of 0.9 GB': [pageOf(zeros, flate), 'four_on_a4'],
    'a page of 0.9 GB, packed twice': [pageOf(deflateSync(zeros), flate + flate), 'four_on_a4'],
    'objects of 0.9 GB': [objectsIn(packed(' ')), 'a6'],
  }
  for (const [what, [pdf, layout]] of Object.entries(complex)) {
    const file = await LabelFile.begin({ ...plain, layout })
    t.equal(await file.add(whole), 'added')
    t.equal(await file.add(pdf), 'too_complex', what)
    t.equal(await file.add(whole), 'added')
    t.equal(readPdf(await file.end(null)).length, layout === 'a6' ? 2 : 1, what)
  }
})

t.test('a page whose content is broken leaves the file as it was', async (t) => {
  const file = await LabelFile.begin({ ...plain, layout: 'four_on_a4' })
  const blank = pdfOf([catalog, onePage, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]>>'])
  for (const broken of [pageOf(Buffer.from('nothing'), '/FlateDecode'), blank]) {
    t.equal(await file.add(broken), 'unreadable')
  }
  t.equal(await file.add(await page([298, 420])), 'added')
  t.equal(readPdf(await file.end(null)).length, 1)
})
