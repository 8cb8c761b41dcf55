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
import { builtPages, digestFile, pageSources } from './folders.ts'
import { isBuiltCurrent, sourceDigest } from './source-digest.ts'

/** `npm run build:console`: the pages of the console, ready to be served as they stand. */

/** Every page loads all of it once; a piece apart would only be one more request. */
const chunkKilobytesMax = 1_000

/** The pages are no secret, and another user than the one that built them may serve them. */
const readableForAll = 0o755

/** Beside each file its compressed forms, so that nothing is compressed while it is served. */
async function compress(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg)$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes))
  }
}

/** Of two builds that end at the same moment one finds the other's pages, which are the same. */
async function putInPlace(made: string): Promise<void> {
  await rm(builtPages, { recursive: true, force: true })
  try {
    await rename(made, builtPages)
  } catch (error) {
    if (!(await isBuiltCurrent())) throw error
  }
}

/** What a build that was killed has left. Another one may be under way: it is done long before this. */
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

/** Builds beside the pages there are and puts the new ones in their place only when they are whole. */
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
      // What compiling needs to know and no more: checking types is not the build's work, and the
      // project's own settings are not where the image is made.
      tsconfig: join(import.meta.dirname, 'tsconfig.json'),
      logLevel: 'warn',
      build: {
        outDir: made,
        emptyOutDir: true,
        target: 'es2023',
        // What is inlined the content security policy refuses.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: chunkKilobytesMax,
        rolldownOptions: {
          onwarn(warning, warn) {
            // Components say where they may run when a server draws pages; here none does.
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
