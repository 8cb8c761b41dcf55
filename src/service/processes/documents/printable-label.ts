import { LabelImages } from './print/label-images.ts'

const style = { layout: 'a6', format: 'png', size: '4x6', dpi: 203, language: 'en' } as const

/**
 * Whether this label can be printed in every format. It is read in this process, without the limits
 * of a process that prints, so use it only for labels of a connector that one runs.
 */
export async function isPrintable(pdf: Uint8Array): Promise<boolean> {
  const images = new LabelImages(style)
  try {
    if ((await images.add({ pdf, name: 'label', caption: null })) !== 'added') return false
    while (images.pagesToDraw > 0) await images.drawPage()
    return true
  } catch {
    return false
  }
}
