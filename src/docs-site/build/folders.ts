import { join } from 'node:path'
import { projectFolder } from '../../console/build/folders.ts'

export const siteSources = join(projectFolder, 'src', 'docs-site')
/** The documents that the site shows. */
export const documentSources = join(projectFolder, 'docs')
/** Only for readers of the repository: the build does not read them. */
export const imagesFolder = join(documentSources, 'images')
