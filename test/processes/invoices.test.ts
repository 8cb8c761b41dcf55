import { randomUUID } from 'node:crypto'
import t from 'tap'
import { projections } from '../../projections/all.ts'
import {
  compareLines,
  readLines,
  writeFindings,
} from '../../src/service/processes/invoices/compare-lines.ts'
import { advanceInvoice } from '../../src/service/processes/invoices/invoice-lease.ts'
import { comparisons } from '../../src/service/processes/invoices/run-invoices.ts'
import {
  detailsKeptDays,
  forgetInvoiceDetails,
  type InvoiceRow,
  openInvoice,
  storeInvoice,
} from '../../src/service/processes/invoices/store-invoice.ts'
import { withdrawInvoice } from '../../src/service/processes/invoices/withdraw-invoice.ts'
import { ensureProjection } from '../../src/service/projector/checkpoint.ts'
import { claimByTurns, queueTables } from '../../src/service/queue/claim.ts'
import { runQueue } from '../../src/service/queue/run.ts'
import type { InvoiceLineSealer } from '../../src/service/security/encryption/own-key.ts'
import { eventually } from '../support/eventually.ts'
import { request } from '../support/given.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, query } = await processParts(t)
for (const projection of projections) await ensureProjection(deps.db, projection)

const linesMax = 1_700
let invoices = 0

function lineOf(line: number, guideNumber: string) {
  const details = { weightGrams: 800, date: null, clientReference: `order ${line}` }
  return { kind: 'charge' as const, line, guideNumber, amount: line, currency: 'PEN', ...details }
}

/** Lines of unknown guides; every tenth line is another charge of the previous guide. */
function linesOf(name: string, count: number) {
  return Array.from({ length: count }, (_, at) =>
    lineOf(at + 1, `${name}-${at % 10 === 9 ? at - 1 : at}`),
  )
}

async function stored(name: string, lines: ReturnType<typeof linesOf>) {
  invoices += 1
  const invoice = {
    id: `inv_${String(invoices).padStart(22, '0')}`,
    organizationId: request.organization_id,
    workspaceId: request.workspace_id,
    livemode: false,
    connectionId: request.courier_connection_id,
    reference: name,
    period: null,
    actor: { type: 'system', keyId: null } as const,
    requestId: 'req_0000000000000000000001',
  }
  return await storeInvoice(deps, invoice, { lines, invalid: [] }, async () => undefined)
}

async function stateOf(id: string) {
  const [row] = await query<{ state: string; compared_line: number }>(
    'SELECT state, compared_line FROM courier_invoices WHERE id = $1',
    [id],
  )
  return row
}

t.test(
  'lines compared by a dead process stay compared, and others continue after them',
  async (t) => {
    const { id } = await stored('killed', linesOf('killed', linesMax))
    const leased = await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID())
    t.equal(leased?.id, id)
    if (leased === null) return
    t.equal(
      await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID()),
      null,
      'it has one holder',
    )
    const some = await readLines(deps.db, leased, { after: 0, limit: 500 })
    await writeFindings(deps.db, leased, await compareLines(deps, leased, some), true)
    t.ok(await advanceInvoice(deps.db, leased, 500))
    // The process is killed here, and its lease ends.
    await query(`UPDATE courier_invoices SET leased_until = now() WHERE id = $1`, [id])
    // Marks the compared lines, which must not be compared again.
    await query(
      `UPDATE courier_invoice_lines SET finding = 'matched'
     WHERE invoice_id = $1 AND finding IS NOT NULL`,
      [id],
    )

    const stop = new AbortController()
    const running = [1, 2].map(() => runQueue(deps, [comparisons(deps)], stop.signal))
    await eventually(
      () => stateOf(id),
      (row) => row?.state === 'compared',
    )
    stop.abort()
    await Promise.all(running)
    t.notOk(await advanceInvoice(deps.db, leased, 600), "the dead process's lease no longer counts")
    const [version] = await query<{ totals: unknown }>(
      'SELECT totals FROM courier_invoice_versions WHERE invoice_id = $1',
      [id],
    )
    const [compared, left] = [linesOf('killed', 500), linesOf('killed', linesMax).slice(500)]
    const sumOf = (lines: ReturnType<typeof linesOf>) =>
      lines.reduce((all, { amount }) => all + amount, 0)
    const totalOf = (finding: string, lines: ReturnType<typeof linesOf>, atStake = 0) => ({
      kind: 'charge',
      finding,
      currency: 'PEN',
      lines: lines.length,
      amount: sumOf(lines),
      at_stake: atStake,
    })
    t.strictSame(version?.totals, [
      totalOf('matched', compared),
      totalOf(
        'part_of',
        left.filter(({ line }) => line % 10 === 9),
      ),
      totalOf(
        'unknown_guide',
        left.filter(({ line }) => line % 10 !== 9),
        sumOf(left),
      ),
    ])
  },
)

