import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Batcher } from '../../database/batcher.ts'
import { type Instant, rfc3339 } from '../../domain/decider.ts'
import {
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
} from '../../event-store/event-store.ts'
import { traceOfShipment } from '../../event-store/trace-of-shipment.ts'
import { whileClaimed } from '../../queue/claim.ts'
import { VaultOverloaded, VaultUnavailable } from '../../security/vault/vault.ts'
import { type Clock, reconcile } from '../calls/reconcile.ts'
import { performErasure } from '../erasure/erasure.ts'
import { planRetention } from '../erasure/retention.ts'
import { fetchLabel } from '../labels/fetch-label.ts'
import type { AdvanceStep, ProcessServices } from '../process-services.ts'
import { clockAt } from '../sandbox/workspace-clock.ts'
import { pollTracking } from '../tracking/poll-tracking.ts'
import type { JobName, JobResult, Released } from './claims.ts'
import { ofWorkspace } from './claims-postgres.ts'

/** What all kinds of due work need. */
export type JobDeps = Pick<
  ProcessServices,
  | 'accounts'
  | 'couriers'
  | 'db'
  | 'erasureRows'
  | 'erasures'
  | 'log'
  | 'noteAnomaly'
  | 'store'
  | 'tracing'
  | 'inFlightCalls'
  | 'unreadableLabels'
  | 'vault'
>

/** A kind of work that falls due for shipments, each at a time on its workspace's clock. */
type JobKind = {
  readonly name: JobName
  /** The most that one loop claims at once, and so its number of open calls. */
  readonly claimMax: number
  /** One loop is enough, with a pause between its batches: no caller waits for this work. */
  readonly isBackground?: boolean
  /** Does the work for one shipment; doing it early or twice is harmless. */
  readonly perform: (
    deps: JobDeps,
    shipmentId: string,
    clock: Clock,
    isClaimed: boolean,
  ) => Promise<JobResult>
}

export const jobKinds: readonly JobKind[] = [
  {
    name: 'reconcile',
    // If a process dies, all its calls in flight are in doubt: not hundreds at once.
    claimMax: 24,
    perform: reconcile,
  },
  {
    name: 'track',
    // Ten thousand shipments, read every half hour, are 5.6 reads a second, of ten seconds each if
    // no courier answers: four loops of this size keep up.
    claimMax: 24,
    perform: async (deps, shipmentId, clock) =>
      (await pollTracking(deps, shipmentId, clock())) ? 'done' : 'idle',
  },
  {
    name: 'label',
    // The label of every guide is fetched: after a burst of creations, requests have priority. A
    // client that asks for the label gets it at once.
    claimMax: 96,
    isBackground: true,
    perform: async (deps, shipmentId, clock, isClaimed) =>
      (await fetchLabel(deps, shipmentId, clock(), isClaimed)) ? 'done' : 'idle',
  },
  {
    name: 'erase',
    // At most a thousand erasures are noted a minute; one that calls a courier takes some
    // milliseconds.
    claimMax: 24,
    isBackground: true,
    perform: (deps, shipmentId, clock) => performErasure(deps, shipmentId, clock()),
  },
]

/** Performs due work, each item once. Returns the number done; `foundMore`: there may be more. */
export async function performJobs(
  deps: JobDeps & Pick<ProcessServices, 'claims'>,
  kind: JobKind,
  owner: string = randomUUID(),
  foundMore: () => void = () => undefined,
): Promise<number> {
  const { claims, log } = deps
  const claimed = await claims.claim(kind.name, owner, kind.claimMax)
  if (claimed.length === 0) return 0
  if (claimed.length === kind.claimMax) foundMore()
  let done = 0
  const releases = new Batcher<Released, void>({
    batchMax: claimed.length,
    queueMax: claimed.length,
    write: async (released) => {
      await claims.release(owner, released)
      return []
    },
  })
  const perform = async ({ shipmentId, clockOffsetMs }: (typeof claimed)[number]) => {
    let performed: Released['performed'] = 'failed'
    try {
      const clock = () => clockAt(clockOffsetMs)
      performed = await inSpan(deps, kind.name, shipmentId, () =>
        kind.perform(deps, shipmentId, clock, true),
      )
    } catch (error) {
      log.error({ err: error, duty: kind.name, shipmentId }, 'duty failed')
      if (isOutage(error)) performed = 'idle'
    }
    if (performed === 'done') done += 1
    await releases.add({ shipmentId, performed })
  }
  const worked = await whileClaimed(
    () => claims.renew(owner),
    () => Promise.allSettled(claimed.map(perform)),
  )
  for (const one of worked) if (one.status === 'rejected') throw one.reason
  return done
}

