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
import { brotliCompress, gzip } from 'node:zlib'
import { build } from 'vite'
import { builtPages, digestFile, manifestFile, noncePlaceholder, pageSources } from './folders.ts'
import { isBuiltCurrent, sourceDigest } from './source-digest.ts'

/** `npm run build:console`: builds the console's pages, ready to be served as they are. */

/** Not compressed. `test/http/console.test.ts` limits what is sent. */
const chunkKilobytesMax = 1_000

/** The pages are not secret, and another user than the one that built them may serve them. */
const readableForAll = 0o755

/** Writes compressed forms beside each file, so that nothing is compressed while serving. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
  }
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

/** Builds beside the current pages and replaces them only when the new ones are complete. */
async function buildPages(): Promise<void> {
  await mkdir(dirname(builtPages), { recursive: true })
  await sweep()
  const made = await mkdtemp(`${builtPages}-`)
  try {
    const digest = await sourceDigest()
    await build({
      configFile: false,
      root: pageSources,
      base: '/console/',
      publicDir: false,
      // Only what compiling needs: the build does not check types, and the folder in which the
      // image is built does not have the project's own settings.
      tsconfig: join(import.meta.dirname, 'tsconfig.json'),
      logLevel: 'warn',
      html: { cspNonce: noncePlaceholder },
      build: {
        outDir: made,
        emptyOutDir: true,
        target: 'es2023',
        // The content security policy refuses inlined assets.
        assetsInlineLimit: 0,
        // Says which files each screen needs.
        manifest: manifestFile,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: chunkKilobytesMax,
        rolldownOptions: {
          onwarn(warning, warn) {
            // Components declare where they may run under server rendering, which is not used here.
            if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
          },
        },
      },
    })
    await compress(made)
    await writeFile(join(made, digestFile), `${digest}\n`)
    await chmod(made, readableForAll)
    await putInPlace(made)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

await buildPages()
