import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Change, Tx } from '../../projections/projection.ts'
import type { ReadModels } from '../../projections/tables.ts'
import { rfc3339 } from '../domain/decider.ts'
import { derivedValue } from '../domain/ids.ts'
import { type WebhookEvent, webhookBody } from '../domain/webhook-event.ts'
import { isSubscribed } from '../domain/webhook-types.ts'

/** What is told in a workspace, and which shipment it is about. */
export type Told = {
  readonly event: WebhookEvent
  readonly organizationId: string
  readonly shipmentId: string | null
}

type Endpoint = {
  readonly id: string
  readonly workspace_id: string
  readonly event_types: readonly string[]
  readonly created_at: Date
}

/** Clocks of two processes differ by less: an endpoint misses nothing of after its creation. */
const clockSkewMs = 5_000

const insertEvents = `
  INSERT INTO webhook_events
    (id, organization_id, workspace_id, livemode, type, shipment_id, body, created_at)
  SELECT id, organization_id, workspace_id, livemode, type, shipment_id, body, created_at
  FROM json_populate_recordset(NULL::webhook_events, $1::json)
  ON CONFLICT (id) DO NOTHING`

/** The lock holds until the deliveries stand: of an endpoint that is disabled meanwhile they are discarded after. */
const insertDeliveries = `
  WITH told AS MATERIALIZED (
    SELECT * FROM json_populate_recordset(NULL::webhook_deliveries, $1::json)
  ), endpoints AS MATERIALIZED (
    SELECT id, status = 'enabled' AS is_enabled FROM webhook_endpoints
    WHERE id IN (SELECT endpoint_id FROM told) AND deleted_at IS NULL
    ORDER BY id FOR SHARE
  )
  INSERT INTO webhook_deliveries
    (id, event_id, endpoint_id, organization_id, workspace_id, livemode, event_type, shipment_id,
     state, next_attempt_at, dead_reason, created_at, updated_at)
  SELECT t.id, t.event_id, w.id, t.organization_id, t.workspace_id, t.livemode, t.event_type,
    t.shipment_id, CASE WHEN w.is_enabled THEN 'pending' ELSE 'discarded' END,
    CASE WHEN w.is_enabled THEN t.created_at END,
    CASE WHEN NOT w.is_enabled THEN 'endpoint_disabled' END, t.created_at, t.created_at
  FROM told t JOIN endpoints w ON w.id = t.endpoint_id
  ON CONFLICT (event_id, endpoint_id) DO NOTHING`

/**
 * What stores events and a delivery for each endpoint that subscribed. What was told before stays as it
 * was told. A disabled endpoint's are discarded, to be recovered.
 */
export async function tellingChanges(
  db: Kysely<ReadModels>,
  told: readonly Told[],
): Promise<readonly Change[]> {
  if (told.length === 0) return []
  const endpoints = await endpointsOf(db, told)
  const deliveries = told.flatMap((each) => deliveryRows(each, endpoints))
  const events = change(insertEvents, told.map(eventRow))
  return deliveries.length === 0 ? [events] : [events, change(insertDeliveries, deliveries)]
}

/** The same, carried out in the caller's transaction. */
export async function tell(tx: Tx, told: readonly Told[]): Promise<void> {
  for (const { statement, rows } of await tellingChanges(tx, told)) {
    await tx.executeQuery(CompiledQuery.raw(statement, [rows]))
  }
}

function change(statement: string, rows: readonly object[]): Change {
  return { statement, rows: JSON.stringify(rows), texts: null }
}

/** Looked for once what is told has happened: whoever was there before it is found. */
async function endpointsOf(
  db: Kysely<ReadModels>,
  told: readonly Told[],
): Promise<readonly Endpoint[]> {
  const workspaceIds = [...new Set(told.map(({ event }) => event.workspaceId))]
  const { rows } = await sql<Endpoint>`
    SELECT id, workspace_id, event_types, created_at FROM webhook_endpoints
    WHERE workspace_id = ANY (${workspaceIds}) AND deleted_at IS NULL`.execute(db)
  return rows
}

function eventRow({ event, organizationId, shipmentId }: Told) {
  return {
    id: event.id,
    organization_id: organizationId,
    workspace_id: event.workspaceId,
    livemode: event.livemode,
    type: event.type,
    shipment_id: shipmentId,
    body: webhookBody(event),
    created_at: rfc3339(event.at),
  }
}

function deliveryRows(
  { event, organizationId, shipmentId }: Told,
  endpoints: readonly Endpoint[],
): readonly object[] {
  const at = rfc3339(event.at)
  return endpoints
    .filter(
      (each) =>
        each.workspace_id === event.workspaceId &&
        isSubscribed(each.event_types, event.type) &&
        each.created_at.getTime() <= event.at + clockSkewMs,
    )
    .map(({ id }) => ({
      id: deliveryId(event.id, id),
      event_id: event.id,
      endpoint_id: id,
      organization_id: organizationId,
      workspace_id: event.workspaceId,
      livemode: event.livemode,
      event_type: event.type,
      shipment_id: shipmentId,
      created_at: at,
    }))
}

/** The same for the same event and endpoint: there is one delivery of it. */
export function deliveryId(eventId: string, endpointId: string): string {
  return `dlv_${derivedValue('webhook delivery', eventId, endpointId)}`
}
