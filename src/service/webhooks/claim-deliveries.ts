import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { batched } from '../database/batcher.ts'
import { isSessionGone, thisSession } from '../database/session.ts'
import type { DeliveryRules } from '../domain/webhooks/webhook-delivery.ts'
import { claimTimes } from '../queue/claim.ts'
import type { Kind } from '../queue/run.ts'

/** Requests in flight to one endpoint, across all processes. */
export const inFlightPerEndpointMax = 8

/** A leased delivery with everything that its attempt needs. */
export type Claimed = {
  readonly id: string
  readonly event_id: string
  readonly event_type: string
  readonly endpoint_id: string
  readonly organization_id: string
  readonly workspace_id: string
  readonly livemode: boolean
  readonly tries: number
  readonly attempts_made: number
  /** Requested explicitly: a redelivery, an example or the first of a recovery. */
  readonly at_once: boolean
  /** On the workspace's clock. */
  readonly ladder_began_at: Date
  /** Null if it has to be rendered from the ledger. */
  readonly body: string | null
  readonly url: string
  readonly secret: Buffer
  /** Not null while it still signs too. */
  readonly previous_secret: Buffer | null
  readonly clock_offset_ms: string
}

/** When the retry schedule of a delivery began: at its creation or last redelivery or recovery. */
export function ladderBeganAt(delivery: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`coalesce(${delivery}.again_at, ${delivery}.created_at)`
}

type Claim = { readonly lease: string; readonly deliveries: readonly Claimed[] }

/**
 * Leases due deliveries: at most `inFlightPerEndpointMax` per endpoint, taking turns between organizations. `busy`
 * is this process's number of attempts in progress, by organization.
 */
export async function claimDeliveries(
  db: Kysely<Tables>,
  { leaseMs, breaker }: DeliveryRules,
  room: {
    readonly endpoints: number
    readonly organizationMax: number
    readonly busy: ReadonlyMap<string, number>
  },
): Promise<Claim> {
  const lease = randomUUID()
  const { rows } = await sql<Claimed>`
    SELECT * FROM webhook_claim(${lease}::uuid, ${leaseMs}, ${room.endpoints}, ${inFlightPerEndpointMax},
      ${room.organizationMax}, ${breaker.failures},
      ${[...room.busy.keys()]}::text[], ${[...room.busy.values()]}::int[])`.execute(db)
  return { lease, deliveries: rows }
}

/** Leases these deliveries of a sandbox whose clock is being advanced, unless they are leased. */
export async function claimThese(
  db: Kysely<Tables>,
  { leaseMs }: DeliveryRules,
  deliveryIds: readonly string[],
): Promise<Claim> {
  const lease = randomUUID()
  const { rows } = await sql<Claimed>`
    WITH due AS (
      SELECT d.* FROM webhook_deliveries d
      WHERE d.id = ANY (${deliveryIds}) AND d.state = 'pending' FOR UPDATE
    ), leased AS (
      INSERT INTO webhook_leases AS k
        (delivery_id, endpoint_id, lease, leased_until, session_pid, session_started)
      SELECT id, endpoint_id, ${lease}::uuid, now() + ${leaseMs} * interval '1 millisecond',
        mine.pid, mine.backend_start
      FROM due CROSS JOIN ${thisSession} mine
      ON CONFLICT (delivery_id) DO UPDATE
        SET lease = excluded.lease, leased_until = excluded.leased_until,
          session_pid = excluded.session_pid, session_started = excluded.session_started
        WHERE k.leased_until <= now()
      RETURNING delivery_id
    )
    SELECT d.id, d.event_id, d.event_type, d.endpoint_id, d.organization_id, d.workspace_id,
      d.livemode, d.tries, jsonb_array_length(d.attempts) AS attempts_made, d.at_once,
      ${ladderBeganAt(sql`d`)} AS ladder_began_at, e.body, w.url, w.secret,
      CASE WHEN w.previous_until > now() THEN w.previous_secret END AS previous_secret,
      0 AS clock_offset_ms
    FROM due d JOIN leased l ON l.delivery_id = d.id
    JOIN webhook_events e ON e.id = d.event_id
    JOIN webhook_endpoints w ON w.id = d.endpoint_id`.execute(db)
  return { lease, deliveries: rows }
}

