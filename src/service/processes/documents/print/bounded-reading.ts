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

/** Nodes of the page tree of one label, including its pages; a label has a page per piece. */
const pageNodesMax = 10_000
/** Bytes to which the streams of one label may unpack: labels need some hundred kilobytes. */
const unpackedBytesMax = 64 * 1024 * 1024

/** The label is larger than any real one: reading it could exhaust time or memory. */
export class TooComplex extends Error {
  override readonly name = 'TooComplex'
}

/** The buffer into which all filters of the library unpack. */
type Unpacking = { buffer: Uint8Array; ensureBuffer(bytes: number): Uint8Array }

let unpackedBytes = 0

/** Starts counting unpacked bytes for another label. */
export function beginUnpacking(): void {
  unpackedBytes = 0
}

/**
 * Throws TooComplex if the label exceeded the limit, which the library may have mistaken for a
 * broken stream.
 */
export function requireUnpacked(): void {
  if (unpackedBytes > unpackedBytesMax) throw new TooComplex()
}

/**
 * Throws TooComplex if the page tree has too many nodes. The library would visit all of them, and a
 * tree of a few kilobytes can repeat its nodes enough to take years.
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
 * Throws if the content of a page cannot be read. The library would notice only after adding the
 * page to the file, which could then not be saved.
 */
export function requireContents({ node }: PDFPage): void {
  const contents = node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray() : [contents]
  if (streams.length === 0) throw new Error('The page has no content.')
  for (const each of streams) {
    const stream = node.context.lookup(each)
    if (!(stream instanceof PDFRawStream))
      throw new Error('The content of the page is not a stream.')
    decodePDFRawStream(stream).decode()
  }
}

/** Limits unpacking, for which the library has no option. */
function boundUnpacking(): void {
  const filter = PDFContext.create().obj({ Filter: 'ASCIIHexDecode' })
  const hex = decodePDFRawStream(PDFRawStream.of(filter, new Uint8Array()))
  const anyFilter: Unpacking = Object.getPrototypeOf(Object.getPrototypeOf(hex))
  const ensureBuffer = anyFilter.ensureBuffer
  anyFilter.ensureBuffer = function bounded(this: Unpacking, bytes: number) {
    const more = bytes - this.buffer.byteLength
    if (more > 0) {
      // The buffer at least doubles when it grows.
      unpackedBytes += Math.max(more, this.buffer.byteLength)
      requireUnpacked()
    }
    return ensureBuffer.call(this, bytes)
  }
}

boundUnpacking()
