import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as mupdf from 'mupdf'
import t from 'tap'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { simulatedAgencies } from '../../src/couriers/simulator/agencies.ts'
import { type LabelContent, label } from '../../src/couriers/simulator/simulated-label.ts'

// Without its own copy the reader would fetch it from the network.
const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
const wasmBinary = Uint8Array.from(readFileSync(wasm)).buffer
prepareZXingModule({ overrides: { wasmBinary } })

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

function opened(pdf: Uint8Array) {
  return mupdf.Document.openDocument(pdf, 'application/pdf')
}

/** The page as a camera would see it: 216 dots an inch. */
function png(pdf: Uint8Array, page: number): Uint8Array {
  const pixels = opened(pdf)
    .loadPage(page)
    .toPixmap(mupdf.Matrix.scale(3, 3), mupdf.ColorSpace.DeviceGray, false)
  return pixels.asPNG()
}

for (const size of ['a6', 'a4'] as const) {
  t.test(
    `a barcode reader reads the guide number on every page of a label on ${size}`,
    async (t) => {
      const pdf = await label(content, size)
      const document = opened(pdf)
      t.equal(document.countPages(), 3)
      for (let page = 0; page < 3; page++) {
        const read = await readBarcodes(png(pdf, page), { formats: ['Code128'] })
        t.strictSame(
          read.map(({ text }) => text),
          [content.guideNumber],
        )
        const words = document.loadPage(page).toStructuredText('').asText()
        t.match(words, `${page + 1}/3`)
        t.match(words, 'María Ñuñez')
        t.match(words, 'DNI 12345678')
        t.match(words, origin.name)
        t.match(words, destination.address)
        t.match(words, 'Not an official document of any courier')
      }
    },
  )
}

t.test('a label has the requested size', async (t) => {
  const boundsOf = async (size: 'a6' | 'a4') => {
    return opened(await label(content, size))
      .loadPage(0)
      .getBounds()
      .map(Math.round)
  }
  t.strictSame(await boundsOf('a6'), [0, 0, 298, 420])
  t.strictSame(await boundsOf('a4'), [0, 0, 595, 842])
})

t.test('the same label has the same bytes', async (t) => {
  t.ok((await label(content, 'a6')).equals(await label(content, 'a6')))
  t.notOk((await label(content, 'a6')).equals(await label({ ...content, quantity: 2 }, 'a6')))
})

t.test('the longest names fit on one page and leave the barcode readable', async (t) => {
  const long = 'W'.repeat(200)
  const wide = { ...content, recipient: `${long} ${long}`, document: long, quantity: 1 }
  const pdf = await label(wide, 'a6')
  t.equal(opened(pdf).countPages(), 1)
  const [read] = await readBarcodes(png(pdf, 0), { formats: ['Code128'] })
  t.equal(read?.text, content.guideNumber)
})

t.test('characters that the font lacks are printed as question marks', async (t) => {
  const pdf = await label({ ...content, recipient: '李 😀 Ł', quantity: 1 }, 'a6')
  t.match(opened(pdf).loadPage(0).toStructuredText('').asText(), '? ? ?')
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
  writeFileSync(file, png(await label(content, 'a6'), 0))
  const read = execFileSync('zbarimg', ['--quiet', '--raw', file], { encoding: 'utf8' })
  t.equal(read.trim(), content.guideNumber)
})
