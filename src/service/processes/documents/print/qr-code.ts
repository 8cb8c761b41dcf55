import bwip from 'bwip-js'
import { z } from 'zod'

/** White modules on each side, which cameras need to find the code. */
export const quietModules = 4

const encoded = z.array(z.object({ pixs: z.array(z.number()), pixx: z.int().positive() })).min(1)

export type QrCode = {
  /** With the white around it. */
  readonly modules: number
  /** Column and row of each dark module. */
  readonly dark: readonly (readonly [column: number, row: number])[]
}

/** A text as a QR code that can still be read with 7% of it damaged. */
export function qrCode(text: string): QrCode {
  const [symbol] = encoded.parse(bwip.raw('qrcode', text, 'eclevel=L'))
  if (symbol === undefined) throw new Error('bug: no QR code was made')
  const { pixs, pixx: width } = symbol
  const dark = pixs.flatMap((pixel, at) =>
    pixel === 1
      ? [[(at % width) + quietModules, Math.floor(at / width) + quietModules] as const]
      : [],
  )
  return { modules: width + 2 * quietModules, dark }
}
