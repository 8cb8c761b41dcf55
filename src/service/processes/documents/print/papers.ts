import type { LabelStyle } from '../print-messages.ts'

/* Sizes are points. */

export type Paper = {
  readonly width: number
  /** For a roll: the height of the longest page. */
  readonly height: number
  /** White at each side, which printers of rolls cannot reach. */
  readonly sideMargin: number
  /** The page is only as long as the label. */
  readonly isRoll: boolean
  readonly columns: number
  readonly rows: number
}

const sheet = { sideMargin: 0, isRoll: false, columns: 1, rows: 1 } as const
const a4 = { ...sheet, width: 595.28, height: 841.89 }

const papers: Readonly<Record<LabelStyle['size'], Paper>> = {
  a6: { ...sheet, width: 297.64, height: 419.53 },
  a4,
  '4x6': { ...sheet, width: 288, height: 432 },
  // Printers of 80 mm rolls print 72 mm.
  '80mm': { ...sheet, width: 226.77, height: 841.89, sideMargin: 11.34, isRoll: true },
}

export function paperOf({ layout, size }: Pick<LabelStyle, 'layout' | 'size'>): Paper {
  return layout === 'four_on_a4' ? { ...a4, columns: 2, rows: 2 } : papers[size]
}
