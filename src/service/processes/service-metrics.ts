import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { instant } from '../domain/decider.ts'
import { ledgerPrefixes } from '../domain/ids.ts'
import { metadataOf } from '../event-store/codec.ts'
import type { EventStore, Place, Position } from '../event-store/event-store.ts'
import { type ProjectionStatus, projectionStatuses } from '../projector/checkpoint.ts'
import { readClock } from './sandbox/workspace-clock.ts'

export type ProjectionLag = ProjectionStatus & {
  /** Age of the first event that it has not processed; 0 if it has processed all. */
  readonly lagSeconds: number
}

/** How far each active projection is behind the ledger. */
export async function projectionLags(
  db: Kysely<Tables>,
  store: EventStore,
): Promise<readonly ProjectionLag[]> {
  const active = (await projectionStatuses(db)).filter((status) => status.active)
  return await Promise.all(
    active.map(async (status) => ({
      ...status,
      lagSeconds: await secondsBehind(db, store, status.place),
    })),
  )
}

/**
 * Age of the first event after a position, on its workspace's clock; 0 if there is no such event.
 */
export async function secondsBehind(
  db: Kysely<Tables>,
  store: EventStore,
  after: Place | Position | null,
): Promise<number> {
  const { events } = await store.readAll(after, { prefixes: ledgerPrefixes, limit: 1 })
  const [first] = events
  if (first === undefined) return 0
  const metadata = metadataOf(first)
  const { workspace_id: workspaceId, livemode } = metadata
  // Administrative events are recorded in real time, even those about a workspace.
  const isOfShipment = metadata.shipment_id !== null && workspaceId !== null
  const now = isOfShipment ? (await readClock(db, { workspaceId, livemode })).now : Date.now()
  return Math.max(1, now - instant(metadata.recorded_at)) / 1_000
}

/** The number of operations by status, and the age of the oldest on its workspace's clock. */
export async function operationStatusCounts(db: Kysely<Tables>) {
  const { rows } = await sql<{ status: string; count: string; age: number }>`
    SELECT o.status, count(*) AS count, max(extract(epoch FROM now() - o.created_at)::float8
      + coalesce(c.offset_ms, 0) / 1000.0::float8) AS age
    FROM projections.operations o
    LEFT JOIN sandbox_clocks c ON c.workspace_id = o.workspace_id AND NOT o.livemode
    GROUP BY o.status`.execute(db)
  return rows.map((row) => ({
    status: row.status,
    count: Number(row.count),
    oldestAgeSeconds: Math.max(0, row.age),
  }))
}

/** Limits the count to an organization or workspace; null for no limit. */
type WorkspaceScope = {
  readonly organizationId: string | null
  readonly workspaceId: string | null
  readonly livemode: boolean
}

/** The age ranges of open operations, each beginning at the end of the previous one. */
const ageBounds = [
  ['under_10_minutes', 10 * 60],
  ['under_1_hour', 60 * 60],
  ['under_1_day', 24 * 60 * 60],
  ['older', Number.POSITIVE_INFINITY],
] as const
type AgeName = (typeof ageBounds)[number][0]

export type OpenOperations = {
  readonly status: 'reconciling' | 'needs_review'
  readonly count: number
  readonly oldestAgeSeconds: number | null
  readonly ages: Readonly<Record<AgeName, number>>
}

/**
 * Open operations examined, oldest first: an outage that leaves more is visible without an exact
 * count.
 */
const countedMax = 10_000

type AgeRow = {
  status: OpenOperations['status']
  age: number
}

/** The number of open operations by state and age on their workspaces' clocks. */
export async function openOperations(
  db: Kysely<Tables>,
  scope: WorkspaceScope,
): Promise<readonly OpenOperations[]> {
  const { organizationId, workspaceId, livemode } = scope
  const own = organizationId === null ? sql`` : sql`AND o.organization_id = ${organizationId}`
  const within = workspaceId === null ? sql`` : sql`AND o.workspace_id = ${workspaceId}`
  const states = ['reconciling', 'needs_review'] as const
  return await Promise.all(
    states.map(async (status) => {
      const { rows } = await sql<AgeRow>`
        SELECT extract(epoch FROM now() - o.created_at)::float8
          + coalesce(c.offset_ms, 0) / 1000.0::float8 AS age
        FROM projections.operations o
        LEFT JOIN sandbox_clocks c ON c.workspace_id = o.workspace_id AND NOT o.livemode
        WHERE o.status = ${sql.lit(status)} AND o.livemode = ${livemode} ${own} ${within}
        ORDER BY o.created_at LIMIT ${countedMax}`.execute(db)
      const ages = rows.map(({ age }) => Math.max(0, age))
      return {
        status,
        count: ages.length,
        oldestAgeSeconds: ages.length === 0 ? null : Math.max(...ages),
        ages: countedByAge(ages),
      }
    }),
  )
}

function countedByAge(ages: readonly number[]): Record<AgeName, number> {
  const counts: Record<AgeName, number> = {
    under_10_minutes: 0,
    under_1_hour: 0,
    under_1_day: 0,
    older: 0,
  }
  for (const age of ages) {
    const found = ageBounds.find(([, below]) => age < below)
    if (found !== undefined) counts[found[0]] += 1
  }
  return counts
}
