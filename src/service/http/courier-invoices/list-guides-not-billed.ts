import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { expectedFor, expectedOf } from '../../domain/invoices/finding.ts'
import { type LineKind, lineKinds } from '../../domain/invoices/line-kind.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import { withStates } from '../../event-store/transact.ts'
import { expectedToApi } from '../../processes/invoices/compare-lines.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import type { ProcessServices } from '../../processes/process-services.ts'
import { offsetTo, readClock } from '../../processes/sandbox/workspace-clock.ts'
import type { App } from '../api-services.ts'
import { idOf, listOf, listQuery, pathId, time, timestamp, typeOf } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { requireColumn } from '../rules/filters.ts'
import type { PagePlace } from '../rules/lists.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { expectedSchema, kindSchema } from './invoice-schema.ts'

const dayMs = 24 * 60 * 60_000

const unbilledGuideSchema = z
  .object({
    object: typeOf('unbilled_guide'),
    guide_number: z.string().meta({
      description: 'The number of a guide that the courier has not billed.',
      example: '100000000002',
    }),
    shipment_id: idOf('shp').meta({ description: 'The shipment that has the guide.' }),
    status: z.string().meta({
      description: 'The `status` of the shipment. A `cancelled` one need not be billed.',
      example: 'created',
    }),
    kind: kindSchema,
    expected: expectedSchema.meta({ description: 'The amount that the ledger expects.' }),
    created_at: timestamp.meta({ description: 'When the shipment was requested.' }),
  })
  .meta({ id: 'UnbilledGuide', description: 'A guide that no invoice of its connection bills.' })

type Row = {
  readonly shipment_id: string
  readonly version: number
  readonly guide_number: string
  readonly status: string
  readonly created_at: Date
}

export function listGuidesNotBilledRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/not-billed',
    config: { resource: invoice },
    schema: {
      operationId: 'listGuidesNotBilled',
      summary: "List guides of the invoice's period that no invoice bills, oldest first",
      description:
        "Guides of the connection's shipments that were requested in the period, on the clock of their workspace, and that no invoice of the connection bills. Of each invoice only the newest version counts, and withdrawn invoices do not.",
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: listQuery({
        kind: z.enum(lineKinds).optional().meta({
          description:
            '`charge`, the default: guides that no invoice bills. `cash_on_delivery`: delivered parcels whose cash no invoice pays out.',
        }),
      }),
      response: { 200: listOf(unbilledGuideSchema, 'A page of guides, oldest first.') },
    },
    handler: async (request) => {
      const row = invoice.of(request)
      const { kind = 'charge' } = request.query
      if (kind === 'cash_on_delivery') {
        await requireColumn(deps, ['projections.shipments', 'collects_cash'])
      }
      return await answerList(request, deps, {
        read: (place) => readNotBilled(deps, { invoice: row, kind }, place),
        sortKey: ({ created_at: at, shipment_id: id }) => [time(at), id],
        show: async (rows) =>
          (await withStates(deps.store, rows)).map((each) => guideObject(each, kind)),
      })
    },
  })
}

function guideObject({ state, ...row }: Row & { readonly state: Shipment }, kind: LineKind) {
  const { cash_on_delivery: cashOnDelivery = null } = state.request
  const expected = expectedFor(kind, { expected: expectedOf(state), cashOnDelivery }, '')
  return {
    object: 'unbilled_guide' as const,
    guide_number: row.guide_number,
    shipment_id: row.shipment_id,
    status: row.status,
    kind,
    expected: expectedToApi(expected),
    created_at: time(row.created_at),
  }
}

async function readNotBilled(
  { db }: InvoiceDeps,
  { invoice, kind }: { readonly invoice: ReadInvoice; readonly kind: LineKind },
  { after, limit }: PagePlace,
): Promise<readonly Row[]> {
  const { from, before } = await boundsOf({ db }, invoice)
  const [at, id] = after ?? [from.toISOString(), '']
  const isDue =
    kind === 'charge'
      ? sql<SqlBool>`true`
      : sql<SqlBool>`s.collects_cash AND s.tracking_status = 'delivered'`
  const { rows } = await sql<Row>`
    SELECT s.shipment_id, s.version, s.guide_number, s.status, s.created_at
    FROM projections.shipments s
    WHERE s.courier_connection_id = ${invoice.courier_connection_id}
      AND s.organization_id = ${invoice.organization_id} AND s.livemode = ${invoice.livemode}
      AND s.guide_number IS NOT NULL AND s.created_at < ${before} AND ${isDue}
      AND (s.created_at, s.shipment_id) > (${at}::timestamptz, ${id})
      AND NOT EXISTS (
        SELECT FROM courier_invoice_lines l
        JOIN courier_invoices i ON i.id = l.invoice_id AND i.version = l.version
          AND i.state <> 'withdrawn'
        WHERE l.courier_connection_id = s.courier_connection_id
          AND l.guide_number = s.guide_number AND l.kind = ${kind}
          -- Of two shipments with one number, a line bills the one that it was given to.
          AND (l.shipment_id IS NULL OR l.shipment_id = s.shipment_id OR NOT EXISTS (
            SELECT FROM projections.shipments other
            WHERE other.organization_id = s.organization_id AND other.livemode = s.livemode
              AND other.guide_number = s.guide_number
              AND other.courier_connection_id = s.courier_connection_id
              AND other.shipment_id <> s.shipment_id)))
    ORDER BY s.created_at, s.shipment_id LIMIT ${limit}`.execute(db)
  return rows
}

/**
 * The bounds of the period on the workspace's clock; the day of its end is included. Without a
 * period, everything until the import. Nothing was shipped before 1970, and the database cannot
 * read every year.
 */
async function boundsOf({ db }: Pick<ProcessServices, 'db'>, invoice: ReadInvoice) {
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
