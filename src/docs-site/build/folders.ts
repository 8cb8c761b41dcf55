import { join } from 'node:path'

const projectFolder = join(import.meta.dirname, '..', '..', '..')
export const siteSources = join(projectFolder, 'src', 'docs-site')
export const documentSources = join(projectFolder, 'docs')
