import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { ReadModels } from '../../../projections/tables.ts'
import { isSessionGone, thisSession } from '../database/session.ts'
import type { Log } from '../log.ts'

type LeaseTimes = {
  /**
   * A silent process is replaced after this and a try. A process that died is replaced after a try,
   * because its database sessions end with it.
   */
  readonly leaseMs: number
  readonly renewMs: number
  /** Wait between two tries to take the lease. */
  readonly tryMs: number
}

type LeaseDeps = {
  readonly db: Kysely<ReadModels>
  readonly log: Log
  /** Tests pass their own. */
  readonly times?: LeaseTimes
}

/** The right to do this work, and who has it. */
type Lease = { readonly work: string; readonly owner: string; readonly leaseMs: number }

const leaseTimes: LeaseTimes = { leaseMs: 9_000, renewMs: 3_000, tryMs: 500 }

/**
 * Runs the work while this process holds the lease of that name, one process at a time, until the
 * signal aborts. `held` aborts when the lease was lost. A lease says which process should work, not
 * which may: a process paused past its lease can still be in the middle of something, so the work
 * is fenced as well.
 */
export async function whileLeased(
  deps: LeaseDeps,
  work: string,
  signal: AbortSignal,
  run: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  const { db, log, times = leaseTimes } = deps
  const lease = { work, owner: randomUUID(), leaseMs: times.leaseMs }
  while (!signal.aborted) {
    const isTaken = await take(db, lease).catch((error: unknown) => {
      log.warn({ err: error, work }, 'taking a lease failed')
      return false
    })
    if (!isTaken) {
      await delay(times.tryMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(
        () => undefined,
      )
      continue
    }
    const lost = new AbortController()
    const held = AbortSignal.any([signal, lost.signal])
    const renewing = renewUntilLost(db, lease, times.renewMs, held).then(() => lost.abort())
    try {
      await run(held)
    } finally {
      lost.abort()
      await renewing
      await release(db, lease).catch(() => undefined)
    }
    // Work that ends by itself leaves its turn to another process, whose next try is sooner.
    await delay(2 * times.tryMs, undefined, { signal }).catch(() => undefined)
  }
}

/**
 * Refused while another process holds the lease, its time is not over and its database session
 * exists. This statement does not see sessions that began after it: a lease taken by one of them
 * stays with it.
 */
async function take(db: Kysely<ReadModels>, { work, owner, leaseMs }: Lease): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started)
    SELECT ${work}, ${owner}::uuid, clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      mine.pid, mine.backend_start
    FROM ${thisSession} mine
    ON CONFLICT (work) DO UPDATE
      SET leased_until = excluded.leased_until, owner = excluded.owner,
        session_pid = excluded.session_pid, session_started = excluded.session_started
      WHERE k.leased_until <= clock_timestamp() OR k.owner = excluded.owner
        OR k.leased_until < now() + ${leaseMs} * interval '1 millisecond'
          AND ${isSessionGone(sql`k.session_pid`, sql`k.session_started`)}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * Renews the lease until the signal aborts or the lease is lost: another process took it, or it was
 * not renewed in time.
 */
async function renewUntilLost(
  db: Kysely<ReadModels>,
  lease: Lease,
  renewMs: number,
  signal: AbortSignal,
): Promise<void> {
  let heldUntil = performance.now() + lease.leaseMs
  while (!signal.aborted) {
    // All leases of a process are renewed at one moment, in one statement.
    const waitMs = renewMs - (performance.now() % renewMs)
    await delay(waitMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    const askedAt = performance.now()
    const isHeld = await renewal(db, lease).catch(() => null)
    if (isHeld === true) heldUntil = askedAt + lease.leaseMs
    if (isHeld === false || performance.now() >= heldUntil) return
  }
}

type Renewal = Lease & {
  readonly resolve: (isHeld: boolean) => void
  readonly reject: (error: unknown) => void
}

/** Renewals requested within this time of the first go together with it. */
const gatherMs = 20
const gathering = new WeakMap<Kysely<ReadModels>, Renewal[]>()

/** False: another process has the lease now, or none has. */
async function renewal(db: Kysely<ReadModels>, lease: Lease): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const wanted = { ...lease, resolve, reject }
  const others = gathering.get(db)
  if (others !== undefined) others.push(wanted)
  else {
    const together = [wanted]
    gathering.set(db, together)
    setTimeout(() => {
      gathering.delete(db)
      void renewTogether(db, together)
    }, gatherMs)
  }
  return await promise
}

async function renewTogether(db: Kysely<ReadModels>, together: readonly Renewal[]): Promise<void> {
  const works = together.map(({ work }) => work)
  const owners = together.map(({ owner }) => owner)
  const leases = together.map(({ leaseMs }) => leaseMs)
  try {
    const { rows } = await sql<{ owner: string }>`
      UPDATE claims k
      SET leased_until = clock_timestamp() + mine.lease_ms * interval '1 millisecond',
        session_pid = session.pid, session_started = session.backend_start
      FROM unnest(${works}::text[], ${owners}::uuid[], ${leases}::int[]) AS mine (work, owner, lease_ms)
        CROSS JOIN ${thisSession} session
      WHERE k.work = mine.work COLLATE "C" AND k.owner = mine.owner
      RETURNING k.owner`.execute(db)
    const held = new Set(rows.map(({ owner }) => owner))
    for (const { owner, resolve } of together) resolve(held.has(owner))
  } catch (error) {
    for (const { reject } of together) reject(error)
  }
}

async function release(db: Kysely<ReadModels>, { work, owner }: Lease): Promise<void> {
  await sql`DELETE FROM claims WHERE work = ${work} AND owner = ${owner}::uuid`.execute(db)
}
