import {
  degrees,
  ParseSpeeds,
  PDFDocument,
  type PDFEmbeddedPage,
  type PDFPage,
} from '@cantoo/pdf-lib'
import type { Caption, LabelRead, LabelStyle } from '../print-messages.ts'
import {
  beginUnpacking,
  requireContents,
  requireFewNodes,
  requireUnpacked,
  TooComplex,
} from './bounded-reading.ts'
import { type Paper, paperOf } from './papers.ts'
import { captionHeight, printCaptions } from './print-captions.ts'
import { printTexts } from './print-texts.ts'

/** A page takes some twenty kilobytes of memory while the file is made. */
export const labelPagesMax = 5_000

/** The file would have too many pages. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages'
}

/** Where the lower left corner of a caption is to be drawn. */
type PlacedCaption = {
  readonly caption: Caption
  readonly page: PDFPage
  readonly x: number
  readonly y: number
}

/** The labels of many shipments as one PDF, in the order in which they are added. */
export class LabelFile {
  readonly #document: PDFDocument
  readonly #style: LabelStyle
  readonly #paper: Paper
  readonly #captions: PlacedCaption[] = []
  #sheet: PDFPage | null = null
  #pages = 0
  /** Pages of labels on the paper. */
  #placed = 0

  private constructor(document: PDFDocument, style: LabelStyle) {
    this.#document = document
    this.#style = style
    this.#paper = paperOf(style)
  }

  static async begin(style: LabelStyle): Promise<LabelFile> {
    return new LabelFile(await PDFDocument.create({ updateMetadata: false }), style)
  }

  /** Pages of labels, of which several may be on one sheet. */
  get pages(): number {
    return this.#pages
  }

  /** Adds all pages of a label, or none of them. Throws TooManyPages. */
  async add(pdf: Uint8Array, caption: Caption | null = null): Promise<LabelRead> {
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
      const draw = await this.#prepared(source, caption)
      requireUnpacked()
      this.#pages += count
      for (const one of draw) one()
      return 'added'
    } catch (error) {
      if (error instanceof TooManyPages) throw error
      return error instanceof TooComplex ? 'too_complex' : 'unreadable'
    }
  }

  /** The file, with these pages in front. */
  async end(cover: Uint8Array | null): Promise<Uint8Array> {
    await this.#drawCaptions()
    if (cover !== null) {
      const source = await PDFDocument.load(cover)
      const pages = await this.#document.copyPages(source, source.getPageIndices())
      for (const [index, page] of pages.entries()) this.#document.insertPage(index, page)
    }
    this.#document.setTitle(printTexts[this.#style.language].labels.title)
    return await this.#document.save({
      objectsPerTick: Number.POSITIVE_INFINITY,
      // Compression would save a third of the bytes and take three times as long.
      useObjectStreams: false,
    })
  }

  /** Returns a function per page that places it. Throws if a page cannot be copied. */
  async #prepared(source: PDFDocument, caption: Caption | null): Promise<readonly (() => void)[]> {
    const { layout, size, format } = this.#style
    // A label for A6 is printed as the courier made it, whatever its size.
    if (layout === 'a6' && size === 'a6' && format === 'pdf' && caption === null) {
      const copied = await this.#document.copyPages(source, source.getPageIndices())
      return copied.map((page) => () => this.#document.addPage(page))
    }
    const pages = source.getPages()
    for (const page of pages) requireContents(page)
    // Copying unpacks the streams again.
    beginUnpacking()
    const boxes = pages.map((page) => {
      const { x, y, width, height } = page.getCropBox()
      if (!(width > 0 && height > 0)) throw new Error('The page has no area.')
      return { left: x, bottom: y, right: x + width, top: y + height }
    })
    const embedded = await this.#document.embedPages(pages, boxes)
    for (const page of embedded) await page.embed()
    return embedded.map((page, index) => {
      const turned = turnOf(pages[index]?.getRotation().angle ?? 0)
      return () => this.#place(page, turned, caption)
    })
  }

  #place(label: PDFEmbeddedPage, turned: Turn, caption: Caption | null): void {
    const { columns, rows, sideMargin, ...paper } = this.#paper
    const strip = caption === null ? 0 : captionHeight(caption)
    const cell = { width: paper.width / columns, height: paper.height / rows }
    const isSideways = turned === 90 || turned === 270
    const [width, height] = isSideways ? [label.height, label.width] : [label.width, label.height]
    // Bars keep their size unless the label does not fit.
    const scale = Math.min(1, (cell.width - 2 * sideMargin) / width, (cell.height - strip) / height)
    const printed = { width: width * scale, height: height * scale }
    const pageHeight = paper.isRoll ? printed.height + strip : paper.height
    const index = this.#placed % (columns * rows)
    this.#placed += 1
    if (index === 0 || this.#sheet === null) {
      this.#sheet = this.#document.addPage([paper.width, pageHeight])
    }
    const cellHeight = pageHeight / rows
    const left = (index % columns) * cell.width
    const bottom =
      pageHeight -
      (Math.floor(index / columns) + 1) * cellHeight +
      (cellHeight - printed.height - strip) / 2
    const origin = originOf(turned, printed)
    this.#sheet.drawPage(label, {
      x: left + (cell.width - printed.width) / 2 + origin.x,
      y: bottom + origin.y,
      xScale: scale,
      yScale: scale,
      rotate: degrees(-turned),
    })
    if (caption !== null) {
      this.#captions.push({
        caption,
        page: this.#sheet,
        x: left + sideMargin,
        y: bottom + printed.height,
      })
    }
  }

  async #drawCaptions(): Promise<void> {
    if (this.#captions.length === 0) return
    const { width, columns, sideMargin } = this.#paper
    const different = [...new Set(this.#captions.map(({ caption }) => caption))]
    const strips = await printCaptions(different, width / columns - 2 * sideMargin)
    const embedded = await this.#document.embedPdf(strips, [...different.keys()])
    const stripOf = new Map(different.map((caption, index) => [caption, embedded[index]]))
    for (const { caption, page, x, y } of this.#captions) {
      const strip = stripOf.get(caption)
      if (strip !== undefined) page.drawPage(strip, { x, y })
    }
  }
}

/** Clockwise rotation in degrees at which a page is displayed. */
type Turn = 0 | 90 | 180 | 270

function turnOf(angle: number): Turn {
  const turned = ((angle % 360) + 360) % 360
  return turned === 90 || turned === 180 || turned === 270 ? turned : 0
}

/** The lower left corner of a rotated page within the box that it then fills. */
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
