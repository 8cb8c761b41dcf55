import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import { storeInvoice } from '../../processes/invoices/store-invoice.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import type { ConnectionRow } from '../connections/connection-schema.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import type { InvoiceContent } from './read-invoice.ts'

/** Lines of an organization that wait to be compared in one mode: some minutes of work. */
const waitingLinesMax = 1_000_000
const waitSeconds = 60

type Kept = {
  readonly caller: Caller
  readonly connection: Pick<ConnectionRow, 'id' | 'workspace_id'>
  /** The invoice's, if there is none with its reference. */
  readonly newId: string
}

/** Stores an invoice and has it compared. The same content again changes nothing (`isSame`). */
export async function keepInvoice(
  deps: InvoiceDeps,
  { caller, connection, newId }: Kept,
  { reference, period, lines }: InvoiceContent,
): Promise<{ readonly id: string; readonly isSame: boolean }> {
  const { principal, requestId } = caller
  await refuseTooMany(deps, principal)
  const invoice = {
    id: newId,
    organizationId: principal.organizationId,
    workspaceId: connection.workspace_id,
    livemode: principal.livemode,
    connectionId: connection.id,
    reference,
    period,
    actor: actorOf(principal),
    requestId,
  }
  const stored = await storeInvoice(deps.processes, invoice, lines, (made) =>
    auditAct(deps, caller, connection.workspace_id, {
      type: 'CourierInvoiceImported',
      data: {
        courier_invoice_id: made.invoiceId,
        courier_connection_id: connection.id,
        version: made.version,
        lines: made.lines,
      },
    }),
  )
  if (!stored.isSame) deps.processes.invoiceBell.ring()
  return stored
}

async function refuseTooMany({ db }: InvoiceDeps, principal: Principal): Promise<void> {
  const { organizationId, livemode } = principal
  const { waiting } = await db
    .selectFrom('courier_invoices as i')
    .innerJoin('courier_invoice_versions as v', (join) =>
      join.onRef('v.invoice_id', '=', 'i.id').onRef('v.version', '=', 'i.version'),
    )
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>('v.total'), sql<string>`0`).as('waiting'))
    .where('i.organization_id', '=', organizationId)
    .where('i.livemode', '=', livemode)
    .where('i.state', '=', 'comparing')
    .executeTakeFirstOrThrow()
  if (Number(waiting) < waitingLinesMax) return
  throw new Problem('rate_limited', {
    detail: `${waitingLinesMax.toLocaleString('en')} lines of invoices wait to be compared. Nothing was stored; send it again later.`,
    retryAfterSeconds: waitSeconds,
  })
}
