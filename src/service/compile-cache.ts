import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Next to the packages: a user who can write there can change the program anyway. */
const directory = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'shipping-ledger')

/**
 * Caches the compiled form of everything loaded from here on, by its content: most of a start's
 * processor time is compiling. Does nothing if the folder is not writable or the environment names
 * another.
 */
export function useCompileCache(): void {
  enableCompileCache(directory)
}

/** Flush now and not at the end of the process, which may be killed. */
export function keepCompiled(): void {
  flushCompileCache()
}
