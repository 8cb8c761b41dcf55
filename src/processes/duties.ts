import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Batcher } from '../database/batcher.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import type { Performed } from './claims.ts'
import { claimTimes, type DutyName, type Released } from './claims.ts'
import { ofWorkspace, owedOf, workOf } from './claims-postgres.ts'
import type { ProcessDeps } from './deps.ts'
import { performErasure } from './erasure.ts'
import { fetchLabel } from './label.ts'
import { followNew } from './poll-plan.ts'
import { type Clock, reconcile } from './reconciliation.ts'
import { planRetention } from './retention.ts'
import { pollTracking } from './tracking.ts'
import { clockAt } from './workspace-clock.ts'

/** A kind of work that falls due for shipments, each at a moment on its workspace's clock. */
export type Duty = {
  readonly name: DutyName
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
    // A process that dies with hundreds of calls under way leaves them all in doubt at once.
    claimMax: 24,
    perform: reconcile,
  },
  {
    name: 'track',
    // Ten thousand shipments at their half-hourly pace are 5.6 reads a second, of ten seconds each
    // where no courier answers: four loops of so many keep up.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await pollTracking(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'label',
    // Every guide's label is asked for at once: a burst of creations is followed by one of labels.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await fetchLabel(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'erase',
    // A thousand are noted in a minute at most; one that asks a courier takes some milliseconds.
    claimMax: 24,
    isUnhurried: true,
    perform: (deps, shipmentId, clock) => performErasure(deps, shipmentId, clock()),
  },
]

/** Does what is due, each piece once. Answers how many pieces were done. */
export async function performDue(deps: ProcessDeps, duty: Duty): Promise<number> {
  const { claims, log } = deps
  const owner = randomUUID()
  const claimed = await claims.claim(duty.name, owner, duty.claimMax)
  if (claimed.length === 0) return 0
  let done = 0
  const renew = () =>
    // Without it another worker begins the same, which is harmless.
    claims.renew(owner).catch((err: unknown) => log.warn({ err }, 'leases could not be renewed'))
  const renewing = setInterval(() => void renew(), claimTimes.renewEveryMs)
  const due = await claims.stillDue(duty.name, claimed).catch((error: unknown) => {
    clearInterval(renewing)
    throw error
  })
  const releases = new Batcher<Released, void>({
    ...{ batchMax: claimed.length, queueMax: claimed.length },
    write: async (released) => {
      await claims.release(owner, released)
      return []
    },
  })
  await Promise.all(
    claimed.map(async ({ shipmentId, clockOffsetMs }) => {
      let performed: Performed = due.has(shipmentId) ? 'idle' : 'done'
      try {
        if (due.has(shipmentId))
          performed = await duty.perform(deps, shipmentId, () => clockAt(clockOffsetMs))
      } catch (error) {
        log.error({ err: error, duty: duty.name, shipmentId }, 'duty failed')
      }
      if (performed === 'done' && due.has(shipmentId)) done += 1
      await releases.add({ duty: duty.name, shipmentId, performed })
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
  let lookedAt: number
  do lookedAt = await followNew(db)
  while (lookedAt > 0)
  await planRetention(db, { workspaceId, until })
  const ofDuties = duties.map(async (duty) => {
    const { rows } = await sql<{ shipment_id: string; due_at: Date }>`
      SELECT shipment_id, due_at FROM (${owedOf[duty.name]}) o
      WHERE NOT o.livemode AND ${ofWorkspace(sql`${workspaceId}`, sql`${rfc3339(until)}::timestamptz`)}
      ORDER BY o.workspace_id, o.due_at, o.shipment_id LIMIT ${limit}`.execute(db)
    return rows.map(({ shipment_id: shipmentId, due_at: dueAt }): Step => {
      const at = dueAt.getTime()
      const perform = () => duty.perform(deps, shipmentId, () => at)
      return { key: workOf(duty.name, shipmentId), at, perform }
    })
  })
  const due = await deliveries.next(workspaceId, until)
  const ofDeliveries = due === null ? [] : [due]
  const found = [...(await Promise.all(ofDuties)).flat(), ...ofDeliveries]
  return found.sort((a, b) => a.at - b.at)
}
