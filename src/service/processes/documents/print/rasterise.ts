import type { PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'

const pointsPerInch = 72

/** An image of a page, a byte per pixel in rows from the top: 0 is black, 255 white. */
export type GrayImage = {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/**
 * PDFium failed, for example because its memory is exhausted. It then fails at every later page
 * too, so the process must exit.
 */
export class DrawingFailed extends Error {
  override readonly name = 'DrawingFailed'

  constructor(cause: unknown) {
    super('PDFium failed.', { cause })
  }
}

/** Loaded with the first image: most files are PDFs. */
let library: Promise<PDFiumLibrary> | null = null

/** Opens a PDF that LabelFile or pdfkit wrote. Call `destroy` on it. Throws DrawingFailed. */
export async function openPdf(pdf: Uint8Array): Promise<PDFiumDocument> {
  library ??= import('@hyzyla/pdfium').then((pdfium) => pdfium.PDFiumLibrary.init())
  const pdfium = await library
  try {
    return await pdfium.loadDocument(pdf)
  } catch (error) {
    throw new DrawingFailed(error)
  }
}

/** The size in pixels of a page of this size in points. */
function pixelsOf(points: number, dpi: number): number {
  return Math.max(1, Math.round((points / pointsPerInch) * dpi))
}

/** Throws DrawingFailed. */
export async function renderPage(
  document: PDFiumDocument,
  index: number,
  dpi: number,
): Promise<GrayImage> {
  try {
    const page = document.getPage(index)
    const { originalWidth, originalHeight } = page.getOriginalSize()
    const { width, height, data } = await page.render({
      width: pixelsOf(originalWidth, dpi),
      height: pixelsOf(originalHeight, dpi),
      scale: 1,
      colorSpace: 'Gray',
      render: 'bitmap',
    })
    return { width, height, pixels: data }
  } catch (error) {
    throw new DrawingFailed(error)
  }
}
