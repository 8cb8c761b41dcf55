import { crc32, inflateRawSync } from 'node:zlib'

/** A ZIP file that the service did not write in this form. */
export class ZipBroken extends Error {
  override readonly name = 'ZipBroken'
}

const [localSign, directorySign, endSign] = ['\x03\x04', '\x01\x02', '\x05\x06'].map(
  (kind) => `PK${kind}`,
)
const [localBytes, directoryBytes, endBytes] = [30, 46, 22] as const
/** How hard it was packed, and that names are in UTF-8. */
const harmlessFlags = 0x0806

/** Whether the file ends as a ZIP, after whatever is in front of it. */
export function endsAsZip(tail: Buffer): boolean {
  return tail.includes(Buffer.from(endSign ?? '', 'latin1'))
}

/**
 * The files of a ZIP, by name. The entries follow each other from the first byte, then comes the
 * directory, then its end record, and nothing else: in anything else other programs could find other
 * files. Throws ZipBroken.
 */
export function readZip(zip: Buffer, bytesMax: number): ReadonlyMap<string, Buffer> {
  try {
    return entriesOf(zip, bytesMax)
  } catch (error) {
    // Also for what lies beyond the end of the file.
    throw new ZipBroken('not as the service writes it', { cause: error })
  }
}

function entriesOf(zip: Buffer, bytesMax: number): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  const { count, directory, end } = directoryOf(zip)
  let at = directory
  let next = 0
  let total = 0
  for (let entry = 0; entry < count; entry++) {
    const { name, size, ...packed } = entryAt(zip, at, next)
    total += size
    demand(total <= bytesMax && !files.has(name))
    files.set(name, unpacked(packed, size))
    next = packed.end
    at += directoryBytes + name.length
  }
  demand(at === end && next === directory)
  return files
}

function directoryOf(zip: Buffer) {
  const end = zip.length - endBytes
  const [disks, here] = [zip.readUInt32LE(end + 4), zip.readUInt16LE(end + 8)]
  const [count, bytes] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 12)]
  const [directory, comment] = [zip.readUInt32LE(end + 16), zip.readUInt16LE(end + 20)]
  demand(textAt(zip, end, endSign?.length) === endSign && comment === 0)
  demand(disks === 0 && here === count && directory + bytes === end)
  return { count, directory, end }
}

/** The entry whose header in the directory is `at`, and whose own header must be at `local`. */
function entryAt(zip: Buffer, at: number, local: number) {
  demand(textAt(zip, at, directorySign?.length) === directorySign)
  demand(textAt(zip, local, localSign?.length) === localSign)
  const [extraAndComment, disk] = [zip.readUInt32LE(at + 30), zip.readUInt16LE(at + 34)]
  demand(extraAndComment === 0 && disk === 0 && zip.readUInt32LE(at + 42) === local)
  // Flags, method, time, CRC, sizes and lengths are the same in both headers.
  const shared = zip.subarray(at + 6, at + 32)
  demand(zip.subarray(local + 4, local + localBytes).equals(shared))
  const [flags, method] = [zip.readUInt16LE(at + 8), zip.readUInt16LE(at + 10)]
  demand((flags & ~harmlessFlags) === 0)
  const [crc, packedSize] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20)]
  const [size, nameLength] = [zip.readUInt32LE(at + 24), zip.readUInt16LE(at + 28)]
  const name = textAt(zip, at + directoryBytes, nameLength)
  demand(name.length === nameLength && textAt(zip, local + localBytes, nameLength) === name)
  const from = local + localBytes + nameLength
  const end = from + packedSize
  return { name, size, method, crc, content: zip.subarray(from, end), end }
}

type Packed = { readonly content: Buffer; readonly method: number; readonly crc: number }

function unpacked({ content, method, crc }: Packed, size: number): Buffer {
  demand(method === 0 || method === 8)
  const bytes = method === 0 ? content : inflated(content, size)
  demand(bytes.length === size && crc32(bytes) === crc)
  return bytes
}

/** What `inflateRawSync` answers with `info`, which its types leave out. */
type Inflated = { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }

function inflated(content: Buffer, size: number): Buffer {
  const options = { maxOutputLength: size + 1, info: true }
  const { buffer, engine } = inflateRawSync(content, options) as unknown as Inflated
  demand(engine.bytesWritten === content.length)
  return buffer
}

/** Names are compared byte by byte: those of the service are ASCII. */
function textAt(zip: Buffer, at: number, length = 0): string {
  return zip.toString('latin1', at, at + length)
}

function demand(isRight: boolean): void {
  if (!isRight) throw new ZipBroken('not as the service writes it')
}
