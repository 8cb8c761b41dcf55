import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { documentSources, imagesFolder } from './folders.ts'

/** A file of the folder `docs`. */
export type SourceFile = {
  /** Relative to the folder, with forward slashes. */
  readonly file: string
  readonly text: string
}

/** Every file of the folder `docs`, without the images. */
export async function readSources(): Promise<readonly SourceFile[]> {
  const entries = await readdir(documentSources, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(imagesFolder))
  return await Promise.all(
    paths.sort().map(async (path) => ({
      file: relative(documentSources, path).replaceAll('\\', '/'),
      text: await readFile(path, 'utf8'),
    })),
  )
}
