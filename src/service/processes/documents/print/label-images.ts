import type { PDFiumDocument } from '@hyzyla/pdfium'
import { zipSync } from 'fflate'
import type { LabelRead, LabelStyle, LabelToAdd, PrintedMedia } from '../print-messages.ts'
import { LabelFile, TooManyPages } from './label-file.ts'
import { pngOf } from './png.ts'
import { printTexts } from './print-texts.ts'
import { openPdf, renderPage } from './rasterise.ts'
import { zplOf } from './zpl.ts'

/** Pixels of one file: 500 labels for A6 at 203 dpi take about ten seconds. */
const pixelsMax = 500_000_000
/** Images are compressed already. */
const stored = { level: 0, mtime: new Date('2000-01-01T00:00:00Z') } as const

type Image = { readonly name: string; readonly bytes: Uint8Array }

type Drawing = {
  readonly document: PDFiumDocument
  readonly name: string
  readonly pages: number
  readonly images: Image[]
}

/**
 * The labels of many shipments as images, in the order in which they are added. The pages of a
 * label are drawn one by one, so that the caller can bound the time of each.
 */
export class LabelImages {
  readonly #style: LabelStyle
  readonly #images: Image[] = []
  #drawing: Drawing | null = null
  #pixels = 0

  constructor(style: LabelStyle) {
    this.#style = style
  }

  /** The number of calls of `drawPage` until all pages of the last label are in the file. */
  get pagesToDraw(): number {
    return this.#drawing === null ? 0 : this.#drawing.pages - this.#drawing.images.length
  }

  /** Reads a label; its pages are still to be drawn. Throws TooManyPages and DrawingFailed. */
  async add({ pdf, name, caption }: LabelToAdd): Promise<LabelRead> {
    this.#forgetDrawing()
    const file = await LabelFile.begin(this.#style)
    const read = await file.add(pdf, caption)
    if (read === 'added') await this.#open(await file.end(null), name)
    return read
  }

  /** Draws the next page. Throws TooManyPages and DrawingFailed. */
  async drawPage(): Promise<void> {
    const drawing = this.#drawing
    if (drawing === null) throw new Error('bug: there is no page to draw')
    await this.#draw(drawing)
    if (this.pagesToDraw > 0) return
    this.#images.push(...drawing.images)
    this.#forgetDrawing()
  }

  /** The file, with the pages of this PDF in front. */
  async end(
    cover: Uint8Array | null,
  ): Promise<{ readonly bytes: Uint8Array; readonly media: PrintedMedia }> {
    if (cover !== null) {
      const drawing = await this.#open(cover, printTexts[this.#style.language].labels.coverImage)
      while (this.pagesToDraw > 0) await this.#draw(drawing)
      this.#forgetDrawing()
      this.#images.unshift(...drawing.images)
    }
    if (this.#style.format === 'zpl') {
      const bytes = Buffer.concat(this.#images.map((image) => image.bytes))
      return { bytes, media: 'application/zpl' }
    }
    const [first, ...more] = this.#images
    if (first !== undefined && more.length === 0) return { bytes: first.bytes, media: 'image/png' }
    return { bytes: zipOf(this.#images), media: 'application/zip' }
  }

  async #open(pdf: Uint8Array, name: string): Promise<Drawing> {
    const document = await openPdf(pdf)
    this.#drawing = { document, name, pages: document.getPageCount(), images: [] }
    return this.#drawing
  }

  async #draw({ document, name, pages, images }: Drawing): Promise<void> {
    const { dpi, format } = this.#style
    const index = images.length
    const image = await renderPage(document, index, dpi)
    this.#pixels += image.width * image.height
    if (this.#pixels > pixelsMax) {
      this.#forgetDrawing()
      throw new TooManyPages()
    }
    const bytes = format === 'zpl' ? Buffer.from(zplOf(image)) : pngOf(image, dpi)
    images.push({ name: pages === 1 ? name : `${name}-${index + 1}-of-${pages}`, bytes })
  }

  #forgetDrawing(): void {
    this.#drawing?.document.destroy()
    this.#drawing = null
  }
}

/** Numbers keep the order when the files are sorted by name, and names different. */
function zipOf(images: readonly Image[]): Uint8Array {
  const digits = String(images.length).length
  const files = images.map(({ name, bytes }, index) => {
    const number = String(index + 1).padStart(digits, '0')
    return [`${number}-${name}.png`, bytes] as const
  })
  return zipSync(Object.fromEntries(files), stored)
}
