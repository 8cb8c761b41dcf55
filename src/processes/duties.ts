import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import type { Instant } from '../domain/decider.ts'
import type { Performed, ProcessDeps } from './deps.ts'
import { fetchLabel } from './label.ts'
import { type Clock, reconcile } from './reconciliation.ts'
import { pollTracking } from './tracking.ts'

/** A kind of work that falls due for shipments, each at a moment on its workspace's clock. */
export type Duty = {
  readonly name: string
  /** Rows (shipment_id, workspace_id, livemode, due_at) of all that is owed, due or not. */
  readonly owed: RawBuilder<unknown>
  /** Does it for one shipment; doing it when it is not due, or twice, is harmless. */
  readonly perform: (deps: ProcessDeps, shipmentId: string, clock: Clock) => Promise<Performed>
}

export const duties: readonly Duty[] = [
  {
    name: 'reconcile',
    owed: sql`
      SELECT shipment_id, workspace_id, livemode, due_at FROM projections.timers
      WHERE due_at IS NOT NULL`,
    perform: reconcile,
  },
  {
    name: 'track',
    owed: sql`
      SELECT t.shipment_id, t.workspace_id, t.livemode,
        coalesce(p.next_check_at, t.issued_at) AS due_at
      FROM projections.tracking t LEFT JOIN polls p USING (shipment_id) WHERE t.is_followed`,
    perform: async (deps, shipmentId, clock) =>
      (await pollTracking(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'label',
    // After the first read of the tracking, so that a scenario's history is the same at every play.
    owed: sql`
      SELECT t.shipment_id, t.workspace_id, t.livemode,
        CASE WHEN l.shipment_id IS NULL THEN t.issued_at ELSE l.next_at END AS due_at
      FROM projections.tracking t JOIN polls p USING (shipment_id)
      LEFT JOIN label_requests l USING (shipment_id)
      WHERE t.needs_label`,
    perform: async (deps, shipmentId, clock) =>
      (await fetchLabel(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
]

/** What a worker that was killed held is taken up by another after this. */
const leaseSeconds = 10
/** While the work goes on; a courier call with what is stored around it takes longer than a lease. */
const renewEveryMs = 3_000
/** Claimed at once by one loop, and so the calls it has open. */
export const claimMax = 8

type Claimed = { readonly shipmentId: string; readonly clockOffsetMs: number }

function workOf(duty: Duty, shipmentId: string): string {
  return `${duty.name}:${shipmentId}`
}

/** Takes leases on what is due now; whatever another worker holds is left out. */
async function claimDue(
  db: Kysely<ReadModels>,
  duty: Duty,
  owner: string,
): Promise<readonly Claimed[]> {
  const { rows } = await sql<{ shipment_id: string; offset_ms: string }>`
    WITH due AS (
      SELECT o.shipment_id, ${`${duty.name}:`} || o.shipment_id AS work,
        coalesce(c.offset_ms, 0) AS offset_ms
      FROM (${duty.owed}) o
      LEFT JOIN sandbox_clocks c ON c.workspace_id = o.workspace_id AND NOT o.livemode
      WHERE c.advancing_to IS NULL
        AND o.due_at <= now() + coalesce(c.offset_ms, 0) * interval '1 millisecond'
        AND NOT EXISTS (
          SELECT FROM claims k
          WHERE k.work = ${`${duty.name}:`} || o.shipment_id AND k.leased_until > now())
      ORDER BY o.due_at LIMIT ${claimMax}
    ), taken AS (
      INSERT INTO claims AS k (work, owner, leased_until)
      SELECT work, ${owner}::uuid, now() + ${leaseSeconds} * interval '1 second'
      FROM due ORDER BY work
      ON CONFLICT (work) DO UPDATE
        SET leased_until = excluded.leased_until, owner = excluded.owner
        WHERE k.leased_until <= now()
      RETURNING work
    )
    SELECT due.shipment_id, due.offset_ms FROM due JOIN taken USING (work)`.execute(db)
  return rows.map((row) => ({
    shipmentId: row.shipment_id,
    clockOffsetMs: Number(row.offset_ms),
  }))
}

/**
 * How long a piece is left alone that was not done: a list behind the ledger catches up at once, a
 * parked connection waits for its owner. Without this it would be taken up again at once, for ever,
 * and before everybody else's.
 */
const leftAloneSeconds: Readonly<Record<Exclude<Performed, 'done'>, number>> = {
  idle: 1,
  deferred: 60,
}

async function release(
  db: Kysely<ReadModels>,
  work: string,
  owner: string,
  performed: Performed,
): Promise<void> {
  if (performed === 'done') {
    await sql`DELETE FROM claims WHERE work = ${work} AND owner = ${owner}::uuid`.execute(db)
    return
  }
  await sql`
    UPDATE claims
    SET owner = NULL, leased_until = now() + ${leftAloneSeconds[performed]} * interval '1 second'
    WHERE work = ${work} AND owner = ${owner}::uuid`.execute(db)
}

async function renew({ db, log }: ProcessDeps, owner: string): Promise<void> {
  await sql`
    UPDATE claims SET leased_until = now() + ${leaseSeconds} * interval '1 second'
    WHERE owner = ${owner}::uuid`
    .execute(db)
    // Without it another worker begins the same, which is harmless.
    .catch((error: unknown) => log.warn({ err: error }, 'leases could not be renewed'))
}

/** Does what is due, each piece once. Answers how many pieces were done. */
export async function performDue(deps: ProcessDeps, duty: Duty): Promise<number> {
  const owner = randomUUID()
  const claimed = await claimDue(deps.db, duty, owner)
  if (claimed.length === 0) return 0
  let done = 0
  const renewing = setInterval(() => void renew(deps, owner), renewEveryMs)
  await Promise.all(
    claimed.map(async ({ shipmentId, clockOffsetMs }) => {
      let performed: Performed = 'idle'
      try {
        performed = await duty.perform(deps, shipmentId, () => Date.now() + clockOffsetMs)
      } catch (error) {
        deps.log.error({ err: error, duty: duty.name, shipmentId }, 'duty failed')
      }
      if (performed === 'done') done += 1
      await release(deps.db, workOf(duty, shipmentId), owner, performed)
    }),
  ).finally(() => clearInterval(renewing))
  return done
}

/** Whether a worker is doing something for a shipment of this workspace just now. */
export async function isAtWork(db: Kysely<ReadModels>, workspaceId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM claims k
    JOIN projections.shipments s ON s.shipment_id = split_part(k.work, ':', 2)
    WHERE k.owner IS NOT NULL AND k.leased_until > now() AND s.workspace_id = ${workspaceId}
      AND split_part(k.work, ':', 1) IN (${sql.join(duties.map(({ name }) => name))})
    LIMIT 1`.execute(db)
  return rows.length > 0
}

export type NextDuty = { readonly duty: Duty; readonly shipmentId: string; readonly at: Instant }

/** The earliest things owed in a workspace up to a moment on its clock, in order of due time. */
export async function nextDuties(
  db: Kysely<ReadModels>,
  workspaceId: string,
  until: Instant,
  limit: number,
): Promise<readonly NextDuty[]> {
  const found = await Promise.all(
    duties.map(async (duty) => {
      const { rows } = await sql<{ shipment_id: string; due_at: Date }>`
        SELECT shipment_id, due_at FROM (${duty.owed}) o
        WHERE o.workspace_id = ${workspaceId} AND NOT o.livemode
          AND o.due_at <= ${new Date(until).toISOString()}
        ORDER BY o.due_at, o.shipment_id LIMIT ${limit}`.execute(db)
      return rows.map((row) => ({ duty, shipmentId: row.shipment_id, at: row.due_at.getTime() }))
    }),
  )
  return found.flat().sort((a, b) => a.at - b.at)
}
