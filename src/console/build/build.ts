import { buildPages } from './build-pages.ts'
import { consoleSources, manifestFile, sharedInputs } from './folders.ts'

/** Builds the console, ready to be served, unless it is built from these sources already. */

async function build(folder: string): Promise<void> {
  const vite = await import('vite')
  const { viteSettings } = await import('./vite-settings.ts')
  const settings = viteSettings(consoleSources, '/console/')
  // The manifest says which files each screen needs.
  await vite.build({
    ...settings,
    build: { ...settings.build, outDir: folder, manifest: manifestFile },
  })
}

const said = await buildPages({
  name: 'console',
  inputs: [consoleSources, ...sharedInputs],
  needs: ['vite', 'react'],
  build,
})
if (said !== null) process.stdout.write(`${said}\n`)
