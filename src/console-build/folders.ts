import { join } from 'node:path'

/** File names are relative to this folder. */
export const projectFolder = join(import.meta.dirname, '..', '..')

/** The sources of the pages. */
export const pageSources = join(projectFolder, 'src', 'console')
/** The built pages. */
export const builtPages = join(projectFolder, 'dist', 'console')
/** Everything that a build depends on; the lockfile stands for the packages. */
export const buildInputs: readonly string[] = [
  pageSources,
  join(projectFolder, 'src', 'client'),
  join(projectFolder, 'src', 'console-build'),
  join(projectFolder, 'package-lock.json'),
]
/** Beside the built pages: the digest of their sources. */
export const digestFile = 'built-from.txt'
/** In the built page: the server puts the nonce of its answer there. */
export const noncePlaceholder = 'NONCE_OF_THE_ANSWER'
/** Beside the built pages: which files make up each screen. */
export const manifestFile = 'manifest.json'