/** A job continues the trace of the request that created its shipment. */
async function inSpan(
  { store, tracing }: Pick<JobDeps, 'store' | 'tracing'>,
  name: JobName,
  shipmentId: string,
  perform: () => Promise<JobResult>,
): Promise<JobResult> {
  if (tracing === undefined) return await perform()
  const continues = await traceOfShipment(store, tracing, shipmentId)
  const attributes = { 'shipping.job.name': name, 'shipping.shipment.id': shipmentId }
  return await tracing.traced(`job ${name}`, { attributes, continues }, async (span) => {
    const result = await perform()
    span.add({ 'shipping.job.result': result })
    return result
  })
}

const outages = [
  AppendUnknown,
  EventStoreOverloaded,
  EventStoreUnavailable,
  VaultOverloaded,
  VaultUnavailable,
]

/**
 * Whether a store was unreachable. This affects all shipments alike, so they continue as soon as it
 * is back.
 */
export function isOutage(error: unknown): boolean {
  return outages.some((outage) => error instanceof outage)
}

/** Whether a worker is processing a shipment of this workspace now. */
export async function isAtWork(
  { db, deliveries }: Pick<ProcessServices, 'db' | 'deliveries'>,
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

/** A step of an advance that is excluded because it was skipped. */
type ExcludedStep = Pick<AdvanceStep, 'at' | 'key' | 'shipmentId' | 'what'>

/**
 * The earliest due work in a workspace up to a time on its clock, in order of due time: at most the
 * first step of each shipment, and as many deliveries as their endpoints accept at once.
 */
export async function nextSteps(
  deps: JobDeps & Pick<ProcessServices, 'deliveries'>,
  workspaceId: string,
  until: Instant,
  { limit, excluded }: { readonly limit: number; readonly excluded: readonly ExcludedStep[] },
): Promise<readonly AdvanceStep[]> {
  const { db, deliveries } = deps
  await planRetention(db, { workspaceId, until })
  const at = rfc3339(until)
  const undone = excluded.filter(({ what }) => what !== 'deliver')
  // The shipments with the first steps are among the first shipments with any due work.
  const { rows } = await sql<{ shipment_id: string; duty: JobName; due_ms: number }>`
    SELECT first.shipment_id, owed.duty, owed.due_ms
    FROM (
      SELECT d.* FROM due d
      WHERE ${ofWorkspace(sql`${workspaceId}`, sql`${at}::timestamptz`)}
      ORDER BY d.workspace_id, d.first_at, d.shipment_id LIMIT ${limit + undone.length}
    ) first
    CROSS JOIN LATERAL (
      -- Rounded up: a moment earlier it would not be due.
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
    const job = jobKinds.find(({ name }) => name === row.duty)
    if (job === undefined) return []
    const { shipment_id: shipmentId, due_ms: dueAt } = row
    const perform = () =>
      inSpan(deps, job.name, shipmentId, () => job.perform(deps, shipmentId, () => dueAt, false))
    return [{ key: `${job.name}:${shipmentId}`, what: job.name, shipmentId, at: dueAt, perform }]
  })
  const undelivered = excluded.flatMap(({ what, key }) => (what === 'deliver' ? [key] : []))
  const due = await deliveries.next(workspaceId, until, undelivered)
  return [...owed, ...due].toSorted((a, b) => a.at - b.at)
}
