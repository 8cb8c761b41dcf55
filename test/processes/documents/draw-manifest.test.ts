import t from 'tap'
import type { Language } from '../../../src/service/domain/language.ts'
import { drawManifest } from '../../../src/service/processes/documents/print/draw-manifest.ts'
import type { ManifestRow } from '../../../src/service/processes/documents/print-messages.ts'
import { readPdf } from '../../support/read-pdf.ts'

function row(guideNumber: string, more: Partial<ManifestRow> = {}): ManifestRow {
  const usual = { reference: 'order-1', destination: 'Agencia Sur', pieces: 1, weightGrams: 800 }
  return { guideNumber, ...usual, ...more }
}

async function printed(
  rows: readonly ManifestRow[],
  { livemode = true, language = 'en' as Language } = {},
) {
  const agency = { name: 'Agencia Norte', address: 'Jirón Uno 1, Lima' }
  const handOver = { workspace: 'A shop', at: '2026-03-01 12:00 UTC', agency, rows }
  const sections = rows.length === 0 ? [] : [handOver]
  return readPdf(await drawManifest({ language, livemode, sections, excluded: [] }))
}

t.test('a scanner reads guide numbers of every length', async (t) => {
  const numbers = [1, 2, 12, 13, 16, 17, 20, 24, 32, 63, 64].flatMap((length) => [
    '1234567890'.repeat(7).slice(0, length),
    'SG-A9z-'.repeat(10).slice(0, length),
  ])
  const pages = await printed(numbers.map((number) => row(number)))
  const read = await Promise.all(pages.map((page) => page.barcodes(4)))
  t.strictSame(read.flat(), numbers)
})

t.test('a guide number that is not for scanners is printed as text only', async (t) => {
  const [page] = await printed([row('GUÍA Nº 1'), row('SG1')])
  t.match(page?.text, 'GUÍA Nº 1')
  t.strictSame(await page?.barcodes(), ['SG1'])
})

t.test(
  'a long list repeats its head, numbers its pages and is signed once, at its end',
  async (t) => {
    const rows = Array.from({ length: 40 }, (_, n) => row(`SG${n}`, { reference: `order-${n}` }))
    const pages = await printed(rows)
    t.equal(pages.length, 4)
    for (const [index, { text }] of pages.entries()) {
      t.match(text, `Page ${index + 1} of 4`)
      t.match(
        text,
        /From: A shop At: Agencia Norte Jirón Uno 1, Lima 40 shipments · 40 pieces · 32 kg/,
      )
      t.equal(text.includes('(continued)'), index > 0)
      t.equal(text.includes('Signature'), index === 3)
      t.notMatch(text, /Test mode|Not to hand over/)
    }
    const read = await Promise.all(pages.map((page) => page.barcodes()))
    t.strictSame(
      read.flat(),
      rows.map(({ guideNumber }) => guideNumber),
    )
  },
)

t.test('the lines to sign are on a page with the head if the last page is full', async (t) => {
  for (let count = 1; count <= 20; count++) {
    const pages = await printed(Array.from({ length: count }, (_, n) => row(`SG${n}`)))
    t.match(pages.at(-1)?.text, /Hand-over list.*Signature.*Signature/, `${count} rows`)
    t.equal(pages.filter(({ text }) => text.includes('Signature')).length, 1)
  }
})

t.test('the longest texts stay in their columns', async (t) => {
  const long = 'W'.repeat(255)
  const more = { reference: long, destination: long, pieces: 99, weightGrams: 9_900_000_000 }
  const pages = await printed([row('SG1', more), row('A'.repeat(64), more), row('SG3')])
  t.equal(pages.length, 1)
  t.strictSame(await pages[0]?.barcodes(), ['SG1', 'A'.repeat(64), 'SG3'])
})

t.test(
  'texts in other scripts and texts that would turn the line are printed safely',
  async (t) => {
    const [page] = await printed([row('SG1', { reference: 'Łódź Ñandú \u202e李' })])
    t.match(page?.text, 'Łódź Ñandú ??')
  },
)
