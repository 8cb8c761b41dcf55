import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type FolderLock = {
  /** The end of the process releases the lock too, even a kill. */
  release(): void
}

/** Keeps the locks alive: an unreferenced connection is garbage-collected together with its lock. */
const held = new Set<DatabaseSync>()

/** SQLite's code for a lock held by another connection. */
const sqliteBusy = 5

/**
 * Takes the lock of a folder, which one process holds at a time; returns null if another process holds
 * it. It is a lock of the kernel: an SQLite transaction held open on the file `lock`. It ends with the
 * process, even after kill -9, so there are no stale locks to detect by process ids, which are reused
 * and mean nothing across containers. No other code of this process may open that file, because closing
 * it would release the lock. Throws if the folder cannot be written.
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
