import * as mupdf from 'mupdf'
import { barcodesIn } from './read-barcodes.ts'

export type PdfPage = {
  /** All whitespace is collapsed to single spaces. */
  readonly text: string
  /** Width and height, rounded to points. */
  readonly size: readonly [number, number]
  /** The page as a camera would see it, at this many dots per point. */
  png(dots?: number): Uint8Array
  /** The barcodes that a scanner reads, from top to bottom, then left to right. */
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
      barcodes: (dots = 3) => barcodesIn(png(dots), dots),
    }
  })
}
