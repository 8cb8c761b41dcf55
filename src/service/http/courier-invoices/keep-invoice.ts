import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { ConnectionRow } from '../../processes/connections/shown-connection.ts'
import { shownInvoice } from '../../processes/invoices/shown-invoice.ts'
import { storeInvoice } from '../../processes/invoices/store-invoice.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newInvoiceId } from '../new-ids.ts'
import { authenticated } from '../rules/authenticate.ts'
import { once } from '../rules/once.ts'
import { type InvoiceDeps, requireInvoice } from './find-invoice.ts'
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

type Stored = { readonly id: string; readonly isSame: boolean }

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Keeps an invoice once for each optional Idempotency-Key, and answers 202 with it as it is now. */
export async function answerWithKept(
  deps: InvoiceDeps,
  { request, reply }: Exchange,
  keep: (newId: string) => Promise<Stored>,
) {
  const { principal } = authenticated(request)
  const make = async (newId: string) => {
    const { id, isSame } = await keep(newId)
    if (isSame) reply.header('idempotent-replayed', 'true')
    return id
  }
  const read = (id: string) => requireInvoice(deps, principal, id)
  const row = await once(deps, { request, reply, newId: newInvoiceId, make, read })
  reply.code(202).header('location', `/v1/courier-invoices/${row.id}`)
  return shownInvoice(row)
}

/** Stores an invoice and has it compared. The same content again changes nothing (`isSame`). */
export async function keepInvoice(
  deps: InvoiceDeps,
  { caller, connection, newId }: Kept,
  { reference, period, lines }: InvoiceContent,
): Promise<Stored> {
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
