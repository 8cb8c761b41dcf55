import type { Cover, ExcludedShipment, LabelStyle } from '../print-messages.ts'
import { paperOf } from './papers.ts'
import { printTexts } from './print-texts.ts'
import { grey, newSheets, numberPage, rule, type Sheet, write } from './sheet.ts'

/* Sizes are points. */
const margin = 22
const titleHeight = 44
const excludedHeight = 44
/** Long enough for several shipments, and shorter than a sheet. */
const rollHeight = 420

/** Prints pages that list the shipments without a label. */
export async function printCover(
  { excluded, requested }: Cover,
  style: LabelStyle,
): Promise<Uint8Array> {
  const { language } = style
  const texts = printTexts[language].labels
  const { width, isRoll, ...paper } = paperOf(style)
  const height = isRoll ? rollHeight : paper.height
  const { sheet, finished } = newSheets([width, height], {
    title: texts.coverTitle,
    language,
  })
  const pages = pagesOf(excluded, height - 2 * margin - titleHeight)
  for (const [index, items] of pages.entries()) {
    sheet.addPage()
    const at = { x: margin, width: sheet.page.width - 2 * margin }
    const title = texts.missing(excluded.length, requested)
    write(sheet, title, { ...at, y: margin, size: 13, isBold: true })
    write(sheet, texts.notInFile, { ...at, y: margin + 18, color: grey })
    drawExcluded(sheet, items, { ...at, y: margin + titleHeight })
    numberPage(sheet, { index, count: pages.length, margin, language })
  }
  return await finished()
}

/** Splits shipments into pages by the height of the page. */
export function pagesOf(
  excluded: readonly ExcludedShipment[],
  height: number,
): readonly (readonly ExcludedShipment[])[] {
  const size = Math.floor(height / excludedHeight)
  return Array.from({ length: Math.ceil(excluded.length / size) }, (_, page) =>
    excluded.slice(page * size, (page + 1) * size),
  )
}

/** Draws reference, id and reason of each shipment. */
export function drawExcluded(
  sheet: Sheet,
  excluded: readonly ExcludedShipment[],
  { x, y: top, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  for (const [index, { reference, shipmentId, why }] of excluded.entries()) {
    const y = top + index * excludedHeight
    rule(sheet, { x, y: y - 4 }, width)
    write(sheet, reference, { x, y, width, size: 9, isBold: true })
    write(sheet, shipmentId, { x, y: y + 11, width, size: 7, color: grey })
    write(sheet, why, { x, y: y + 20, width, size: 8, lines: 2 })
  }
}
