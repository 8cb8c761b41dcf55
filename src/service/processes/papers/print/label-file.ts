import {
  degrees,
  ParseSpeeds,
  PDFDocument,
  type PDFEmbeddedPage,
  type PDFPage,
} from '@cantoo/pdf-lib'
import type { LabelLayout, LabelRead } from '../paper-messages.ts'
import {
  beginUnpacking,
  requireContents,
  requireFewNodes,
  requireUnpacked,
  TooComplex,
} from './bounded-reading.ts'

/** Points. */
const a4 = { width: 595.28, height: 841.89 }
const columns = 2
const labelsOnSheet = 4
const place = { width: a4.width / columns, height: a4.height / columns }

/** A page takes some twenty kilobytes while the file is made. */
export const labelPagesMax = 5_000

/** There would be more pages than a file may have. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages'
}

/** The labels of many shipments as one PDF, in the order in which they are added. */
export class LabelFile {
  readonly #document: PDFDocument
  readonly #layout: LabelLayout
  #sheet: PDFPage | null = null
  #pages = 0
  /** Pages on sheets. */
  #placed = 0

  private constructor(document: PDFDocument, layout: LabelLayout) {
    this.#document = document
    this.#layout = layout
  }

  static async begin(layout: LabelLayout): Promise<LabelFile> {
    return new LabelFile(await PDFDocument.create({ updateMetadata: false }), layout)
  }

  /** Adds all pages of a label, or none of them. Throws TooManyPages. */
  async add(pdf: Uint8Array): Promise<LabelRead> {
    beginUnpacking()
    try {
      const source = await PDFDocument.load(pdf, {
        updateMetadata: false,
        parseSpeed: ParseSpeeds.Fastest,
      })
      requireUnpacked()
      requireFewNodes(source)
      const count = source.getPageCount()
      if (count === 0) return 'unreadable'
      if (count > labelPagesMax) throw new TooComplex()
      if (this.#pages + count > labelPagesMax) throw new TooManyPages()
      const draw = await this.#prepared(source)
      requireUnpacked()
      this.#pages += count
      for (const one of draw) one()
      return 'added'
    } catch (error) {
      if (error instanceof TooManyPages) throw error
      return error instanceof TooComplex ? 'too_complex' : 'unreadable'
    }
  }

  /** The whole file, with the pages of the cover at its front. */
  async end(cover: Uint8Array | null): Promise<Uint8Array> {
    if (cover !== null) {
      const source = await PDFDocument.load(cover)
      const pages = await this.#document.copyPages(source, source.getPageIndices())
      for (const [index, page] of pages.entries()) this.#document.insertPage(index, page)
    }
    this.#document.setTitle('Labels')
    return await this.#document.save({
      objectsPerTick: Number.POSITIVE_INFINITY,
      // Compressing them would save a third of the bytes and take three times as long.
      useObjectStreams: false,
    })
  }

  /** For each page, a function that puts it where it belongs. What cannot be copied fails here. */
  async #prepared(source: PDFDocument): Promise<readonly (() => void)[]> {
    if (this.#layout === 'a6') {
      const copied = await this.#document.copyPages(source, source.getPageIndices())
      return copied.map((page) => () => this.#document.addPage(page))
    }
    const pages = source.getPages()
    for (const page of pages) requireContents(page)
    // They are unpacked once more.
    beginUnpacking()
    const boxes = pages.map((page) => {
      const { x, y, width, height } = page.getCropBox()
      return { left: x, bottom: y, right: x + width, top: y + height }
    })
    const embedded = await this.#document.embedPages(pages, boxes)
    for (const page of embedded) await page.embed()
    return embedded.map((page, index) => {
      const turned = turnOf(pages[index]?.getRotation().angle ?? 0)
      return () => this.#onSheet(page, turned)
    })
  }

  #onSheet(page: PDFEmbeddedPage, turned: Turn): void {
    const index = this.#placed % labelsOnSheet
    this.#placed += 1
    if (index === 0 || this.#sheet === null) {
      this.#sheet = this.#document.addPage([a4.width, a4.height])
    }
    const isSideways = turned === 90 || turned === 270
    const [width, height] = isSideways ? [page.height, page.width] : [page.width, page.height]
    // Bars keep their size unless the label would not fit.
    const scale = Math.min(1, place.width / width, place.height / height)
    const corner = {
      x: (index % columns) * place.width + (place.width - width * scale) / 2,
      y:
        a4.height -
        (Math.floor(index / columns) + 1) * place.height +
        (place.height - height * scale) / 2,
    }
    const origin = originOf(turned, { width: width * scale, height: height * scale })
    this.#sheet.drawPage(page, {
      x: corner.x + origin.x,
      y: corner.y + origin.y,
      xScale: scale,
      yScale: scale,
      rotate: degrees(-turned),
    })
  }
}

/** By how many degrees, clockwise, a page is turned before it is shown. */
type Turn = 0 | 90 | 180 | 270

function turnOf(angle: number): Turn {
  const turned = ((angle % 360) + 360) % 360
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0
}

/** Where the lower left corner of a turned page comes to lie in the box that the page then fills. */
function originOf(turned: Turn, box: { readonly width: number; readonly height: number }) {
  switch (turned) {
    case 0:
      return { x: 0, y: 0 }
    case 90:
      return { x: 0, y: box.height }
    case 180:
      return { x: box.width, y: box.height }
    case 270:
      return { x: box.width, y: 0 }
  }
}
