import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { projectionsReached } from '../../projector/checkpoint.ts'
import type { ProcessDeps } from '../process-deps.ts'
import type { StoredLine } from './billed-lines.ts'
import {
  type CompareDeps,
  compareLines,
  compareWithCharges,
  readLines,
  writeFindings,
} from './compare-lines.ts'
import { eraseReferences } from './erase-references.ts'
import {
  advanceInvoice,
  countTotals,
  endComparison,
  type HeldInvoice,
  holdInvoice,
  notePosition,
  releaseInvoice,
} from './invoice-lease.ts'
import { type LookDeps, lookForBilled } from './look-for-line.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** Compared by one statement each of reading and writing; a killed process does them again. */
const comparedTogether = 500
/** An invoice is compared this long before those of other organizations have their turn. */
const turnMs = 2_000
/** How long a comparison waits for the read models before it is put off. */
const caughtUpMs = 2_000
const putOffMs = 1_000
/** The courier is asked about this many attempts at once. */
const looksAtOnce = 4
/** Another process may have stored an invoice, or have died. */
const readEveryMs = 4_000
const failedMs = 1_000
const failedText = 'a background task failed and will be retried'
/** Lines without a final finding that are looked through by one statement. */
const recheckedMax = 2_000

type InvoiceDeps = CompareDeps & LookDeps & Pick<ProcessDeps, 'invoiceBell' | 'log'>

/** Work that follows from events: lines whose shipment has changed since are compared again. */
export function recheckInvoices(deps: InvoiceDeps): () => Promise<number> {
  let from: Place = start
  return async () => {
    if ((await eraseReferences(deps)) > 0) return 1
    from = await recheckLines(deps, from)
    return from === start ? 0 : 1
  }
}

/** Compares invoices until the signal. */
export async function runInvoices(deps: InvoiceDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const seen = deps.invoiceBell.count
    let waitMs = readEveryMs
    try {
      const held = await holdInvoice(deps.db, randomUUID())
      if (held !== null) {
        await compareForATurn(deps, held, signal)
        continue
      }
    } catch (err) {
      if (!signal.aborted) deps.log.error({ err, task: 'invoices' }, failedText)
      waitMs = failedMs
    }
    await deps.invoiceBell.wait(seen, waitMs, signal)
  }
}

/** What is written is kept: the next holder of the invoice goes on after it. */
async function compareForATurn(
  deps: InvoiceDeps,
  held: HeldInvoice,
  signal: AbortSignal,
): Promise<void> {
  const { db, store } = deps
  const untilMs = performance.now() + turnMs
  if (held.ledger_position === null) {
    const head = await store.head()
    if (!(await projectionsReached(db, head, caughtUpMs))) {
      await releaseInvoice(db, held, putOffMs)
      return
    }
    await notePosition(db, held, head)
  }
  let after = held.compared_line
  while (!signal.aborted && performance.now() < untilMs) {
    const rows = await readLines(db, held, { after, limit: comparedTogether })
    const last = rows.at(-1)
    if (last === undefined) {
      if (await lookForALot(deps, held)) continue
      await endComparison(db, held)
      return
    }
    if (!(await compareSome(deps, held, rows, last.line))) return
    after = last.line
  }
  await releaseInvoice(db, held, 0)
}

/** False: the invoice is held no longer, or has a newer version. */
async function compareSome(
  deps: CompareDeps,
  held: HeldInvoice,
  rows: readonly StoredLine[],
  comparedLine: number,
): Promise<boolean> {
  const compared = await compareLines(deps, held, rows)
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await advanceInvoice(tx, held, comparedLine))) return false
    await writeFindings(tx, held, compared, true)
    return true
  })
}

type LineToLook = StoredLine & { readonly request_id: string }

/** Looks for guides of some lines that made nothing, then compares these. False: none is left. */
async function lookForALot(deps: InvoiceDeps, held: HeldInvoice): Promise<boolean> {
  const { rows } = await sql<LineToLook>`
    SELECT l.line, l.guide_number, l.amount, l.currency, l.details, l.billed_at, l.shipment_id,
      v.request_id
    FROM courier_invoice_lines l
    JOIN courier_invoice_versions v ON v.invoice_id = l.invoice_id AND v.version = l.version
    WHERE l.invoice_id = ${held.id} AND l.version = ${held.version} AND l.look_due
    ORDER BY l.line LIMIT ${looksAtOnce}`.execute(deps.db)
  if (rows.length === 0) return false
  await Promise.all(
    rows.map(async ({ shipment_id: shipmentId, guide_number: guideNumber, ...row }) => {
      if (shipmentId === null) return
      const billed = { shipmentId, guideNumber, requestId: row.request_id }
      await lookForBilled(deps, billed).catch((err: unknown) => {
        // The line keeps its finding; comparing again looks again.
        deps.log.error({ err, task: 'invoices' }, 'a look for a billed guide failed')
      })
    }),
  )
  const compared = await compareWithCharges(deps, held, rows)
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await advanceInvoice(tx, held, 0))) return false
    await writeFindings(tx, held, compared, false)
    return true
  })
}

type Place = { readonly invoiceId: string; readonly line: number }
const start: Place = { invoiceId: '', line: 0 }

type UnsettledLine = StoredLine & { readonly invoice_id: string; readonly has_changed: boolean }

/**
 * Compares lines without a final finding again if their shipment has changed since. Answers where
 * to go on; the start, if these were the last.
 */
async function recheckLines(deps: InvoiceDeps, from: Place): Promise<Place> {
  const { rows } = await sql<UnsettledLine>`
    SELECT l.invoice_id, l.line, l.guide_number, l.amount, l.currency, l.details, l.billed_at,
      l.shipment_id, s.version > l.shipment_version AS has_changed
    FROM courier_invoice_lines l
    JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
      AND i.state = 'compared'
    LEFT JOIN projections.shipments s ON s.shipment_id = l.shipment_id
    WHERE l.finding IN ('unresolved', 'nothing_created')
      AND (l.invoice_id, l.line) > (${from.invoiceId}, ${from.line})
    ORDER BY l.invoice_id, l.line LIMIT ${recheckedMax}`.execute(deps.db)
  const changed = rows.filter((row) => row.has_changed)
  for (const [invoiceId, some] of Map.groupBy(changed, (row) => row.invoice_id)) {
    await compareChanged(deps, invoiceId, some)
  }
  const last = rows.length < recheckedMax ? undefined : rows.at(-1)
  return last === undefined ? start : { invoiceId: last.invoice_id, line: last.line }
}

async function compareChanged(
  deps: InvoiceDeps,
  invoiceId: string,
  rows: readonly StoredLine[],
): Promise<void> {
  const { rows: found } = await sql<InvoiceRow>`
    SELECT * FROM courier_invoices WHERE id = ${invoiceId}`.execute(deps.db)
  const [invoice] = found
  if (invoice === undefined) return
  const compared = await compareWithCharges(deps, invoice, rows)
  await deps.db.transaction().execute(async (tx) => {
    // A comparison that has begun meanwhile finds at least as much.
    const { rows: same } = await sql`
      SELECT FROM courier_invoices
      WHERE id = ${invoiceId} AND version = ${invoice.version} AND state = 'compared'
      FOR UPDATE`.execute(tx)
    if (same.length === 0) return
    await writeFindings(tx, invoice, compared, false)
    await sql`UPDATE courier_invoices SET updated_at = now() WHERE id = ${invoiceId}`.execute(tx)
    await countTotals(tx, invoice)
  })
}
