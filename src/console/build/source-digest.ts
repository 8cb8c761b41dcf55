import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { buildInputs, builtPages, digestFile, imagesFolder, projectFolder } from './folders.ts'

/** The pages have a sixth of these files; more means that something else was put among them. */
const filesMax = 2_000

async function filesOf(path: string): Promise<readonly string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.startsWith(imagesFolder))
}

/** The digest of every file that a build depends on: names and contents. */
export async function sourceDigest(): Promise<string> {
  const files = (await Promise.all(buildInputs.map(filesOf))).flat().sort()
  if (files.length > filesMax) throw new Error(`${files.length} files are too many for the pages`)
  const hash = createHash('sha256')
  for (const [index, file] of files.entries()) {
    const text = await readFile(file)
    const name = relative(projectFolder, file).replaceAll('\\', '/')
    hash.update(`${index} ${name} ${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}

/** Whether the existing pages were built from the existing sources. */
export async function isBuiltCurrent(): Promise<boolean> {
  const built = await readFile(join(builtPages, digestFile), 'utf8').catch(() => null)
  return built !== null && built.trim() === (await sourceDigest())
}
