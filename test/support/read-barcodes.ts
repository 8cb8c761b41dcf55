import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Without a local copy the reader would download it.
const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
const wasmBinary = Uint8Array.from(readFileSync(wasm)).buffer
prepareZXingModule({ overrides: { wasmBinary } })

/**
 * The barcodes that a scanner reads in an image, from top to bottom, then left to right. `dots` is
 * its resolution in dots per point.
 */
export async function barcodesIn(png: Uint8Array, dots: number): Promise<readonly string[]> {
  const read = await readBarcodes(png, {
    formats: ['Code128'],
    maxNumberOfSymbols: 255,
    // With fewer, one barcode is sometimes also misread as another.
    minLineCount: 6,
  })
  const isNear = (a: number, b: number) => Math.abs(a - b) <= 7 * dots
  const found: { text: string; x: number; y: number }[] = []
  // Noise may be read as a second text in the same place, but in fewer lines than the true one.
  for (const { text, position } of read.toSorted((a, b) => b.lineCount - a.lineCount)) {
    const { x, y } = position.topLeft
    if (!found.some((one) => isNear(one.x, x) && isNear(one.y, y))) found.push({ text, x, y })
  }
  return found
    .toSorted((a, b) => (Math.abs(a.y - b.y) > 7 * dots ? a.y - b.y : a.x - b.x))
    .map(({ text }) => text)
}

/** The texts of the QR codes in an image. */
export async function qrCodesIn(png: Uint8Array): Promise<readonly string[]> {
  const read = await readBarcodes(png, { formats: ['QRCode'] })
  return read.map(({ text }) => text)
}
