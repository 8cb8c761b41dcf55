import { sql } from 'kysely'
import { projectionsReached } from '../../projector/checkpoint.ts'
import { byTurns, queueTables, releaseRows } from '../../queue/claim.ts'
import type { Kind } from '../../queue/run.ts'
import type { ProcessServices } from '../process-services.ts'
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
  type LeasedInvoice,
  notePosition,
} from './invoice-lease.ts'
import { type LookUpDeps, lookUpBilled } from './look-up-billed.ts'
import type { InvoiceRow } from './store-invoice.ts'

/** Lines read or written by one statement; after a crash the last ones are compared again. */
const comparedTogether = 500
/** How long an invoice is compared before those of other organizations. */
const sliceMs = 2_000
/** How long a comparison waits for the read models before it is postponed. */
const caughtUpMs = 2_000
const putOffMs = 1_000
/** Attempts looked up at the courier at once. */
const looksAtOnce = 4
/** Lines without a final finding that one statement checks. */
const recheckedMax = 2_000

type InvoiceDeps = CompareDeps & LookUpDeps & Pick<ProcessServices, 'log'>

/** Compares lines again whose shipment has changed since. */
export function recheckInvoices(deps: InvoiceDeps): () => Promise<number> {
  let from: Place = start
  return async () => {
    if ((await eraseReferences(deps)) > 0) return 1
    from = await recheckLines(deps, from)
    return from === start ? 0 : 1
  }
}

/** Comparisons of invoices: an invoice is claimed for a time slice. */
export function comparisons(deps: InvoiceDeps): Kind {
  const { db } = deps
  const { invoices } = queueTables
  return byTurns<InvoiceRow>(db, invoices, {
    name: 'comparisons',
    slots: 1,
    perform: async (leased, signal) => {
      const waitMs = await compareForSlice(deps, leased, signal)
      await releaseRows(db, invoices, leased.owner, { released: [{ key: leased.id, waitMs }] })
    },
  })
}

/**
 * Findings are written as it goes; the next owner of the invoice continues after them. Returns how
 * long the invoice is left alone.
 */
async function compareForSlice(
  deps: InvoiceDeps,
  leased: LeasedInvoice,
  signal: AbortSignal,
): Promise<number> {
  const { db, store } = deps
  const untilMs = performance.now() + sliceMs
  if (leased.ledger_position === null) {
    const head = await store.head()
    if (!(await projectionsReached(db, head, caughtUpMs))) return putOffMs
    await notePosition(db, leased, head)
  }
  let after = leased.compared_line
  while (!signal.aborted && performance.now() < untilMs) {
    const rows = await readLines(db, leased, { after, limit: comparedTogether })
    const last = rows.at(-1)
    if (last === undefined) {
      if (await lookUpSome(deps, leased)) continue
      await endComparison(db, leased)
      return 0
    }
    if (!(await compareSome(deps, leased, rows, last.line))) return 0
    after = last.line
  }
  return 0
}

/** False if the lease is lost or the invoice has a newer version. */
async function compareSome(
  deps: CompareDeps,
  leased: LeasedInvoice,
  rows: readonly StoredLine[],
  comparedLine: number,
): Promise<boolean> {
  const compared = await compareLines(deps, leased, rows)
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await advanceInvoice(tx, leased, comparedLine))) return false
    await writeFindings(tx, leased, compared, true)
    return true
  })
}

type LineToLookUp = StoredLine & { readonly request_id: string }

/**
 * Looks up guides of some lines whose attempts created nothing, then compares these lines again.
 * False if no such line is left.
 */
async function lookUpSome(deps: InvoiceDeps, leased: LeasedInvoice): Promise<boolean> {
  const { rows } = await sql<LineToLookUp>`
    SELECT l.line, l.guide_number, l.amount, l.currency, l.details, l.billed_at, l.shipment_id,
      v.request_id
    FROM courier_invoice_lines l
    JOIN courier_invoice_versions v ON v.invoice_id = l.invoice_id AND v.version = l.version
    WHERE l.invoice_id = ${leased.id} AND l.version = ${leased.version} AND l.look_due
    ORDER BY l.line LIMIT ${looksAtOnce}`.execute(deps.db)
  if (rows.length === 0) return false
  await Promise.all(
    rows.map(async ({ shipment_id: shipmentId, guide_number: guideNumber, ...row }) => {
      if (shipmentId === null) return
      const billed = { shipmentId, guideNumber, requestId: row.request_id }
      await lookUpBilled(deps, billed).catch((err: unknown) => {
        // The line keeps its finding; the next comparison looks again.
        deps.log.error({ err, task: 'invoices' }, 'a look for a billed guide failed')
      })
    }),
  )
  const compared = await compareWithCharges(deps, leased, rows)
  return await deps.db.transaction().execute(async (tx) => {
    if (!(await advanceInvoice(tx, leased, 0))) return false
    await writeFindings(tx, leased, compared, false)
    return true
  })
}

type Place = { readonly invoiceId: string; readonly line: number }
const start: Place = { invoiceId: '', line: 0 }

type UnsettledLine = StoredLine & { readonly invoice_id: string; readonly has_changed: boolean }

/**
 * Compares lines without a final finding again if their shipment has changed since. Returns where
 * to continue; the start after the last line.
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
    // A comparison that began meanwhile sees at least the same events.
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
