import { sql } from 'kysely'
import type { Tx } from '../../projections/projection.ts'
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
  readonly status: 'enabled' | 'disabled'
  readonly created_at: Date
}

/** Clocks of two processes differ by less: an endpoint misses nothing of after its creation. */
const clockSkewMs = 5_000

/**
 * Stores events and a delivery for each endpoint that subscribed, in the caller's transaction. What
 * was told before stays as it was told. A disabled endpoint's are discarded, to be recovered.
 */
export async function tell(tx: Tx, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return
  const endpoints = await endpointsOf(tx, told)
  const events = told.map(eventRow)
  await sql`
    INSERT INTO webhook_events
      (id, organization_id, workspace_id, livemode, type, shipment_id, body, created_at)
    SELECT id, organization_id, workspace_id, livemode, type, shipment_id, body, created_at
    FROM json_populate_recordset(NULL::webhook_events, ${JSON.stringify(events)}::json)
    ON CONFLICT (id) DO NOTHING`.execute(tx)
  const deliveries = told.flatMap((each) => deliveryRows(each, endpoints))
  if (deliveries.length === 0) return
  await sql`
    INSERT INTO webhook_deliveries
      (id, event_id, endpoint_id, organization_id, workspace_id, livemode, event_type, shipment_id,
       state, next_attempt_at, dead_reason, created_at, updated_at)
    SELECT id, event_id, endpoint_id, organization_id, workspace_id, livemode, event_type,
      shipment_id, state, next_attempt_at, dead_reason, created_at, updated_at
    FROM json_populate_recordset(NULL::webhook_deliveries, ${JSON.stringify(deliveries)}::json)
    ON CONFLICT (event_id, endpoint_id) DO NOTHING`.execute(tx)
}

/** Held until the deliveries stand: one that is disabled meanwhile has them discarded after. */
async function endpointsOf(tx: Tx, told: readonly Told[]): Promise<readonly Endpoint[]> {
  const workspaceIds = [...new Set(told.map(({ event }) => event.workspaceId))]
  const { rows } = await sql<Endpoint>`
    SELECT id, workspace_id, event_types, status, created_at FROM webhook_endpoints
    WHERE workspace_id = ANY (${workspaceIds}) AND deleted_at IS NULL
    ORDER BY id FOR SHARE`.execute(tx)
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
    .map(({ id, status }) => ({
      id: deliveryId(event.id, id),
      event_id: event.id,
      endpoint_id: id,
      organization_id: organizationId,
      workspace_id: event.workspaceId,
      livemode: event.livemode,
      event_type: event.type,
      shipment_id: shipmentId,
      ...(status === 'enabled'
        ? { state: 'pending', next_attempt_at: at, dead_reason: null }
        : { state: 'discarded', next_attempt_at: null, dead_reason: 'endpoint_disabled' }),
      created_at: at,
      updated_at: at,
    }))
}

/** The same for the same event and endpoint: there is one delivery of it. */
export function deliveryId(eventId: string, endpointId: string): string {
  return `dlv_${derivedValue('webhook delivery', eventId, endpointId)}`
}
