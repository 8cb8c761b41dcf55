import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Projection } from '../../../projections/projection.ts'
import type { Tables } from '../../../projections/tables.ts'
import {
  assertHolds,
  type EventStore,
  type Place,
  placeAt,
  type StoredEvent,
} from '../event-store/event-store.ts'
import { requestsOf } from '../event-store/trace-of-shipment.ts'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'
import { whileLeased } from '../queue/lease.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { applyBatch } from './batch.ts'
import { batchMax, ensureProjection, restUnlessWaitedFor } from './checkpoint.ts'
import { rebuildProjection } from './rebuild.ts'
import { CheckpointConflict, type Part } from './write.ts'

type FollowDeps = {
  readonly db: Kysely<Tables>
  readonly pool: Pool
  readonly store: EventStore
  readonly log: Log
  readonly tracing?: Tracing | undefined
  /**
   * Called with each batch of events that were in the ledger before live following, before it is applied.
   */
  readonly onCatchUp?: (events: readonly StoredEvent[]) => Promise<void>
}

const retryDelayMsMin = 250
const retryDelayMsMax = 10_000

/**
 * Wait between batches, unless a batch is full or a caller waits. Follow-up work is then done once for
 * all events of this time, and lists are only slightly older.
 */
const paceMs = 100
/**
 * Events in the first transaction after a start, doubled with each one. No states are cached yet, so
 * each stream is read again, and even a short-lived process should make some progress.
 */
const firstStep = 32

/**
 * Keeps projections up to date until the signal aborts. Any number of processes may run this: one is
 * active, and another takes over within seconds when it ends. If an event cannot be applied, the
 * follower stops there, visibly, and retries with growing pauses; it never skips an event. If two are
 * active at once, for example after a pause, the checkpoints let only one of them write.
 */
export async function runFollower(
  deps: FollowDeps,
  projections: readonly Projection[],
  signal: AbortSignal,
): Promise<void> {
  await whileLeased(deps, 'follower', signal, async (held) => {
    const giveUp = new AbortController()
    const mine = AbortSignal.any([held, giveUp.signal])
    await retried(deps, projections, mine, async () => {
      if ((await followAll(deps, projections, mine)) === 'newer in use') giveUp.abort()
    })
  })
}

/**
 * Follows the projections whose version is current, and builds new versions in parallel. If a newer
 * version of the code maintains one of them, this returns 'newer in use' after a while, so that a
 * process of that version can take over.
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
    // Rebuilding it to this version would only make the two versions undo each other's work.
    deps.log.warn('a newer version of a projection is in use')
    signals.push(AbortSignal.timeout(retryDelayMsMax))
  }
  const until = AbortSignal.any(signals)
  const rebuilding = outdated.map(async ({ projection }) => {
    deps.log.info({ projection: projection.name }, 'rebuilding a projection that has a new version')
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
      // The last event also covers the filtered events after it.
      const last = events.at(-1)
      const to = left.length === 0 || last === undefined ? next.place : placeAt(last)
      await inSpan(deps.tracing, events, () => applyBatch(deps, following, to, events))
      // A page with only other systems' events does not make the next step larger.
      if (events.length > 0) step = Math.min(2 * step, batchMax)
    } while (left.length > 0)
    if (!isLive || next.events.length === batchMax) continue
    await restUnlessWaitedFor(deps.db, beganAt + paceMs - performance.now(), signal)
  }
}

/** A span for a batch with events, linked to the requests that caused them. */
async function inSpan(
  tracing: Tracing | undefined,
  events: readonly StoredEvent[],
  apply: () => Promise<void>,
): Promise<void> {
  if (tracing === undefined || events.length === 0) return await apply()
  const links = await tracing.contextsOf(requestsOf(events))
  const attributes = { 'shipping.projection.events': events.length }
  await tracing.traced('projection', { attributes, links }, apply)
}

function earlierFirst(one: Place | null, other: Place | null): number {
  return (one?.position ?? '') < (other?.position ?? '') ? -1 : 1
}

/** The subscription checks only the earliest place. Parts ahead of it could skip changed history. */
async function assertEachHolds(
  store: Pick<EventStore, 'eventAt'>,
  parts: readonly Part[],
): Promise<void> {
  const places = new Map(parts.map(({ place }) => [place?.event?.id, place?.event]))
  for (const event of places.values()) if (event) await assertHolds(store, event)
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pause(retryDelayMsMax, signal)
  }
}

/**
 * Repeats `run` until the signal aborts, with growing pauses after failures, and records why it stopped.
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
      if (!(error instanceof CheckpointConflict)) await reportStop(deps, projections, error)
      await pause(retryDelayMs, signal)
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
