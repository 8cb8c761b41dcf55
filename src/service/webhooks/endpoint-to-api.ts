import type { Selectable } from 'kysely'
import type { WebhookTables } from '../database/webhook-tables.ts'
import { rfc3339 } from '../domain/decider.ts'
import type { EndpointHealth } from '../domain/webhooks/webhook-delivery.ts'

export type EndpointRow = Selectable<WebhookTables['webhook_endpoints']>

/** An endpoint as the API shows it to its owner. */
export function endpointToApi(row: EndpointRow, health: EndpointHealth) {
  return {
    id: row.id,
    object: 'webhook_endpoint' as const,
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    url: row.url,
    description: row.description,
    event_types: row.event_types,
    status: row.status,
    disabled_reason: row.disabled_reason,
    health,
    created_at: rfc3339(row.created_at.getTime()),
    updated_at: rfc3339(row.updated_at.getTime()),
    version: row.version,
  }
}
