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
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import { build } from 'vite'
import { buildSite } from '../../docs-site/build/build-site.ts'
import {
  builtPages,
  consoleFolder,
  consoleSources,
  digestFile,
  manifestFile,
  siteFolder,
} from './folders.ts'
import { isBuiltCurrent, sourceDigest } from './source-digest.ts'
import { viteSettings } from './vite-settings.ts'

/** `npm run build:pages`: builds the console and the documentation site, ready to be served. */

/** The pages are not secret, and another user than the one that built them may serve them. */
const readableForAll = 0o755
/** The best quality takes ten times as long for a few percent, which only small files are worth. */
const bestQualityBytesMax = 600_000
const fastQuality = 7

/** Writes compressed forms beside each file, so that nothing is compressed while serving. */
async function compress(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file)
      const quality = bytes.length > bestQualityBytesMax ? fastQuality : zlib.BROTLI_DEFAULT_QUALITY
      const params = { [zlib.BROTLI_PARAM_QUALITY]: quality }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }))
      await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
    }),
  )
}

/** If two builds end at the same moment, one finds the other's identical pages in place. */
async function putInPlace(made: string): Promise<void> {
  await rm(builtPages, { recursive: true, force: true })
  try {
    await rename(made, builtPages)
  } catch (error) {
    if (!(await isBuiltCurrent())) throw error
  }
}

/** Removes what a killed build left behind. A build in progress is done long before this age. */
const leftAfterMs = 600_000

async function sweep(): Promise<void> {
  const folder = dirname(builtPages)
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const isBuild = path.startsWith(`${builtPages}-`)
    if (!isBuild || Date.now() - (await stat(path)).mtimeMs < leftAfterMs) continue
    await rm(path, { recursive: true, force: true })
  }
}

async function buildConsole(folder: string): Promise<void> {
  const settings = viteSettings(consoleSources, '/console/')
  // The manifest says which files each screen needs.
  await build({
    ...settings,
    build: { ...settings.build, outDir: folder, manifest: manifestFile },
  })
}

/** Builds beside the current pages and replaces them only when the new ones are complete. */
async function buildPages(): Promise<void> {
  await mkdir(dirname(builtPages), { recursive: true })
  await sweep()
  const made = await mkdtemp(`${builtPages}-`)
  try {
    const digest = await sourceDigest()
    await buildConsole(join(made, consoleFolder))
    await buildSite(join(made, siteFolder))
    await compress(made)
    await writeFile(join(made, digestFile), `${digest}\n`)
    await chmod(made, readableForAll)
    await putInPlace(made)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

// Otherwise the builds of processes that were killed would pile up.
process.on('disconnect', () => process.exit(1))
// The channel alone does not keep this process running.
process.channel?.unref()
await buildPages()
