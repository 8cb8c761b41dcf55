import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { questionedFindings } from '../../domain/invoices/finding.ts'
import { findInvoices, invoiceToApi } from '../../processes/invoices/invoice-to-api.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { filterText, listOf, listQuery, time } from '../openapi/schemas.ts'
import { answerList, newestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import { equals, filter, findNamed, parametersOf } from '../rules/filters.ts'
import type { InvoiceDeps } from './find-invoice.ts'
import { invoiceSchema } from './invoice-schema.ts'

const filters = {
  courier_connection_id: named.courier_connection_id,
  reference: equals(
    filterText(255).meta({ description: 'Only invoices with exactly this reference.' }),
    'reference',
  ),
  undecided: filter(
    z.enum(['true', 'false']).meta({
      description:
        'Whether a line of its newest version needs a decision and has none. Withdrawn invoices need none.',
    }),
    (value) => {
      const hasUndecided = sql`(courier_invoices.state <> 'withdrawn' AND EXISTS (
        SELECT FROM courier_invoice_lines l
        WHERE l.invoice_id = courier_invoices.id AND l.version = courier_invoices.version
          AND l.organization_id = courier_invoices.organization_id
          AND l.finding IN (${sql.join(questionedFindings)}) AND l.decision IS NULL))`
      return value === 'true' ? sql<SqlBool>`${hasUndecided}` : sql<SqlBool>`NOT ${hasUndecided}`
    },
  ),
}

export function listCourierInvoicesRoute(app: App, deps: InvoiceDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'listCourierInvoices',
      summary: "List couriers' invoices, newest first",
      description:
        'Each invoice has the totals of its findings. It is listed once, whatever the number of its versions.',
      tags: ['Courier invoices'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(invoiceSchema, 'A page of invoices, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(filters, query, deps, principal)
      return await answerList(request, deps, {
        read: async (place) => {
          const rows = await deps.db
            .selectFrom('courier_invoices')
            .select('id')
            .where(inTenantScope(principal))
            .$call(newestFirst(filters, query, place))
            .execute()
          const ids = rows.map(({ id }) => id)
          return await findInvoices(deps.db, principal.organizationId, ids)
        },
        sortKey: (row) => [time(row.created_at), row.id],
        show: (rows) => rows.map(invoiceToApi),
      })
    },
  })
}
