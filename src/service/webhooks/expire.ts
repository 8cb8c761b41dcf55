import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import type { DeliveryRules } from '../domain/webhooks/webhook-delivery.ts'
import { ladderBeganAt } from './claim-deliveries.ts'
import { lockBreaker } from './disable.ts'

/** Takes some milliseconds, during which no attempt of the endpoint is recorded. */
const expiredMax = 500

/** What happens to deliveries at a moment of a sandbox clock that is advanced. */
export type DeliveryStep = {
  /** Names the step, together with its moment. */
  readonly key: string
  readonly what: 'deliver'
  readonly shipmentId: string | null
  readonly at: Instant
  /** Safe to repeat. `idle`: there was nothing to do. */
  readonly perform: () => Promise<'done' | 'idle'>
}

/**
 * Selects deliveries whose retry schedule has ended by `until` while an open breaker defers them.
 * Without an open breaker, their last attempt is due and decides. Explicitly requested ones are always
 * sent.
 */
function overdue(
  { ladderTimeMs }: DeliveryRules,
  endpointId: RawBuilder<unknown>,
  until: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    FROM webhook_deliveries d
    WHERE d.endpoint_id = ${endpointId} AND d.state = 'pending' AND NOT d.at_once
      AND ${ladderBeganAt(sql`d`)} <= ${until} - ${ladderTimeMs} * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM webhook_leases k
                      WHERE k.delivery_id = d.id AND k.leased_until > now())`
}

/** When the retry schedule of the delivery `d` ends. */
function endOf({ ladderTimeMs }: DeliveryRules): RawBuilder<Date> {
  return sql`${ladderBeganAt(sql`d`)} + ${ladderTimeMs} * interval '1 millisecond'`
}

/** Ends overdue deliveries of one endpoint. Returns how many it ended; calling again is safe. */
export async function expireDeliveries(db: Kysely<Tables>, rules: DeliveryRules): Promise<number> {
  const { rows } = await sql<{ endpoint_id: string; clock: Date }>`
    SELECT l.endpoint_id, t.clock FROM webhook_lanes l
    LEFT JOIN sandbox_clocks c ON c.workspace_id = l.workspace_id AND NOT l.livemode
    CROSS JOIN LATERAL (
      SELECT now() + coalesce(c.offset_ms, 0) * interval '1 millisecond' AS clock
    ) t
    WHERE l.open_until > t.clock AND c.advancing_to IS NULL
      AND EXISTS (SELECT ${overdue(rules, sql`l.endpoint_id`, sql`t.clock`)})
    LIMIT 1`.execute(db)
  const [found] = rows
  return found === undefined
    ? 0
    : await expireOf(db, rules, found.endpoint_id, found.clock.getTime())
}

/** Ends overdue deliveries of this endpoint, as of a moment on its workspace's clock. */
async function expireOf(
  db: Kysely<Tables>,
  rules: DeliveryRules,
  endpointId: string,
  now: Instant,
): Promise<number> {
  const at = sql`${rfc3339(now)}::timestamptz`
  return await db.transaction().execute(async (tx) => {
    await lockBreaker(tx, endpointId)
    const { numAffectedRows = 0n } = await sql`
      UPDATE webhook_deliveries d
      SET state = 'dead', dead_reason = 'expired', next_attempt_at = NULL,
        updated_at = greatest(d.updated_at, ${endOf(rules)}), version = d.version + 1
      WHERE d.id = ANY (ARRAY(
        SELECT d.id ${overdue(rules, sql`${endpointId}`, at)} AND EXISTS (
          SELECT FROM webhook_lanes l WHERE l.endpoint_id = ${endpointId} AND l.open_until > ${at})
        LIMIT ${expiredMax}))`.execute(tx)
    return Number(numAffectedRows)
  })
}

/**
 * The next endpoint of a sandbox workspace with an overdue delivery by `until` on its clock: all
 * deliveries that end in one pause of its breaker are one step.
 */
export async function nextExpiry(
  db: Kysely<Tables>,
  rules: DeliveryRules,
  workspaceId: string,
  until: Instant,
): Promise<DeliveryStep | null> {
  const pauseEnds = sql`l.open_until - interval '1 millisecond'`
  const last = sql`least(${rfc3339(until)}::timestamptz, ${pauseEnds})`
  const { rows } = await sql<{ endpoint_id: string; ends_at: Date }>`
    SELECT l.endpoint_id, o.ends_at FROM webhook_lanes l CROSS JOIN LATERAL (
      SELECT ${endOf(rules)} AS ends_at ${overdue(rules, sql`l.endpoint_id`, last)}
      ORDER BY ${ladderBeganAt(sql`d`)} DESC LIMIT 1
    ) o
    WHERE l.workspace_id = ${workspaceId} AND NOT l.livemode AND l.open_until IS NOT NULL
    ORDER BY o.ends_at LIMIT 1`.execute(db)
  const [found] = rows
  if (found === undefined) return null
  const { endpoint_id: endpointId } = found
  const at = found.ends_at.getTime()
  const perform = async () => {
    while ((await expireOf(db, rules, endpointId, at)) > 0);
    return 'done' as const
  }
  return { key: `expire:${endpointId}`, what: 'deliver', shipmentId: null, at, perform }
}
