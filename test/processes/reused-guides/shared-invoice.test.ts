import { sql } from 'kysely'
import t from 'tap'
import { projections } from '../../../projections/all.ts'
import type { Instant } from '../../../src/service/domain/decider.ts'
import { compareLines, readLines } from '../../../src/service/processes/invoices/compare-lines.ts'
import { decideLine } from '../../../src/service/processes/invoices/decide-line.ts'
import {
  type InvoiceRow,
  openInvoice,
  storeInvoice,
} from '../../../src/service/processes/invoices/store-invoice.ts'
import { openNote } from '../../../src/service/processes/invoices/stored-invoice-line.ts'
import { ensureProjection, projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../../src/service/projector/follow.ts'
import { days, request, start } from '../../support/given.ts'
import { processParts } from '../../support/process-parts.ts'

/** Invoices of a courier that reuses guide numbers and bills a guide in several lines. */
const parts = await processParts(t)
const { deps, query } = parts
for (const projection of projections) await ensureProjection(deps.db, projection)
const stop = new AbortController()
const following = runFollower({ ...deps, pool: parts.pool }, projections, stop.signal)
t.teardown(async () => {
  stop.abort()
  await following
})
const price = { amount: 2_500, currency: 'PEN' }
const issued = async (guideNumber: string, at: Instant = start) => {
  const guide = { guideNumber, price, pickupCodeRef: null }
  const made = await parts.shipment({ kind: 'issued', guide }, at)
  t.ok(await projectionsReached(deps.db, await deps.store.head(), 60_000))
  return made.shipmentId
}

const lineOf = (line: number, guideNumber: string, more = {}) => ({
  kind: 'charge' as const,
  line,
  guideNumber,
  ...price,
  weightGrams: null,
  date: null,
  clientReference: null,
  ...more,
})
let invoices = 0
async function stored(reference: string, lines: readonly ReturnType<typeof lineOf>[]) {
  invoices += 1
  const invoice = {
    id: `inv_${String(invoices).padStart(22, '0')}`,
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
    livemode: false,
    connectionId: request.courier_connection_id,
    reference,
    period: null,
    actor: { type: 'system', keyId: null } as const,
    requestId: 'req_0000000000000000000001',
  }
  return await storeInvoice(deps, invoice, { lines, invalid: [] }, async () => undefined)
}
async function rowOf(id: string): Promise<InvoiceRow> {
  const { rows } = await sql<InvoiceRow>`SELECT * FROM courier_invoices WHERE id = ${id}`.execute(
    deps.db,
  )
  return rows[0]!
}
async function compared(id: string) {
  const row = await rowOf(id)
  const lines = await readLines(deps.db, row, { after: 0, limit: 500 })
  return await compareLines(deps, row, lines)
}
const found = async (id: string) =>
  (await compared(id)).map(({ finding, shipmentId }) => [finding, shipmentId])

t.test('each of two shipments with one number gets its own line of an invoice', async (t) => {
  const first = await issued('G-1')
  const second = await issued('G-1', start + days(30))
  const { id } = await stored('both', [lineOf(1, 'G-1'), lineOf(2, 'G-1')])
  t.strictSame(await found(id), [
    ['matched', first],
    ['matched', second],
  ])
  const named = await stored('named', [
    lineOf(1, 'G-1', { clientReference: second }),
    lineOf(2, 'G-1', { date: '2020-01-01' }),
    lineOf(3, 'G-1'),
  ])
  await query('UPDATE courier_invoices SET state = $1 WHERE id = $2', ['withdrawn', id])
  t.strictSame(await found(named.id), [
    ['matched', second],
    ['matched', first],
    ['billed_twice', second],
  ])
})

t.test('charges of a guide are compared together, wherever they are in an invoice', async (t) => {
  const shipmentId = await issued('G-2')
  const others = Array.from({ length: 600 }, (_, index) => lineOf(index + 2, `X-${index}`))
  const { id } = await stored('charges', [
    lineOf(1, 'G-2', { amount: 2_000 }),
    ...others,
    lineOf(602, 'G-2', { amount: 500 }),
  ])
  const row = await rowOf(id)
  const [page] = await compareLines(
    deps,
    row,
    await readLines(deps.db, row, { after: 0, limit: 1 }),
  )
  const billing = { line: 602, lines: 2, amount: 2_500 }
  t.match(page, { line: 1, finding: 'part_of', shipmentId, billing })
  const last = await readLines(deps.db, row, { after: 601, limit: 10 })
  t.match(await compareLines(deps, row, last), [{ line: 602, finding: 'matched', billing }])
})

t.test('more than a hundred lines of one guide are no charges', async (t) => {
  await issued('G-3')
  const lines = Array.from({ length: 103 }, (_, index) => lineOf(index + 1, 'G-3', { amount: 1 }))
  const { id } = await stored('many', lines)
  const findings = (await compared(id)).map(({ finding }) => finding)
  t.strictSame(findings.slice(98), [
    'part_of',
    'amount_differs',
    'billed_twice',
    'billed_twice',
    'billed_twice',
  ])
})

t.test('the same lines in another order are the same version', async (t) => {
  const lines = ['O-1', 'O-2', 'O-2', 'O-3'].map((guide, index) => lineOf(index + 1, guide))
  const first = await stored('order', lines)
  const other = [3, 1, 0, 2].map((from, index) => ({ ...lines[from]!, line: index + 1 }))
  t.strictSame(await stored('order', other), { id: first.id, isSame: true })
  t.strictSame(await stored('order', other.slice(1)), { id: first.id, isSame: false })
})

t.test('a new version keeps the decisions of the lines that did not change', async (t) => {
  const lines = [
    lineOf(1, 'D-1', { clientReference: 'order 1' }),
    lineOf(2, 'D-2'),
    lineOf(3, 'D-3'),
    lineOf(4, 'D-3'),
  ]
  const { id } = await stored('decided', lines)
  await query(`UPDATE courier_invoice_lines SET finding = 'unknown_guide' WHERE invoice_id = $1`, [
    id,
  ])
  for (const line of [1, 2, 3]) {
    const decision = { decision: 'disputed', note: `Why ${line}`, decidedBy: 'ana' } as const
    const decided = { line, ...decision, operatorId: null, seen: null }
    await decideLine(deps, id, decided, async () => undefined)
  }
  const next = [lineOf(1, 'D-3'), lineOf(2, 'D-2', { amount: 1 }), { ...lines[0]!, line: 3 }]
  t.match(await stored('decided', next), { id, isSame: false })
  const rows = await query<{
    line: number
    decision: string | null
    decided_finding: string | null
    note: Buffer | null
  }>(
    `SELECT line, decision, decided_finding, note FROM courier_invoice_lines
     WHERE invoice_id = $1 AND version = 2 ORDER BY line`,
    [id],
  )
  const sealer = openInvoice(deps.invoiceSealer, await rowOf(id))
  t.match(
    rows.map((row) => ({ ...row, note: openNote(sealer, { ...row, version: 2 }) })),
    [
      { decision: 'disputed', note: { note: 'Why 3', decided_by: 'ana' } },
      { decision: null, note: null },
      { decision: 'disputed', decided_finding: 'unknown_guide', note: { note: 'Why 1' } },
    ],
  )
})
