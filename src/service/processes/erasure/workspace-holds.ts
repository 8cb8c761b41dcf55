import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { ReadModels } from '../../../../projections/tables.ts'

/**
 * Erasures that one process records at once, each with a database connection of its own: of ten,
 * most are left for everything else, even while the event store is slow.
 */
const recordingMax = 2

/** Any number: with the workspace's hash it names a lock that nothing else takes. */
const holdLock = 7_310_003

/**
 * Resolves when no erasure of the workspace is being recorded; none is until the transaction ends.
 * An advisory lock and not the row's: erasures that follow each other closely would share the row's
 * lock among themselves and keep a hold waiting, whereas this one is granted in the order of asking.
 */
export async function keepErasuresOut(
  tx: QueryExecutorProvider,
  workspaceId: string,
): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${holdLock}::int, hashtext(${workspaceId}))`.execute(tx)
}

/** The workspaces' legal holds, as erasures heed them. */
export type WorkspaceHolds = {
  /** Whether a workspace has a legal hold now. */
  isHeld(workspaceId: string): Promise<boolean>
  /**
   * Records an erasure unless the workspace has a legal hold, and keeps one from being placed
   * meanwhile. Throws what `record` and the database throw; it may then have been recorded.
   */
  unlessHeld<T>(workspaceId: string, record: () => Promise<T>): Promise<T | 'held'>
}

export function workspaceHolds(db: Kysely<ReadModels>): WorkspaceHolds {
  const inTurn = turns(recordingMax)
  return {
    isHeld: (workspaceId) => isHeld(db, workspaceId),
    unlessHeld: (workspaceId, record) =>
      inTurn(() =>
        db.transaction().execute(async (tx) => {
          await sql`
            SELECT pg_advisory_xact_lock_shared(${holdLock}::int, hashtext(${workspaceId}))`.execute(
            tx,
          )
          // A statement of its own: it sees the hold that the lock waited for.
          return (await isHeld(tx, workspaceId)) ? 'held' : await record()
        }),
      ),
  }
}

async function isHeld(db: Kysely<ReadModels>, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM workspaces
    WHERE id = ${workspaceId} AND legal_hold_since IS NOT NULL`.execute(db)
  return rows.length > 0
}

/** Holds of this process that are recorded, each with a database connection of its own. */
export const oneAtATime = turns(1)

/** Runs work in the order of the calls, so much of it at once. */
function turns(atOnceMax: number) {
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
