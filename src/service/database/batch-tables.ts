import type { Generated } from 'kysely'

type BatchesTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  external_reference: string
  /** As `Actor` of the events. */
  actor: unknown
  request_id: string
  master_key_id: string
  wrapped_key: Buffer
  total: number
  ended: number
  created_at: Generated<Date>
  cancelled_at: Date | null
  ended_at: Date | null
}

/** `waiting` and `begun` are still to do; the others have ended. */
type LineState = 'waiting' | 'begun' | 'answered' | 'failed' | 'invalid' | 'cancelled'

type BatchLinesTable = {
  batch_id: string
  line: number
  organization_id: string
  connection_id: string | null
  idempotency_key: string | null
  shipment_id: string | null
  order_key: string | null
  body: Buffer | null
  scenario: string | null
  state: LineState
  begun_by: string | null
  tries: Generated<number>
  not_before: Generated<Date>
  status: string | null
  reason: string | null
  refusal: Buffer | null
}

type BatchLanesTable = {
  connection_id: string
  organization_id: string
  next_at: Generated<Date>
  owner: string | null
  leased_until: Date | null
  served_at: Generated<Date>
  version: Generated<string>
}

type BatchOrdersTable = {
  order_key: string
  organization_id: string
  batch_id: string
  shipment_id: string
}

export type BatchTables = {
  batch_orders: BatchOrdersTable
  batches: BatchesTable
  batch_lines: BatchLinesTable
  batch_lanes: BatchLanesTable
}
