import { join } from 'node:path'
import { projectFolder } from '../../console/build/folders.ts'

export const siteSources = join(projectFolder, 'src', 'docs-site')
export const documentSources = join(projectFolder, 'docs')
/** Only for readers of the repository; not part of the site. */
export const imagesFolder = join(documentSources, 'images')
