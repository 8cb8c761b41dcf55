import { buildPages } from '../../console/build/build-pages.ts'
import { consoleSources, sharedInputs } from '../../console/build/folders.ts'
import { documentSources, siteSources } from './folders.ts'

/** Builds the documentation, ready to be served, unless it is built from these sources already. */

const said = await buildPages({
  name: 'docs',
  inputs: [
    siteSources,
    documentSources,
    // It is made of the console's parts.
    consoleSources,
    ...sharedInputs,
  ],
  needs: ['vite', 'react', 'marked'],
  build: async (folder) => await (await import('./build-site.ts')).buildSite(folder),
})
if (said !== null) process.stdout.write(`${said}\n`)
