import { invoiceLinesMax } from '../../domain/invoices/invoice-limits.ts'
import { Problem } from '../../errors.ts'
import { compareAgain } from '../../processes/invoices/invoice-lease.ts'
import { findInvoices, shownInvoice } from '../../processes/invoices/shown-invoice.ts'
import { detailsKeptDays } from '../../processes/invoices/store-invoice.ts'
import { withinReach } from '../../security/reach.ts'
import { csv } from '../batches/lines/text-bodies.ts'
import { connections } from '../connections/connection-schema.ts'
import { named } from '../named-filters.ts'
import { filterText, listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { equals, findNamed, matching, olderThan, parametersOf } from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import type { App } from '../server-deps.ts'
import { fetchRoute } from './fetch-route.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { invoiceBodies } from './invoice-bodies.ts'
import { invoiceEvidenceRoute } from './invoice-evidence-route.ts'
import { invoiceLineRoutes } from './invoice-line-routes.ts'
import { invoiceQuery, invoiceRequest, invoiceSchema, jsonLinesMax } from './invoice-schema.ts'
import { answerWithKept, keepInvoice } from './keep-invoice.ts'
import { notBilledRoute } from './not-billed-route.ts'
import { readInvoiceBody } from './read-invoice.ts'
import { withdrawInvoiceRoute } from './withdraw-invoice-route.ts'

const tags = ['Courier invoices']

export function courierInvoiceRoutes(app: App, deps: InvoiceDeps): void {
  app.register(async (scope) => importRoute(invoiceBodies(scope as App), deps))
  // Registered after it, as the document lists them.
  app.register(async (scope) => otherRoutes(scope as App, deps))
}

function otherRoutes(app: App, deps: InvoiceDeps): void {
  fetchRoute(app, deps)
  readRoutes(app, deps)
  compareRoute(app, deps)
  withdrawInvoiceRoute(app, deps)
  invoiceLineRoutes(app, deps)
  invoiceEvidenceRoute(app, deps)
  notBilledRoute(app, deps)
}

function importRoute(app: App, deps: InvoiceDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices',
    config: { collectionScope: 'operations:review', isOnce: true, problems: ['not_found'] },
    schema: {
      operationId: 'createCourierInvoice',
      summary: "Import a courier's invoice, to compare it with the ledger",
      description: `At most ${jsonLinesMax.toLocaleString('en')} lines as JSON, or ${invoiceLinesMax.toLocaleString('en')} as CSV (\`text/csv\`) in at most 16 MiB; CSV has the connection, reference and period in the query. The answer comes before the lines are compared: read the invoice until its \`status\` is \`compared\`. The same lines and period again under the same connection and reference are the same invoice (\`Idempotent-Replayed: true\`); other content is its next version, and both are kept. An invoice with a wrong line is refused, and the errors name the lines. A line for an attempt that is concluded to have made nothing starts a look at once: a guide contradicts the conclusion. Weights, dates, references and notes are kept for ${detailsKeptDays} days, everything else without an end, so that a guide is recognized that is billed again years later.`,
      tags,
      querystring: invoiceQuery,
      consumes: ['application/json', csv],
      body: invoiceRequest,
      response: {
        202: invoiceSchema.meta({ description: 'The invoice, whose lines are being compared.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { principal } = caller
      const read = await readInvoiceBody(request)
      const connection = await connections.find(deps, principal, read.connectionId)
      return await answerWithKept(deps, { request, reply }, (newId) =>
        keepInvoice(deps, { caller, connection, newId }, read),
      )
    },
  })
}

const filters = {
  courier_connection_id: named.courier_connection_id,
  reference: equals(
    filterText(255).meta({ description: 'Only invoices with exactly this reference.' }),
    'reference',
  ),
}

function readRoutes(app: App, deps: InvoiceDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'listCourierInvoices',
      summary: "List couriers' invoices, newest first",
      description:
        'With the totals of what was found. An invoice is listed once, not its versions.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(invoiceSchema, 'A page of invoices, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return await listPage({
        deps,
        principal,
        route: '/v1/courier-invoices',
        query,
        read: async ({ after, limit }) => {
          const rows = await deps.db
            .selectFrom('courier_invoices')
            .select('id')
            .where(withinReach(principal))
            .where(matching(filters, query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute()
          const ids = rows.map(({ id }) => id)
          return await findInvoices(deps.processes.db, principal.organizationId, ids)
        },
        sortKey: (row) => [time(row.created_at), row.id],
        item: shownInvoice,
      })
    },
  })
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id',
    config: { resource: invoice, isVersioned: true },
    schema: {
      operationId: 'getCourierInvoice',
      summary: "Read a courier's invoice, with the totals of what was found",
      description:
        'Totals change when a line without a final finding is compared again, which happens within seconds of a change of its shipment.',
      tags,
      params: pathId('inv'),
      response: { 200: invoiceSchema.meta({ description: 'The invoice as it is now.' }) },
    },
    handler: async (request) => shownInvoice(invoice.of(request)),
  })
}

function compareRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/:id/compare',
    config: { resource: invoice, whileSuspended: true, problems: ['invoice_withdrawn'] },
    schema: {
      operationId: 'compareCourierInvoice',
      summary: 'Compare an invoice with the ledger again',
      description:
        'Use it after a shipment or another invoice has changed. Attempts that made nothing are looked at again. Decisions stay. An invoice that is being compared goes on.',
      tags,
      params: pathId('inv'),
      response: {
        202: invoiceSchema.meta({ description: 'The invoice, which is being compared.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      const { id, state } = invoice.of(request)
      if (state === 'withdrawn') throw new Problem('invoice_withdrawn')
      await compareAgain(deps.processes.db, id)
      deps.processes.invoiceBell.ring()
      reply.code(202)
      return shownInvoice(await requireInvoice(deps, principal, id))
    },
  })
}
