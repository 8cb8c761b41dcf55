import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Beside the packages, because a user who can write there can change the program anyway. */
export const compileCacheFolder = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '.cache',
  'shipping-ledger',
)

/**
 * Caches the compiled form of everything loaded from now on, by its content: compiling takes most of the
 * processor time of a start. Does nothing if the folder is not writable or the environment names another
 * one.
 */
export function useCompileCache(): void {
  enableCompileCache(compileCacheFolder)
}

/** Writes the cache now and not at the end of the process, which may be killed. */
export function keepCompiled(): void {
  flushCompileCache()
}
