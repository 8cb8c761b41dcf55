import { type Kysely, sql, type Transaction } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { isAboutEndpoint } from '../domain/webhooks/alert.ts'
import { deliveryAttemptsMax } from '../domain/webhooks/webhook-delivery.ts'
import { isSubscribed, webhookTypeNames } from '../domain/webhooks/webhook-types.ts'
import { inFlightPerEndpointMax } from './claim-deliveries.ts'
import { lockBreaker } from './disable.ts'
import { deliveryId } from './store-webhooks.ts'

type RecoveryLimits = {
  readonly recoveredMax: number
  readonly readMax: number
  readonly batchRows: number
}

export const recoveryLimits: RecoveryLimits = {
  /** Deliveries per call: as many as a receiver processes in a few minutes. */
  recoveredMax: 10_000,
  /** Events that one call examines, subscribed to or not: about a second of work. */
  readMax: 50_000,
  /** Events of one short transaction; a call ends when another might exceed `recoveredMax`. */
  batchRows: 1_000,
}

type RequestedRecovery = {
  readonly endpointId: string
  readonly workspaceId: string
  /** `since` is inclusive, `until` exclusive; on the workspace's clock, as is `now`. */
  readonly since: Date
  readonly until: Date
  readonly now: Date
}

type Recovery =
  | 'endpoint_disabled'
  | {
      readonly recovered: number
      /** Where to continue. Null if the range was examined to its end. */
      readonly nextSince: Date | null
    }

/**
 * Makes everything pending that the endpoint subscribes to and did not get: deliveries that ended
 * without success, and events that were never sent to it. It works oldest first, in short
 * transactions, each of which prevents the endpoint from being disabled in between. Pending
 * deliveries stay as they are, so repeating is safe. The first due ones bypass the breaker: a success
 * closes it and lets the rest follow, a failure leaves them deferred.
 */
export async function recover(
  db: Kysely<Tables>,
  requested: RequestedRecovery,
  limits: RecoveryLimits = recoveryLimits,
): Promise<Recovery> {
  let recovered = 0
  let read = 0
  let after: Event | null = null
  for (;;) {
    const from: Event | null = after
    const batch: Batch | 'endpoint_disabled' = await db
      .transaction()
      .execute((tx) => recoverBatch(tx, requested, from, limits))
    if (batch === 'endpoint_disabled') return batch
    recovered += batch.recovered
    read += limits.batchRows
    if (batch.next === null) return { recovered, nextSince: null }
    const isFull = recovered + limits.batchRows > limits.recoveredMax || read >= limits.readMax
    if (isFull) return { recovered, nextSince: batch.next.created_at }
    after = batch.last
  }
}

type RecoverableQuery = Omit<RequestedRecovery, 'now'> & {
  readonly eventTypes: readonly string[]
}

type Recoverable = {
  readonly count: number
  /** False: the range has more events than one count examines. */
  readonly isComplete: boolean
}

/** Counts what `recover` would make pending now, in at most so many events of the range. */
export async function countRecoverable(
  db: Kysely<Tables>,
  { endpointId, workspaceId, since, until, eventTypes }: RecoverableQuery,
  { readMax }: Pick<RecoveryLimits, 'readMax'> = recoveryLimits,
): Promise<Recoverable> {
  const types = webhookTypeNames.filter((type) => isSubscribed(eventTypes, type))
  const { rows } = await sql<{ readonly read: number; readonly count: number }>`
    SELECT count(*)::int AS read, count(*) FILTER (
      WHERE e.type = ANY (${types}::text[]) AND e.about IS DISTINCT FROM ${endpointId} AND (d.id IS NULL OR (d.state IN ('dead', 'discarded')
        AND jsonb_array_length(d.attempts) < ${deliveryAttemptsMax})))::int AS count
    FROM (
      SELECT id, type, ${subjectId} AS about FROM webhook_events
      WHERE workspace_id = ${workspaceId} AND created_at >= ${since} AND created_at < ${until}
        AND NOT is_example
      ORDER BY created_at, id LIMIT ${readMax + 1}
    ) e
    LEFT JOIN webhook_deliveries d ON d.event_id = e.id AND d.endpoint_id = ${endpointId}`.execute(
    db,
  )
  const [{ read, count } = { read: 0, count: 0 }] = rows
  return { count, isComplete: read <= readMax }
}

