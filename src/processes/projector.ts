import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import {
  createTables,
  dropTables,
  type Projection,
  showGeneration,
  tableOf,
} from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import { decodeEvent } from '../event-store/codec.ts'
import type { EventStore, Position, StoredEvent } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { whileLeased } from './lease.ts'

export type ProjectorDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly log: Log
}

export type ProjectionStatus = {
  readonly name: string
  readonly generation: number
  readonly version: number
  readonly position: Position | null
  readonly active: boolean
  /** Why it stands still, null while it works. */
  readonly stoppedBy: string | null
}

type Row = {
  generation: number
  version: number
  position: string | null
  active: boolean
  stopped_by: string | null
}

/** One transaction's worth: large enough to amortise a flush, small enough to stay under 100 ms. */
const batchMax = 500
const retryDelayMsMin = 250
const retryDelayMsMax = 10_000

/** Another projector has moved the checkpoint, or another generation was made active. */
class Fenced extends Error {
  override readonly name = 'Fenced'
  constructor() {
    super('Another process is working on the same generation of this projection.')
  }
}

async function rowsOf(db: Kysely<ReadModels>, name: string): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT generation, version, position, active, stopped_by FROM projections
    WHERE name = ${name} ORDER BY generation`.execute(db)
  return rows
}

/** The active generation, made now if this is the first start. */
export async function ensureProjection(
  db: Kysely<ReadModels>,
  projection: Projection,
): Promise<{
  readonly generation: number
  readonly position: Position | null
  readonly version: number
}> {
  return await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`projection ${projection.name}`}))`.execute(
      tx,
    )
    const active = (await rowsOf(tx, projection.name)).find((row) => row.active)
    if (active !== undefined) return active
    await createTables(tx, projection, 1)
    await showGeneration(tx, projection, 1)
    await sql`
      INSERT INTO projections (name, generation, version, position, active)
      VALUES (${projection.name}, 1, ${projection.version}, NULL, true)`.execute(tx)
    return { generation: 1, position: null, version: projection.version }
  })
}

/** Applies a batch and moves the checkpoint in one transaction. Throws Fenced when it has moved. */
async function applyBatch(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
  active: boolean,
  from: Position | null,
  to: Position,
  events: readonly StoredEvent[],
): Promise<void> {
  const decoded = events.map(decodeEvent)
  await db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await sql`
      UPDATE projections SET position = ${to}, stopped_by = NULL, updated_at = now()
      WHERE name = ${projection.name} AND generation = ${generation} AND active = ${active}
        AND position IS NOT DISTINCT FROM ${from}`.execute(tx)
    if (numAffectedRows !== 1n) throw new Fenced()
    await projection.apply(tx, tableOf(generation), decoded)
  })
}

