import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/** Beside the packages: whoever may write there may change the program anyway. */
const directory = join(import.meta.dirname, '..', 'node_modules', '.cache', 'shipping-ledger')

/**
 * What is loaded from here on is kept compiled, by its content: most of a start's processor time is
 * compiling. Where the folder cannot be written, or the environment names another, nothing changes.
 */
export function useCompileCache(): void {
  enableCompileCache(directory)
}

/** Now and not at the end of the process, which may be a kill. */
export function keepCompiled(): void {
  flushCompileCache()
}
