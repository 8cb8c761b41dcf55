import { join } from 'node:path'

/** What names of files are relative to. */
export const projectFolder = join(import.meta.dirname, '..', '..')

/** What the pages are made of. */
export const pageSources = join(projectFolder, 'src', 'console')
/** Where the built pages are. */
export const builtPages = join(projectFolder, 'dist', 'console')
/** Everything that a build depends on; the lockfile stands for the packages. */
export const buildInputs: readonly string[] = [
  pageSources,
  join(projectFolder, 'src', 'client'),
  join(projectFolder, 'src', 'console-build'),
  join(projectFolder, 'package-lock.json'),
]
/** Beside the built pages: the digest of what they were built from. */
export const digestFile = 'built-from.txt'
