import {
  decodePDFRawStream,
  PDFArray,
  PDFContext,
  PDFDict,
  type PDFDocument,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRawStream,
} from '@cantoo/pdf-lib'

/** Nodes of the page tree of one label, its pages among them: it has a page for each piece. */
const pageNodesMax = 10_000
/** Bytes that the streams of one label may unpack to: labels need some hundred kilobytes. */
const unpackedBytesMax = 64 * 1024 * 1024

/** The label has more than any label needs: reading it could take all time or memory. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex'
}

/** What all filters of the library unpack into. */
type Unpacking = { buffer: Uint8Array; ensureBuffer(bytes: number): Uint8Array }

let unpackedBytes = 0

/** From here on, the bytes that are unpacked are those of another label. */
export function beginUnpacking(): void {
  unpackedBytes = 0
}

/** Throws TooComplex if a label wanted too much, which the library may have taken for a broken stream. */
export function requireUnpacked(): void {
  if (unpackedBytes > unpackedBytesMax) throw new TooComplex()
}

/**
 * Throws TooComplex if the page tree has too many nodes: the library would walk through all of them,
 * and a tree of a few kilobytes can name its nodes often enough for years.
 */
export function requireFewNodes(document: PDFDocument): void {
  const { catalog, context } = document
  const kids = PDFName.of('Kids')
  const left: (PDFObject | undefined)[] = [catalog.get(PDFName.of('Pages'))]
  for (let nodes = 1; left.length > 0; nodes++) {
    const node = context.lookup(left.pop())
    const list = node instanceof PDFDict ? context.lookup(node.get(kids)) : undefined
    const below = list instanceof PDFArray ? list.size() : 0
    if (nodes + left.length + below > pageNodesMax) throw new TooComplex()
    for (let at = 0; at < below; at++) left.push((list as PDFArray).get(at))
  }
}

/**
 * Throws if the content of a page cannot be read. The library would notice only after it has made the
 * page part of the file, which could then not be saved.
 */
export function requireContents({ node }: PDFPage): void {
  const contents = node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  if (streams.length === 0) throw new Error('The page has no content.')
  for (const each of streams) {
    const stream = node.context.lookup(each)
    if (!(stream instanceof PDFRawStream)) throw new Error('The content of the page is no stream.')
    decodePDFRawStream(stream).decode()
  }
}

/** The library unpacks without a limit, and offers no option for one. */
function boundUnpacking(): void {
  const filter = PDFContext.create().obj({ Filter: 'ASCIIHexDecode' })
  const hex = decodePDFRawStream(PDFRawStream.of(filter, new Uint8Array()))
  const anyFilter: Unpacking = Object.getPrototypeOf(Object.getPrototypeOf(hex))
  const ensureBuffer = anyFilter.ensureBuffer
  anyFilter.ensureBuffer = function bounded(this: Unpacking, bytes: number) {
    const more = bytes - this.buffer.byteLength
    if (more > 0) {
      // It grows to twice its size at least.
      unpackedBytes += Math.max(more, this.buffer.byteLength)
      requireUnpacked()
    }
    return ensureBuffer.call(this, bytes)
  }
}

boundUnpacking()
