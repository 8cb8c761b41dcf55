import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Projection } from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { applyBatch, batchMax, ensureProjection, Fenced } from './checkpoint.ts'
import { whileLeased } from './lease.ts'
import { rebuildProjection } from './rebuild.ts'

export type ProjectorDeps = {
  readonly db: Kysely<ReadModels>
  readonly store: EventStore
  readonly log: Log
}

const retryDelayMsMin = 250
const retryDelayMsMax = 10_000

/**
 * From one batch to the next, unless a batch is full: under load a few larger ones cost a fraction of
 * many small ones, and nobody sees a list that is so much older.
 */
const paceMs = 10
/**
 * Events of the first transaction after a start, doubled with each: no states are kept then, so that
 * each stream is read anew, and a process that does not live long is to leave something done.
 */
const firstStep = 32

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal }).catch(() => undefined)
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
  const following = { projection, generation, active: true, kept: new Map() }
  let position = start
  let step = firstStep
  const { prefixes } = projection
  for await (const next of deps.store.subscribe(start, { prefixes, signal, batchMax })) {
    if (next.kind === 'caught_up') continue
    const beganAt = performance.now()
    let left = next.events
    do {
      const events = left.slice(0, step)
      left = left.slice(step)
      // What was filtered out behind the last event is passed with it.
      const last = left.length === 0 ? next.last : (events.at(-1)?.position ?? next.last)
      await applyBatch(deps, following, position, last, events)
      position = last
      // Of a page that holds others' events alone nothing was learnt.
      if (events.length > 0) step = Math.min(2 * step, batchMax)
    } while (left.length > 0)
    if (next.events.length < batchMax) await pause(paceMs - (performance.now() - beganAt), signal)
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
    const began = performance.now()
    try {
      await follow(deps, projection, signal)
      retryDelayMs = retryDelayMsMin
    } catch (error) {
      if (signal.aborted) return
      if (performance.now() - began > retryDelayMsMax) retryDelayMs = retryDelayMsMin
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
