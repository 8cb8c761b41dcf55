import type { Shipment } from '../src/domain/shipment.ts'

type Folded = {
  readonly shipment_id: string
  readonly version: number
  readonly organization_id: string
  readonly workspace_id: string
  readonly livemode: boolean
}

export type ShipmentsTable = Folded & {
  /** The folded stream: rows come from the same `evolve` as decisions. */
  readonly state: Shipment
  readonly courier_connection_id: string
  readonly external_reference: string
  readonly idempotency_key: string
  readonly status: string
  readonly tracking_status: string | null
  readonly guide_number: string | null
  readonly open_operation_id: string | null
  readonly created_at: Date
  /** Null = personal data is kept. */
  readonly erased_at: Date | null
}

/** Attempts whose outcome is or was unknown: what operators list. */
export type OperationsTable = {
  readonly operation_id: string
  readonly version: number
  readonly shipment_id: string
  readonly organization_id: string
  readonly workspace_id: string
  readonly courier_connection_id: string
  readonly provider_code: string
  readonly livemode: boolean
  readonly type: string
  readonly status: string
  readonly result: string | null
  readonly cause: string | null
  readonly external_reference: string
  readonly idempotency_key: string
  readonly escalated: boolean
  /** Evidence turned up against a conclusion, once. */
  readonly contradicted: boolean
  /** Decided for a guide that the courier has not told of so far. */
  readonly unconfirmed: boolean
  readonly created_at: Date
}

/** What the process manager owes each shipment next: its to-do list. */
export type TimersTable = Folded & {
  readonly courier_connection_id: string
  /** On the workspace's clock; null = nothing is owed. */
  readonly due_at: Date | null
  readonly step: string | null
  /** While a call may be under way: its deadline. */
  readonly calling_until: Date | null
  readonly is_open: boolean
  /** The folded stream of shipments that operators list; null = of the others. */
  readonly listed_state: Shipment | null
}

/** Places in the quotas that may have to be given back or taken again. */
export type SettlementsTable = {
  readonly shipment_id: string
  readonly version: number
  /** Of its last event: the order in which they are settled. */
  readonly position: string
  readonly is_counted: boolean
}

/** Guides to follow. */
export type TrackingTable = Folded & {
  /** Of its last event: the order in which they are taken up. */
  readonly position: string
  readonly guide_number: string
  /** When it was issued or found, or its reading began again. */
  readonly followed_from: Date
  readonly first_check_at: Date
  readonly is_followed: boolean
}

export type ReadModels = {
  'projections.shipments': ShipmentsTable
  'projections.operations': OperationsTable
  'projections.timers': TimersTable
  'projections.settlements': SettlementsTable
  'projections.tracking': TrackingTable
}
