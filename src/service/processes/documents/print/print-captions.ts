import type { Caption } from '../print-messages.ts'
import { newSheets, write } from './sheet.ts'

/* Sizes are points. */
export const captionHeight = 17
/** Office printers leave a margin of four millimeters. */
const margin = 12
const fontSize = 9

/** Prints a page of this width and `captionHeight` for each caption. */
export async function printCaptions(
  captions: readonly Caption[],
  width: number,
): Promise<Uint8Array> {
  const { sheet, finished } = newSheets([width, captionHeight], {
    title: 'Captions',
    language: null,
  })
  const inside = width - 2 * margin
  const referenceWidth = inside * 0.62
  for (const { reference, shop } of captions) {
    sheet.addPage()
    const line = { y: (captionHeight - fontSize * 1.2) / 2, size: fontSize }
    write(sheet, reference, { ...line, x: margin, width: referenceWidth, isBold: true })
    write(sheet, shop, {
      ...line,
      x: margin + referenceWidth,
      width: inside - referenceWidth,
      align: 'right',
    })
  }
  return await finished()
}
