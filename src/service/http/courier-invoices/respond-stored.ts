import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { ConnectionRow } from '../../processes/connections/connection-to-api.ts'
import { invoiceToApi } from '../../processes/invoices/invoice-to-api.ts'
import { storeInvoice } from '../../processes/invoices/store-invoice.ts'
import { actorOf, type Principal } from '../../security/api-keys.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newInvoiceId } from '../new-ids.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate } from '../rules/idempotent-create.ts'
import { type InvoiceDeps, requireInvoice } from './find-invoice.ts'
import type { InvoiceContent } from './read-invoice.ts'

/** Lines of one organization in one mode that may wait to be compared: some minutes of work. */
const waitingLinesMax = 1_000_000
const waitSeconds = 60

type ImportTarget = {
  readonly caller: Caller
  readonly connection: Pick<ConnectionRow, 'id' | 'workspace_id'>
  /** The id of the invoice, if there is none with its reference. */
  readonly newId: string
}

type Stored = { readonly id: string; readonly isSame: boolean }

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/**
 * Stores an invoice once for each optional Idempotency-Key, and responds 202 with the invoice as it
 * is now.
 */
export async function respondStored(
  deps: InvoiceDeps,
  { request, reply }: Exchange,
  store: (newId: string) => Promise<Stored>,
) {
  const { principal } = authenticated(request)
  const create = async (newId: string) => {
    const { id, isSame } = await store(newId)
    if (isSame) reply.header('idempotent-replayed', 'true')
    return id
  }
  const read = (id: string) => requireInvoice(deps, principal, id)
  const row = await idempotentCreate(deps, { request, reply, newId: newInvoiceId, create, read })
  reply.code(202).header('location', `/v1/courier-invoices/${row.id}`)
  return invoiceToApi(row)
}

/** Stores an invoice, which is then compared. The same content again changes nothing (`isSame`). */
export async function storeImportedInvoice(
  deps: InvoiceDeps,
  { caller, connection, newId }: ImportTarget,
  { reference, period, ...content }: InvoiceContent,
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
  const stored = await storeInvoice(deps, invoice, content, (made) =>
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
  if (!stored.isSame) deps.workAdded.notify()
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
