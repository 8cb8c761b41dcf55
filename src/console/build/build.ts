import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages } from './build-pages.ts'
import { consoleSources, manifestFile, sharedInputs } from './folders.ts'

/** Builds the console, ready to be served, unless it is built from these sources already. */

async function build(folder: string): Promise<void> {
  const vite = await import('vite')
  const { viteSettings } = await import('./vite-settings.ts')
  const { preloadedFont, smallFont } = await import('./font.ts')
  const settings = viteSettings(consoleSources, '/console/')
  const fonts = await mkdtemp(join(tmpdir(), 'console-fonts-'))
  try {
    await writeFile(join(fonts, 'inter.woff2'), await smallFont())
    // The manifest says which files each screen needs.
    await vite.build({
      ...settings,
      plugins: [preloadedFont],
      resolve: { alias: { '@fonts': fonts } },
      build: { ...settings.build, outDir: folder, manifest: manifestFile },
    })
  } finally {
    await rm(fonts, { recursive: true, force: true })
  }
}

const said = await buildPages({
  name: 'console',
  inputs: [consoleSources, ...sharedInputs],
  needs: ['vite', 'react', 'subset-font', '@fontsource-variable/inter'],
  build,
})
if (said !== null) process.stdout.write(`${said}\n`)
