import { createHash } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'

/* The contents of a bundle, for tests that build and alter bundles. */

/** The files of a bundle, by name. */
export type Files = Map<string, Buffer>

export type Sign = (text: string) => string

/** The manifest text of these files, without its signature. */
function manifestText(files: Files, shipmentId: string, witnesses: readonly string[]): string {
  const [origin, size, root] = String(files.get('checkpoint.txt')).split('\n')
  const names = [...files.keys()].filter((name) => name !== 'manifest.txt').sort()
  const lines = [
    `${origin}/evidence`,
    `shipment ${shipmentId}`,
    `checkpoint ${size} ${root}`,
    ...names.map((name) => `file ${sha256Of(files.get(name) ?? Buffer.alloc(0))} ${name}`),
    ...witnesses.toSorted().map((key) => `witness ${key}`),
    `time ${new Date().toISOString()}`,
  ]
  return `${lines.join('\n')}\n`
}

/** The files with a new manifest instead of their own. */
export function bundleWith(
  files: Files,
  shipmentId: string,
  witnesses: readonly string[],
  sign: Sign,
): Files {
  const text = manifestText(files, shipmentId, witnesses)
  return new Map(files).set('manifest.txt', Buffer.from(`${text}\n${sign(text)}`))
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64')
}

/** A ZIP of the files, every other one compressed. Takes a list, to allow duplicate names. */
export function zipOf(
  entries: Iterable<readonly [string, Buffer]>,
  compressed: (bytes: Buffer) => Buffer = deflateRawSync,
): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const [name, bytes] of entries) {
    const method = central.length % 2 === 0 ? 8 : 0
    const packed = method === 8 ? compressed(bytes) : bytes
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(method, 4)
    shared.writeUInt32LE(crc32(bytes), 10)
    shared.writeUInt32LE(packed.length, 14)
    shared.writeUInt32LE(bytes.length, 18)
    shared.writeUInt16LE(Buffer.byteLength(name), 22)
    local.push(Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), shared, rest, Buffer.from(name))
    offset += 4 + shared.length + Buffer.byteLength(name) + packed.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  const count = central.length / 4
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
