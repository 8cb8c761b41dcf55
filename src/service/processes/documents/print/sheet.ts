import PdfDocument from 'pdfkit'
import type { Language } from '../../../domain/language.ts'
import { printable, roboto } from './font.ts'
import { printTexts } from './print-texts.ts'

export type Sheet = InstanceType<typeof PdfDocument>

/** Position and style of a text. Sizes are points; a text that is too long is truncated. */
type Placed = {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly size?: number
  readonly isBold?: boolean
  readonly align?: 'left' | 'right'
  readonly color?: string
  /** The maximum number of lines. */
  readonly lines?: number
}

export const grey = '#5f6368'
const lineHeight = 1.2

type About = { readonly title: string; readonly language: Language | null }

/**
 * A PDF drawn by coordinates: only `addPage` begins a page. The language is null if no text has one.
 */
export function newSheets(
  size: 'A4' | 'A6' | [width: number, height: number],
  { title, language }: About,
) {
  const sheet: Sheet = new PdfDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    ...(language === null ? {} : { lang: language }),
    info: { Title: title },
  })
  const chunks: Buffer[] = []
  const written = new Promise<void>((resolve, reject) => {
    sheet.on('data', (chunk: Buffer) => chunks.push(chunk))
    sheet.on('end', resolve)
    sheet.on('error', reject)
  })
  sheet.registerFont('normal', roboto.normal)
  sheet.registerFont('bold', roboto.bold)
  return {
    sheet,
    async finished(): Promise<Uint8Array> {
      sheet.end()
      await written
      return Buffer.concat(chunks)
    },
  }
}

export function write(sheet: Sheet, text: string, placed: Placed): void {
  const { x, y, width, size = 8, isBold = false, align = 'left', color = 'black' } = placed
  sheet
    .font(isBold ? 'bold' : 'normal')
    .fontSize(size)
    .fillColor(color)
    .text(printable(text), x, y, {
      width,
      height: size * lineHeight * (placed.lines ?? 1),
      align,
      ellipsis: true,
    })
}

export function rule(sheet: Sheet, from: { x: number; y: number }, width: number): void {
  sheet
    .moveTo(from.x, from.y)
    .lineTo(from.x + width, from.y)
    .lineWidth(0.5)
    .stroke('#c6cacf')
}

type Numbered = {
  readonly index: number
  readonly count: number
  readonly margin: number
  readonly language: Language
}

/** Writes "Page 2 of 5" at the foot of a page. */
export function numberPage(sheet: Sheet, { index, count, margin, language }: Numbered): void {
  const { width, height } = sheet.page
  const foot = { x: margin, y: height - margin + 8, width: width - 2 * margin }
  const text = printTexts[language].page(index + 1, count)
  write(sheet, text, { ...foot, size: 7, color: grey, align: 'right' })
}
