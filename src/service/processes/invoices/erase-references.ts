import { sql } from 'kysely'
import type { ProcessServices } from '../process-services.ts'
import { type InvoiceRow, openInvoice } from './store-invoice.ts'
import { openDetails, sealDetails } from './stored-invoice-line.ts'

/** Lines in one transaction: some milliseconds. */
const erasedMax = 100

type ErasedLine = InvoiceRow & {
  readonly of_version: number
  readonly line: number
  readonly details: Buffer | null
}

/**
 * Removes the client's references from lines whose shipment is erased; weights and dates stay.
 * Returns the number of lines. Safe to repeat.
 */
export async function eraseReferences({
  db,
  invoiceSealer,
}: Pick<ProcessServices, 'db' | 'invoiceSealer'>): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const { rows } = await sql<ErasedLine>`
      SELECT i.*, l.version AS of_version, l.line, l.details
      FROM courier_invoice_lines l JOIN courier_invoices i ON i.id = l.invoice_id
      WHERE l.erase_due ORDER BY l.invoice_id, l.version, l.line
      LIMIT ${erasedMax} FOR UPDATE OF l SKIP LOCKED`.execute(tx)
    for (const { of_version: version, line, details, ...invoice } of rows) {
      const sealer = openInvoice(invoiceSealer, invoice)
      const known = openDetails(sealer, { version, line, details })
      const kept = { ...known, clientReference: null }
      const sealed = sealer === null ? null : sealDetails(sealer, { version, line }, kept)
      await sql`
        UPDATE courier_invoice_lines SET details = ${sealed}, erase_due = false
        WHERE invoice_id = ${invoice.id} AND version = ${version} AND line = ${line}`.execute(tx)
    }
    return rows.length
  })
}
