import { type QueryExecutorProvider, sql } from 'kysely'
import { deliveryAttemptsMax } from '../domain/webhooks/webhook-delivery.ts'

/** Requests within this time count as one redelivery. */
const redeliverApartMs = 1_000

export type RedeliveryRefusal = 'endpoint_deleted' | 'endpoint_disabled' | 'attempts_exhausted'
/** `already_asked`: another request redelivered it a moment ago. */
type Redelivery = 'redelivered' | 'already_asked' | RedeliveryRefusal

/** Returns why a delivery cannot be redelivered now, or null if it can. */
export async function redeliveryRefusal(
  db: QueryExecutorProvider,
  deliveryId: string,
): Promise<RedeliveryRefusal | null> {
  const { rows } = await sql<Standing>`
    SELECT w.deleted_at IS NOT NULL AS is_deleted, w.status = 'disabled' AS is_disabled,
      jsonb_array_length(d.attempts) < ${deliveryAttemptsMax} AS has_room
    FROM webhook_deliveries d JOIN webhook_endpoints w ON w.id = d.endpoint_id
    WHERE d.id = ${deliveryId}`.execute(db)
  return refusalOf(rows[0])
}

type Standing = {
  readonly is_deleted: boolean
  readonly is_disabled: boolean
  readonly has_room: boolean
}

function refusalOf(found: Standing | undefined): RedeliveryRefusal | null {
  if (found === undefined || found.is_deleted) return 'endpoint_deleted'
  if (found.is_disabled) return 'endpoint_disabled'
  return found.has_room ? null : 'attempts_exhausted'
}

/**
 * Restarts the retry schedule of a delivery now, on the workspace's clock, with the same bytes and
 * the same id. Concurrent requests restart it once. Locks are taken in the order that all changes of
 * deliveries use, and prevent the endpoint from being disabled in between. A lease stays, so no
 * second attempt starts beside one in progress. If that one fails, the next follows at once, because
 * the delivery changed since it was leased. The breaker does not defer it.
 */
export async function redeliver(
  db: QueryExecutorProvider,
  deliveryId: string,
  now: Date,
): Promise<Redelivery> {
  const { rows } = await sql<Standing & { readonly is_done: boolean }>`
    WITH delivery AS (
      SELECT id, endpoint_id, jsonb_array_length(attempts) < ${deliveryAttemptsMax} AS has_room
      FROM webhook_deliveries WHERE id = ${deliveryId}
    ), lane AS (
      SELECT endpoint_id FROM webhook_lanes
      WHERE endpoint_id = (SELECT endpoint_id FROM delivery) FOR UPDATE
    ), endpoint AS (
      SELECT w.id, w.status, w.deleted_at FROM webhook_endpoints w
      WHERE w.id = (SELECT endpoint_id FROM lane) FOR SHARE
    ), rate_limit AS (
      INSERT INTO claims AS k (work, leased_until)
      SELECT 'redeliver-turn:' || d.id, clock_timestamp() + ${redeliverApartMs} * interval '1 millisecond'
      FROM delivery d JOIN endpoint w ON w.id = d.endpoint_id
      WHERE d.has_room AND w.status = 'enabled' AND w.deleted_at IS NULL
      ON CONFLICT (work) DO UPDATE SET leased_until = excluded.leased_until
        WHERE k.leased_until <= clock_timestamp()
      RETURNING work
    ), again AS (
      UPDATE webhook_deliveries SET state = 'pending', tries = 0, at_once = true, again_at = ${now},
        next_attempt_at = ${now}, dead_reason = NULL, updated_at = ${now}, version = version + 1
      WHERE id = ${deliveryId} AND EXISTS (SELECT FROM rate_limit)
      RETURNING id
    )
    SELECT w.deleted_at IS NOT NULL AS is_deleted, w.status = 'disabled' AS is_disabled, d.has_room,
      EXISTS (SELECT FROM again) AS is_done
    FROM delivery d JOIN endpoint w ON w.id = d.endpoint_id`.execute(db)
  const [found] = rows
  return refusalOf(found) ?? (found?.is_done === true ? 'redelivered' : 'already_asked')
}
