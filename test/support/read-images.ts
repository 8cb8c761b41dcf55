import { unzipSync } from 'fflate'
import * as mupdf from 'mupdf'
import { ready } from 'zpl-renderer-js'
import { barcodesIn, qrCodesIn } from './read-barcodes.ts'

const millimetersPerInch = 25.4

type LabelImage = {
  /** The name in the ZIP file. */
  readonly name: string
  /** Width and height in pixels. */
  readonly size: readonly [number, number]
  readonly barcodes: readonly string[]
  readonly qrCodes: readonly string[]
}

/** The images of a PNG, or of a ZIP file of them. */
export async function readImages(bytes: Uint8Array): Promise<readonly LabelImage[]> {
  const isZip = bytes[0] === 'P'.charCodeAt(0)
  const files = isZip ? Object.entries(unzipSync(bytes)) : [['', bytes] as const]
  return await Promise.all(files.map(([name, png]) => imageOf(name, png)))
}

/** The labels of a ZPL file, as a printer would print them. */
export async function readZpl(bytes: Uint8Array, dpi: 203 | 300): Promise<readonly LabelImage[]> {
  const { api } = await ready
  const labels = String(Buffer.from(bytes)).match(/\^XA.*?\^XZ/gs) ?? []
  return await Promise.all(
    labels.map(async (label) => {
      const [, width, length] = /\^PW(\d+)\^LL(\d+)/.exec(label) ?? []
      const millimeters = (dots: string | undefined) => (Number(dots) / dpi) * millimetersPerInch
      const dotsPerMillimeter = dpi / millimetersPerInch
      const png = await api.zplToBase64Async(
        label,
        millimeters(width),
        millimeters(length),
        Math.round(dotsPerMillimeter),
      )
      return await imageOf('', Buffer.from(png, 'base64'))
    }),
  )
}

async function imageOf(name: string, png: Uint8Array): Promise<LabelImage> {
  const image = new mupdf.Image(png)
  const size = [image.getWidth(), image.getHeight()] as const
  return { name, size, barcodes: await barcodesIn(png, 3), qrCodes: await qrCodesIn(png) }
}
