import { code128, modulesOf, quietModules } from '../../../couriers/code-128.ts'
import { guideNumberForm } from '../../../domain/ids.ts'
import { type Language, numberText } from '../../../domain/language.ts'
import type { ExcludedShipment, Manifest, ManifestRow, ManifestSection } from '../print-messages.ts'
import { drawExcluded, pagesOf } from './print-cover.ts'
import { printTexts } from './print-texts.ts'
import { grey, newSheets, numberPage, rule, type Sheet, write } from './sheet.ts'

/* Sizes are points. */
const margin = 36
const width = 523
const bottom = 842 - margin - 6
const barHeight = 24
/** With bars of this module width, cheap scanners work. */
const moduleWidth = 0.95
/** A quarter of a millimeter. Barcodes that would need narrower modules get a line of their own. */
const moduleWidthMin = 0.71
const rowGap = 6
const headHeight = 106
const excludedHeadHeight = 46
const signaturesHeight = 104

const columns = {
  number: { x: margin, width: 22 },
  guide: { x: margin + 22, width: 212 },
  reference: { x: margin + 240, width: 106 },
  destination: { x: margin + 352, width: 100 },
  pieces: { x: margin + 454, width: 28, align: 'right' },
  weight: { x: margin + 484, width: 39, align: 'right' },
} as const

/** The content of one page: all pages are planned first, so that each can show the total. */
type Page =
  | {
      readonly section: ManifestSection
      readonly rows: readonly Row[]
      readonly isFirst: boolean
      readonly isSigned: boolean
    }
  | { readonly excluded: readonly ExcludedShipment[] }

type Row = { readonly row: ManifestRow; readonly number: number; readonly bars: Bars | null }

/**
 * Prints the manifest: a list to sign for each agency, then the shipments that must not be handed
 * over.
 */
export async function drawManifest(manifest: Manifest): Promise<Uint8Array> {
  const { language } = manifest
  const { sheet, finished } = newSheets('A4', {
    title: printTexts[language].manifest.title,
    language,
  })
  const apart = pagesOf(manifest.excluded, bottom - margin - excludedHeadHeight)
  const pages: readonly Page[] = [
    ...manifest.sections.flatMap(pagesOfSection),
    ...apart.map((excluded) => ({ excluded })),
  ]
  for (const [index, page] of pages.entries()) {
    sheet.addPage()
    if ('excluded' in page) drawExcludedSection(sheet, page.excluded, manifest)
    else drawSection(sheet, page, manifest)
    numberPage(sheet, { index, count: pages.length, margin, language })
  }
  return await finished()
}

function pagesOfSection(section: ManifestSection): readonly Page[] {
  const pages: Row[][] = [[]]
  let y = margin + headHeight
  for (const [index, row] of section.rows.entries()) {
    const bars = barsOf(row.guideNumber)
    const height = heightOf(bars)
    if (y + height > bottom) {
      pages.push([])
      y = margin + headHeight
    }
    pages.at(-1)?.push({ row, number: index + 1, bars })
    y += height
  }
  if (y + signaturesHeight > bottom) pages.push([])
  return pages.map((rows, index) => ({
    section,
    rows,
    isFirst: index === 0,
    isSigned: index === pages.length - 1,
  }))
}

function drawSection(
  sheet: Sheet,
  { section, rows, isFirst, isSigned }: Exclude<Page, { excluded: unknown }>,
  manifest: Manifest,
): void {
  drawHead(sheet, section, manifest, isFirst)
  let y = margin + headHeight
  for (const row of rows) {
    drawRow(sheet, row, y, manifest)
    y += heightOf(row.bars)
  }
  rule(sheet, { x: margin, y }, width)
  if (isSigned) drawSignatures(sheet, section, y, manifest)
}

function drawHead(
  sheet: Sheet,
  { workspace, agency, at, rows }: ManifestSection,
  { livemode, excluded, language }: Manifest,
  isFirst: boolean,
): void {
  const texts = printTexts[language].manifest
  const whole = { x: margin, width }
  write(sheet, isFirst ? texts.title : texts.continued, {
    ...whole,
    y: margin,
    size: 15,
    isBold: true,
  })
  write(sheet, at, { ...whole, y: margin + 4, size: 9, align: 'right' })
  write(sheet, texts.from(workspace), { ...whole, y: margin + 24, size: 10 })
  write(sheet, texts.at(agency.name), { ...whole, y: margin + 38, size: 10, isBold: true })
  write(sheet, agency.address, { ...whole, y: margin + 52, color: grey })
  write(sheet, sumOf(rows, language), { ...whole, y: margin + 64, size: 10 })
  const notes = [
    ...(livemode ? [] : [texts.testMode]),
    ...(excluded.length === 0 ? [] : [texts.alsoExcluded(excluded.length)]),
  ]
  write(sheet, notes.join(' '), { ...whole, y: margin + 78, color: grey })
  const y = margin + 94
  const head = { y, size: 7, color: grey }
  write(sheet, '#', { ...columns.number, ...head })
  write(sheet, texts.columns.guide, { ...columns.guide, ...head })
  write(sheet, texts.columns.reference, { ...columns.reference, ...head })
  write(sheet, texts.columns.destination, { ...columns.destination, ...head })
  write(sheet, texts.columns.pieces, { ...columns.pieces, ...head })
  write(sheet, texts.columns.weight, { ...columns.weight, ...head })
}

