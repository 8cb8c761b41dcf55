import { type Expression, type SqlBool, sql } from 'kysely'
import type { Billing } from '../../domain/invoices/charges.ts'
import type { Finding } from '../../domain/invoices/finding.ts'
import type { InvoiceDecision } from '../../processes/invoices/invoice-to-api.ts'
import { type InvoiceRow, openInvoice } from '../../processes/invoices/store-invoice.ts'
import { openDetails, openNote } from '../../processes/invoices/stored-invoice-line.ts'
import { operatorNames } from '../../security/operators.ts'
import type { ApiServices } from '../api-services.ts'
import { time } from '../openapi/schemas.ts'

type Deps = Pick<ApiServices, 'db' | 'invoiceSealer'>

export type LineRow = {
  readonly version: number
  readonly line: number
  readonly guide_number: string
  readonly amount: string
  readonly currency: string
  readonly details: Buffer | null
  readonly finding: Finding | null
  readonly shipment_id: string | null
  readonly shipment_version: number | null
  readonly expected: {
    readonly amount: number | null
    readonly currency: string | null
    readonly weight_kg: number
  } | null
  readonly at_stake: string | null
  readonly billed_before: {
    readonly courier_invoice_id: string
    readonly version: number
    readonly line: number
  } | null
  readonly billing: Billing | null
  readonly decision: InvoiceDecision | null
  readonly decided_finding: Finding | null
  readonly decided_at: Date | null
  readonly operator_id: string | null
  readonly note: Buffer | null
}

type Place = {
  readonly version: number
  readonly after: number
  readonly limit: number
  readonly where: Expression<SqlBool>
}

export async function readLineRows(
  { db }: Deps,
  { id, organization_id: organizationId }: InvoiceRow,
  { version, after, limit, where }: Place,
): Promise<readonly LineRow[]> {
  const { rows } = await sql<LineRow>`
    SELECT version, line, guide_number, amount, currency, details, finding, shipment_id,
      shipment_version, expected, at_stake, billed_before, billing, decision, decided_finding,
      decided_at, operator_id, note
    FROM courier_invoice_lines
    WHERE invoice_id = ${id} AND organization_id = ${organizationId} AND version = ${version}
      AND line > ${after} AND ${where}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}

export type ApiInvoiceLine = Awaited<ReturnType<typeof invoiceLinesToApi>>[number]

/** Lines as the API shows them, with their sealed fields opened. */
export async function invoiceLinesToApi(deps: Deps, invoice: InvoiceRow, rows: readonly LineRow[]) {
  const { db, invoiceSealer } = deps
  const sealer = openInvoice(invoiceSealer, invoice)
  const operatorIds = rows.flatMap(({ operator_id: id }) => id ?? [])
  const names = await operatorNames(db, operatorIds, null)
  return rows.map((row) => {
    const { weightGrams, date, clientReference } = openDetails(sealer, row)
    const note = openNote(sealer, row)
    const operatorName = row.operator_id === null ? undefined : names.get(row.operator_id)
    return {
      object: 'courier_invoice_line' as const,
      line: row.line,
      guide_number: row.guide_number,
      amount: Number(row.amount),
      currency: row.currency,
      weight_kg: weightGrams === null ? null : weightGrams / 1_000,
      date,
      client_reference: clientReference,
      finding: row.finding,
      shipment_id: row.shipment_id,
      shipment_version: row.shipment_version,
      expected: row.expected,
      at_stake: row.at_stake === null ? null : Number(row.at_stake),
      billed_before: row.billed_before,
      billing: row.billing,
      decision:
        row.decision === null || row.decided_finding === null || row.decided_at === null
          ? null
          : {
              decision: row.decision,
              finding: row.decided_finding,
              note: note?.note ?? null,
              operator_id: row.operator_id,
              decided_by: operatorName ?? note?.decided_by ?? null,
              at: time(row.decided_at),
            },
    }
  })
}
