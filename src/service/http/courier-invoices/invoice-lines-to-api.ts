import { type Expression, type SqlBool, sql } from 'kysely'
import type { Billing } from '../../domain/invoices/charges.ts'
import type { Finding } from '../../domain/invoices/finding.ts'
import type { LineKind } from '../../domain/invoices/line-kind.ts'
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
  readonly kind: LineKind
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

const columns = sql`l.version, l.line, l.kind, l.guide_number, l.amount, l.currency, l.details,
  l.finding, l.shipment_id, l.shipment_version, l.expected, l.at_stake, l.billed_before, l.billing,
  l.decision, l.decided_finding, l.decided_at, l.operator_id, l.note`

export async function readLineRows(
  { db }: Deps,
  { id, organization_id: organizationId }: InvoiceRow,
  { version, after, limit, where }: Place,
): Promise<readonly LineRow[]> {
  const { rows } = await sql<LineRow>`
    SELECT ${columns}
    FROM courier_invoice_lines l
    WHERE invoice_id = ${id} AND organization_id = ${organizationId} AND version = ${version}
      AND line > ${after} AND ${where}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}

export type BilledRow = LineRow & {
  readonly invoice: InvoiceRow
  /** The order in which the shipment was billed. */
  readonly billed_at: string
}

type BilledPlace = {
  readonly after: readonly [billedAt: string, line: string]
  readonly limit: number
}

/**
 * The lines that bill a shipment, in the order of their invoices: those of newest versions, without
 * withdrawn invoices.
 */
export async function readBilledRows(
  { db }: Deps,
  of: { readonly organizationId: string; readonly shipmentId: string },
  { after, limit }: BilledPlace,
): Promise<readonly BilledRow[]> {
  const [billedAt, line] = after
  const { rows } = await sql<Omit<BilledRow, 'invoice'> & { readonly invoice_id: string }>`
    SELECT ${columns}, l.invoice_id, l.billed_at
    FROM courier_invoice_lines l
    JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
      AND i.state <> 'withdrawn'
    WHERE l.shipment_id = ${of.shipmentId} AND l.organization_id = ${of.organizationId}
      AND (l.billed_at, l.line) > (${billedAt}::bigint, ${line}::int)
    ORDER BY l.billed_at, l.line LIMIT ${limit}`.execute(db)
  const ids = [...new Set(rows.map(({ invoice_id: id }) => id))]
  const { rows: invoices } = await sql<InvoiceRow>`
    SELECT * FROM courier_invoices
    WHERE id = ANY (${ids}) AND organization_id = ${of.organizationId}`.execute(db)
  const byId = new Map(invoices.map((invoice) => [invoice.id, invoice]))
  return rows.flatMap(({ invoice_id: id, ...row }) => {
    const invoice = byId.get(id)
    return invoice === undefined ? [] : [{ ...row, invoice }]
  })
}

/** Lines of several invoices as the API shows them. */
export async function billedLinesToApi(deps: Deps, rows: readonly BilledRow[]) {
  const shown = await Promise.all(
    [...Map.groupBy(rows, ({ invoice }) => invoice.id).values()].map(async (of) => {
      const { id, reference, version } = (of[0] as BilledRow).invoice
      const lines = await invoiceLinesToApi(deps, (of[0] as BilledRow).invoice, of)
      return lines.map((line) => ({ ...line, courier_invoice_id: id, reference, version }))
    }),
  )
  return shown.flat()
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
      kind: row.kind,
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
