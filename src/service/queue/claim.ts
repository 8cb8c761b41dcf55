import { randomUUID } from 'node:crypto'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { isSessionGone, thisSession } from '../database/session.ts'
import { whileRenewed } from './lease.ts'
import { type Kind, msUntil } from './run.ts'

/** A table whose rows are claimed. It has the columns `owner` and `leased_until`. */
export type QueueTable = {
  readonly name: 'due' | 'batch_lanes' | 'courier_invoices'
  /** The column of its key. */
  readonly key: string
  /** The column that counts consecutive failures, if rows whose work throws wait longer each time. */
  readonly failures?: string
}

/** A table whose due rows are claimed one at a time: `organization_id`, `next_at`, `served_at`. */
type TurnTable = QueueTable & {
  /** SQL: the row has work left. */
  readonly isOpen: (row: RawBuilder<unknown>) => RawBuilder<unknown>
}

const due: QueueTable = { name: 'due', key: 'shipment_id', failures: 'work_failures' }
/** Connections with lines of batches; `next_at` is infinite while they are being closed. */
const connections: TurnTable = {
  name: 'batch_lanes',
  key: 'connection_id',
  isOpen: () => sql`true`,
}
const invoices: TurnTable = {
  name: 'courier_invoices',
  key: 'id',
  isOpen: (row) => sql`${row}.state = 'comparing'`,
}

/** Every table of the queue: the rows of a dead worker are released in all of them. */
export const queueTables = { due, connections, invoices }

export const claimTimes = {
  /** Another worker takes over after this if a worker hangs, or died unnoticed. */
  leaseMs: 10_000,
  /** Claims are renewed at this interval, because the work may take longer than a lease. */
  renewEveryMs: 400,
  /**
   * A process counts as dead when it has not renewed for this long and its database session is
   * gone. A living process that lost its session has renewed through another by then.
   */
  deadMs: 900,
  /**
   * How long a row is not claimed again after its work threw, doubled for each consecutive failure
   * up to the maximum: other rows go first, and once the cause is fixed the work is done within
   * minutes.
   */
  failedMs: 1_000,
  failedMsMax: 5 * 60_000,
} as const

const leasedUntil = sql`now() + ${sql.lit(claimTimes.leaseMs)} * interval '1 millisecond'`

/** Who claims: a slot holds one claim at a time, whose owner fences it. */
export type Claimant = { readonly slot: string; readonly owner: string }

type ClaimOptions = {
  /** A WITH clause that ends in `picked`, which has the keys of free rows and locks them. */
  readonly picked: RawBuilder<unknown>
  /** More columns to set. */
  readonly set?: RawBuilder<unknown>
  /** The columns to return, of the row `d` and of `picked`. */
  readonly columns: RawBuilder<unknown>
}

/** Claims the picked rows, and records which slot holds them. */
export async function claimRows<Row>(
  db: QueryExecutorProvider,
  table: QueueTable,
  { slot, owner }: Claimant,
  { picked, set = sql``, columns }: ClaimOptions,
): Promise<readonly Row[]> {
  const key = sql.raw(table.key)
  const { rows } = await sql<Row>`
    ${picked}, taken AS (
      UPDATE ${sql.raw(table.name)} d SET owner = ${owner}::uuid, leased_until = ${leasedUntil} ${set}
      FROM picked WHERE d.${key} = picked.${key}
      RETURNING ${columns}
    ), held AS (
      INSERT INTO claims AS k (work, owner, leased_until, session_pid, session_started, held)
      SELECT ${claimOf(slot)}, ${owner}::uuid, ${leasedUntil}, mine.pid, mine.backend_start,
        ARRAY(SELECT ${key} FROM taken)
      FROM ${thisSession} mine WHERE EXISTS (SELECT FROM taken)
      ON CONFLICT (work) DO UPDATE
        SET owner = excluded.owner, leased_until = excluded.leased_until, held = excluded.held,
          session_pid = excluded.session_pid, session_started = excluded.session_started
    )
    SELECT * FROM taken`.execute(db)
  return rows
}

/** The row of `claims` that names the process of a slot and the rows it holds. */
function claimOf(slot: string): string {
  return `worker:${slot}`
}

/**
 * Extends the claim of a slot: its row of `claims`, and of the claimed rows those that need it. False
 * if its owner holds none of them any more.
 */
