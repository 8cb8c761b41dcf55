import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'astro'
import { consoleSources } from '../../console/build/folders.ts'
import { smallFont } from '../../console/build/font.ts'
import { fitPolicy } from './fit-policy.ts'
import { siteSources } from './folders.ts'
import { referenceRenderer } from './reference-renderer.ts'

/** Writes the documentation site into a folder. */
export async function buildSite(folder: string): Promise<void> {
  // Astro reports each build to its makers unless this is set.
  // biome-ignore lint/style/noProcessEnv: it has no other switch
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  // Astro also writes types into its root, which is of this build alone.
  const made = await mkdtemp(`${folder}-made-`)
  try {
    // It tells Vite which packages to compile.
    await copyFile(join(siteSources, 'package.json'), join(made, 'package.json'))
    const renderer = await referenceRenderer()
    await writeFile(join(made, 'inter.woff2'), await smallFont())
    await writeFile(join(made, 'reference-renderer.js'), renderer.script)
    await writeFile(join(made, 'reference-renderer.css'), renderer.styles)
    await build({
      root: made,
      configFile: relative(made, join(siteSources, 'astro.config.ts')),
      outDir: folder,
      cacheDir: join(made, 'cache'),
      logLevel: 'error',
      vite: { resolve: { alias: { '@made': made } }, cacheDir: join(made, 'vite') },
    })
    const license = import.meta.resolve('@fontsource-variable/inter/LICENSE')
    await copyFile(fileURLToPath(license), join(folder, 'assets', 'inter-LICENSE.txt'))
    await copyFile(join(consoleSources, 'icon.svg'), join(folder, 'icon.svg'))
    await finishMarkdown(folder)
    await fitPolicy(folder)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

/**
 * Removes what only this site understands from the Markdown that is served. A folder's page is its
 * README, so its Markdown is also at the folder's address with `.md`.
 */
async function finishMarkdown(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.md')) continue
    const path = join(folder, file)
    const text = await readFile(path, 'utf8')
    const plain = text.replaceAll(/^(```\w+) .*$/gm, '$1').replaceAll(/^<!-- sign in -->\n+/gm, '')
    if (plain !== text) await writeFile(path, plain)
    const [, parent] = /^(.+)[\\/]README\.md$/.exec(file) ?? []
    if (parent !== undefined) await copyFile(path, join(folder, `${parent}.md`))
  }
}
