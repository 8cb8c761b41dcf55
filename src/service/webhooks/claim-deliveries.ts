import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import type { DeliveryRules } from '../domain/webhooks/webhook-delivery.ts'

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
      INSERT INTO webhook_leases AS k (delivery_id, endpoint_id, lease, leased_until)
      SELECT id, endpoint_id, ${lease}::uuid, now() + ${leaseMs} * interval '1 millisecond' FROM due
      ON CONFLICT (delivery_id) DO UPDATE
        SET lease = excluded.lease, leased_until = excluded.leased_until
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
