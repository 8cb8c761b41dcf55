import pg from 'pg'
import { bodyOf } from '../../../src/service/webhooks/outbox.ts'
import type { Service } from '../../support/service.ts'

/** The ids by which the plans filter, of the shop that owns two rows in five. */
export type Filled = {
  readonly organizationId: string
  readonly workspaceId: string
  /** Has one in two thousand of the shop's rows. */
  readonly smallWorkspaceId: string
  readonly connectionId: string
  readonly smallConnectionId: string
  readonly endpointId: string
  /** Is assigned one operation in ten thousand. */
  readonly operatorId: string
  /** The ids of one shipment, and of one event about it. */
  readonly shipmentId: string
  readonly eventId: string
}

/** An organization with two in five of all workspaces, connections and keys. */
export const manyId = 'org_MANY000000000000000000'
const smallWorkspaceId = 'ws_SMALL00000000000000000'
const smallConnectionId = 'ccn_SMALL00000000000000000'

/** Zipf-like: a few organizations have most of the other rows. */
const otherOrganization = "'org_' || lpad(floor(2000 * power(random(), 3))::text, 22, '0')"

/**
 * Fills every table that lists read with this many rows, spread over two thousand organizations,
 * and analyzes the tables. Only one real shipment, with an open operation, has a stream.
 */
