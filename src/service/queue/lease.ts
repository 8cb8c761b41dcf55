import { randomUUID } from 'node:crypto'
import { type QueryExecutorProvider, sql } from 'kysely'
import { batched } from '../database/batcher.ts'
import { isSessionGone, thisSession } from '../database/session.ts'
import type { Log } from '../log.ts'
import { pause } from '../pause.ts'

/** A named lease: a row of `claims`. The owner fences it: an owner that lost it changes nothing. */
export type Lease = { readonly name: string; readonly owner: string; readonly leaseMs: number }

/**
 * `session`: the lease also ends with the database session that took or last renewed it, so renew it
 * often: a living process may lose a session. `time`: it ends only when it is released or its time is
 * over.
 */
type EndsWith = 'session' | 'time'

/**
 * Takes the lease unless another owner holds it. The statement does not see sessions that began after
 * it, so a lease taken by one of them stays.
 */
export async function takeLease(
  db: QueryExecutorProvider,
  { name, owner, leaseMs }: Lease,
  endsWith: EndsWith,
): Promise<boolean> {
  const session =
    endsWith === 'session' ? sql`mine.pid, mine.backend_start` : sql`NULL::int, NULL::timestamptz`
  const { numAffectedRows } = await sql`
    INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started)
    SELECT ${name}, ${owner}::uuid, clock_timestamp() + ${leaseMs} * interval '1 millisecond', ${session}
    FROM ${thisSession} mine
    ON CONFLICT (work) DO UPDATE
      SET leased_until = excluded.leased_until, owner = excluded.owner,
        session_pid = excluded.session_pid, session_started = excluded.session_started
      WHERE k.leased_until <= clock_timestamp() OR k.owner = excluded.owner
        OR k.leased_until < now() + ${leaseMs} * interval '1 millisecond'
          AND ${isSessionGone(sql`k.session_pid`, sql`k.session_started`)}`.execute(db)
  return numAffectedRows === 1n
}

/** Extends leases that end with their session. Returns for each whether its owner still holds it. */
async function renewLeases(
  db: QueryExecutorProvider,
  leases: readonly Lease[],
): Promise<readonly boolean[]> {
  const { rows } = await sql<{ owner: string }>`
    UPDATE claims k
    SET leased_until = clock_timestamp() + mine.lease_ms * interval '1 millisecond',
      session_pid = session.pid, session_started = session.backend_start
    FROM unnest(${leases.map(({ name }) => name)}::text[],
        ${leases.map(({ owner }) => owner)}::uuid[],
        ${leases.map(({ leaseMs }) => leaseMs)}::int[]) AS mine (work, owner, lease_ms)
      CROSS JOIN ${thisSession} session
    WHERE k.work = mine.work COLLATE "C" AND k.owner = mine.owner
    RETURNING k.owner`.execute(db)
  const held = new Set(rows.map(({ owner }) => owner))
  return leases.map(({ owner }) => held.has(owner))
}

/** Extends a lease that ends with its session. False if this owner no longer holds it. */
export async function renewLease(db: QueryExecutorProvider, lease: Lease): Promise<boolean> {
  return (await renewLeases(db, [lease]))[0] === true
}

/** Leases that are renewed at about the same moment share a statement. */
const renewTogether = batched(renewLeases, { gatherMs: 20 })

/** Gives the lease back if this owner holds it. Nobody takes it for `cooldownMs`. */
export async function releaseLease(
  db: QueryExecutorProvider,
  { name, owner }: Lease,
  cooldownMs = 0,
): Promise<void> {
  const mine = sql`work = ${name} AND owner = ${owner}::uuid`
  if (cooldownMs === 0) await sql`DELETE FROM claims WHERE ${mine}`.execute(db)
  else
    await sql`
      UPDATE claims SET owner = NULL, leased_until = now() + ${cooldownMs} * interval '1 millisecond'
      WHERE ${mine}`.execute(db)
}

type LeaseTimes = {
  /**
   * A silent process is replaced after this time plus one try. A process that died is replaced after one
   * try, because its database sessions end with it.
   */
  readonly leaseMs: number
  readonly renewMs: number
  /** Wait between tries to take the lease. */
  readonly tryMs: number
}

type LeaseDeps = {
  readonly db: QueryExecutorProvider
  readonly log: Log
  /** Tests pass their own. */
  readonly times?: LeaseTimes
}

const leaseTimes: LeaseTimes = { leaseMs: 9_000, renewMs: 3_000, tryMs: 500 }

/**
 * Runs the work while this process holds the lease of that name, one process at a time, until the
 * signal aborts. `held` aborts when the lease is lost. A lease does not exclude other processes: one
 * that was paused past its lease can still be in the middle of something, so the work must be fenced too.
 */
export async function whileLeased(
  deps: LeaseDeps,
  name: string,
  signal: AbortSignal,
  run: (held: AbortSignal) => Promise<void>,
): Promise<void> {
  const { db, log, times = leaseTimes } = deps
  const lease = { name, owner: randomUUID(), leaseMs: times.leaseMs }
  const renewal = {
    renew: () => renewTogether(db, lease),
    leaseMs: times.leaseMs,
    // All leases of a process are renewed at the same moment.
    untilNextMs: () => times.renewMs - (performance.now() % times.renewMs),
  }
  while (!signal.aborted) {
    const isTaken = await takeLease(db, lease, 'session').catch((error: unknown) => {
      log.warn({ err: error, work: name }, 'taking a lease failed')
      return false
    })
    if (!isTaken) {
      await pause(times.tryMs * (0.75 + Math.random() / 2), signal)
      continue
    }
    try {
      await whileRenewed(renewal, (lost) => run(AbortSignal.any([signal, lost])))
    } finally {
      await releaseLease(db, lease).catch(() => undefined)
    }
    // Work that ends by itself lets another process take over, whose next try is sooner.
    await pause(2 * times.tryMs, signal)
  }
}

type Renewal = {
  /** False: another owner holds it. */
  readonly renew: () => Promise<boolean>
  readonly leaseMs: number
  readonly untilNextMs: () => number
}

/**
 * Runs the work and renews what it holds meanwhile. `lost` aborts when another owner holds it, or when
 * it could not be renewed in time.
 */
export async function whileRenewed<T>(
  renewal: Renewal,
  run: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const renewing = renewUntilLost(renewal, over.signal).then(() => over.abort())
  try {
    return await run(over.signal)
  } finally {
    over.abort()
    await renewing
  }
}

async function renewUntilLost(
  { renew, leaseMs, untilNextMs }: Renewal,
  over: AbortSignal,
): Promise<void> {
  let heldUntil = performance.now() + leaseMs
  while (!over.aborted) {
    await pause(untilNextMs(), over)
    if (over.aborted) return
    const askedAt = performance.now()
    const isHeld = await renew().catch(() => null)
    if (isHeld === true) heldUntil = askedAt + leaseMs
    if (isHeld === false || performance.now() >= heldUntil) return
  }
}
