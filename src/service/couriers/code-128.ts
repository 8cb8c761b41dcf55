import bwip from 'bwip-js'
import { z } from 'zod'

/** White modules on both sides, which scanners need to find the bars. */
export const quietModules = 10

const encoded = z.array(z.object({ sbs: z.array(z.number()) })).min(1)

/** A text as Code 128: widths in modules, alternating bar and space, starting with a bar. */
export function code128(text: string): readonly number[] {
  const [symbol] = encoded.parse(bwip.raw('code128', text, ''))
  if (symbol === undefined) throw new Error('bug: no bar code was made')
  return symbol.sbs
}

/** The width of the bars in modules, with the white on both sides. */
export function modulesOf(bars: readonly number[]): number {
  return bars.reduce((sum, bar) => sum + bar, 0) + 2 * quietModules
}
