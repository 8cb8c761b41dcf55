import { deflateSync } from 'node:zlib'
import PdfKit from 'pdfkit'

/** A PDF of these objects, the first of which is the catalog. */
export function pdfOf(objects: readonly (string | Buffer)[]): Buffer {
  const parts = objects.flatMap((object, at) => [
    Buffer.from(`${at + 1} 0 obj\n`),
    Buffer.from(object),
    Buffer.from('\nendobj\n'),
  ])
  const trailer = Buffer.from('trailer\n<</Root 1 0 R>>\n%%EOF')
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...parts, trailer])
}

export const catalog = '<</Type/Catalog/Pages 2 0 R>>'
export const onePage = '<</Type/Pages/Kids[3 0 R]/Count 1>>'

export function streamOf(dict: string, content: Buffer): Buffer {
  const head = `<<${dict}/Length ${content.length}>>\nstream\n`
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')])
}

/** Each node lists the next one twice: 35 objects and 2^34 pages. */
export function fan(): Buffer {
  const nodes = Array.from({ length: 34 }, (_, at) => {
    const next = `${at + 3} 0 R`
    return `<</Type/Pages/Kids[${next} ${next}]/Count 2>>`
  })
  return pdfOf([catalog, ...nodes, '<</Type/Page/MediaBox[0 0 298 420]>>'])
}

/** A list that is as large as a label may be, and far larger when parsed. */
export function longList(): Buffer {
  return pdfOf([`[${'0 '.repeat(2_500_000)}]`])
}

/** The same page this many times. */
export function pages(count: number): Buffer {
  const tree = `<</Type/Pages/Kids[${'3 0 R '.repeat(count)}]/Count ${count}>>`
  return pdfOf([catalog, tree, '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]>>'])
}

/** A page that draws the same image of four megapixels this many times. */
export function repeatedImage(times: number): Buffer {
  const page =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>'
  const content = deflateSync('q 298 0 0 420 0 0 cm /I Do Q '.repeat(times))
  const image =
    '/Type/XObject/Subtype/Image/Width 2000/Height 2000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode'
  return pdfOf([
    catalog,
    onePage,
    page,
    streamOf('/Filter/FlateDecode', content),
    streamOf(image, deflateSync(Buffer.alloc(2_000 * 2_000))),
  ])
}

/** A page that draws a form of this size, which is unpacked only when the page is drawn. */
export function largeForm(mebibytes: number): Buffer {
  const page =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 298 420]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>'
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 298 420]/Filter/FlateDecode'
  return pdfOf([
    catalog,
    onePage,
    page,
    streamOf('', Buffer.from('/F Do')),
    streamOf(form, deflateSync(Buffer.alloc(mebibytes * 1024 * 1024))),
  ])
}

export async function encrypted(): Promise<Buffer> {
  const document = new PdfKit({ userPassword: 'secret' })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise((resolve) => document.on('end', resolve))
  document.text('Nobody reads this')
  document.end()
  await ended
  return Buffer.concat(chunks)
}
