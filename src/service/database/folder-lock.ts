import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = {
  /** The end of the process, however it comes, releases as well. */
  release(): void
}

/** Locks of this process: an unreferenced connection is garbage-collected, and its lock with it. */
const held = new Set<DatabaseSync>()

/** SQLite's code for a lock held by another connection. */
const sqliteBusy = 5

/**
 * Takes the lock of a folder, which one process holds at a time; null when another process holds
 * it. The lock is the kernel's: an SQLite transaction held open on the file `lock`. It ends with
 * the process even after kill -9, so there is no stale lock to judge by process ids, which are
 * reused and mean nothing across containers. No other code of this process may open that file:
 * closing it would release the lock. Throws when the folder cannot be written.
 */
export function lockFolder(path: string): FolderLock | null {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(path, 'lock'))
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    return null
  }
  const taken = lock
  held.add(taken)
  return {
    release() {
      if (held.delete(taken)) taken.close()
    },
  }
}
