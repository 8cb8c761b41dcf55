import { sql } from 'kysely'
import { expectedOf } from '../../domain/invoices/finding.ts'
import { withStates } from '../../event-store/transact.ts'
import { shownExpected } from '../../processes/invoices/compare-lines.ts'
import type { ReadInvoice } from '../../processes/invoices/shown-invoice.ts'
import type { ProcessDeps } from '../../processes/process-deps.ts'
import { offsetTo, readClock } from '../../processes/sandbox/workspace-clock.ts'
import { listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { App } from '../server-deps.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { unbilledGuideSchema } from './invoice-schema.ts'

const dayMs = 24 * 60 * 60_000

type Row = {
  readonly shipment_id: string
  readonly version: number
  readonly guide_number: string
  readonly status: string
  readonly created_at: Date
}

export function notBilledRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/not-billed',
    config: { resource: invoice },
    schema: {
      operationId: 'listGuidesNotBilled',
      summary: "List guides of the invoice's period that no invoice bills, oldest first",
      description:
        "Guides of the connection's shipments that were requested in the period, on the clock of their workspace, and that the newest version of none of the connection's invoices bills, withdrawn ones left out.",
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: listQuery({}),
      response: { 200: listOf(unbilledGuideSchema, 'A page of guides, oldest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const row = invoice.of(request)
      const page = await listPage({
        deps,
        principal,
        route: `/v1/courier-invoices/${row.id}/not-billed`,
        query: request.query,
        read: ({ after, limit }) => readNotBilled(deps, row, { after, limit }),
        sortKey: ({ created_at: at, shipment_id: id }) => [time(at), id],
        item: (each) => each,
      })
      const folded = await withStates(deps.store, page.data)
      return {
        ...page,
        data: folded.map(({ state, ...each }) => ({
          object: 'unbilled_guide' as const,
          guide_number: each.guide_number,
          shipment_id: each.shipment_id,
          status: each.status,
          expected: shownExpected(expectedOf(state)),
          created_at: time(each.created_at),
        })),
      }
    },
  })
}

async function readNotBilled(
  { processes }: InvoiceDeps,
  invoice: ReadInvoice,
  { after, limit }: { readonly after: readonly string[] | null; readonly limit: number },
): Promise<readonly Row[]> {
  const { from, before } = await boundsOf(processes, invoice)
  const [at, id] = after ?? [from.toISOString(), '']
  const { rows } = await sql<Row>`
    SELECT s.shipment_id, s.version, s.guide_number, s.status, s.created_at
    FROM projections.shipments s
    WHERE s.courier_connection_id = ${invoice.courier_connection_id}
      AND s.organization_id = ${invoice.organization_id} AND s.livemode = ${invoice.livemode}
      AND s.guide_number IS NOT NULL AND s.created_at < ${before}
      AND (s.created_at, s.shipment_id) > (${at}::timestamptz, ${id})
      AND NOT EXISTS (
        SELECT FROM courier_invoice_lines l
        JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
          AND i.state <> 'withdrawn'
        WHERE l.courier_connection_id = s.courier_connection_id
          AND l.guide_number = s.guide_number
          -- Of two shipments with one number, a line bills the one that it was given to.
          AND (l.shipment_id IS NULL OR l.shipment_id = s.shipment_id OR NOT EXISTS (
            SELECT FROM projections.shipments other
            WHERE other.organization_id = s.organization_id AND other.livemode = s.livemode
              AND other.guide_number = s.guide_number
              AND other.courier_connection_id = s.courier_connection_id
              AND other.shipment_id <> s.shipment_id)))
    ORDER BY s.created_at, s.shipment_id LIMIT ${limit}`.execute(processes.db)
  return rows
}

/**
 * The period's moments on the workspace's clock: a day as its end is included. Without a period, all
 * until the import. Before 1970 nothing was shipped, and the database does not read every year.
 */
async function boundsOf({ db }: Pick<ProcessDeps, 'db'>, invoice: ReadInvoice) {
  const { period_from, period_to, workspace_id: workspaceId, livemode } = invoice
  if (period_from === null || period_to === null) {
    const { now } = await readClock(db, { workspaceId, livemode })
    return { from: new Date(0), before: new Date(invoice.imported_at.getTime() + offsetTo(now)) }
  }
  const isDay = !period_to.includes('T')
  return {
    from: new Date(Math.max(0, Date.parse(period_from))),
    before: new Date(Math.max(0, Date.parse(period_to) + (isDay ? dayMs : 0))),
  }
}