type Event = {
  readonly id: string
  readonly created_at: Date
  readonly type: string
  /** The endpoint that an alert is about. */
  readonly about: string | null
}
type Batch = {
  readonly recovered: number
  readonly last: Event | null
  readonly next: Event | null
}

async function recoverBatch(
  tx: Transaction<Tables>,
  requested: RequestedRecovery,
  after: Event | null,
  { batchRows }: RecoveryLimits,
): Promise<Batch | 'endpoint_disabled'> {
  await lockBreaker(tx, requested.endpointId)
  const endpoint = await tx
    .selectFrom('webhook_endpoints')
    .select('event_types')
    .where('id', '=', requested.endpointId)
    .where('status', '=', 'enabled')
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (endpoint === undefined) return 'endpoint_disabled'
  const events = await eventsAfter(tx, requested, after, batchRows + 1)
  const shown = events.slice(0, batchRows)
  const wanted = shown.filter(
    ({ type, about }) =>
      isSubscribed(endpoint.event_types, type) &&
      !isAboutEndpoint(type, about, requested.endpointId),
  )
  const ids = wanted.map(({ id }) => id)
  const recovered = ids.length === 0 ? 0 : await makePending(tx, requested, ids)
  if (ids.length > 0) await sendFirstAtOnce(tx, requested, ids)
  return { recovered, last: shown.at(-1) ?? null, next: events[batchRows] ?? null }
}

const subjectId = sql<string | null>`CASE WHEN type = 'alert.endpoint_failing'
  THEN body::json #>> '{data,object,subject,id}' END`

async function eventsAfter(
  tx: Transaction<Tables>,
  { workspaceId, since, until }: RequestedRecovery,
  after: Event | null,
  limit: number,
): Promise<readonly Event[]> {
  let events = tx
    .selectFrom('webhook_events')
    .select(['id', 'created_at', 'type', subjectId.as('about')])
    .where('workspace_id', '=', workspaceId)
    .where('created_at', '<', until)
    .where('is_example', '=', false)
  events =
    after === null
      ? events.where('created_at', '>=', since)
      : events.where((eb) =>
          eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(after.created_at, after.id)),
        )
  return await events.orderBy('created_at').orderBy('id').limit(limit).execute()
}

/** A pending or delivered delivery stays as it is, and so does one without room. */
async function makePending(
  tx: Transaction<Tables>,
  { endpointId, now }: RequestedRecovery,
  eventIds: readonly string[],
): Promise<number> {
  const ids = eventIds.map((eventId) => deliveryId(eventId, endpointId))
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO webhook_deliveries AS d (id, event_id, endpoint_id, organization_id, workspace_id,
      livemode, event_type, shipment_id, state, next_attempt_at, created_at, updated_at)
    SELECT n.id, e.id, ${endpointId}, e.organization_id, e.workspace_id, e.livemode, e.type,
      e.shipment_id, 'pending', ${now}, ${now}, ${now}
    FROM unnest(${ids}::text[], ${eventIds}::text[]) AS n(id, event_id)
    JOIN webhook_events e ON e.id = n.event_id
    ON CONFLICT (event_id, endpoint_id) DO UPDATE SET state = 'pending', tries = 0, again_at = ${now},
      next_attempt_at = excluded.next_attempt_at, dead_reason = NULL,
      updated_at = excluded.updated_at, version = d.version + 1
      WHERE d.state IN ('dead', 'discarded')
        AND jsonb_array_length(d.attempts) < ${deliveryAttemptsMax}`.execute(tx)
  return Number(numAffectedRows)
}

/** As many as may be in flight: a receiver that is still down gets only these of ten thousand. */
async function sendFirstAtOnce(
  tx: Transaction<Tables>,
  { endpointId, now }: RequestedRecovery,
  eventIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE webhook_deliveries SET at_once = true WHERE id = ANY (ARRAY(
      SELECT d.id FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id
      WHERE d.endpoint_id = ${endpointId} AND d.event_id = ANY (${eventIds})
        AND d.state = 'pending' AND d.next_attempt_at <= ${now} AND NOT d.at_once
      ORDER BY e.created_at, e.id
      LIMIT greatest(0, ${inFlightPerEndpointMax} - (
        SELECT count(*) FROM webhook_deliveries p
        WHERE p.endpoint_id = ${endpointId} AND p.at_once AND p.state = 'pending'))))`.execute(tx)
}