t.test(
  'an invoice withdrawn meanwhile is compared no further, and others start again',
  async (t) => {
    const wrong = await stored('wrong', linesOf('withdrawn', 10))
    const leased = await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID())
    const right = await stored('right', linesOf('withdrawn', 10))
    const other = await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID())
    t.match([leased?.id, other?.id].toSorted(), [wrong.id, right.id].toSorted())
    if (leased === null || other === null) return
    const about = { id: wrong.id, courier_connection_id: request.courier_connection_id }
    const acts: unknown[] = []
    const withdraw = () => withdrawInvoice(deps.db, about, async (before) => void acts.push(before))
    await withdraw()
    await withdraw()
    t.strictSame(acts, [{ version: 1, state: 'comparing' }], 'a repeat changes nothing')
    for (const each of [leased, other]) t.notOk(await advanceInvoice(deps.db, each, 10))
    t.match(await stateOf(wrong.id), { state: 'withdrawn' })
    t.match(await stateOf(right.id), { state: 'comparing', compared_line: 0 })
    const again = await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID())
    t.equal(again?.id, right.id)
    const rows = await readLines(deps.db, again!, { after: 0, limit: 100 })
    const compared = await compareLines(deps, again!, rows)
    t.strictSame(
      compared.map(({ finding }) => finding),
      [...Array(8).fill('unknown_guide'), 'part_of', 'unknown_guide'],
      'only lines of its own connection count as billed before',
    )
  },
)

t.test('a version that comes meanwhile is compared from its first line', async (t) => {
  const first = await stored('overtaken', linesOf('overtaken', 10))
  const leased = await claimByTurns<InvoiceRow>(deps.db, queueTables.invoices, randomUUID())
  if (leased === null) throw new Error('nothing is held')
  const second = await stored('overtaken', linesOf('overtaken', 11))
  t.strictSame(second, { id: first.id, isSame: false })
  t.notOk(await advanceInvoice(deps.db, leased, 10), 'the comparison of the former is over')
  t.strictSame(await stored('overtaken', linesOf('overtaken', 11)), { ...second, isSame: true })
  t.match(await stateOf(first.id), { state: 'comparing', compared_line: 0 })
})

t.test(
  'details are forgotten long after the import, and guides are recognized still',
  async (t) => {
    const { id } = await stored('old', [lineOf(1, 'OLD')])
    t.equal(await forgetInvoiceDetails(deps.db), 0, 'nothing is old')
    await query(
      `UPDATE courier_invoices SET imported_at = now() - $2 * interval '1 day' WHERE id = $1`,
      [id, detailsKeptDays + 1],
    )
    t.equal(await forgetInvoiceDetails(deps.db), 1)
    t.equal(await forgetInvoiceDetails(deps.db), 0)
    const [line] = await query('SELECT * FROM courier_invoice_lines WHERE invoice_id = $1', [id])
    t.match(line, { guide_number: 'OLD', amount: '1', details: null, note: null })
    const later = await stored('new', [lineOf(1, 'OLD')])
    const [row] = await deps.db
      .withTables<{ courier_invoices: Parameters<typeof compareLines>[1] }>()
      .selectFrom('courier_invoices')
      .selectAll()
      .where('id', '=', later.id)
      .execute()
    const rows = await readLines(deps.db, row!, { after: 0, limit: 10 })
    t.match(await compareLines(deps, row!, rows), [
      { finding: 'billed_twice', billedBefore: { courier_invoice_id: id, version: 1, line: 1 } },
    ])
    const again = await stored('old', [lineOf(1, 'OLD')])
    t.strictSame(again, { id, isSame: false }, 'its digest is forgotten too')
    const [renewed] = await deps.db
      .withTables<{ courier_invoices: Parameters<typeof compareLines>[1] }>()
      .selectFrom('courier_invoices')
      .selectAll()
      .where('id', '=', id)
      .execute()
    const sealer: InvoiceLineSealer | null = openInvoice(deps.invoiceSealer, renewed!)
    t.not(sealer, null, 'with a new key')
  },
)
