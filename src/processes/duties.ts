import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { ReadModels } from '../../projections/tables.ts'
import { Batcher } from '../database/batcher.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import type { Performed, ProcessDeps } from './deps.ts'
import { performErasure } from './erasure.ts'
import { fetchLabel } from './label.ts'
import { followNew } from './poll-plan.ts'
import { type Clock, reconcile } from './reconciliation.ts'
import { planRetention } from './retention.ts'
import { pollTracking } from './tracking.ts'

/** Of what a person waits for there is never much at once. */
const claimMaxDefault = 8

/** A kind of work that falls due for shipments, each at a moment on its workspace's clock. */
export type Duty = {
  readonly name: string
  /** Rows (shipment_id, workspace_id, livemode, due_at) of all that is owed, due or not. */
  readonly owed: RawBuilder<unknown>
  /** Claimed at once by one loop, and so the calls it has open. */
  readonly claimMax: number
  /** Nobody waits for it: one loop looks after it. */
  readonly isUnhurried?: boolean
  /** Does it for one shipment; doing it when it is not due, or twice, is harmless. */
  readonly perform: (deps: ProcessDeps, shipmentId: string, clock: Clock) => Promise<Performed>
}

export const duties: readonly Duty[] = [
  {
    name: 'reconcile',
    owed: sql`
      SELECT shipment_id, workspace_id, livemode, due_at FROM projections.timers
      WHERE due_at IS NOT NULL`,
    claimMax: claimMaxDefault,
    perform: reconcile,
  },
  {
    name: 'track',
    owed: sql`
      SELECT shipment_id, workspace_id, livemode, next_check_at AS due_at FROM polls`,
    // Ten thousand shipments at their half-hourly pace are 5.6 reads a second, of ten seconds each
    // where no courier answers: four loops of so many keep up.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await pollTracking(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'label',
    owed: sql`
      SELECT shipment_id, workspace_id, livemode, next_at AS due_at FROM label_requests
      WHERE next_at IS NOT NULL`,
    // Every guide's label is asked for at once: a burst of creations is followed by one of labels.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await fetchLabel(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'erase',
    owed: sql`
      SELECT shipment_id, workspace_id, livemode, due_at FROM erasures WHERE due_at IS NOT NULL`,
    // A thousand are noted in a minute at most; one that asks a courier takes some milliseconds.
    claimMax: 24,
    isUnhurried: true,
    perform: (deps, shipmentId, clock) => performErasure(deps, shipmentId, clock()),
  },
]

/** What a worker that was killed held is taken up by another after this. */
const leaseSeconds = 10
/** While the work goes on; a courier call with what is stored around it takes longer than a lease. */
const renewEveryMs = 3_000
type Claimed = { readonly shipmentId: string; readonly clockOffsetMs: number }

function workOf(duty: Duty, shipmentId: string): string {
  return `${duty.name}:${shipmentId}`
}

/**
 * Takes leases on what is due now; whatever another worker holds is left out. A sandbox clock is
 * never behind the wall clock, so what is due by the wall is due everywhere: that is one walk along
 * an index by time. Besides, each workspace whose clock is ahead is asked for its own.
 */
async function claimDue(
  db: Kysely<ReadModels>,
  duty: Duty,
  owner: string,
): Promise<readonly Claimed[]> {
  const { rows } = await sql<{ shipment_id: string; offset_ms: string }>`
    ${claimable(duty)}, taken AS (
      INSERT INTO claims AS k (work, owner, leased_until)
      SELECT ${`${duty.name}:`} || shipment_id, ${owner}::uuid,
        now() + ${leaseSeconds} * interval '1 second'
      FROM due ORDER BY shipment_id
      ON CONFLICT (work) DO UPDATE
        SET leased_until = excluded.leased_until, owner = excluded.owner
        WHERE k.leased_until <= now()
      RETURNING work
    )
    SELECT due.shipment_id, due.offset_ms FROM due
    JOIN taken ON taken.work = ${`${duty.name}:`} || due.shipment_id`.execute(db)
  return rows.map((row) => ({
    shipmentId: row.shipment_id,
    clockOffsetMs: Number(row.offset_ms),
  }))
}

