import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'
import type { BundleFile } from './manifest.ts'

/** A file of a ZIP, compressed. */
export type PackedFile = {
  readonly name: string
  readonly bytes: number
  readonly crc: number
  readonly content: Buffer
}

const [localSign, directorySign, endSign] = [0x04034b50, 0x02014b50, 0x06054b50]
const [localBytes, directoryBytes, endBytes] = [30, 46, 22]
const zipVersion = 20
const namesInUtf8 = 0x0800
const deflated = 8
/** 1 January 2000, so that the same files give the same ZIP. */
const zipDate = ((2000 - 1980) << 9) | (1 << 5) | 1

const packed = promisify<Buffer, Buffer>(deflateRaw)

/** Compresses a file asynchronously. Its name is a path in the ZIP, with `/`. */
export async function pack({ name, content }: BundleFile): Promise<PackedFile> {
  return { name, bytes: content.length, crc: crc32(content), content: await packed(content) }
}

/** The size of the file's entry in a ZIP. */
export function packedBytes({ name, content }: PackedFile): number {
  return localBytes + directoryBytes + 2 * Buffer.byteLength(name) + content.length
}

/** A ZIP of these files in this order, in the form that verify.mjs requires. */
export function zipOf(files: readonly PackedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const file of files) {
    const name = Buffer.from(file.name)
    const shared = sharedHeader(file, name)
    const local = Buffer.alloc(localBytes - shared.length)
    local.writeUInt32LE(localSign)
    directory.push(directoryEntry(shared, at), name)
    parts.push(local, shared, name, file.content)
    at += localBytes + name.length + file.content.length
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  return Buffer.concat([...parts, ...directory, endRecord({ count: files.length, at, length })])
}

/** The fields from the version to the lengths, which both headers share. */
function sharedHeader({ bytes, crc, content }: PackedFile, name: Buffer): Buffer {
  const header = Buffer.alloc(26)
  header.writeUInt16LE(zipVersion, 0)
  header.writeUInt16LE(namesInUtf8, 2)
  header.writeUInt16LE(deflated, 4)
  header.writeUInt16LE(zipDate, 8)
  header.writeUInt32LE(crc, 10)
  header.writeUInt32LE(content.length, 14)
  header.writeUInt32LE(bytes, 18)
  header.writeUInt16LE(name.length, 22)
  return header
}

function directoryEntry(shared: Buffer, at: number): Buffer {
  const entry = Buffer.alloc(directoryBytes)
  entry.writeUInt32LE(directorySign, 0)
  entry.writeUInt16LE(zipVersion, 4)
  shared.copy(entry, 6)
  entry.writeUInt32LE(at, 42)
  return entry
}

type Directory = { readonly count: number; readonly at: number; readonly length: number }

function endRecord({ count, at, length }: Directory): Buffer {
  const record = Buffer.alloc(endBytes)
  record.writeUInt32LE(endSign, 0)
  record.writeUInt16LE(count, 8)
  record.writeUInt16LE(count, 10)
  record.writeUInt32LE(length, 12)
  record.writeUInt32LE(at, 16)
  return record
}