function sumOf(rows: readonly ManifestRow[], language: Language): string {
  const texts = printTexts[language].manifest
  const pieces = rows.reduce((sum, row) => sum + row.pieces, 0)
  const grams = rows.reduce((sum, row) => sum + row.weightGrams, 0)
  return [
    texts.shipments(rows.length),
    texts.pieces(pieces),
    `${kilograms(grams, language)} kg`,
  ].join(' · ')
}

/** With as many of its three decimals as needed. */
function kilograms(grams: number, language: Language): string {
  return numberText(grams / 1_000, language)
}

type Bars = {
  readonly widths: readonly number[]
  /** The width of one module, in points. */
  readonly width: number
  /** The bars do not fit beside the other columns. */
  readonly isWide: boolean
}

/** Null for a number that Code 128 scanners of our couriers cannot read. */
function barsOf(guideNumber: string): Bars | null {
  if (!guideNumberForm.test(guideNumber)) return null
  const widths = code128(guideNumber)
  const modules = modulesOf(widths)
  const inColumn = columns.guide.width / modules
  const isWide = inColumn < moduleWidthMin
  const available = isWide ? width / modules : inColumn
  return { widths, width: Math.min(moduleWidth, available), isWide }
}

const textHeight = 12

function heightOf(bars: Bars | null): number {
  const beside = bars === null || bars.isWide ? 2 * textHeight : barHeight + textHeight
  return beside + (bars?.isWide === true ? barHeight + 4 : 0) + 2 * rowGap
}

function drawRow(
  sheet: Sheet,
  { row, number, bars }: Row,
  top: number,
  { language }: Manifest,
): void {
  rule(sheet, { x: margin, y: top }, width)
  let y = top + rowGap
  if (bars?.isWide === true) {
    drawBars(sheet, bars, { x: margin, y })
    y += barHeight + 4
  }
  write(sheet, String(number), { ...columns.number, y, color: grey })
  const isBeside = bars !== null && !bars.isWide
  if (isBeside) drawBars(sheet, bars, { x: columns.guide.x, y })
  write(sheet, row.guideNumber, {
    ...columns.guide,
    y: isBeside ? y + barHeight + 2 : y,
    size: 9,
    isBold: true,
    lines: isBeside ? 1 : 2,
  })
  write(sheet, row.reference, { ...columns.reference, y, lines: isBeside ? 3 : 2 })
  write(sheet, row.destination, { ...columns.destination, y, lines: isBeside ? 3 : 2 })
  write(sheet, String(row.pieces), { ...columns.pieces, y })
  write(sheet, kilograms(row.weightGrams, language), { ...columns.weight, y })
}

function drawBars(sheet: Sheet, bars: Bars, at: { readonly x: number; readonly y: number }): void {
  let x = at.x + quietModules * bars.width
  for (const [index, modules] of bars.widths.entries()) {
    if (index % 2 === 0) sheet.rect(x, at.y, modules * bars.width, barHeight)
    x += modules * bars.width
  }
  sheet.fill('black')
}

function drawSignatures(
  sheet: Sheet,
  { workspace, agency }: ManifestSection,
  top: number,
  { language }: Manifest,
): void {
  const texts = printTexts[language].manifest
  const half = (width - 24) / 2
  const sides = [
    [texts.handedOverBy, workspace],
    [texts.receivedBy, agency.name],
  ] as const
  const lines = [texts.name, texts.signature, texts.dateAndTime]
  for (const [index, [act, name]] of sides.entries()) {
    const x = margin + index * (half + 24)
    write(sheet, act, { x, y: top + 14, width: half, size: 9, isBold: true })
    write(sheet, name, { x, y: top + 26, width: half, color: grey })
    for (const [line, what] of lines.entries()) {
      const y = top + 42 + line * 20
      write(sheet, what, { x, y, width: 60 })
      rule(sheet, { x: x + 62, y: y + 10 }, half - 62)
    }
  }
}

function drawExcludedSection(
  sheet: Sheet,
  excluded: readonly ExcludedShipment[],
  { language }: Manifest,
): void {
  const texts = printTexts[language].manifest
  const whole = { x: margin, width }
  write(sheet, texts.notToHandOver, { ...whole, y: margin, size: 15, isBold: true })
  write(sheet, texts.keepBack, { ...whole, y: margin + 22, color: grey })
  drawExcluded(sheet, excluded, { ...whole, y: margin + excludedHeadHeight })
}
