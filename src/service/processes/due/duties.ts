import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Batcher } from '../../database/batcher.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../../event-store/event-store.ts'
import { VaultOverloaded, VaultUnavailable } from '../../security/vault/vault.ts'
import { type Clock, reconcile } from '../calls/reconcile.ts'
import { performErasure } from '../erasure/erasure.ts'
import { planRetention } from '../erasure/retention.ts'
import { fetchLabel } from '../labels/fetch-label.ts'
import type { AdvanceStep, ProcessDeps } from '../process-deps.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import { pollTracking } from '../tracking/poll-tracking.ts'
import { claimTimes, type DutyName, type Performed, type Released } from './claims.ts'
import { ofWorkspace } from './claims-postgres.ts'

/** What the duties need, together. */
export type DutyDeps = Pick<
  ProcessDeps,
  | 'accounts'
  | 'couriers'
  | 'db'
  | 'erasureRows'
  | 'erasures'
  | 'log'
  | 'noteAnomaly'
  | 'store'
  | 'underway'
  | 'unreadableLabels'
  | 'vault'
>

/** A kind of work that falls due for shipments, each at a moment on its workspace's clock. */
type Duty = {
  readonly name: DutyName
  /** The most that one loop claims at once, and so its number of open calls. */
  readonly claimMax: number
  /** One loop is enough, with a rest between its batches: no caller waits for this work. */
  readonly isUnhurried?: boolean
  /** Does the work for one shipment; doing it early or twice is harmless. */
  readonly perform: (
    deps: DutyDeps,
    shipmentId: string,
    clock: Clock,
    isClaimed: boolean,
  ) => Promise<Performed>
}

export const duties: readonly Duty[] = [
  {
    name: 'reconcile',
    // A process that dies with hundreds of calls under way leaves all of them in doubt at once.
    claimMax: 24,
    perform: reconcile,
  },
  {
    name: 'track',
    // Ten thousand shipments at their half-hourly pace are 5.6 reads a second, ten seconds each if
    // no courier answers: four loops with this many keep up.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await pollTracking(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'label',
    // Every guide's label is fetched: after a burst of creations, requests matter more. A client that
    // asks for the label gets it at once.
    claimMax: 96,
    isUnhurried: true,
    perform: async (deps, shipmentId, clock, isClaimed) =>
      (await fetchLabel(deps, shipmentId, clock(), isClaimed)) ? 'done' : 'idle',
  },
  {
    name: 'erase',
    // At most a thousand are noted a minute; one that asks a courier takes some milliseconds.
    claimMax: 24,
    isUnhurried: true,
    perform: (deps, shipmentId, clock) => performErasure(deps, shipmentId, clock()),
  },
]

/**
 * Does what is due, each item once. Returns how many were done; `foundMore`: there may be others.
 */
export async function performDue(
  deps: DutyDeps & Pick<ProcessDeps, 'claims'>,
  duty: Duty,
  owner: string = randomUUID(),
  foundMore: () => void = () => undefined,
): Promise<number> {
  const { claims, log } = deps
  const claimed = await claims.claim(duty.name, owner, duty.claimMax)
  if (claimed.length === 0) return 0
  if (claimed.length === duty.claimMax) foundMore()
  let done = 0
  const renew = () =>
    // If it fails, another worker may begin the same work, which is harmless.
    claims.renew(owner).catch((err: unknown) => log.warn({ err }, 'leases could not be renewed'))
  const renewing = setInterval(() => void renew(), claimTimes.renewEveryMs)
  const releases = new Batcher<Released, void>({
    batchMax: claimed.length,
    queueMax: claimed.length,
    write: async (released) => {
      await claims.release(owner, released)
      return []
    },
  })
  const worked = await Promise.allSettled(
    claimed.map(async ({ shipmentId, clockOffsetMs }) => {
      let performed: Released['performed'] = 'failed'
      try {
        performed = await duty.perform(deps, shipmentId, () => clockAt(clockOffsetMs), true)
      } catch (error) {
        log.error({ err: error, duty: duty.name, shipmentId }, 'duty failed')
        if (isOutage(error)) performed = 'idle'
      }
      if (performed === 'done') done += 1
      await releases.add({ shipmentId, performed })
    }),
  ).finally(() => clearInterval(renewing))
  for (const one of worked) if (one.status === 'rejected') throw one.reason
  return done
}

