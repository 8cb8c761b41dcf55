import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { builtPages, projectFolder } from './folders.ts'

/** A set of pages that is built from sources into one folder of the built pages. */
export type PagesBuild = {
  /** The name of the folder. */
  readonly name: string
  /** Every file and folder that the build depends on. */
  readonly inputs: readonly string[]
  /** The packages that the build needs, which not every installation has. */
  readonly needs: readonly string[]
  /** Writes the pages into the folder. */
  readonly build: (folder: string) => Promise<void>
}

/** The file in the built folder with the digest of its sources. */
const digestFile = 'built-from.txt'
/** Three times what the pages have; more means that unrelated files are among them. */
const filesMax = 2_000
/** The pages are not secret, and another user may serve them. */
const readableForAll = 0o755
/** The best quality takes ten times as long for a few percent, so only scripts and styles that are not large get it. */
const bestQualityBytesMax = 600_000
const bestQuality = /\.(js|css|svg)$/
const fastQuality = 7
/** A build in progress is done long before this age. */
const leftAfterMs = 600_000

/**
 * Builds the pages unless the current ones were built from the same sources. Returns a line to
 * print, or null if there was nothing to do.
 */
export async function buildPages(pages: PagesBuild): Promise<string | null> {
  const { name, inputs, needs } = pages
  const folder = join(builtPages, name)
  const digest = await sourceDigest(inputs)
  if (await isBuiltFrom(folder, digest)) return null
  const missing = needs.filter((each) => !isInstalled(each))
  if (missing.length > 0) {
    return `${name}: not built, because this installation has no ${missing.join(', ')}`
  }
  const startedAt = performance.now()
  await buildBeside(pages, { folder, digest })
  return `${name}: built in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** Builds in a new folder, and replaces the current pages once the new ones are complete. */
async function buildBeside(
  { build }: PagesBuild,
  { folder, digest }: { readonly folder: string; readonly digest: string },
): Promise<void> {
  await mkdir(builtPages, { recursive: true })
  await sweep()
  const made = await mkdtemp(`${folder}-`)
  const replaced = `${made}-replaced`
  try {
    await build(made)
    await compress(made)
    await writeFile(join(made, digestFile), `${digest}\n`)
    await chmod(made, readableForAll)
    await rename(folder, replaced).catch(ignoreMissing)
    await rename(made, folder).catch(async (error: unknown) => {
      // If two builds finish at the same moment, one finds the other's identical pages in place.
      if (!(await isBuiltFrom(folder, digest))) throw error
    })
  } finally {
    await rm(made, { recursive: true, force: true })
    await rm(replaced, { recursive: true, force: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Removes the folders of killed builds. */
async function sweep(): Promise<void> {
  for (const name of await readdir(builtPages)) {
    const path = join(builtPages, name)
    if (!name.includes('-') || Date.now() - (await stat(path)).mtimeMs < leftAfterMs) continue
    await rm(path, { recursive: true, force: true })
  }
}

/** Writes compressed forms beside each file, so that nothing is compressed while serving. */
async function compress(folder: string): Promise<void> {
  const files = (await filesOf(folder)).filter((file) => /\.(html|js|css|svg|json|md)$/.test(file))
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file)
      const isWorthIt = bestQuality.test(file) && bytes.length <= bestQualityBytesMax
      const quality = isWorthIt ? zlib.BROTLI_DEFAULT_QUALITY : fastQuality
      const params = { [zlib.BROTLI_PARAM_QUALITY]: quality }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
    }),
  )
}

async function isBuiltFrom(folder: string, digest: string): Promise<boolean> {
  const built = await readFile(join(folder, digestFile), 'utf8').catch(() => null)
  return built?.trim() === digest
}

/** The digest of every file that a build depends on: names and contents. */
async function sourceDigest(inputs: readonly string[]): Promise<string> {
  const files = (await Promise.all(inputs.map(filesOf))).flat().sort()
  if (files.length > filesMax) throw new Error(`${files.length} files are too many for the pages`)
  const hash = createHash('sha256')
  for (const [index, file] of files.entries()) {
    const text = await readFile(file)
    const name = relative(projectFolder, file).replaceAll('\\', '/')
    hash.update(`${index} ${name} ${text.length}\n`).update(text)
  }
  return hash.digest('hex')
}

async function filesOf(path: string): Promise<readonly string[]> {
  if ((await stat(path)).isFile()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'))
}
