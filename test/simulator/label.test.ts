import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { simulatedAgencies } from '../../src/simulator/agencies.ts'
import { type LabelContent, label } from '../../src/simulator/simulated-label.ts'
import { readPdf } from '../support/read-pdf.ts'

const [origin, , , destination] = simulatedAgencies
if (origin === undefined || destination === undefined) throw new Error('no agencies')
const content: LabelContent = {
  guideNumber: 'SG00123456789012',
  recipient: 'María Ñuñez',
  document: 'DNI 12345678',
  origin,
  destination,
  serviceMode: 'terrestrial',
  weightKg: 1.5,
  quantity: 3,
}

for (const size of ['a6', 'a4'] as const) {
  t.test(
    `a barcode reader reads the guide number on every page of a label on ${size}`,
    async (t) => {
      const pages = readPdf(await label(content, size))
      t.equal(pages.length, 3)
      for (const [index, page] of pages.entries()) {
        t.strictSame(await page.barcodes(), [content.guideNumber])
        t.match(page.text, `${index + 1}/3`)
        t.match(page.text, 'María Ñuñez')
        t.match(page.text, 'DNI 12345678')
        t.match(page.text, origin.name)
        t.match(page.text, destination.address)
        t.match(page.text, 'Not an official document of any courier')
      }
    },
  )
}

t.test('a label has the requested size', async (t) => {
  const sizeOf = async (size: 'a6' | 'a4') => readPdf(await label(content, size))[0]?.size
  t.strictSame(await sizeOf('a6'), [298, 420])
  t.strictSame(await sizeOf('a4'), [595, 842])
})

t.test('the same label has the same bytes', async (t) => {
  t.ok((await label(content, 'a6')).equals(await label(content, 'a6')))
  t.notOk((await label(content, 'a6')).equals(await label({ ...content, quantity: 2 }, 'a6')))
})

t.test('the longest names fit on one page and leave the barcode readable', async (t) => {
  const long = 'W'.repeat(200)
  const wide = { ...content, recipient: `${long} ${long}`, document: long, quantity: 1 }
  const pages = readPdf(await label(wide, 'a6'))
  t.equal(pages.length, 1)
  t.strictSame(await pages[0]?.barcodes(), [content.guideNumber])
})

t.test('characters that the font lacks are printed as question marks', async (t) => {
  const [page] = readPdf(await label({ ...content, recipient: '李 😀 Ł', quantity: 1 }, 'a6'))
  t.match(page?.text, '? ? ?')
})

function scannerProgram(): boolean {
  try {
    execFileSync('zbarimg', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const skip = scannerProgram() ? false : 'zbarimg is not installed'
t.test('zbarimg also reads the guide number on a label', { skip }, async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'label-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'label.png')
  const [page] = readPdf(await label(content, 'a6'))
  writeFileSync(file, page?.png() ?? '')
  const read = execFileSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' })
  t.equal(read.trim(), content.guideNumber)
})
