import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import PdfDocument from 'pdfkit'
import { code128, modulesOf, quietModules } from '../service/couriers/code-128.ts'
import type { LabelSize, NativeAgency } from '../service/couriers/courier.ts'

export type LabelContent = {
  readonly guideNumber: string
  readonly recipient: string
  /** The kind and number of the recipient's identity document. */
  readonly document: string
  readonly origin: NativeAgency
  readonly destination: NativeAgency
  readonly serviceMode: string
  readonly weightKg: number
  readonly quantity: number
}

/** Label printers use A6. On A4, the same label is in the upper left quarter. */
const pageSizes = { a6: 'A6', a4: 'A4' } as const
const labelWidth = 297.64
const margin = 18
/** Modules are 1.3 points (0.46 mm) wide: 16 characters fit, and cheap scanners can read them. */
const barHeight = 62
/**
 * A page takes half a millisecond. Pausing between pages keeps a label of 99 pages from blocking
 * other work.
 */
const pagesInARow = 4
/** A fixed date, so that the same label always has the same bytes. */
const fixedDate = new Date('2000-01-01T00:00:00Z')

/** The label of a guide: one page per piece, numbered "n/N", with the guide number as Code 128. */
export async function label(content: LabelContent, size: LabelSize): Promise<Buffer> {
  const document = new PdfDocument({
    size: pageSizes[size],
    margin,
    autoFirstPage: false,
    info: { Title: `Guide ${content.guideNumber}`, CreationDate: fixedDate, ModDate: fixedDate },
  })
  const chunks: Buffer[] = []
  const written = new Promise<Buffer>((resolve, reject) => {
    document.on('data', (chunk: Buffer) => chunks.push(chunk))
    document.on('end', () => resolve(Buffer.concat(chunks)))
    document.on('error', reject)
  })
  const bars = code128(content.guideNumber)
  for (let piece = 1; piece <= content.quantity; piece++) {
    document.addPage()
    page(document, content, piece, bars)
    if (piece % pagesInARow === 0) await yieldToEventLoop()
  }
  document.end()
  return await written
}

type Document = InstanceType<typeof PdfDocument>

function page(document: Document, content: LabelContent, piece: number, bars: readonly number[]) {
  const width = labelWidth - 2 * margin
  const line = (text: string, points: number, font = 'Helvetica') =>
    document
      .font(font)
      .fontSize(points)
      .text(printable(text), { width, height: points * 1.3, ellipsis: true, lineBreak: false })
      .moveDown(0.25)

  document.font('Helvetica-Bold').fontSize(11).text('SIMULATED COURIER', margin, margin, { width })
  document.text(`${piece}/${content.quantity}`, margin, margin, { width, align: 'right' })
  drawBars(document, bars, margin + 20, width)
  document.y = margin + 20 + barHeight + 6
  document.x = margin
  document
    .font('Courier-Bold')
    .fontSize(13)
    .text(content.guideNumber, { width, align: 'center' })
    .moveDown(0.6)

  line('TO', 7, 'Helvetica-Bold')
  line(content.recipient, 14, 'Helvetica-Bold')
  line(content.document, 10)
  line(content.destination.name, 12, 'Helvetica-Bold')
  line(content.destination.address, 9)
  line(placeOf(content.destination), 9)
  document.moveDown(0.5)
  line('FROM', 7, 'Helvetica-Bold')
  line(content.origin.name, 10)
  line(placeOf(content.origin), 9)
  document.moveDown(0.5)
  line(`${content.serviceMode} · ${content.weightKg} kg`, 10)
  document.moveDown(0.5)
  document
    .font('Helvetica-Oblique')
    .fontSize(7)
    .text('Simulated courier. Not an official document of any courier.', { width })
}

function placeOf({ district, province, department }: NativeAgency): string {
  return `${district}, ${province}, ${department}`
}

/** The standard fonts have only Latin characters; others print as a question mark. */
function printable(text: string): string {
  return text.normalize('NFC').replace(/[^\x20-\x7e\xa0-\xff]/gu, '?')
}

function drawBars(document: Document, bars: readonly number[], y: number, width: number): void {
  const module = width / modulesOf(bars)
  let x = margin + quietModules * module
  for (const [index, bar] of bars.entries()) {
    if (index % 2 === 0) document.rect(x, y, bar * module, barHeight)
    x += bar * module
  }
  document.fill('black')
}
