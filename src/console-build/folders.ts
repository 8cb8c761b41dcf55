import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** What the pages are made of. */
export const pageSources = join(root, 'src', 'console')
/** Where the built pages are. */
export const builtPages = join(root, 'dist', 'console')
/** Everything that a build depends on; the lockfile stands for the packages. */
export const buildInputs: readonly string[] = [
  pageSources,
  join(root, 'src', 'client'),
  join(root, 'src', 'console-build'),
  join(root, 'package-lock.json'),
]
/** Beside the built pages: the digest of what they were built from. */
export const digestFile = 'built-from.txt'