export async function renewClaim(
  db: QueryExecutorProvider,
  table: QueueTable,
  { slot, owner }: Claimant,
): Promise<boolean> {
  const key = sql.raw(table.key)
  const isMine = sql`${key} IN (SELECT unnest(held) FROM mine)`
  const { rows } = await sql`
    WITH mine AS (
      UPDATE claims k SET leased_until = ${leasedUntil},
        session_pid = session.pid, session_started = session.backend_start
      FROM ${thisSession} session WHERE work = ${claimOf(slot)} AND owner = ${owner}::uuid
      RETURNING k.held
    ), ${locked(table, sql`${isMine} AND leased_until < ${leasedUntil} - interval '1 second'`, owner)},
    renewed AS (
      UPDATE ${sql.raw(table.name)} d SET leased_until = ${leasedUntil} FROM locked
      WHERE d.${key} = locked.${key}
    )
    SELECT FROM ${sql.raw(table.name)} WHERE ${isMine} AND owner = ${owner}::uuid LIMIT 1`.execute(
    db,
  )
  return rows.length === 1
}

/** A row to release. It is not claimed again for `waitMs`; null: its work threw. */
type ReleasedRow = { readonly key: string; readonly waitMs: number | null }

type ReleaseOptions = {
  readonly released: readonly ReleasedRow[]
  /** More columns to set. */
  readonly set?: RawBuilder<unknown>
}

/** Releases rows that the owner still holds; rows that another owner has taken over stay. */
export async function releaseRows(
  db: QueryExecutorProvider,
  table: QueueTable,
  owner: string,
  { released, set = sql`` }: ReleaseOptions,
): Promise<void> {
  const key = sql.raw(table.key)
  const keys = released.map((each) => each.key)
  const waits = released.map(({ waitMs }) => waitMs)
  const failures = table.failures === undefined ? null : sql.raw(table.failures)
  const waitMs =
    failures === null ? sql`mine.wait_ms` : sql`coalesce(mine.wait_ms, ${failedWait(failures)})`
  const counted =
    failures === null
      ? sql``
      : sql`, ${failures} = CASE WHEN mine.wait_ms IS NULL THEN d.${failures} + 1 ELSE 0 END`
  await sql`
    WITH ${locked(table, sql`${key} = ANY (${keys})`, owner)}
    UPDATE ${sql.raw(table.name)} d SET owner = NULL,
      leased_until = now() + ${waitMs} * interval '1 millisecond' ${counted} ${set}
    FROM unnest(${keys}::text[], ${waits}::int[]) AS mine (key, wait_ms)
    JOIN locked ON locked.${key} = mine.key COLLATE "C"
    WHERE d.${key} = locked.${key}`.execute(db)
}

/**
 * How long a row is not claimed again after this many earlier consecutive failures and one more.
 */
export function failedWaitMs(failures: number): number {
  return Math.min(claimTimes.failedMs * 2 ** failures, claimTimes.failedMsMax)
}

/** `failedWaitMs` in SQL; the exponent is bounded to prevent an overflow. */
function failedWait(failures: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`least(
    ${sql.lit(claimTimes.failedMs)} * 2 ^ least(d.${failures}, 30), ${sql.lit(claimTimes.failedMsMax)})`
}

/**
 * A WITH clause that locks the owner's rows in order of their keys, as the follower does: otherwise
 * two statements that lock several rows each could deadlock.
 */
function locked(table: QueueTable, where: RawBuilder<unknown>, owner: string): RawBuilder<unknown> {
  const key = sql.raw(table.key)
  return sql`locked AS MATERIALIZED (
    SELECT ${key} FROM ${sql.raw(table.name)} WHERE ${where} AND owner = ${owner}::uuid
    ORDER BY ${key} FOR UPDATE
  )`
}

