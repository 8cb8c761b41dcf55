import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import type { Tables } from '../../../projections/tables.ts'
import { type Instant, rfc3339 } from '../domain/decider.ts'
import { closedBreaker, endpointHealth } from '../domain/webhooks/webhook-delivery.ts'
import type { EventStore } from '../event-store/event-store.ts'
import { audit } from '../security/audit.ts'
import { type BreakerRow, breakerOf } from './breaker-rows.ts'
import { type EndpointRow, endpointToApi } from './endpoint-to-api.ts'
import { enqueueWebhooks } from './enqueue-webhooks.ts'
import type { WebhookTx } from './store-webhooks.ts'

/**
 * `gone`: it answered 410. `failing`: no attempt succeeded for five days. `by_owner`: by a change.
 */
export type DisabledReason = 'gone' | 'failing' | 'by_owner'

/** Takes some milliseconds, during which no attempt of the endpoint is recorded. */
const discardedMax = 500

/**
 * Call it first in a transaction that changes an endpoint or its pending deliveries. Recording
 * attempts takes this lock first too, and claiming skips locked rows, so that no deadlock can
 * arise.
 */
export async function lockBreaker(tx: QueryExecutorProvider, endpointId: string): Promise<void> {
  await sql`SELECT FROM webhook_lanes WHERE endpoint_id = ${endpointId} FOR UPDATE`.execute(tx)
}

/**
 * The same for all endpoints of a workspace, in the order of their ids. Call it first in a
 * transaction that changes one endpoint and enqueues a webhook for the others: enqueuing locks
 * their rows, so two such transactions in one workspace would wait for each other's endpoint.
 */
export async function lockWorkspaceHealth(
  tx: QueryExecutorProvider,
  workspaceId: string,
): Promise<void> {
  await sql`
    SELECT FROM webhook_lanes WHERE workspace_id = ${workspaceId}
    ORDER BY endpoint_id FOR UPDATE`.execute(tx)
}

/**
 * Discards an endpoint's pending deliveries; its owner may recover them. Call it after changing the
 * endpoint's own row: making deliveries pending locks that row too, so none is added afterwards. If
 * there are very many, `discardLeft` discards the rest, which are never claimed.
 */
