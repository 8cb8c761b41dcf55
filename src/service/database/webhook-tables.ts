import type { Generated, JSONColumnType } from 'kysely'

type WebhookEndpointsTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  url: string
  description: string | null
  event_types: string[]
  status: 'enabled' | 'disabled'
  disabled_reason: string | null
  secret: Buffer
  previous_secret: Buffer | null
  previous_until: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type WebhookLanesTable = {
  endpoint_id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  failures: Generated<number>
  counted_failures: Generated<number>
  counted_at: Date | null
  trips: Generated<number>
  open_until: Date | null
  failing_since: Date | null
  last_success_at: Date | null
  served_at: Generated<Date>
}

type WebhookEventsTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  type: string
  shipment_id: string | null
  /** Null if it is rendered from the shipment's stream, up to `shipment_version`. */
  body: string | null
  shipment_version: Generated<number | null>
  sequence: Generated<number | null>
  is_example: Generated<boolean>
  created_at: Date
  stored_at: Generated<Date>
}

type WebhookDeliveriesTable = {
  id: string
  event_id: string
  endpoint_id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  event_type: string
  shipment_id: string | null
  state: 'pending' | 'delivered' | 'dead' | 'discarded'
  attempts: JSONColumnType<readonly unknown[]>
  tries: Generated<number>
  next_attempt_at: Date | null
  at_once: Generated<boolean>
  again_at: Date | null
  dead_reason: string | null
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

type WebhookLeasesTable = {
  delivery_id: string
  endpoint_id: string
  lease: string
  leased_until: Date
  session_pid: number | null
  session_started: Date | null
}

type WebhookStatisticsTable = {
  endpoint_id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  at: Date
  is_hour: boolean
  counts: JSONColumnType<Readonly<Record<string, number>>>
}

type AlertsTable = {
  type: string
  subject_id: string
  workspace_id: string | null
  is_firing: boolean
  since: Date
  changed_at: Generated<Date>
  version: number
}

/** The tables of endpoints, webhook events and deliveries. */
export type WebhookTables = {
  webhook_endpoints: WebhookEndpointsTable
  webhook_lanes: WebhookLanesTable
  webhook_events: WebhookEventsTable
  webhook_deliveries: WebhookDeliveriesTable
  webhook_leases: WebhookLeasesTable
  webhook_statistics: WebhookStatisticsTable
  alerts: AlertsTable
}
