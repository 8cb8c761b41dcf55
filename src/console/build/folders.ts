import { join } from 'node:path'

/** File names are relative to this folder. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..')

/** The sources of the console. */
export const consoleSources = join(projectFolder, 'src', 'console')
/** The built pages. The service serves what is here. */
export const builtPages = join(projectFolder, 'dist', 'pages')
/** What the pages of both houses depend on; the lockfile stands for the packages. */
export const sharedInputs: readonly string[] = [
  join(projectFolder, 'src', 'client'),
  join(projectFolder, 'package-lock.json'),
]
/** In a built page: the server puts the nonce of its answer there. */
export const noncePlaceholder = 'NONCE_OF_THE_ANSWER'
/** Beside the built console: which files make up each screen. */
export const manifestFile = 'manifest.json'
