import { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { decideLine } from '../../processes/invoices/decide-line.ts'
import type { ReadInvoice } from '../../processes/invoices/shown-invoice.ts'
import { auditAct } from '../audit-act.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { decidedBy } from '../operations/decided-by.ts'
import { authenticated } from '../rules/authenticate.ts'
import { listPage } from '../rules/lists.ts'
import type { App } from '../server-deps.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { decisionBody, invoiceLineSchema } from './invoice-schema.ts'
import { lineCsv, lineCsvHeader } from './line-csv.ts'
import { chosenBy, lineNumber, lineParameters } from './line-filters.ts'
import { readShownLines, shownLines } from './shown-lines.ts'

const tags = ['Courier invoices']
/** Lines of a CSV that are written in one go: a few milliseconds. */
const writtenTogether = 250

export function invoiceLineRoutes(app: App, deps: InvoiceDeps): void {
  linesRoute(app, deps)
  csvRoute(app, deps)
  decisionRoute(app, deps)
}

function linesRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/lines',
    config: { resource: invoice },
    schema: {
      operationId: 'listCourierInvoiceLines',
      summary: 'List the lines of an invoice in their order, with what was found',
      description:
        'For what needs a person, filter by `finding` and `decided=false`. Lines of earlier versions keep the findings and decisions that they had.',
      tags,
      params: pathId('inv'),
      querystring: listQuery(lineParameters),
      response: { 200: listOf(invoiceLineSchema, 'A page of lines, in their order.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const row = invoice.of(request)
      const { query } = request
      const chosen = chosenBy(row, query)
      const page = await listPage({
        deps,
        principal,
        route: `/v1/courier-invoices/${row.id}/lines`,
        query,
        read: ({ after, limit }) =>
          readShownLines(deps, row, { ...chosen, after: Number(after?.[0] ?? 0), limit }),
        sortKey: ({ line }) => [String(line)],
        item: (line) => line,
      })
      return { ...page, data: await shownLines(deps, row, page.data) }
    },
  })
}

function csvRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/lines.csv',
    // HEAD would read all lines.
    exposeHeadRoute: false,
    config: { resource: invoice, produces: 'text/csv' },
    schema: {
      operationId: 'downloadCourierInvoiceLines',
      summary: 'Download the lines of an invoice as CSV',
      description:
        'In UTF-8 with commas, amounts in minor units. A cell that a spreadsheet would run as a formula begins with an apostrophe.',
      tags,
      params: pathId('inv'),
      querystring: z.strictObject(lineParameters),
      response: {
        200: {
          description: 'The file: a header, then a row for each line.',
          content: {
            'text/csv': {
              schema: z.unknown().meta({ type: 'string', description: 'Comma-separated rows.' }),
            },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const row = invoice.of(request)
      const chosen = chosenBy(row, request.query)
      reply
        .header('content-disposition', `attachment; filename="courier-invoice-${row.id}.csv"`)
        .type('text/csv; charset=utf-8')
      return reply.send(Readable.from(csvOf(deps, row, chosen)))
    },
  })
}

async function* csvOf(
  deps: InvoiceDeps,
  invoice: ReadInvoice,
  chosen: ReturnType<typeof chosenBy>,
): AsyncGenerator<string> {
  yield lineCsvHeader
  for (let after = 0; ; ) {
    const rows = await readShownLines(deps, invoice, { ...chosen, after, limit: writtenTogether })
    const last = rows.at(-1)
    if (last === undefined) return
    yield lineCsv(await shownLines(deps, invoice, rows))
    after = last.line
  }
}

const lineParams = pathId('inv').extend({
  line: lineNumber.meta({
    description: 'The `line` of the line. One that the newest version does not have is 404.',
    example: '1',
  }),
})

function decisionRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url: '/v1/courier-invoices/:id/lines/:line/decision',
    config: {
      resource: invoice,
      whileSuspended: true,
      problems: ['invoice_comparing', 'invoice_line_changed', 'invoice_withdrawn'],
    },
    schema: {
      operationId: 'decideCourierInvoiceLine',
      summary: "Accept or dispute a line's finding",
      description:
        'For a line of the newest version that was compared. A later decision replaces it; the audit keeps both. With `seen` it is decided only if it is still as you read it. The same decision with the same note about the same finding again changes nothing. A new version of the invoice keeps the decisions of the lines that did not change.',
      tags,
      params: lineParams,
      body: decisionBody,
      response: { 200: invoiceLineSchema.meta({ description: 'The line, as it was decided.' }) },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { id, workspace_id: workspaceId } = invoice.of(request)
      const { decision, note, decided_by: named, seen = null } = request.body
      const line = Number(request.params.line)
      const requested = {
        line,
        decision,
        note,
        decidedBy: decidedBy(principal, named),
        operatorId: principal.operatorId,
        seen:
          seen === null
            ? null
            : { version: seen.version, finding: seen.finding, decidedAt: seen.decided_at },
      }
      await decideLine(deps.processes, id, requested, ({ version, finding, before }) =>
        auditAct(deps, caller, workspaceId, {
          type: 'CourierInvoiceLineDecided',
          data: { courier_invoice_id: id, version, line, finding, before, decision },
        }),
      )
      const now = await requireInvoice(deps, principal, id)
      const rows = await readShownLines(deps, now, {
        version: now.version,
        after: line - 1,
        limit: 1,
        where: sql<SqlBool>`line = ${line}`,
      })
      const [shown] = await shownLines(deps, now, rows)
      if (shown === undefined) throw new Problem('not_found')
      return shown
    },
  })
}
