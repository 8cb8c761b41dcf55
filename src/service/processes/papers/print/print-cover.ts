import type { Cover, LabelLayout, LeftOut } from '../paper-messages.ts'
import { grey, newSheets, numberPage, rule, type Sheet, write } from './sheet.ts'

/* Sizes are points. */
const margin = 22
const titleHeight = 44
const leftOutHeight = 44
const heights = { a6: 420, four_on_a4: 842 } as const

/** The pages that name the shipments without a label. */
export async function printCover(
  { leftOut, asked }: Cover,
  layout: LabelLayout,
): Promise<Uint8Array> {
  const { sheet, finished } = newSheets(layout === 'a6' ? 'A6' : 'A4', 'Labels that are missing')
  const pages = pagesOf(leftOut, heights[layout] - 2 * margin - titleHeight)
  for (const [index, items] of pages.entries()) {
    sheet.addPage()
    const at = { x: margin, width: sheet.page.width - 2 * margin }
    const title = `Missing labels: ${leftOut.length} of ${asked}`
    write(sheet, title, { ...at, y: margin, size: 13, isBold: true })
    write(sheet, 'These shipments are not in this file.', { ...at, y: margin + 18, color: grey })
    drawLeftOut(sheet, items, { ...at, y: margin + titleHeight })
    numberPage(sheet, { index, count: pages.length, margin })
  }
  return await finished()
}

/** As many on each page as its height holds. */
export function pagesOf(
  leftOut: readonly LeftOut[],
  height: number,
): readonly (readonly LeftOut[])[] {
  const size = Math.floor(height / leftOutHeight)
  return Array.from({ length: Math.ceil(leftOut.length / size) }, (_, page) =>
    leftOut.slice(page * size, (page + 1) * size),
  )
}

/** Reference, id and why of each. */
export function drawLeftOut(
  sheet: Sheet,
  leftOut: readonly LeftOut[],
  { x, y: top, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  for (const [index, { reference, shipmentId, why }] of leftOut.entries()) {
    const y = top + index * leftOutHeight
    rule(sheet, { x, y: y - 4 }, width)
    write(sheet, reference, { x, y, width, size: 9, isBold: true })
    write(sheet, shipmentId, { x, y: y + 11, width, size: 7, color: grey })
    write(sheet, why, { x, y: y + 20, width, size: 8, lines: 2 })
  }
}
