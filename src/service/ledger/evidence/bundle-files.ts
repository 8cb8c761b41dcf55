import { open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { endsAsZip, readZip, ZipBroken } from './read-zip.ts'

/** The files of a bundle, by name. Null instead of the content: it is no file, but a folder or a link. */
export type BundleFiles = ReadonlyMap<string, Buffer | null>

/** It is a bundle, but its files cannot be listed. */
export class BundleUnreadable extends Error {
  override readonly name = 'BundleUnreadable'
}

/** The largest bundle we make is less than a tenth of this. */
const bytesMax = 256 * 1024 * 1024
const zipSign = 'PK'
/** Its end record, and the longest comment that may follow. */
const zipTailBytes = 22 + 65_535

/**
 * The files of a folder or of a ZIP; null if it is neither. Throws BundleUnreadable, or what the file
 * system throws.
 */
export async function readBundle(path: string): Promise<BundleFiles | null> {
  if ((await stat(path)).isDirectory()) return await filesInFolder(path)
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const partAt = async (from: number, length: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const isZip =
      (await partAt(0, zipSign.length)).toString('latin1') === zipSign ||
      endsAsZip(await partAt(Math.max(0, size - zipTailBytes), zipTailBytes))
    if (!isZip) return null
    if (size > bytesMax) throw new BundleUnreadable('it is too large')
  } finally {
    await file.close()
  }
  return filesIn(await readFile(path))
}

/** Throws BundleUnreadable. */
export function filesIn(zip: Buffer): BundleFiles {
  try {
    return readZip(zip, bytesMax)
  } catch (error) {
    if (!(error instanceof ZipBroken)) throw error
    const problem =
      'the ZIP file is broken or not as the service writes it; unpack it and check the folder'
    throw new BundleUnreadable(problem, { cause: error })
  }
}

async function filesInFolder(path: string): Promise<BundleFiles> {
  const files = new Map<string, Buffer | null>()
  let bytes = 0
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const file = join(path, entry.name)
    if (entry.isFile()) bytes += (await stat(file)).size
    if (bytes > bytesMax) throw new BundleUnreadable('its files are too large')
    files.set(entry.name, entry.isFile() ? await readFile(file) : null)
  }
  return files
}
