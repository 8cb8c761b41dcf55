import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import {
  createIndexes,
  createTables,
  dropTables,
  generationsOf,
  type Projection,
  showGeneration,
  swapLock,
} from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import type { EventStore, Place, Position } from '../event-store/event-store.ts'
import { prepareBatch } from './batch.ts'
import {
  batchMax,
  type CheckpointRow,
  checkpointColumns,
  ensureProjection,
  placeOfRow,
  rowsOf,
} from './checkpoint.ts'

/** No caller waits for a page of a rebuild, and a larger page merges more changes to the same row. */
export const rebuildPageMax = 5_000

type RebuildDeps = {
  readonly db: Kysely<Tables>
  readonly pool: Pool
  readonly store: EventStore
}

/**
 * Builds a new generation beside the active one and swaps it in when it has caught up. After a crash it
 * continues where it stopped. `progress` gets the position and number of events of each batch.
 */
export async function rebuildProjection(
  deps: RebuildDeps,
  projection: Projection,
  signal: AbortSignal,
  progress: (position: Position, events: number) => void = () => undefined,
): Promise<void> {
  const { db, store } = deps
  const { prefixes } = projection
  await ensureProjection(db, projection)
  const { generation, place: start } = await beginGeneration(db, projection)
  const part = { projection, generation, active: false, place: start }
  const following = { parts: [part], kept: new Map() }
  const stop = new AbortController()
  const pages = store.subscribe(start, {
    prefixes,
    batchMax: rebuildPageMax,
    signal: AbortSignal.any([signal, stop.signal]),
  })
  let applied = Promise.resolve()
  let isCaughtUp = false
  try {
    for await (const next of readAhead(pages)) {
      // Items read ahead arrive even after the signal aborts.
      if (signal.aborted) break
      if (next.kind === 'batch') {
        const { place, events } = next
        const apply = await prepareBatch(deps, following, place, events)
        await applied
        applied = apply().then(() => progress(place.position, events.length))
        // Prevents an unhandled rejection: the error is thrown where the promise is awaited.
        applied.catch(() => undefined)
      } else if (!isCaughtUp) {
        isCaughtUp = true
        await applied
        await createIndexes(db, projection, generation)
      }
      if (isCaughtUp) {
        await applied
        if (await swapWhenFree(deps, projection, generation, signal)) return
      }
    }
    await applied
  } finally {
    stop.abort()
    await applied.catch(() => undefined)
  }
  signal.throwIfAborted()
}

/** Fetches the next item while one is being processed. */
async function* readAhead<T>(items: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]()
  for (let coming = iterator.next(); ; ) {
    const { value, done } = await coming
    if (done) return
    coming = iterator.next()
    coming.catch(() => undefined)
    yield value
  }
}

async function beginGeneration(
  db: Kysely<Tables>,
  projection: Projection,
): Promise<{ readonly generation: number; readonly place: Place | null }> {
  return await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`projection ${projection.name}`}))`.execute(
      tx,
    )
    const rows = await rowsOf(tx, projection.name)
    const active = rows.find((row) => row.active)
    const begun = rows.find((row) => row.generation > (active?.generation ?? 0))
    if (begun !== undefined && begun.version === projection.version) {
      return { generation: begun.generation, place: placeOfRow(begun) }
    }
    const known = [...rows.map((row) => row.generation), ...(await generationsOf(tx, projection))]
    const generation = Math.max(0, ...known) + 1
    if (begun !== undefined) {
      await dropTables(tx, projection, begun.generation)
      await sql`DELETE FROM projections WHERE name = ${projection.name} AND generation = ${begun.generation}`.execute(
        tx,
      )
    }
    await createTables(tx, projection, generation)
    await sql`
      INSERT INTO projections (name, generation, version, position, active)
      VALUES (${projection.name}, ${generation}, ${projection.version}, NULL, false)`.execute(tx)
    return { generation, place: null }
  })
}

/**
 * Whether the live generation has applied events that the new one has not. A later position is not
 * enough, because there may be only other systems' events in between.
 */
async function isBehind(
  store: EventStore,
  { prefixes }: Projection,
  from: Place | null,
  reached: Position,
): Promise<boolean> {
  for (let after = from; reached > (after?.position ?? ''); ) {
    const page = await store.readAll(after, { prefixes, limit: batchMax })
    if (page.events.some(({ position }) => position <= reached)) return true
    if (page.last === (after?.position ?? null)) break
    after = page.place
  }
  return false
}

/** Wait between tries to swap while a comparison of the read models with the ledger runs. */
const comparedPauseMs = 250
/** Most swaps in a row that may end in a deadlock with transactions on the old tables. */
const deadlocksMax = 20
const deadlockDetected = '40P01'

/**
 * Swaps in the generation. It does not hold the lock while waiting, because a comparison holds it for
 * long. After a deadlock nothing was swapped, and the next try may succeed.
 */
async function swapWhenFree(
  deps: RebuildDeps,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
): Promise<boolean> {
  for (let deadlocks = 0; ; ) {
    const swapped = await swap(deps, projection, generation).catch((error: unknown) => {
      const isDeadlock = (error as { code?: unknown } | null)?.code === deadlockDetected
      if (!isDeadlock || ++deadlocks > deadlocksMax) throw error
      return 'deadlock' as const
    })
    if (typeof swapped === 'boolean') return swapped
    await delay(comparedPauseMs, undefined, { signal })
  }
}

/** Makes the generation active if it is not behind. The row locks stop the live one meanwhile. */
async function swap(
  { db, store }: RebuildDeps,
  projection: Projection,
  generation: number,
): Promise<boolean | 'compared'> {
  return await db.transaction().execute(async (tx) => {
    const { rows: lock } = await sql<{ is_ours: boolean }>`
      SELECT pg_try_advisory_xact_lock(hashtext(${swapLock})) AS is_ours`.execute(tx)
    if (lock[0]?.is_ours !== true) return 'compared'
    const { rows } = await sql<CheckpointRow>`
      SELECT ${checkpointColumns} FROM projections
      WHERE name = ${projection.name} ORDER BY generation FOR UPDATE`.execute(tx)
    const old = rows.find((row) => row.active)
    // Another process rebuilt the same generation and was faster.
    if (old?.generation === generation) return true
    const fresh = rows.find((row) => row.generation === generation)
    if (fresh === undefined)
      throw new Error(`Generation ${generation} was dropped by another rebuild.`)
    const reached = old?.position ?? ''
    if (await isBehind(store, projection, placeOfRow(fresh), reached)) return false
    await sql`UPDATE projections SET active = false WHERE name = ${projection.name} AND active`.execute(
      tx,
    )
    await sql`
      UPDATE projections SET active = true, stopped_by = NULL, updated_at = now()
      WHERE name = ${projection.name} AND generation = ${generation}`.execute(tx)
    await showGeneration(tx, projection, generation)
    for (const each of await generationsOf(tx, projection)) {
      if (each !== generation) await dropTables(tx, projection, each)
    }
    await sql`DELETE FROM projections WHERE name = ${projection.name} AND NOT active`.execute(tx)
    return true
  })
}
