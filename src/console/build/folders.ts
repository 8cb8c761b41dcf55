import { join } from 'node:path'

/** File names are relative to this folder. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..')

/** The sources of the console and of the documentation site. */
export const consoleSources = join(projectFolder, 'src', 'console')
export const siteSources = join(projectFolder, 'src', 'docs-site')
/** The documents that the documentation site shows. */
export const documentSources = join(projectFolder, 'docs')
/** Of the readers of the repository only: the build does not read them. */
export const imagesFolder = join(documentSources, 'images')
/** The built pages. */
export const builtPages = join(projectFolder, 'dist', 'pages')
/** Inside the built pages. */
export const consoleFolder = 'console'
export const siteFolder = 'docs'
/** Everything that a build depends on; the lockfile stands for the packages. */
export const buildInputs: readonly string[] = [
  consoleSources,
  siteSources,
  documentSources,
  join(projectFolder, 'src', 'client'),
  join(projectFolder, 'package-lock.json'),
]
/** Beside the built pages: the digest of their sources. */
export const digestFile = 'built-from.txt'
/** In a built page: the server puts the nonce of its answer there. */
export const noncePlaceholder = 'NONCE_OF_THE_ANSWER'
/** Beside the built console: which files make up each screen. */
export const manifestFile = 'manifest.json'
