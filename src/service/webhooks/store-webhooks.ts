import { CompiledQuery, type QueryExecutorProvider, sql } from 'kysely'
import type { Write } from '../../../projections/projection.ts'
import { rfc3339 } from '../domain/decider.ts'
import { derivedValue } from '../domain/ids.ts'
import { isAboutEndpoint } from '../domain/webhooks/alert.ts'
import { type WebhookEvent, webhookBody } from '../domain/webhooks/webhook-event.ts'
import { isSubscribed } from '../domain/webhooks/webhook-types.ts'

/** A webhook event of a workspace, and the shipment that it is about. */
export type OutboxEvent = {
  readonly event: WebhookEvent
  readonly organizationId: string
  readonly shipmentId: string | null
  /** The shipment's version after the event that caused it. Null if it is about no shipment. */
  readonly shipmentVersion: number | null
}

type Endpoint = {
  readonly id: string
  readonly workspace_id: string
  readonly event_types: readonly string[]
  readonly created_at: Date
}

/** More than the clocks of two processes differ, so an endpoint misses no event after its creation. */
const clockSkewMs = 5_000

const insertEvents: Write = (rows) => `
  INSERT INTO webhook_events
    (id, organization_id, workspace_id, livemode, type, shipment_id, shipment_version, sequence,
     body, created_at)
  SELECT id, organization_id, workspace_id, livemode, type, shipment_id, shipment_version, sequence,
    body, created_at
  FROM json_populate_recordset(NULL::webhook_events, ${rows})
  ON CONFLICT (id) DO NOTHING`

/**
 * The lock holds until the deliveries are stored: if the endpoint is disabled meanwhile, they are
 * discarded afterwards.
 */
const insertDeliveries: Write = (rows) => `
  WITH wanted AS MATERIALIZED (
    SELECT * FROM json_populate_recordset(NULL::webhook_deliveries, ${rows})
  ), endpoints AS MATERIALIZED (
    SELECT id, status = 'enabled' AS is_enabled FROM webhook_endpoints
    WHERE id IN (SELECT endpoint_id FROM wanted) AND deleted_at IS NULL
    ORDER BY id FOR SHARE
  )
  INSERT INTO webhook_deliveries
    (id, event_id, endpoint_id, organization_id, workspace_id, livemode, event_type, shipment_id,
     state, next_attempt_at, dead_reason, created_at, updated_at)
  SELECT t.id, t.event_id, w.id, t.organization_id, t.workspace_id, t.livemode, t.event_type,
    t.shipment_id, CASE WHEN w.is_enabled THEN 'pending' ELSE 'discarded' END,
    CASE WHEN w.is_enabled THEN t.created_at END,
    CASE WHEN NOT w.is_enabled THEN 'endpoint_disabled' END, t.created_at, t.created_at
  FROM wanted t JOIN endpoints w ON w.id = t.endpoint_id
  ON CONFLICT (event_id, endpoint_id) DO NOTHING`

/**
 * Stores events and a delivery for each subscribed endpoint. Existing events stay unchanged.
 * Deliveries for a disabled endpoint are discarded, and can be recovered.
 */
export const webhookWrites: readonly Write[] = [insertEvents, insertDeliveries]

/** The rows for `webhookWrites`. */
export async function webhookRows(
  db: QueryExecutorProvider,
  events: readonly OutboxEvent[],
): Promise<readonly [readonly object[], readonly object[]]> {
  if (events.length === 0) return [[], []]
  const endpoints = await endpointsOf(db, events)
  const deliveries = events.map((each) => deliveryRows(each, endpoints))
  const rows = events.map((each, index) => eventRow(each, deliveries[index]?.length !== 0))
  return [rows, deliveries.flat()]
}

/** Any open transaction. The type refuses a connection that commits each statement by itself. */
export type WebhookTx = QueryExecutorProvider & { readonly isTransaction: true }

/** Executes `webhookWrites` in the caller's transaction. */
export async function storeWebhooks(tx: WebhookTx, events: readonly OutboxEvent[]): Promise<void> {
  const rows = await webhookRows(tx, events)
  for (const [index, write] of webhookWrites.entries()) {
    if (rows[index]?.length === 0) continue
    const query = CompiledQuery.raw(write('$1::json'), [JSON.stringify(rows[index])])
    await tx.getExecutor().executeQuery(query)
  }
}

/** Read after the change itself, so that every endpoint that existed before it is found. */
async function endpointsOf(
  db: QueryExecutorProvider,
  events: readonly OutboxEvent[],
): Promise<readonly Endpoint[]> {
  const workspaceIds = [...new Set(events.map(({ event }) => event.workspaceId))]
  const { rows } = await sql<Endpoint>`
    SELECT id, workspace_id, event_types, created_at FROM webhook_endpoints
    WHERE workspace_id = ANY (${workspaceIds}) AND deleted_at IS NULL`.execute(db)
  return rows
}

/** An event without deliveries is stored without a body, which is rendered when it is read. */
function eventRow(
  { event, organizationId, shipmentId, shipmentVersion }: OutboxEvent,
  isSent: boolean,
) {
  return {
    id: event.id,
    organization_id: organizationId,
    workspace_id: event.workspaceId,
    livemode: event.livemode,
    type: event.type,
    shipment_id: shipmentId,
    shipment_version: shipmentVersion,
    sequence: event.sequence,
    body: isSent || shipmentVersion === null ? webhookBody(event) : null,
    created_at: rfc3339(event.at),
  }
}

function deliveryRows(
  { event, organizationId, shipmentId }: OutboxEvent,
  endpoints: readonly Endpoint[],
): readonly object[] {
  const at = rfc3339(event.at)
  const { subject } = event.object
  const about =
    typeof subject === 'object' && subject !== null && 'id' in subject ? subject.id : null
  return endpoints
    .filter(
      (each) =>
        each.workspace_id === event.workspaceId &&
        isSubscribed(each.event_types, event.type) &&
        !isAboutEndpoint(event.type, about, each.id) &&
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

/** Derived from the event and the endpoint, so that there is only one delivery of an event. */
export function deliveryId(eventId: string, endpointId: string): string {
  return `dlv_${derivedValue('webhook delivery', eventId, endpointId)}`
}