async function follow(
  deps: ProjectorDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> {
  const { generation, position: start, version } = await ensureProjection(deps.db, projection)
  if (version > projection.version) {
    // A newer version of the code keeps it; going back would only make the two build in turns.
    deps.log.warn({ projection: projection.name }, 'a newer version of this projection is in use')
    await delay(retryDelayMsMax, undefined, { signal }).catch(() => undefined)
    return
  }
  if (version < projection.version) {
    deps.log.info({ projection: projection.name }, 'projection has a new version: rebuilding it')
    await rebuildProjection(deps, projection, signal)
    return
  }
  let position = start
  const { prefixes } = projection
  for await (const next of deps.store.subscribe(start, { prefixes, signal, batchMax })) {
    if (next.kind === 'caught_up') continue
    await applyBatch(deps.db, projection, generation, true, position, next.last, next.events)
    position = next.last
  }
}

/**
 * Keeps the projection up to date until the signal, in one process of any number that run this: the
 * others take over within seconds when it ends. What cannot be applied stops it there, visibly, and
 * is tried again with growing pauses: nothing is ever skipped. Two at once, as when one was paused,
 * are safe: the checkpoint lets one of them through.
 */
export async function runProjector(
  deps: ProjectorDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> {
  await whileLeased(deps, `projector:${projection.name}`, signal, (held) =>
    keepUpToDate(deps, projection, held),
  )
}

async function keepUpToDate(
  deps: ProjectorDeps,
  projection: Projection,
  signal: AbortSignal,
): Promise<void> {
  let retryDelayMs = retryDelayMsMin
  while (!signal.aborted) {
    const began = Date.now()
    try {
      await follow(deps, projection, signal)
      retryDelayMs = retryDelayMsMin
    } catch (error) {
      if (signal.aborted) return
      if (Date.now() - began > retryDelayMsMax) retryDelayMs = retryDelayMsMin
      if (!(error instanceof Fenced)) await reportStop(deps, projection, error)
      await delay(retryDelayMs, undefined, { signal }).catch(() => undefined)
      retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMsMax)
    }
  }
}

async function reportStop(
  deps: ProjectorDeps,
  projection: Projection,
  error: unknown,
): Promise<void> {
  deps.log.error(
    { err: error, projection: projection.name },
    'projection stopped; it will try again',
  )
  const why = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown'
  await sql`UPDATE projections SET stopped_by = ${why} WHERE name = ${projection.name} AND active`
    .execute(deps.db)
    .catch(() => undefined)
}

/**
 * Builds a new generation beside the active one and swaps it in when it has caught up. Killed, it
 * goes on where it was. Progress is told after each batch.
 */
export async function rebuildProjection(
  deps: ProjectorDeps,
  projection: Projection,
  signal: AbortSignal,
  progress: (position: Position | null) => void = () => undefined,
): Promise<void> {
  const { db, store } = deps
  await ensureProjection(db, projection)
  const { generation, position: start } = await beginGeneration(db, projection)
  let position = start
  for (;;) {
    signal.throwIfAborted()
    const page = await store.readAll(position, { prefixes: projection.prefixes, limit: batchMax })
    if (page.last === null || page.last === position) {
      if (await swap(db, projection, generation)) return
      await delay(50)
      continue
    }
    await applyBatch(db, projection, generation, false, position, page.last, page.events)
    position = page.last
    progress(position)
  }
}

async function beginGeneration(
  db: Kysely<ReadModels>,
  projection: Projection,
): Promise<{ readonly generation: number; readonly position: Position | null }> {
  return await db.transaction().execute(async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext(${`projection ${projection.name}`}))`.execute(
      tx,
    )
    const rows = await rowsOf(tx, projection.name)
    const active = rows.find((row) => row.active)
    const begun = rows.find((row) => row.generation > (active?.generation ?? 0))
    if (begun !== undefined && begun.version === projection.version) return begun
    const generation = Math.max(0, ...rows.map((row) => row.generation)) + 1
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
    return { generation, position: null }
  })
}

/** Makes the generation the active one if it is not behind; the lock holds the live one still. */
async function swap(
  db: Kysely<ReadModels>,
  projection: Projection,
  generation: number,
): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      SELECT generation, version, position, active, stopped_by FROM projections
      WHERE name = ${projection.name} ORDER BY generation FOR UPDATE`.execute(tx)
    const old = rows.find((row) => row.active)
    // Another rebuild of the same generation was faster.
    if (old?.generation === generation) return true
    const fresh = rows.find((row) => row.generation === generation)
    if (fresh === undefined)
      throw new Error(`Generation ${generation} was dropped by another rebuild.`)
    if ((old?.position ?? '') > (fresh.position ?? '')) return false
    await sql`UPDATE projections SET active = false WHERE name = ${projection.name} AND active`.execute(
      tx,
    )
    await sql`
      UPDATE projections SET active = true, stopped_by = NULL, updated_at = now()
      WHERE name = ${projection.name} AND generation = ${generation}`.execute(tx)
    await showGeneration(tx, projection, generation)
    if (old !== undefined) {
      await dropTables(tx, projection, old.generation)
      await sql`DELETE FROM projections WHERE name = ${projection.name} AND generation = ${old.generation}`.execute(
        tx,
      )
    }
    return true
  })
}

export async function projectionStatuses(
  db: Kysely<ReadModels>,
): Promise<readonly ProjectionStatus[]> {
  const { rows } = await sql<Row & { name: string }>`
    SELECT name, generation, version, position, active, stopped_by FROM projections
    ORDER BY name, generation`.execute(db)
  return rows.map(({ stopped_by: stoppedBy, ...row }) => ({ ...row, stoppedBy }))
}

/** How long a caught-up check waits between looks at the checkpoints. */
const caughtUpPollMs = 5

/** Resolves true when every active projection has applied what was committed up to `position`. */
export async function projectionsReached(
  db: Kysely<ReadModels>,
  position: Position | null,
  timeoutMs: number,
): Promise<boolean> {
  if (position === null) return true
  const until = Date.now() + timeoutMs
  for (;;) {
    const { rows } = await sql<{ behind: string }>`
      SELECT count(*) AS behind FROM projections
      WHERE active AND (position IS NULL OR position < ${position})`.execute(db)
    if (rows[0]?.behind === '0') return true
    if (Date.now() >= until) return false
    await delay(caughtUpPollMs)
  }
}
