import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Projection } from '../../../projections/projection.ts'
import type { ReadModels } from '../../../projections/tables.ts'
import {
  assertHolds,
  type EventStore,
  type Place,
  placeAt,
  type StoredEvent,
} from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { applyBatch } from './batch.ts'
import { batchMax, ensureProjection, restUnlessWaitedFor } from './checkpoint.ts'
import { whileLeased } from './lease.ts'
import { rebuildProjection } from './rebuild.ts'
import { Fenced, type Part } from './write.ts'

type FollowDeps = {
  readonly db: Kysely<ReadModels>
  readonly pool: Pool
  readonly store: EventStore
  readonly log: Log
  /**
   * Sees the events that were in the ledger before live following, each batch before it is applied.
   */
  readonly onCatchUp?: (events: readonly StoredEvent[]) => Promise<void>
}

const retryDelayMsMin = 250
const retryDelayMsMax = 10_000

/**
 * Wait between batches, unless a batch is full or a caller waits: the follow-up work is done once
 * for all events of this time, and lists are hardly older for it.
 */
const paceMs = 100
/**
 * Events of the first transaction after a start, doubled with each one: no states are kept yet, so
 * each stream is read again, and even a short-lived process should make some progress.
 */
const firstStep = 32

/**
 * Keeps projections up to date until the signal aborts. Any number of processes may run this: one
 * is active, and another takes over within seconds when it ends. An event that cannot be applied
 * stops it there, visibly, and is retried with growing pauses: nothing is ever skipped. Two active
 * at once, for example after a pause, are safe: the checkpoints let only one through.
 */
export async function runFollower(
  deps: FollowDeps,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> {
  await whileLeased(deps, 'follower', signal, async (held) => {
    const turn = new AbortController()
    const mine = AbortSignal.any([held, turn.signal])
    await retried(deps, projections, mine, async () => {
      if ((await followAll(deps, projections, mine)) === 'newer in use') turn.abort()
    })
  })
}

/**
 * Follows the projections that this code keeps; new versions are built in parallel meanwhile. While
 * a newer version of the code keeps one of them, it ends after a while with 'newer in use', so that
 * a process of that version gets its turn.
 */
async function followAll(
  deps: FollowDeps,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<'newer in use' | null> {
  const known = await Promise.all(
    projections.map(async (projection) => {
      const { generation, place, version } = await ensureProjection(deps.db, projection)
      return { projection, generation, place, active: true, version }
    }),
  )
  const current = known.filter(({ projection, version }) => version === projection.version)
  const outdated = known.filter(({ projection, version }) => version < projection.version)
  const changed = new AbortController()
  const signals = [signal, changed.signal]
  const isNewerInUse = current.length + outdated.length < known.length
  if (isNewerInUse) {
    // A newer version of the code keeps it; going back would only make the two rebuild in turns.
    deps.log.warn('a newer version of a projection is in use')
    signals.push(AbortSignal.timeout(retryDelayMsMax))
  }
  const until = AbortSignal.any(signals)
  const rebuilding = outdated.map(async ({ projection }) => {
    deps.log.info({ projection: projection.name }, 'projection has a new version: rebuilding it')
    await retried(deps, [projection], until, async () => {
      await rebuildProjection(deps, projection, until)
      changed.abort()
    })
  })
  try {
    await followParts(deps, current, until)
  } finally {
    changed.abort()
    await Promise.all(rebuilding)
  }
  return isNewerInUse ? 'newer in use' : null
}

async function followParts(
  deps: Omit<FollowDeps, 'log'>,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<void> {
  if (parts.length === 0) return await untilAborted(signal)
  const following = { parts, kept: new Map() }
  await assertEachHolds(deps.store, parts)
  const start = parts.map(({ place }) => place).toSorted(earlierFirst)[0] ?? null
  const prefixes = [...new Set(parts.flatMap(({ projection }) => projection.prefixes))]
  let step = firstStep
  let isLive = false
  for await (const next of deps.store.subscribe(start, { prefixes, signal, batchMax })) {
    if (next.kind === 'caught_up') {
      isLive = true
      continue
    }
    if (!isLive) await deps.onCatchUp?.(next.events)
    const beganAt = performance.now()
    let left = next.events
    do {
      const events = left.slice(0, step)
      left = left.slice(step)
      // Events filtered out behind the last event are passed with it.
      const last = events.at(-1)
      const to = left.length === 0 || last === undefined ? next.place : placeAt(last)
      await applyBatch(deps, following, to, events)
      // A page with only other systems' events is no reason to grow.
      if (events.length > 0) step = Math.min(2 * step, batchMax)
    } while (left.length > 0)
    if (!isLive || next.events.length === batchMax) continue
    await restUnlessWaitedFor(deps.db, beganAt + paceMs - performance.now(), signal)
  }
}

function earlierFirst(one: Place | null, other: Place | null): number {
  return (one?.position ?? '') < (other?.position ?? '') ? -1 : 1
}

/** The subscription compares the earliest place; the parts beyond it would skip what is there now. */
async function assertEachHolds(
  store: Pick<EventStore, 'eventAt'>,
  parts: readonly Part[],
): Promise<void> {
  const places = new Map(parts.map(({ place }) => [place?.event?.id, place?.event]))
  for (const event of places.values()) if (event) await assertHolds(store, event)
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(retryDelayMsMax, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Repeats until the signal aborts, with growing pauses after failures; records why it is stopped.
 */
async function retried(
  deps: Pick<FollowDeps, 'db' | 'log'>,
  projections: readonly Projection[],
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  let retryDelayMs = retryDelayMsMin
  while (!signal.aborted) {
    const began = performance.now()
    try {
      await run()
      retryDelayMs = retryDelayMsMin
    } catch (error) {
      if (signal.aborted) return
      if (performance.now() - began > retryDelayMsMax) retryDelayMs = retryDelayMsMin
      if (!(error instanceof Fenced)) await reportStop(deps, projections, error)
      await delay(retryDelayMs, undefined, { signal }).catch(() => undefined)
      retryDelayMs = Math.min(retryDelayMs * 2, retryDelayMsMax)
    }
  }
}

async function reportStop(
  { db, log }: Pick<FollowDeps, 'db' | 'log'>,
  projections: readonly Projection[],
  error: unknown,
): Promise<void> {
  const names = projections.map(({ name }) => name)
  log.error({ err: error, projection: names.join(' ') }, 'projections stopped; they will try again')
  const why = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 500) : 'unknown'
  await sql`
    UPDATE projections
    SET stopped_at = CASE WHEN stopped_by IS NULL THEN now() ELSE stopped_at END, stopped_by = ${why}
    WHERE name = ANY (${names}) AND active`
    .execute(db)
    .catch(() => undefined)
}