const outages = [
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
  VaultOverloaded,
  VaultUnavailable,
]

/** A store was unreachable, for all shipments alike: they go on as soon as it is back. */
export function isOutage(error: unknown): boolean {
  return outages.some((outage) => error instanceof outage)
}

/** Whether a worker is working for this workspace now. */
export async function isAtWork(
  { db, deliveries }: Pick<ProcessDeps, 'db' | 'deliveries'>,
  workspaceId: string,
): Promise<boolean> {
  if (await deliveries.isAtWork(workspaceId)) return true
  const { rows } = await sql`
    SELECT FROM claims k CROSS JOIN LATERAL unnest(k.held) AS held (shipment_id)
    JOIN due d ON d.shipment_id = held.shipment_id AND d.owner = k.owner
    WHERE k.owner IS NOT NULL AND d.leased_until > now() AND d.workspace_id = ${workspaceId}
    LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Due work of an advance that is left out: what was skipped. */
type LeftOut = Pick<AdvanceStep, 'at' | 'key' | 'shipmentId' | 'what'>

/**
 * The earliest due work in a workspace up to a moment on its clock, in order of due time: of each
 * shipment at most the first step, and as many deliveries as their endpoints take at once.
 */
export async function nextSteps(
  deps: DutyDeps & Pick<ProcessDeps, 'deliveries'>,
  workspaceId: string,
  until: Instant,
  { limit, leftOut }: { readonly limit: number; readonly leftOut: readonly LeftOut[] },
): Promise<readonly AdvanceStep[]> {
  const { db, deliveries } = deps
  await planRetention(db, { workspaceId, until })
  const at = rfc3339(until)
  const undone = leftOut.filter(({ what }) => what !== 'deliver')
  // The shipments with the first steps are among the first shipments with any due work.
  const { rows } = await sql<{ shipment_id: string; duty: DutyName; due_ms: number }>`
    SELECT first.shipment_id, owed.duty, owed.due_ms
    FROM (
      SELECT d.* FROM due d
      WHERE ${ofWorkspace(sql`${workspaceId}`, sql`${at}::timestamptz`)}
      ORDER BY d.workspace_id, d.first_at, d.shipment_id LIMIT ${limit + undone.length}
    ) first
    CROSS JOIN LATERAL (
      -- Rounded up: as of an earlier moment it would not be due.
      SELECT duty, rank, ceil(extract(epoch FROM due_at) * 1000)::float8 AS due_ms FROM (VALUES
        (1, 'reconcile', first.reconcile_at), (2, 'track', first.check_at),
        (3, 'label', first.label_at), (4, 'erase', first.erase_at)
      ) AS planned (rank, duty, due_at)
      WHERE due_at <= ${at}::timestamptz
    ) owed
    WHERE NOT EXISTS (
      SELECT FROM unnest(${undone.map(({ shipmentId }) => shipmentId)}::text[],
          ${undone.map(({ what }) => what)}::text[], ${undone.map((each) => each.at)}::float8[])
        AS undone (shipment_id, duty, due_ms)
      WHERE undone.shipment_id = first.shipment_id COLLATE "C" AND undone.duty = owed.duty
        AND undone.due_ms = owed.due_ms)
    ORDER BY owed.due_ms, first.shipment_id, owed.rank LIMIT ${limit + undone.length}`.execute(db)
  const firsts = new Map(rows.toReversed().map((row) => [row.shipment_id, row]))
  const owed = [...firsts.values()].flatMap((row): readonly AdvanceStep[] => {
    const duty = duties.find(({ name }) => name === row.duty)
    if (duty === undefined) return []
    const { shipment_id: shipmentId, due_ms: dueAt } = row
    const perform = () => duty.perform(deps, shipmentId, () => dueAt, false)
    return [{ key: `${duty.name}:${shipmentId}`, what: duty.name, shipmentId, at: dueAt, perform }]
  })
  const undelivered = leftOut.flatMap(({ what, key }) => (what === 'deliver' ? [key] : []))
  const due = await deliveries.next(workspaceId, until, undelivered)
  return [...owed, ...due].toSorted((a, b) => a.at - b.at)
}
