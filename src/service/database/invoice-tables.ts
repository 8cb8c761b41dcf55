import type { Generated, GeneratedAlways } from 'kysely'
import type { Finding } from '../domain/invoices/finding.ts'
import type { LineKind } from '../domain/invoices/line-kind.ts'

type CourierInvoicesTable = {
  id: string
  organization_id: string
  workspace_id: string
  livemode: boolean
  courier_connection_id: string
  reference: string
  version: number
  master_key_id: string | null
  wrapped_key: Buffer | null
  state: 'comparing' | 'compared' | 'withdrawn'
  compared_line: Generated<number>
  ledger_position: string | null
  compared_at: Date | null
  withdrawn_at: Date | null
  owner: string | null
  leased_until: Date | null
  next_at: Generated<Date>
  served_at: Generated<Date>
  created_at: Generated<Date>
  imported_at: Generated<Date>
  updated_at: Generated<Date>
}

type CourierInvoiceVersionsTable = {
  invoice_id: string
  version: number
  organization_id: string
  sequence: Generated<string>
  content: Buffer | null
  period_from: string | null
  period_to: string | null
  total: number
  invalid: Generated<number>
  totals: Generated<unknown>
  /** As `Actor` of the events. */
  actor: unknown
  request_id: string
  created_at: Generated<Date>
}

type CourierInvoiceLinesTable = {
  invoice_id: string
  version: number
  line: number
  organization_id: string
  courier_connection_id: string
  kind: LineKind
  guide_number: string
  amount: string
  currency: string
  details: Buffer | null
  billed_at: string
  finding: Finding | null
  shipment_id: string | null
  shipment_version: number | null
  expected: unknown
  billed_before: unknown
  billing: unknown
  /** Computed from the columns before. */
  at_stake: GeneratedAlways<string | null>
  look_due: Generated<boolean>
  erase_due: Generated<boolean>
  decision: 'accepted' | 'disputed' | null
  decided_finding: Finding | null
  decided_at: Date | null
  operator_id: string | null
  note: Buffer | null
}

type CourierInvoiceInvalidLinesTable = {
  invoice_id: string
  version: number
  line: number
  organization_id: string
  courier_connection_id: string
  guide_number: string | null
  content: Buffer | null
}

export type InvoiceTables = {
  courier_invoices: CourierInvoicesTable
  courier_invoice_versions: CourierInvoiceVersionsTable
  courier_invoice_lines: CourierInvoiceLinesTable
  courier_invoice_invalid_lines: CourierInvoiceInvalidLinesTable
}
