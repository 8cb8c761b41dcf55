import type { Caption } from '../print-messages.ts'
import { type QrCode, qrCode, quietModules } from './qr-code.ts'
import { newSheets, type Sheet, write } from './sheet.ts'

/* Sizes are points. */
const height = 17
/** Office printers leave a margin of four millimeters. */
const margin = 12
const fontSize = 9
/** Three dots of a label printer with 203 dots per inch, so that it prints each module alike. */
const moduleSize = (3 / 203) * 72
/** Between the edges of the paper and the white of a code, whose dark part then keeps the margin. */
const codeGap = margin - quietModules * moduleSize

/** Encoding a link takes a millisecond, and its caption is placed once for each piece. */
const codes = new WeakMap<Caption, QrCode>()

/** Null for a caption without a link. */
function codeOf(caption: Caption): QrCode | null {
  if (caption.link === null) return null
  const code = codes.get(caption) ?? qrCode(caption.link)
  codes.set(caption, code)
  return code
}

/** A caption with a link is as high as its QR code. */
export function captionHeight(caption: Caption): number {
  const code = codeOf(caption)
  return code === null ? height : code.modules * moduleSize + codeGap
}

/** Prints a page of this width and its `captionHeight` for each caption. */
export async function printCaptions(
  captions: readonly Caption[],
  width: number,
): Promise<Uint8Array> {
  const { sheet, finished } = newSheets([width, height], { title: 'Captions', language: null })
  for (const caption of captions) {
    sheet.addPage({ size: [width, captionHeight(caption)], margin: 0 })
    const code = codeOf(caption)
    if (code === null) printLine(sheet, caption, width)
    else printBesideCode(sheet, caption, code)
  }
  return await finished()
}

function printLine(sheet: Sheet, { reference, shop }: Caption, width: number): void {
  const inside = width - 2 * margin
  const referenceWidth = inside * 0.62
  const line = { y: (height - fontSize * 1.2) / 2, size: fontSize }
  write(sheet, reference, { ...line, x: margin, width: referenceWidth, isBold: true })
  write(sheet, shop, {
    ...line,
    x: margin + referenceWidth,
    width: inside - referenceWidth,
    align: 'right',
  })
}

/** The reference above the shop, and the link at the right edge. */
function printBesideCode(sheet: Sheet, { reference, shop }: Caption, code: QrCode): void {
  const size = code.modules * moduleSize
  const left = sheet.page.width - size - codeGap
  const text = { x: margin, width: left - margin, size: fontSize }
  const middle = codeGap + size / 2
  write(sheet, reference, { ...text, y: middle - fontSize * 1.4, isBold: true })
  write(sheet, shop, { ...text, y: middle + fontSize * 0.2 })
  for (const [column, row] of code.dark) {
    const at = [left + column * moduleSize, codeGap + row * moduleSize] as const
    sheet.rect(...at, moduleSize, moduleSize)
  }
  sheet.fill('black')
}