/**
 * What a workspace owes up to a moment. Said as a range of pairs, because an equality would let the
 * planner walk along the index by time, past everybody else's rows.
 */
function ofWorkspace(workspaceId: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql`(o.workspace_id, o.due_at) > (${workspaceId}, '-infinity'::timestamptz)
    AND (o.workspace_id, o.due_at) <= (${workspaceId}, ${until})`
}

/** What may be claimed now, the longest overdue first: a WITH clause that ends in `due`. */
export function claimable({ name, owed, claimMax }: Duty): RawBuilder<unknown> {
  // Scalar looks, one for each row of the walk: a join would first read all that is due, and sort it.
  const isFree = sql`(
    SELECT k.leased_until FROM claims k WHERE k.work = ${`${name}:`} || o.shipment_id
  ) > now() IS NOT TRUE`
  const clock = sql`sandbox_clocks c WHERE c.workspace_id = o.workspace_id AND NOT o.livemode`
  return sql`
    WITH by_wall AS (
      SELECT o.shipment_id, o.due_at, coalesce((SELECT c.offset_ms FROM ${clock}), 0) AS offset_ms
      FROM (${owed}) o
      WHERE o.due_at <= now() AND ${isFree} AND (SELECT c.advancing_to FROM ${clock}) IS NULL
      ORDER BY o.due_at LIMIT ${claimMax}
    ), ahead AS (
      SELECT own.shipment_id, own.due_at, c.offset_ms
      FROM sandbox_clocks c CROSS JOIN LATERAL (
        SELECT o.shipment_id, o.due_at FROM (${owed}) o
        WHERE NOT o.livemode AND ${isFree}
          AND ${ofWorkspace(sql`c.workspace_id`, sql`now() + c.offset_ms * interval '1 millisecond'`)}
        ORDER BY o.workspace_id, o.due_at LIMIT ${claimMax}
      ) own
      WHERE c.offset_ms > 0 AND c.advancing_to IS NULL
    ), due AS (
      SELECT shipment_id, offset_ms FROM (SELECT * FROM by_wall UNION SELECT * FROM ahead) both_lists
      ORDER BY due_at - offset_ms * interval '1 millisecond' LIMIT ${claimMax}
    )`
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

type Released = { readonly work: string; readonly performed: Performed }

async function release(
  db: Kysely<ReadModels>,
  owner: string,
  released: readonly Released[],
): Promise<void> {
  const [left, done] = [
    released.filter(({ performed }) => performed !== 'done'),
    released.flatMap(({ work, performed }) => (performed === 'done' ? [work] : [])),
  ]
  if (done.length > 0) {
    await sql`DELETE FROM claims WHERE work = ANY (${done}) AND owner = ${owner}::uuid`.execute(db)
  }
  for (const [performed, seconds] of Object.entries(leftAloneSeconds)) {
    const works = left.flatMap((one) => (one.performed === performed ? [one.work] : []))
    if (works.length === 0) continue
    await sql`
      UPDATE claims SET owner = NULL, leased_until = now() + ${seconds} * interval '1 second'
      WHERE work = ANY (${works}) AND owner = ${owner}::uuid`.execute(db)
  }
}

async function renew({ db, log }: ProcessDeps, owner: string): Promise<void> {
  await sql`
    UPDATE claims SET leased_until = now() + ${leaseSeconds} * interval '1 second'
    WHERE owner = ${owner}::uuid`
    .execute(db)
    // Without it another worker begins the same, which is harmless.
    .catch((error: unknown) => log.warn({ err: error }, 'leases could not be renewed'))
}

/**
 * Which of the claimed are due still. A claim looks at what was committed when it began: meanwhile
 * another worker may have done a piece and let go of it.
 */
async function stillDue(
  db: Kysely<ReadModels>,
  { owed }: Duty,
  claimed: readonly Claimed[],
): Promise<ReadonlySet<string>> {
  const ids = claimed.map(({ shipmentId }) => shipmentId)
  const offsets = claimed.map(({ clockOffsetMs }) => clockOffsetMs)
  const { rows } = await sql<{ shipment_id: string }>`
    SELECT o.shipment_id
    FROM unnest(${ids}::text[], ${offsets}::bigint[]) AS mine (shipment_id, offset_ms)
    JOIN (${owed}) o ON o.shipment_id = mine.shipment_id COLLATE "C"
    WHERE o.due_at <= now() + mine.offset_ms * interval '1 millisecond'`.execute(db)
  return new Set(rows.map((row) => row.shipment_id))
}

/** Does what is due, each piece once. Answers how many pieces were done. */
export async function performDue(deps: ProcessDeps, duty: Duty): Promise<number> {
  const owner = randomUUID()
  const claimed = await claimDue(deps.db, duty, owner)
  if (claimed.length === 0) return 0
  let done = 0
  const renewing = setInterval(() => void renew(deps, owner), renewEveryMs)
  const due = await stillDue(deps.db, duty, claimed).catch((error: unknown) => {
    clearInterval(renewing)
    throw error
  })
  const releases = new Batcher<Released, void>({
    ...{ batchMax: claimed.length, queueMax: claimed.length },
    write: async (released) => {
      await release(deps.db, owner, released)
      return []
    },
  })
  await Promise.all(
    claimed.map(async ({ shipmentId, clockOffsetMs }) => {
      let performed: Performed = due.has(shipmentId) ? 'idle' : 'done'
      try {
        if (due.has(shipmentId))
          performed = await duty.perform(deps, shipmentId, () => Date.now() + clockOffsetMs)
      } catch (error) {
        deps.log.error({ err: error, duty: duty.name, shipmentId }, 'duty failed')
      }
      if (performed === 'done' && due.has(shipmentId)) done += 1
      await releases.add({ work: workOf(duty, shipmentId), performed })
    }),
  ).finally(() => clearInterval(renewing))
  return done
}

/** Whether a worker is doing something for this workspace just now. */
export async function isAtWork(
  { db, deliveries }: Pick<ProcessDeps, 'db' | 'deliveries'>,
  workspaceId: string,
): Promise<boolean> {
  if (await deliveries.isAtWork(workspaceId)) return true
  const { rows } = await sql`
    SELECT FROM claims k
    JOIN projections.shipments s ON s.shipment_id = split_part(k.work, ':', 2)
    WHERE k.owner IS NOT NULL AND k.leased_until > now() AND s.workspace_id = ${workspaceId}
      AND split_part(k.work, ':', 1) IN (${sql.join(duties.map(({ name }) => name))})
    LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Something owed in a workspace whose clock is being advanced. */
export type Step = {
  /** Of what is owed; with its moment it is that step and no other. */
  readonly key: string
  readonly at: Instant
  /** Does it as of its moment. */
  readonly perform: () => Promise<unknown>
}

/** The earliest things owed in a workspace up to a moment on its clock, in order of due time. */
export async function nextSteps(
  deps: ProcessDeps,
  workspaceId: string,
  until: Instant,
  limit: number,
): Promise<readonly Step[]> {
  const { db, deliveries } = deps
  await followNew(db, workspaceId)
  await planRetention(db, { workspaceId, until })
  const ofDuties = duties.map(async (duty) => {
    const { rows } = await sql<{ shipment_id: string; due_at: Date }>`
      SELECT shipment_id, due_at FROM (${duty.owed}) o
      WHERE NOT o.livemode AND ${ofWorkspace(sql`${workspaceId}`, sql`${rfc3339(until)}::timestamptz`)}
      ORDER BY o.workspace_id, o.due_at, o.shipment_id LIMIT ${limit}`.execute(db)
    return rows.map(({ shipment_id: shipmentId, due_at: dueAt }): Step => {
      const at = dueAt.getTime()
      const perform = () => duty.perform(deps, shipmentId, () => at)
      return { key: workOf(duty, shipmentId), at, perform }
    })
  })
  const due = await deliveries.next(workspaceId, until)
  const ofDeliveries = due === null ? [] : [due]
  const found = [...(await Promise.all(ofDuties)).flat(), ...ofDeliveries]
  return found.sort((a, b) => a.at - b.at)
}