export async function discardPending(
  tx: QueryExecutorProvider,
  endpointId: string,
  reason: 'endpoint_disabled' | 'endpoint_deleted',
  now: Instant,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    UPDATE webhook_deliveries
    SET state = 'discarded', dead_reason = ${reason}, next_attempt_at = NULL, at_once = false,
      updated_at = greatest(updated_at, ${rfc3339(now)}), version = version + 1
    WHERE id = ANY (ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE endpoint_id = ${endpointId} AND state = 'pending'
      LIMIT ${discardedMax}))`.execute(tx)
  return Number(numAffectedRows)
}

type Left = { readonly id: string; readonly updated_at: Date; readonly is_deleted: boolean }

/**
 * Discards the pending deliveries of disabled or deleted endpoints. Returns how many it discarded.
 */
export async function discardLeft(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<Left>`
    SELECT w.id FROM webhook_waiting_endpoints() v JOIN webhook_endpoints w ON w.id = v.endpoint_id
    WHERE w.status = 'disabled' OR w.deleted_at IS NOT NULL LIMIT 1`.execute(db)
  const [found] = rows
  if (found === undefined) return 0
  return await db.transaction().execute(async (tx) => {
    await lockBreaker(tx, found.id)
    const { rows: held } = await sql<Left>`
      SELECT id, updated_at, deleted_at IS NOT NULL AS is_deleted FROM webhook_endpoints
      WHERE id = ${found.id} AND (status = 'disabled' OR deleted_at IS NOT NULL)
      FOR SHARE`.execute(tx)
    const [left] = held
    if (left === undefined) return 0
    const reason = left.is_deleted ? 'endpoint_deleted' : 'endpoint_disabled'
    return await discardPending(tx, left.id, reason, left.updated_at.getTime())
  })
}

export type EndpointToDisable = {
  readonly endpointId: string
  /** The version of the endpoint that the attempts were made for. */
  readonly version: number
  readonly reason: DisabledReason
  /** On its workspace's clock. */
  readonly now: Instant
}

/**
 * Disables this version of an endpoint unless it is disabled already, and enqueues a webhook for
 * the workspace's other endpoints. If the owner has changed the endpoint since, nothing happens: the
 * next attempt decides again.
 */
export async function disableEndpoint(
  db: Kysely<Tables>,
  store: EventStore,
  { endpointId, version, reason, now }: EndpointToDisable,
): Promise<void> {
  const isTheSame = sql`id = ${endpointId} AND version = ${version} AND status = 'enabled'
    AND deleted_at IS NULL`
  const { rows } = await sql<EndpointRow>`
    SELECT * FROM webhook_endpoints WHERE ${isTheSame}`.execute(db)
  const [endpoint] = rows
  if (endpoint === undefined) return
  await audit(store, {
    type: 'WebhookEndpointChanged',
    data: {
      webhook_endpoint_id: endpointId,
      fields: ['status', 'disabled_reason'],
      changes: {
        status: { before: endpoint.status, after: 'disabled' },
        disabled_reason: { before: endpoint.disabled_reason, after: reason },
      },
    },
    organizationId: endpoint.organization_id,
    workspaceId: endpoint.workspace_id,
    livemode: endpoint.livemode,
    actor: { type: 'system', keyId: null },
    requestId: null,
  })
  await db.transaction().execute(async (tx) => {
    await lockWorkspaceHealth(tx, endpoint.workspace_id)
    const { numAffectedRows } = await sql`
      UPDATE webhook_endpoints
      SET status = 'disabled', disabled_reason = ${reason}, updated_at = ${rfc3339(now)},
        version = version + 1
      WHERE ${isTheSame}`.execute(tx)
    if (numAffectedRows !== 1n) return
    await discardPending(tx, endpointId, 'endpoint_disabled', now)
    await enqueueDisabled(tx, endpoint, { reason, version: version + 1, now, requestId: null })
  })
}

type Disabling = {
  readonly reason: DisabledReason
  readonly version: number
  readonly now: Instant
  readonly requestId: string | null
}

/**
 * Enqueues `webhook_endpoint.disabled`. Call it in the transaction that disables the endpoint, which
 * began with `lockWorkspaceHealth`. `endpoint` is the row before the change, `change.version` the
 * version after it.
 */
export async function enqueueDisabled(
  tx: WebhookTx,
  endpoint: EndpointRow,
  change: Disabling,
): Promise<void> {
  const { reason, version, now } = change
  const { rows } = await sql<BreakerRow>`
    SELECT failures, counted_failures, counted_at, trips, open_until, failing_since,
      last_success_at FROM webhook_lanes
    WHERE endpoint_id = ${endpoint.id}`.execute(tx)
  const current = rows[0] === undefined ? closedBreaker : breakerOf(rows[0])
  const health = endpointHealth(current, { isEnabled: false, now })
  const disabled = {
    ...endpoint,
    status: 'disabled' as const,
    disabled_reason: reason,
    updated_at: new Date(now),
    version,
  }
  await enqueueWebhooks(tx, [
    {
      change: `webhook_endpoint:${endpoint.id}:${version}`,
      organizationId: endpoint.organization_id,
      workspaceId: endpoint.workspace_id,
      livemode: endpoint.livemode,
      type: 'webhook_endpoint.disabled',
      resource: { type: 'webhook_endpoint', id: endpoint.id, version },
      object: {
        ...endpointToApi(disabled, health),
        // Other receivers see it, and these may contain a secret for its own.
        url: null,
        description: null,
      },
      previous: { status: 'enabled', disabled_reason: null },
      requestId: change.requestId,
      at: new Date(),
    },
  ])
}
