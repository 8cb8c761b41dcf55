import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { guides } from '../mcp/guides.ts'

const house = join(import.meta.dirname, '..')

/**
 * Bundles the command into one file that needs no package, with the licences of what is inside, and
 * copies the guides that it serves.
 */
export async function bundleCommand(folder: string, guidesFolder: string): Promise<void> {
  await build({
    configFile: false,
    root: house,
    publicDir: false,
    logLevel: 'warn',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(house, 'command', 'shipping-ledger.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      minify: true,
      license: { fileName: 'LICENSES.md' },
      rolldownOptions: {
        output: { entryFileNames: 'shipping-ledger.js', codeSplitting: false },
      },
    },
  })
  await mkdir(join(folder, 'guides'))
  for (const name of Object.keys(guides)) {
    await copyFile(join(guidesFolder, `${name}.md`), join(folder, 'guides', `${name}.md`))
  }
}
