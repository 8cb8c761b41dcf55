import { randomUUID } from 'node:crypto'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'
import type { Signal } from './signal.ts'

/** Another process may have added work, so the queue is read at least this often. */
const readEveryMs = 1_000
/** The wait before due work that another worker holds is tried again. */
const retryMs = 400
/** The shortest wait: work that falls due within it is done together. */
const leastMs = 200
/** The pause after a failure. */
const failedMs = 1_000

/** A concurrency slot of a kind of work. */
type Slot = {
  /** Identifies the slot among those of all processes. */
  readonly id: string
  /** Aborts when the process stops: begin nothing new, and finish what has begun. */
  readonly signal: AbortSignal
  /** Call it when more may be due than was claimed: another slot then looks at once. */
  readonly foundMore: () => void
}

/** A kind of work whose due rows are claimed, performed and released in slots. */
export type Kind = {
  readonly name: string
  /** Runs at the same time in one process. */
  readonly slots: number
  /**
   * What tells that there is work, by name: SQL for the milliseconds until then, null if there is none.
   * Kinds may share a name, which is then read once.
   */
  readonly dueIn: Readonly<Record<string, RawBuilder<unknown>>>
  /** Claims some due rows, performs them and releases them. Does nothing if there are none. */
  readonly runOnce: (slot: Slot) => Promise<unknown>
}

type QueueDeps = {
  readonly db: QueryExecutorProvider
  readonly log: Log
  /** Notified when work was added, or falls due sooner than this process knew. */
  readonly workAdded: Pick<Signal, 'count' | 'notify' | 'wait'>
}

/**
 * Performs work of these kinds until the signal aborts, then finishes what has begun. One query tells
 * which kinds have work and when the next falls due; nothing else is queried in between. A slot whose
 * work throws rests for a second.
 */
export async function runQueue(
  { db, log, workAdded }: QueueDeps,
  kinds: readonly Kind[],
  signal: AbortSignal,
): Promise<void> {
  const pools = kinds.map(
    (kind): Pool => ({
      kind,
      freeSlots: Array.from({ length: kind.slots }, () => randomUUID()),
      isSaturated: false,
    }),
  )
  const foundMore = () => workAdded.notify()
  const running = new Set<Promise<void>>()
  const fill = (pool: Pool) => {
    const id = pool.freeSlots.pop()
    pool.isSaturated = id === undefined && pool.kind.slots > 1
    if (id === undefined) return
    const run = runSlot(log, pool.kind, { id, signal, foundMore }).then(() => {
      pool.freeSlots.push(id)
      running.delete(run)
      if (pool.isSaturated) foundMore()
    })
    running.add(run)
  }
  while (!signal.aborted) {
    const seen = workAdded.count
    let waitMs = readEveryMs
    try {
      const due = await readDue(db, kinds)
      for (const pool of pools) if (isDue(pool.kind, due)) fill(pool)
      waitMs = waitUntilNext(Object.values(due))
    } catch (err) {
      if (!signal.aborted) log.error({ err, task: 'queue' }, failedText)
    }
    await workAdded.wait(seen, Math.max(leastMs, waitMs), signal)
  }
  await Promise.all(running)
}

type Pool = {
  readonly kind: Kind
  readonly freeSlots: string[]
  /** There was more work than slots. A kind with one slot pauses between its runs instead. */
  isSaturated: boolean
}

const failedText = 'a background task failed and will be retried'

async function runSlot(log: Log, kind: Kind, slot: Slot): Promise<void> {
  try {
    await kind.runOnce(slot)
  } catch (err) {
    if (slot.signal.aborted) return
    log.error({ err, task: kind.name }, failedText)
    await pause(failedMs, slot.signal)
  }
}

/** Milliseconds until there is work, by name; null: there is none. */
type Due = Readonly<Record<string, number | null>>

async function readDue(db: QueryExecutorProvider, kinds: readonly Kind[]): Promise<Due> {
  const named = Object.entries(Object.assign({}, ...kinds.map(({ dueIn }) => dueIn)))
  const columns = named.map(
    ([name, ms]) => sql`(${ms as Kind['dueIn'][string]}) AS ${sql.ref(name)}`,
  )
  const { rows } = await sql<Due>`SELECT ${sql.join(columns)}`.execute(db)
  const [due] = rows
  if (due === undefined) throw new Error('bug: the query of what is due returned no row')
  return due
}

function isDue(kind: Kind, due: Due): boolean {
  return Object.keys(kind.dueIn).some((name) => (due[name] ?? 1) <= 0)
}

function waitUntilNext(inMs: readonly (number | null)[]): number {
  const coming = inMs.filter((ms) => ms !== null && ms > 0) as readonly number[]
  const isWork = inMs.some((ms) => ms !== null && ms <= 0)
  return Math.min(isWork ? retryMs : readEveryMs, ...coming)
}

/** SQL: milliseconds from now until then. */
export function msUntil(at: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(extract(epoch FROM ${at} - now()) * 1000)::float8`
}

type Loop = {
  readonly name: string
  /** Returns how many items it processed. */
  readonly runOnce: () => Promise<number>
  /** The pause after a run that found nothing to do. */
  readonly restMs: number
}

/** Repeats the loop until the signal aborts, with a longer pause after a failure. */
export async function forever(
  { name, runOnce, restMs }: Loop,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let waitMs = restMs
    try {
      if ((await runOnce()) > 0) waitMs = 0
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, task: name }, failedText)
      waitMs = failedMs
    }
    await pause(waitMs, signal)
  }
}