export async function fillLists(
  shop: Service,
  model: { readonly shipmentId: string; readonly operationId: string },
  rows: number,
): Promise<Filled> {
  const { organizationId, workspaceId, connectionId, operatorId } = shop.seeded
  const client = new pg.Client({ connectionString: shop.database.adminUrl })
  await client.connect()
  try {
    // Neither foreign keys nor triggers: a million rows do not need a million clocks.
    await client.query('SET session_replication_role = replica')
    await client.query('SET synchronous_commit = off')
    await client.query("SET maintenance_work_mem = '512MB'")
    const at = { home: organizationId, workspaceId, connectionId, operatorId, rows }
    const indexes = await dropIndexes(client)
    await fillTenants(client, at)
    await fillShipments(client, at)
    await fillAudit(client)
    await fillRequests(client)
    await fillWebhooks(client, at, await webhookOf(shop, model.shipmentId))
    for (const definition of indexes) await client.query(definition)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
  return {
    organizationId,
    workspaceId,
    smallWorkspaceId,
    connectionId,
    smallConnectionId,
    operatorId,
    endpointId: endpointIdOf(workspaceId),
    shipmentId: model.shipmentId,
    eventId: modelEventId,
  }
}

type Place = {
  readonly home: string
  readonly workspaceId: string
  readonly connectionId: string
  readonly operatorId: string
  readonly rows: number
}

async function fillTenants(client: pg.Client, at: Place): Promise<void> {
  // The shop itself has few of these, as usual; another organization has two in five.
  const organization = `CASE WHEN random() < 0.4 THEN '${manyId}' ELSE ${otherOrganization} END`
  await client.query(
    `INSERT INTO workspaces
      (id, organization_id, livemode, name, external_reference, created_at, updated_at)
    SELECT 'ws_' || lpad(n::text, 22, '0'), ${organization}, false, 'Shop', 'shop-' || n,
      date_trunc('milliseconds', now() - random() * interval '700 days'), now()
    FROM generate_series(1, $1::int) n`,
    [at.rows],
  )
  await client.query(
    `INSERT INTO workspaces
      (id, organization_id, livemode, name, external_reference, created_at, updated_at)
    VALUES ($1, $2, false, 'Small', 'small', now(), now())`,
    [smallWorkspaceId, at.home],
  )
  await client.query(
    `INSERT INTO courier_connections (id, organization_id, workspace_id, livemode, provider_code,
      display_name, status, credentials, created_at, updated_at)
    SELECT 'ccn_' || lpad(n::text, 22, '0'), organization_id, id, livemode,
      CASE WHEN random() < 0.9999 THEN 'mock' ELSE 'rare' END, 'Account',
      CASE WHEN random() < 0.999 THEN 'active' ELSE 'needs_reauth' END, '\\x00', created_at, now()
    FROM (SELECT *, row_number() OVER () AS n FROM workspaces) w`,
  )
  await client.query(
    `INSERT INTO courier_connections (id, organization_id, workspace_id, livemode, provider_code,
      display_name, status, credentials, created_at, updated_at)
    VALUES ($1, $2, $3, false, 'mock', 'Small', 'active', '\\x00', now(), now())`,
    [smallConnectionId, at.home, smallWorkspaceId],
  )
  await client.query(
    `INSERT INTO api_keys (id, organization_id, workspace_id, livemode, digest, pepper_version, last4,
      scopes, created_at)
    SELECT 'key_' || lpad(n::text, 22, '0'), organization_id,
      CASE WHEN random() < 0.1 THEN id END, livemode, decode(md5(n::text), 'hex'), 1, 'abcd',
      '{shipments:read}', created_at
    FROM (SELECT *, row_number() OVER () AS n FROM workspaces) w`,
  )
}

async function fillShipments(client: pg.Client, at: Place): Promise<void> {
  const spread = `'_' || right(organization_id, 18) || floor(where_ * 5)::text`
  await client.query(
    `CREATE TEMP TABLE made AS
    SELECT *,
      CASE WHEN organization_id <> $2 THEN 'ws' || ${spread}
        WHEN where_ < 0.0005 THEN '${smallWorkspaceId}' ELSE $3 END AS workspace_id,
      CASE WHEN organization_id <> $2 THEN 'ccn' || ${spread}
        WHEN where_ < 0.0005 THEN '${smallConnectionId}' ELSE $4 END AS connection_id
    FROM (
      SELECT n, lpad(n::text, 22, '0') AS value, random() AS where_, random() AS how,
        random() AS far,
        CASE WHEN random() < 0.4 THEN $2 ELSE ${otherOrganization} END AS organization_id,
        date_trunc('milliseconds', now() - random() * interval '700 days') AS created_at
      FROM generate_series(1, $1::int) n) o`,
    [at.rows, at.home, at.workspaceId, at.connectionId],
  )
  const reference = `CASE WHEN how < 0.1 THEN 'the same' ELSE 'order-' || n END`
  await client.query(`INSERT INTO projections.shipments (shipment_id, version, organization_id,
      workspace_id, livemode, courier_connection_id, external_reference, order_key, idempotency_key,
      status, tracking_status, guide_number, open_operation_id, is_open, collects_cash, created_at)
    SELECT 'shp_' || value, 2, organization_id, workspace_id, false, connection_id, ${reference},
      md5(workspace_id || ${reference}), 'key-' || n,
      CASE WHEN how < 0.0001 THEN 'unknown_outcome' WHEN how < 0.04 THEN 'rejected' ELSE 'created' END,
      CASE WHEN how < 0.04 THEN NULL WHEN far < 0.00005 THEN 'lost'
        WHEN far < 0.05 THEN 'in_transit' ELSE 'delivered' END,
      CASE WHEN how >= 0.04 THEN 'G-' || n END,
      CASE WHEN how < 0.0001 THEN 'op_' || value || '01' END, how < 0.0001,
      how > 0.99, created_at
    FROM made`)
  await client.query(`INSERT INTO projections.operations (operation_id, version, shipment_id,
      organization_id, workspace_id, courier_connection_id, livemode, type, status, result, cause,
      external_reference, idempotency_key, escalated, contradicted, unconfirmed, surplus,
      provider_code, assignee, snoozed_until, guide_numbers, created_at)
    SELECT 'op_' || value || '01', 2, 'shp_' || value, organization_id, workspace_id, connection_id,
      false, 'shipment_creation',
      CASE WHEN how < 0.0001 THEN 'needs_review' ELSE 'resolved' END,
      CASE WHEN how < 0.0001 THEN 'human_review' WHEN how < 0.05 THEN 'nothing_created'
        ELSE 'guide_exists' END,
      CASE WHEN far < 0.0001 THEN 'process_died' ELSE 'response_lost' END, ${reference},
      'key-' || n, how < 0.0002, how < 0.0001, how > 0.9999, how > 0.9998,
      CASE WHEN far < 0.0001 THEN 'rare' ELSE 'mock' END,
      CASE WHEN how < 0.0001 THEN '${at.operatorId}' END,
      CASE WHEN far < 0.0002 THEN now() + (far - 0.0001) * interval '1000 days' END,
      CASE WHEN how < 0.1 THEN ARRAY['G-' || n, 'H-' || n] ELSE '{}' END, created_at
    FROM made`)
}

/** Acts on the shipments' workspaces by four keys, and a few acts on keys. */
async function fillAudit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relname ~ '^audit_events_g\\d+$'`,
  )
  await client.query(`INSERT INTO projections.${rows[0]?.name} (event_id, version, position,
      organization_id, workspace_id, livemode, in_test, in_live, action, actor_type, key_id,
      resource_type, resource_id, content, created_at)
    SELECT '00000000-0000-4000-8000-' || lpad(n::text, 12, '0'), n, lpad((1000000 + n)::text, 20, '0'),
      organization_id, workspace_id, false, true, false,
      CASE WHEN how < 0.0001 THEN 'ApiKeyRevoked' ELSE 'WorkspaceChanged' END,
      'api_key', 'key_' || lpad((n % 4)::text, 22, '0'),
      CASE WHEN how < 0.0001 THEN 'api_key' ELSE 'workspace' END, workspace_id,
      '{"changed_fields":[],"before":{},"after":{},"data":{}}', created_at
    FROM made`)
}

/** Two in five belong to the shop, whose log keeps this many. */
const requestsMax = 500_000

/** Requests of the last seven days by four keys; one in ten thousand failed. */
async function fillRequests(client: pg.Client): Promise<void> {
  await client.query(`INSERT INTO request_log (id, organization_id, livemode, workspace_id, key_id,
      method, route, status, reason, outcome, duration_ms, represents, created_at)
    SELECT 'req_' || value, organization_id, false, NULL, 'key_' || lpad((n % 4)::text, 22, '0'),
      'POST', '/v1/shipments', CASE WHEN how < 0.0001 THEN 422 ELSE 201 END,
      CASE WHEN how < 0.0001 THEN 'courier_rejected' END,
      CASE WHEN how < 0.0001 THEN 'not_executed' END, 10, 1, now() - far * interval '7 days'
    FROM made WHERE n <= ${requestsMax}`)
}

const modelEventId = 'evt_MODEL00000000000000000'

/** Each workspace has one endpoint, with this id. */
function endpointIdOf(workspaceId: string): string {
  return `whe_${workspaceId.slice('ws_'.length)}`
}

type ShipmentWebhook = {
  readonly shipmentId: string
  readonly eventId: string
  readonly body: string
}

/** A webhook event of the shipment, with its body. */
async function webhookOf({ parts }: Service, shipmentId: string): Promise<ShipmentWebhook> {
  const row = await parts.db
    .selectFrom('webhook_events')
    .select(['id', 'body', 'shipment_id', 'shipment_version'])
    .where('shipment_id', '=', shipmentId)
    .executeTakeFirstOrThrow()
  return { shipmentId, eventId: row.id, body: await bodyOf(parts, row) }
}

/** An event and its delivery for each shipment; one in ten thousand failed. */
async function fillWebhooks(client: pg.Client, at: Place, model: ShipmentWebhook): Promise<void> {
  await client.query(
    `INSERT INTO webhook_endpoints (id, organization_id, workspace_id, livemode, url, event_types,
      status, secret, created_at, updated_at)
    SELECT 'whe_' || substr(id, 4), organization_id, id, livemode, 'https://receiver.example', '{label.ready}',
      CASE WHEN random() < 0.999 THEN 'enabled' ELSE 'disabled' END, '\\x00', created_at, now()
    FROM workspaces`,
  )
  await client.query(
    `INSERT INTO webhook_lanes (endpoint_id, organization_id, workspace_id, livemode)
    SELECT id, organization_id, workspace_id, livemode FROM webhook_endpoints
    ON CONFLICT DO NOTHING`,
  )
  const type = `CASE WHEN far < 0.00005 THEN 'tracking.lost'
    WHEN far < 0.1 THEN 'label.ready' ELSE 'shipment.created' END`
  await client.query(
    `INSERT INTO webhook_events (id, organization_id, workspace_id, livemode, type, shipment_id,
      body, created_at)
    SELECT 'evt_' || value, organization_id, workspace_id, false, ${type}, 'shp_' || value,
      '{"id":"evt_' || value || '","type":"shipment.created","timestamp":"","api_version":"v1",
        "livemode":false,"workspace_id":"' || workspace_id || '","sequence":1,"resource":
        {"type":"shipment","id":"","version":1},"data":{"object":{}},"previous":null,
        "request_id":null}', created_at
    FROM made`,
  )
  await client.query(
    `INSERT INTO webhook_events (id, organization_id, workspace_id, livemode, type, shipment_id,
      body, created_at)
    SELECT $1, $4, $3, livemode, type, $2, $5, created_at FROM webhook_events WHERE id = $6`,
    [modelEventId, model.shipmentId, at.workspaceId, at.home, model.body, model.eventId],
  )
  await client.query(
    `INSERT INTO webhook_deliveries (id, event_id, endpoint_id, organization_id, workspace_id,
      livemode, event_type, shipment_id, state, attempts, next_attempt_at, dead_reason, created_at,
      updated_at)
    SELECT 'dlv_' || substr(e.id, 5), e.id, 'whe_' || substr(e.workspace_id, 4), e.organization_id,
      e.workspace_id, false, e.type, e.shipment_id, s.state,
      '[{"at":"2026-01-01T00:00:00Z","status_code":200,"latency_ms":1,"error":null}]',
      CASE WHEN s.state = 'pending' THEN now() END, NULL, e.created_at, e.created_at
    FROM (SELECT *, random() AS how FROM webhook_events) e
    CROSS JOIN LATERAL (SELECT CASE WHEN how < 0.0001 THEN 'dead' WHEN how < 0.0002 THEN 'discarded'
      WHEN how < 0.0004 THEN 'pending' ELSE 'delivered' END AS state) s
    -- The running service may already have enqueued an event for the new endpoints.
    ON CONFLICT (event_id, endpoint_id) DO NOTHING`,
  )
}

/** Tables of lists beside the projections'. */
const otherTables = [
  'workspaces',
  'courier_connections',
  'api_keys',
  'webhook_endpoints',
  'webhook_events',
  'webhook_deliveries',
  'request_log',
]

/**
 * Drops the indexes and returns the statements that recreate them: afterwards that takes a tenth of
 * the time, and they are as dense as after a rebuild. Unique indexes stay.
 */
async function dropIndexes(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE NOT i.indisunique AND c.relkind = 'r'
      AND (c.relnamespace = 'projections'::regnamespace OR c.relname = ANY ($1))`,
    [otherTables],
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}
