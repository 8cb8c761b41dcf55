import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as mupdf from 'mupdf'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Without its own copy the reader would fetch it from the network.
const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
const wasmBinary = Uint8Array.from(readFileSync(wasm)).buffer
prepareZXingModule({ overrides: { wasmBinary } })

export type PdfPage = {
  /** Each run of spaces and line ends is one space. */
  readonly text: string
  /** Width and height in whole points. */
  readonly size: readonly [number, number]
  /** As a camera would see it, with so many dots for a point. */
  png(dots?: number): Uint8Array
  /** What a scanner reads there: from the top, and from the left on one height. */
  barcodes(dots?: number): Promise<readonly string[]>
}

export function readPdf(pdf: Uint8Array): readonly PdfPage[] {
  const document = mupdf.Document.openDocument(pdf, 'application/pdf')
  return Array.from({ length: document.countPages() }, (_, number) => {
    const page = document.loadPage(number)
    const [left, top, right, bottom] = page.getBounds()
    const png = (dots = 3) =>
      page.toPixmap(mupdf.Matrix.scale(dots, dots), mupdf.ColorSpace.DeviceGray, false).asPNG()
    return {
      text: page.toStructuredText('').asText().replaceAll(/\s+/g, ' '),
      size: [Math.round(right - left), Math.round(bottom - top)],
      png,
      async barcodes(dots = 3) {
        const read = await readBarcodes(png(dots), {
          formats: ['Code128'],
          maxNumberOfSymbols: 255,
        })
        return read
          .map(({ text, position: { topLeft } }) => ({ text, ...topLeft }))
          .toSorted((a, b) => (Math.abs(a.y - b.y) > 7 * dots ? a.y - b.y : a.x - b.x))
          .map(({ text }) => text)
      },
    }
  })
}
