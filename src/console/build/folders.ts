import { join } from 'node:path'

/** File names are relative to this folder. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..')

export const consoleSources = join(projectFolder, 'src', 'console')
/** The built pages. The service serves what is here. */
export const builtPages = join(projectFolder, 'dist', 'pages')
/** What the pages of both workspaces depend on; the lockfile stands for the packages. */
export const sharedInputs: readonly string[] = [
  join(projectFolder, 'src', 'client'),
  join(projectFolder, 'src', 'verifier'),
  join(projectFolder, 'package-lock.json'),
]
/** The text in a built page that the server replaces with the nonce of each response. */
export const noncePlaceholder = 'NONCE_OF_THE_ANSWER'
/** The file beside the built console that lists the files of each screen. */
export const manifestFile = 'manifest.json'
