import { z } from 'zod'
import type { CourierFailure } from '../../couriers/courier.ts'
import { notBilledCode } from '../../couriers/protocol-codes.ts'
import { billedMonth } from '../../domain/invoices/billed-month.ts'
import { Problem } from '../../errors.ts'
import { FairSemaphore } from '../../fair-semaphore.ts'
import type { ConnectionRow } from '../../processes/connections/connection-to-api.ts'
import { placeOf } from '../../processes/connections/courier-accounts.ts'
import { fetchInvoice } from '../../processes/invoices/fetch-invoice.ts'
import { findInvoices } from '../../processes/invoices/invoice-to-api.ts'
import type { App } from '../api-services.ts'
import { connections } from '../connections/connection-schema.ts'
import { exampleFetchRequest } from '../openapi/invoice-examples.ts'
import { idOf } from '../openapi/schemas.ts'
import { courierFailed } from '../problems/courier-failed.ts'
import { authenticated } from '../rules/authenticate.ts'
import { withLock } from '../rules/with-lock.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'
import { respondStored, storeImportedInvoice } from './respond-stored.ts'

/** Invoices that a process fetches at once: each may take some tens of megabytes. */
const fetchLimits = {
  atOnceMax: 3,
  ofOrganizationMax: 1,
  waitingMax: 32,
  /** Other requests of the organization wait for its lease. */
  ofOrganizationWaitingMax: 1,
  waitMs: 10_000,
} as const
/** A courier bills a month once, mostly days after its end. */
const notReadyRetrySeconds = 3_600

const fetchRequest = z
  .strictObject({
    courier_connection_id: idOf('ccn').meta({
      description: 'The connection whose courier is asked. It may be disabled.',
    }),
    month: z
      .string()
      .regex(/^[0-9]{4}-(0[1-9]|1[0-2])$/, { error: 'Expected a month such as 2026-02.' })
      .meta({
        description: 'A calendar month in UTC, which becomes the period of the invoice.',
        example: exampleFetchRequest.month,
      }),
  })
  .meta({ description: 'The month to fetch.', examples: [exampleFetchRequest] })

export function fetchCourierInvoiceRoute(app: App, deps: InvoiceDeps): void {
  const ofOrganization = inTurn(deps)
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/fetch',
    config: {
      collectionScope: 'operations:review',
      isIdempotent: true,
      problems: [
        'not_found',
        'invoice_not_ready',
        'courier_rejected',
        'courier_not_available',
        'connection_needs_reauth',
        'courier_unreachable',
        'courier_throttled',
      ],
    },
    schema: {
      operationId: 'fetchCourierInvoice',
      summary: 'Fetch the invoice of a month from the courier, to compare it with the ledger',
      description:
        'For couriers whose `capabilities.invoices` is `true`; for others the response is 422 `validation_failed` with `no_invoices`. The invoice is stored as if you had imported it, under the reference that the courier gives it. Fetching the month again with the same lines, in any order, returns the same invoice; other lines become its next version, which keeps the decisions of the lines that did not change. 409 `invoice_not_ready`: there is no invoice for the month, or not yet. An organization fetches one invoice at a time; other requests wait.',
      tags: ['Courier invoices'],
      body: fetchRequest,
      response: {
        202: invoiceSchema.meta({ description: 'The invoice. Its lines are being compared.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal, requestId } = caller
      const { organizationId } = principal
      const { courier_connection_id: connectionId, month } = request.body
      const connection = await connections.find(deps, principal, connectionId)
      return await respondStored(deps, { request, reply }, async (newId) => {
        const [made] = await findInvoices(deps.db, organizationId, [newId])
        if (made !== undefined) return { id: made.id, isSame: false }
        return await ofOrganization(organizationId, async () => {
          const content = await contentOf(deps, connection, month, requestId)
          return await storeImportedInvoice(deps, { caller, connection, newId }, content)
        })
      })
    },
  })
}

/**
 * Runs one work of an organization at a time, and few at once in all, in turn. Throws `overloaded`.
 */
function inTurn({ db }: Pick<InvoiceDeps, 'db'>) {
  const busy = () =>
    new Problem('overloaded', {
      detail: 'Other invoices are being fetched.',
      retryAfterSeconds: 1,
    })
  const semaphore = new FairSemaphore(fetchLimits, busy)
  return <T>(organizationId: string, work: () => Promise<T>): Promise<T> =>
    withLock(db, ['fetch-invoice', organizationId], () => semaphore.run(organizationId, work), busy)
}

async function contentOf(
  deps: InvoiceDeps,
  connection: ConnectionRow,
  month: string,
  requestId: string,
) {
  const asked = { connection: placeOf(connection), month, requestId }
  const fetched = await fetchInvoice(deps, asked)
  if (fetched.kind === 'failed') throw fetchFailed(fetched.failure)
  const { reference, lines } = fetched
  if (lines.length === 0) throw notReady()
  const { from, to } = billedMonth(month)
  return { reference, period: { from, to }, lines, invalid: [] }
}

function fetchFailed(failure: CourierFailure): Problem {
  const isNotBilled = failure.kind === 'rejected' && failure.code === notBilledCode
  return isNotBilled ? notReady() : courierFailed(failure)
}

function notReady(): Problem {
  return new Problem('invoice_not_ready', { retryAfterSeconds: notReadyRetrySeconds })
}
