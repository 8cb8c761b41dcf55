import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** What English and Spanish need, with the signs that the console's texts have. Others use the system's font. */
export const fontCharacters = [...range(0x20, 0x7e), ...range(0xa0, 0xff), ...'–—‘’“”•…−€↑→↓']
/** The weights between normal text and headings. */
const weights = { min: 400, max: 700, default: 400 }

function range(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, n) => String.fromCodePoint(from + n))
}

/** Inter as a file of its own, of just these characters and weights. */
export async function smallFont(): Promise<Uint8Array> {
  const { default: subsetFont } = await import('subset-font')
  const file = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
  const whole = await readFile(fileURLToPath(file))
  const axes = { variationAxes: { wght: weights } }
  return await subsetFont(whole, fontCharacters.join(''), { targetFormat: 'woff2', ...axes })
}

/** The font's licence beside it. The browser requests the font with the page, not only with the styles. */
export const preloadedFont: Plugin = {
  name: 'preloaded-font',
  async buildStart() {
    const file = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/LICENSE'))
    const fileName = 'assets/inter-LICENSE.txt'
    this.emitFile({ type: 'asset', fileName, source: await readFile(file) })
  },
  transformIndexHtml(_, { bundle = {} }) {
    const font = Object.keys(bundle).find((file) => file.endsWith('.woff2'))
    if (font === undefined) throw new Error('The build has no font to preload.')
    const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/console/${font}` }
    return [{ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head-prepend' }]
  },
}
