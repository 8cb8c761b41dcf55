import { buildPages } from '../../console/build/build-pages.ts'
import { consoleSources, sharedInputs } from '../../console/build/folders.ts'
import { documentSources, siteSources } from './folders.ts'

/** Builds the documentation unless it is already built from these sources. */

const said = await buildPages({
  name: 'docs',
  inputs: [
    siteSources,
    documentSources,
    // The site uses the console's components.
    consoleSources,
    ...sharedInputs,
  ],
  needs: ['vite', 'react', 'marked'],
  build: async (folder) => await (await import('./build-site.ts')).buildSite(folder),
})
if (said !== null) process.stdout.write(`${said}\n`)