/** Releases a delivery that was not sent after all: no attempt is counted. */
export async function release(
  db: Kysely<Tables>,
  lease: string,
  deliveryId: string,
): Promise<void> {
  await sql`
    DELETE FROM webhook_leases
    WHERE delivery_id = ${deliveryId} AND lease = ${lease}::uuid`.execute(db)
}

const isGone = isSessionGone(sql`k.session_pid`, sql`k.session_started`)
/** When the lease of a dead process ends, unless the process lives and renews it. */
const deadUntil = sql`now() + ${sql.lit(claimTimes.deadMs)} * interval '1 millisecond'`

type Renewed = { readonly lease: string; readonly deliveryId: string; readonly leaseMs: number }

/**
 * Extends leases whose session has ended, and names a living one; the others need nothing. Returns
 * whether each is still held.
 */
async function renewDeliveries(
  db: Kysely<Tables>,
  renewed: readonly Renewed[],
): Promise<readonly boolean[]> {
  const { rows } = await sql<{ delivery_id: string; lease: string }>`
    WITH mine AS MATERIALIZED (
      SELECT k.delivery_id, k.lease, r.lease_ms, ${isGone} AS is_gone FROM unnest(
        ${renewed.map(({ deliveryId }) => deliveryId)}::text[],
        ${renewed.map(({ lease }) => lease)}::uuid[],
        ${renewed.map(({ leaseMs }) => leaseMs)}::int[]) AS r (delivery_id, lease, lease_ms)
      JOIN webhook_leases k ON k.delivery_id = r.delivery_id COLLATE "C" AND k.lease = r.lease
    ), free AS MATERIALIZED (
      SELECT delivery_id, lease_ms FROM webhook_leases k JOIN mine USING (delivery_id, lease)
      WHERE is_gone FOR UPDATE OF k SKIP LOCKED
    ), moved AS (
      UPDATE webhook_leases k SET leased_until = now() + free.lease_ms * interval '1 millisecond',
        session_pid = session.pid, session_started = session.backend_start
      FROM free CROSS JOIN ${thisSession} session WHERE k.delivery_id = free.delivery_id
    )
    SELECT delivery_id, lease FROM mine`.execute(db)
  const held = new Set(rows.map((row) => `${row.delivery_id} ${row.lease}`))
  return renewed.map(({ deliveryId, lease }) => held.has(`${deliveryId} ${lease}`))
}

/** Renews the lease of an attempt in progress. Those of one moment share a statement. */
export const renewDelivery = batched(renewDeliveries, { gatherMs: 50 })

/** SQL: 0 if a process has died that was sending; null if none has. */
const deadSenderMs = sql`SELECT 0 FROM (
    SELECT DISTINCT session_pid, session_started FROM webhook_leases WHERE leased_until > ${deadUntil}
  ) k WHERE ${isGone} LIMIT 1`

/** Lets the leases of dead processes end soon. */
export async function endDeadLeases(db: Kysely<Tables>): Promise<void> {
  await sql`
    UPDATE webhook_leases SET leased_until = ${deadUntil} WHERE delivery_id IN (
      SELECT delivery_id FROM webhook_leases k WHERE leased_until > ${deadUntil} AND ${isGone}
      FOR UPDATE SKIP LOCKED)`.execute(db)
}

/** The kind of work that releases deliveries of dead processes. */
export function deadSenders({ db }: { readonly db: Kysely<Tables> }): Kind {
  return {
    name: 'release of dead senders',
    slots: 1,
    dueIn: { dead_sender: deadSenderMs },
    runOnce: () => endDeadLeases(db),
  }
}
