import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import {
  createTables,
  indexesOf,
  type Projection,
  showGeneration,
} from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import type { Place, Position } from '../event-store/event-store.ts'
import { Signal } from '../queue/signal.ts'

export type ProjectionStatus = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly position: Position | null
  readonly place: Place | null
  readonly active: boolean
  /** Why it is stopped; null while it works. */
  readonly stoppedBy: string | null
}

export type CheckpointRow = {
  generation: number
  version: number
  position: string | null
  /** The ledger's last event up to the position; null for a row written by the previous version. */
  event_position: string | null
  event_id: string | null
  active: boolean
  stopped_by: string | null
}

export const checkpointColumns = sql`
  generation, version, position, event_position, event_id, active, stopped_by`

/** The place stored in a row; null if nothing was applied. */
export function placeOfRow(
  row: Pick<CheckpointRow, 'position' | 'event_position' | 'event_id'>,
): Place | null {
  const { position, event_position: eventPosition, event_id: id } = row
  if (position === null) return null
  const event = eventPosition === null || id === null ? null : { position: eventPosition, id }
  return { position, event }
}

/** Events per transaction: enough to amortize a flush, few enough to stay under 100 ms. */
export const batchMax = 500

export async function rowsOf(db: Kysely<Tables>, name: string): Promise<readonly CheckpointRow[]> {
  const { rows } = await sql<CheckpointRow>`
    SELECT ${checkpointColumns} FROM projections
    WHERE name = ${name} ORDER BY generation`.execute(db)
  return rows
}

/**
 * Deletes the checkpoints of projections of an earlier version of the code. Their tables stay until
 * other tables replace them.
 */
export async function forgetOthers(db: Kysely<Tables>, kept: readonly Projection[]): Promise<void> {
  const names = kept.map(({ name }) => name)
  await sql`DELETE FROM projections WHERE name <> ALL (${names})`.execute(db)
}

/**
 * The version of a read model that was created when the ledger already had a history. The follower
 * builds the real one beside it, because following from the start of the ledger would delay the others.
 */
const notBuilt = 0

/** The active generation, which is created on the first start. */
export async function ensureProjection(
  db: Kysely<Tables>,
  projection: Projection,
): Promise<{
  readonly generation: number
  readonly place: Place | null
  readonly version: number
}> {
  return await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`projection ${projection.name}`}))`.execute(
      tx,
    )
    const active = (await rowsOf(tx, projection.name)).find((row) => row.active)
    if (active !== undefined) return { ...active, place: placeOfRow(active) }
    await createTables(tx, projection, 1)
    for (const statement of indexesOf(projection, 1)) await sql.raw(statement).execute(tx)
    await showGeneration(tx, projection, 1)
    const isReadModel = Object.keys(projection.tables).length > 0
    const version = isReadModel && (await hasHistory(tx)) ? notBuilt : projection.version
    await sql`
      INSERT INTO projections (name, generation, version, position, active)
      VALUES (${projection.name}, 1, ${version}, NULL, true)`.execute(tx)
    return { generation: 1, place: null, version }
  })
}

async function hasHistory(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM projections WHERE active AND position IS NOT NULL LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Read models known to be built. They stay built. */
const built = new WeakMap<Kysely<Tables>, Set<string>>()

/** Whether a read model is complete. It is incomplete only right after the upgrade that adds it. */
export async function isBuilt(db: Kysely<Tables>, name: string): Promise<boolean> {
  const known = built.get(db) ?? new Set()
  built.set(db, known)
  if (known.has(name)) return true
  const { rows } = await sql`
    SELECT FROM projections WHERE name = ${name} AND active AND version <> ${notBuilt}`.execute(db)
  if (rows.length > 0) known.add(name)
  return rows.length > 0
}

export async function projectionStatuses(db: Kysely<Tables>): Promise<readonly ProjectionStatus[]> {
  const { rows } = await sql<CheckpointRow & { name: string }>`
    SELECT name, ${checkpointColumns} FROM projections ORDER BY name, generation`.execute(db)
  return rows.map((row) => {
    const { name, generation, version, position, active, stopped_by: stoppedBy } = row
    return { name, generation, version, position, place: placeOfRow(row), active, stoppedBy }
  })
}

/** Polling interval for the checkpoints while a caller waits for them. */
const caughtUpPollMs = 5

type Waiting = {
  readonly position: Position
  readonly until: number
  readonly answer: (isReached: boolean) => void
}

/** Callers that wait for a database's checkpoints: one query serves all of them. */
type Waiters = {
  readonly waiting: Set<Waiting>
  /** Notified when another caller starts to wait. */
  readonly added: Signal
}
const waitersOf = new WeakMap<Kysely<Tables>, Waiters>()

function waitersFor(db: Kysely<Tables>): Waiters {
  const waiters = waitersOf.get(db) ?? { waiting: new Set(), added: new Signal() }
  waitersOf.set(db, waiters)
  return waiters
}

/** Waits this long, unless a caller in this process waits for the projections. */
export async function restUnlessWaitedFor(
  db: Kysely<Tables>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  const { waiting, added } = waitersFor(db)
  if (ms > 0 && waiting.size === 0) await added.wait(added.count, ms, signal)
}

/** True once every active projection has applied the events up to `position`; false at the timeout. */
export async function projectionsReached(
  db: Kysely<Tables>,
  position: Position | null,
  timeoutMs: number,
): Promise<boolean> {
  if (position === null) return true
  const { waiting, added } = waitersFor(db)
  const isFirst = waiting.size === 0
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.add({ position, until: performance.now() + timeoutMs, answer: resolve })
  added.notify()
  if (isFirst) void serve(db, waiting)
  return await promise
}

async function serve(db: Kysely<Tables>, waiting: Set<Waiting>): Promise<void> {
  while (waiting.size > 0) {
    const asked = [...waiting]
    // After an error nothing counts as reached. It is retried until the callers' timeout.
    const reached = await reachedBy(db).catch(() => '')
    for (const each of asked) {
      const isReached = reached >= each.position
      if (!isReached && performance.now() < each.until) continue
      waiting.delete(each)
      each.answer(isReached)
    }
    if (waiting.size > 0) await delay(caughtUpPollMs)
  }
}

/** The position that the slowest active projection has applied. */
async function reachedBy(db: Kysely<Tables>): Promise<Position> {
  const { rows } = await sql<{ position: string | null }>`
    SELECT min(coalesce(position, '')) AS position FROM projections WHERE active`.execute(db)
  return rows[0]?.position ?? ''
}
