import { type QueryExecutorProvider, sql } from 'kysely'
import { rfc3339 } from '../../domain/decider.ts'
import {
  type DecidedSum,
  decidedSums,
  moneyOf,
  type StoredTotal,
  totalsOf,
} from './invoice-totals.ts'
import type { InvoiceRow } from './store-invoice.ts'

export const invoiceStatuses = ['comparing', 'compared', 'withdrawn'] as const
export const decisions = ['accepted', 'disputed'] as const
export type InvoiceDecision = (typeof decisions)[number]

/** An invoice with its newest version. */
export type ReadInvoice = InvoiceRow & {
  readonly total: number
  readonly invalid: number
  readonly totals: readonly StoredTotal[]
  readonly period_from: string | null
  readonly period_to: string | null
  readonly decided: readonly DecidedSum[]
  readonly compared_lines: number
}

/** The organization's invoices with these ids, newest first. */
export async function findInvoices(
  db: QueryExecutorProvider,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly ReadInvoice[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ReadInvoice>`
    SELECT i.*, v.total, v.invalid, v.period_from, v.period_to,
      -- A service without amounts at stake has compared it during an upgrade.
      CASE WHEN v.totals @? '$[*] ? (!(exists(@.at_stake)))'
        THEN ${totalsOf(sql`i.id`, sql`i.version`)} ELSE v.totals END AS totals,
      ${decidedSums(sql`i.id`, sql`i.version`)} AS decided,
      CASE i.state WHEN 'comparing' THEN (
        SELECT count(*)::int FROM courier_invoice_lines c
        WHERE c.invoice_id = i.id AND c.version = i.version AND c.line <= i.compared_line
      ) ELSE v.total END AS compared_lines
    FROM courier_invoices i
    JOIN courier_invoice_versions v ON v.invoice_id = i.id AND v.version = i.version
    WHERE i.id = ANY (${ids}) AND i.organization_id = ${organizationId}
    ORDER BY i.created_at DESC, i.id DESC`.execute(db)
  return rows
}

/** The invoice as the API shows it. */
export function invoiceToApi(row: ReadInvoice) {
  const { period_from: from, period_to: to } = row
  const { totals, amounts, decisions: decided } = moneyOf(row)
  return {
    id: row.id,
    object: 'courier_invoice' as const,
    livemode: row.livemode,
    workspace_id: row.workspace_id,
    courier_connection_id: row.courier_connection_id,
    reference: row.reference,
    period: from === null || to === null ? null : { from, to },
    version: row.version,
    status: row.state,
    total: row.total,
    invalid_lines: row.invalid,
    compared_lines: row.compared_lines,
    totals,
    amounts,
    decisions: decided,
    ledger_position: row.ledger_position,
    compared_at: row.compared_at === null ? null : rfc3339(row.compared_at.getTime()),
    withdrawn_at: row.withdrawn_at === null ? null : rfc3339(row.withdrawn_at.getTime()),
    created_at: rfc3339(row.created_at.getTime()),
    updated_at: rfc3339(row.updated_at.getTime()),
  }
}
