import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  labelDpis,
  labelFormats,
  type labelSizes,
} from '../../../src/service/domain/label-format.ts'
import { LabelFile } from '../../../src/service/processes/documents/print/label-file.ts'
import { LabelImages } from '../../../src/service/processes/documents/print/label-images.ts'
import type { LabelStyle } from '../../../src/service/processes/documents/print-messages.ts'
import { label } from '../../../src/simulator/simulated-label.ts'
import { content, plain } from '../../support/label-style.ts'
import { readImages, readZpl } from '../../support/read-images.ts'
import { readPdf } from '../../support/read-pdf.ts'
import { projectRoot } from '../../support/source-files.ts'

const guide = readFileSync(join(projectRoot, 'docs', 'guides', 'labels.md'), 'utf8')
const pdf = await label(content, 'a6')

async function printed(style: Partial<LabelStyle>): Promise<Uint8Array> {
  const all = { ...plain, ...style }
  if (all.format === 'pdf') {
    const file = await LabelFile.begin(all)
    await file.add(pdf)
    return await file.end(null)
  }
  const file = new LabelImages(all)
  await file.add({ pdf, name: 'label', caption: null })
  while (file.pagesToDraw > 0) await file.drawPage()
  return (await file.end(null)).bytes
}

type Page = { readonly size: readonly [number, number]; readonly barcodes: readonly string[] }

/** The first page as its receiver sees it: points of a PDF, dots of an image. */
async function firstPage({ format, dpi }: LabelStyle, bytes: Uint8Array): Promise<Page | null> {
  if (format === 'png') return (await readImages(bytes))[0] ?? null
  if (format === 'zpl') {
    const [, width, height] = /\^PW(\d+)\^LL(\d+)/.exec(String(Buffer.from(bytes))) ?? []
    const barcodes = (await readZpl(bytes, dpi))[0]?.barcodes ?? []
    return { size: [Number(width), Number(height)], barcodes }
  }
  const page = readPdf(bytes)[0]
  return page === undefined ? null : { size: page.size, barcodes: await page.barcodes(4) }
}

type Row = { readonly size: (typeof labelSizes)[number]; readonly cells: readonly string[] }

/** The rows of the table that begins with this header. */
function rowsUnder(header: string): readonly Row[] {
  const table = guide.slice(guide.indexOf(header)).split('\n\n')[0] ?? ''
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, size = '', ...cells] = line.split('|').map((cell) => cell.trim())
      return { size: size.replaceAll('`', '') as Row['size'], cells }
    })
}

const pairOf = (cell = '') => cell.split(' × ').map(Number)

t.test('the guide has the size in dots of each label, and a scanner reads it', async (t) => {
  const rows = rowsUnder('| `size` | paper |')
  t.equal(rows.length, 4)
  for (const { size, cells } of rows) {
    const [, millimeters, at203, at300] = cells
    for (const [at, dpi] of labelDpis.entries()) {
      for (const format of ['png', 'zpl'] as const) {
        const style = { ...plain, size, dpi, format }
        const page = await firstPage(style, await printed(style))
        const what = `${format} ${size} ${dpi}`
        t.strictSame(page?.size, pairOf([at203, at300][at]), what)
        t.strictSame(page?.barcodes, [content.guideNumber], what)
        const exact = pairOf(millimeters).map((length) => (length / 25.4) * dpi)
        for (const side of [0, 1] as const) {
          t.ok(Math.abs((page?.size[side] ?? 0) - (exact[side] ?? 0)) <= 2, `${what}: millimeters`)
        }
      }
    }
  }
})

t.test('the guide has about the size in bytes of each label', async (t) => {
  const rows = rowsUnder('| `size` | PDF |')
  t.equal(rows.length, 4)
  for (const { size, cells } of rows) {
    const files = labelFormats.flatMap((format) =>
      (format === 'pdf' ? ([203] as const) : labelDpis).map((dpi) => ({ format, dpi })),
    )
    for (const [at, one] of files.entries()) {
      const style = { ...plain, ...one, size }
      const bytes = await printed(style)
      const kilobytes = Number(cells[at])
      const what = `${one.format} ${size} ${one.dpi}: ${(bytes.length / 1_000).toFixed(1)}`
      t.ok(Math.abs(bytes.length / 1_000 - kilobytes) < 0.2 * kilobytes, what)
      if (one.format !== 'pdf') continue
      t.strictSame((await firstPage(style, bytes))?.barcodes, [content.guideNumber], what)
    }
  }
})
