import { open, readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'

/** The files of a bundle, by name. Null instead of the content: it is damaged. */
export type BundleFiles = ReadonlyMap<string, Buffer | null>

/** It is a ZIP file, but its files cannot be listed. */
export class BundleUnreadable extends Error {
  override readonly name = 'BundleUnreadable'
}

/** A bundle has seven files. */
const filesMax = 100
/** The largest bundle we make is less than a tenth of this. */
const bytesMax = 256 * 1024 * 1024
const zipSign = 'PK'

/** Null if the file is not a ZIP. Throws BundleUnreadable, or what the file system throws. */
export async function readBundle(path: string): Promise<BundleFiles | null> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(zipSign.length), 0, zipSign.length, 0)
    if (buffer.toString('latin1') !== zipSign) return null
    if ((await file.stat()).size > bytesMax) throw new BundleUnreadable('it is too large')
  } finally {
    await file.close()
  }
  return filesIn(await readFile(path))
}

/** Throws BundleUnreadable. */
export function filesIn(zip: Buffer): BundleFiles {
  const files = new Map<string, Buffer | null>()
  for (const name of namesIn(zip)) {
    try {
      const content = unzipSync(zip, { filter: (entry) => entry.name === name })[name]
      files.set(name, content === undefined ? null : Buffer.from(content))
    } catch {
      files.set(name, null)
    }
  }
  return files
}

function namesIn(zip: Buffer): ReadonlySet<string> {
  const names = new Set<string>()
  let bytes = 0
  try {
    unzipSync(zip, {
      filter: ({ name, originalSize }) => {
        if (names.has(name)) throw new BundleUnreadable(`it has ${name} twice`)
        names.add(name)
        bytes += originalSize
        if (names.size > filesMax || bytes > bytesMax)
          throw new BundleUnreadable('its files are too many or too large')
        return false
      },
    })
  } catch (error) {
    if (error instanceof BundleUnreadable) throw error
    throw new BundleUnreadable('it is not a whole ZIP file', { cause: error })
  }
  return names
}
