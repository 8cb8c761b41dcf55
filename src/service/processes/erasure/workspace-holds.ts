import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'

/**
 * Erasures that one process records at once. Each uses a database connection of its own, and most
 * of the ten must stay free even while the event store is slow.
 */
const recordingMax = 2

/** An arbitrary number; with the workspace's hash it identifies a lock that nothing else takes. */
const holdLock = 7_310_003

/**
 * Waits until no erasure of the workspace is being recorded, and prevents new ones until the
 * transaction ends. An advisory lock rather than the row's, because erasures in close succession
 * would share the row lock among themselves and starve a hold; this lock is granted in order of
 * request.
 */
export async function keepErasuresOut(
  tx: QueryExecutorProvider,
  workspaceId: string,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${holdLock}::int, hashtext(${workspaceId}))`.execute(tx)
}

/** The workspaces' legal holds, as far as erasures need them. */
export type WorkspaceHolds = {
  /** Whether a workspace has a legal hold now. */
  isHeld(workspaceId: string): Promise<boolean>
  /**
   * Records an erasure unless the workspace has a legal hold, and prevents a new hold meanwhile.
   * Throws the errors of `record` and the database; the erasure may be recorded even then.
   */
  unlessHeld<T>(workspaceId: string, record: () => Promise<T>): Promise<T | 'held'>
}

export function workspaceHolds(db: Kysely<Tables>): WorkspaceHolds {
  const limited = limitConcurrency(recordingMax)
  return {
    isHeld: (workspaceId) => isHeld(db, workspaceId),
    unlessHeld: (workspaceId, record) =>
      limited(() =>
        db.transaction().execute(async (tx) => {
          await sql`
            SELECT pg_advisory_xact_lock_shared(${holdLock}::int, hashtext(${workspaceId}))`.execute(
            tx,
          )
          // A separate statement, to see the hold that the lock waited for.
          return (await isHeld(tx, workspaceId)) ? 'held' : await record()
        }),
      ),
  }
}

async function isHeld(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM workspaces
    WHERE id = ${workspaceId} AND legal_hold_since IS NOT NULL`.execute(db)
  return rows.length > 0
}

/** Holds recorded by this process at once; each uses a database connection of its own. */
export const oneAtATime = limitConcurrency(1)

/** Runs work in call order, at most `atOnceMax` at once. */
function limitConcurrency(atOnceMax: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
