import { buildPages } from '../../console/build/build-pages.ts'
import { consoleSources, sharedInputs } from '../../console/build/folders.ts'
import { documentSources, siteSources } from './folders.ts'

/** Builds the documentation unless it is already built from these sources. */

const said = await buildPages({
  name: 'docs',
  // The site shares parts and the font with the console.
  inputs: [siteSources, documentSources, consoleSources, ...sharedInputs],
  needs: ['astro', '@astrojs/starlight', 'react', 'subset-font'],
  build: async (folder) => await (await import('./build-site.ts')).buildSite(folder),
})
if (said !== null) process.stdout.write(`${said}\n`)