/** SQL: the row is claimed by nobody, and its cool-down is over. */
export function isFree(row: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${row}.leased_until > now()) IS NOT TRUE`
}

/**
 * Claims the next due row. Organizations take turns, the one served longest ago first, so one with
 * many rows delays others by one claim at most. Null if nothing is due.
 */
export async function claimByTurns<Row>(
  db: QueryExecutorProvider,
  table: TurnTable,
  slot: string,
): Promise<(Row & Claimant) | null> {
  const [c, o] = [sql`c`, sql`o`]
  const picked = sql`
    WITH picked AS MATERIALIZED (
      SELECT c.${sql.raw(table.key)} FROM ${sql.raw(table.name)} c
      WHERE c.next_at <= now() AND ${isFree(c)} AND ${table.isOpen(c)}
      ORDER BY (
        SELECT max(o.served_at) FROM ${sql.raw(table.name)} o
        WHERE o.organization_id = c.organization_id AND ${table.isOpen(o)}
      ), c.served_at
      LIMIT 1 FOR UPDATE SKIP LOCKED
    )`
  // A new owner each time takes up what the slot began earlier and could not record.
  const claimant = { slot, owner: randomUUID() }
  const [row] = await claimRows<Row>(db, table, claimant, {
    picked,
    set: sql`, served_at = now()`,
    columns: sql`d.*`,
  })
  return row === undefined ? null : { ...row, ...claimant }
}

type Turns<Row> = Pick<Kind, 'name' | 'slots'> & {
  /** Performs the work of a row and releases it. The signal also aborts if the claim is lost. */
  readonly perform: (row: Row & Claimant, signal: AbortSignal) => Promise<unknown>
}

/** Work whose rows are claimed one at a time, by turns of organizations. */
export function byTurns<Row>(
  db: QueryExecutorProvider,
  table: TurnTable,
  { name, slots, perform }: Turns<Row>,
): Kind {
  const at = sql`min(greatest(d.next_at, coalesce(d.leased_until, d.next_at)))`
  const nextMs = sql`SELECT ${msUntil(at)} FROM ${sql.raw(table.name)} d
    WHERE d.next_at < 'infinity' AND ${table.isOpen(sql`d`)}`
  return {
    name,
    slots,
    dueIn: { [name]: nextMs },
    runOnce: async ({ id, signal, foundMore }) => {
      const row = await claimByTurns<Row>(db, table, id)
      if (row === null) return
      foundMore()
      await whileClaimed(
        () => renewClaim(db, table, row),
        (lost) => perform(row, AbortSignal.any([signal, lost])),
      )
      foundMore()
    },
  }
}

/** Performs the work while its claim is renewed. */
export async function whileClaimed<T>(
  renew: () => Promise<boolean>,
  perform: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const { leaseMs, renewEveryMs } = claimTimes
  return await whileRenewed({ renew, leaseMs, untilNextMs: () => renewEveryMs }, perform)
}

const isHeld = sql`owner IS NOT NULL AND leased_until > now()`
const isGone = isSessionGone(sql`session_pid`, sql`session_started`)
/** When a living worker has renewed its claim again. */
const renewedBy = sql`leased_until - ${sql.lit(claimTimes.leaseMs - claimTimes.deadMs)} * interval '1 millisecond'`

/** SQL: milliseconds until claims of a dead worker may be released; null if none has died. */
export const deadWorkerMs = sql`SELECT ${msUntil(sql`min(${renewedBy})`)} FROM claims
  WHERE ${isHeld} AND (held IS NOT NULL OR work LIKE 'advance:%') AND ${isGone}`

/**
 * Releases claims of dead workers: not renewed, and the session of the last renewal is gone. Locks
 * rows in order of their keys, as the follower does.
 */
export async function releaseDeadWorkers(db: QueryExecutorProvider): Promise<number> {
  const tables = Object.values(queueTables)
  const freed = tables.map(({ name, key: column }) => {
    const [table, key] = [sql.raw(name), sql.raw(column)]
    return sql`${sql.raw(`freed_${name}`)} AS (
      UPDATE ${table} d SET owner = NULL, leased_until = NULL
      FROM (
        SELECT of.key FROM dead CROSS JOIN LATERAL unnest(dead.held) AS of (key)
        JOIN ${table} r ON r.${key} = of.key AND r.owner = dead.owner
        ORDER BY r.${key} FOR UPDATE OF r
      ) locked
      WHERE d.${key} = locked.key
      RETURNING 1
    )`
  })
  const counts = tables.map(({ name }) => sql`(SELECT count(*) FROM ${sql.raw(`freed_${name}`)})`)
  const { rows } = await sql<{ freed: string }>`
    WITH dead AS (
      SELECT work, owner, held FROM claims WHERE ${isHeld} AND ${renewedBy} <= now() AND ${isGone}
      FOR UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE claims SET owner = NULL, leased_until = now() WHERE work IN (SELECT work FROM dead)
      RETURNING held
    ), ${sql.join(freed)}
    SELECT ${sql.join(counts, sql` + `)}
      + (SELECT count(*) FROM ended WHERE held IS NULL) AS freed`.execute(db)
  return Number(rows[0]?.freed ?? 0)
}
