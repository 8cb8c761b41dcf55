import { sql } from 'kysely'
import { z } from 'zod'
import { openInvalidLine } from '../../processes/invoices/invalid-lines.ts'
import type { ReadInvoice } from '../../processes/invoices/invoice-to-api.ts'
import { openInvoice } from '../../processes/invoices/store-invoice.ts'
import type { App } from '../api-services.ts'
import { listOf, listQuery, pathId, typeOf } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import type { PagePlace } from '../rules/lists.ts'
import { sheetErrorSchema } from '../rules/sheets/sheet-check.ts'
import { type InvoiceDeps, invoiceResource } from './find-invoice.ts'
import { chosenBy, lineParameters } from './line-filters.ts'

const invalidLineSchema = z
  .object({
    object: typeOf('invalid_invoice_line'),
    line: z.int().meta({
      description: 'Its position, numbered together with the lines that are compared.',
      example: 3,
    }),
    guide_number: z.string().nullable().meta({
      description: 'The guide that it names. `null` if it cannot be read.',
      example: '100000000002',
    }),
    text: z.string().nullable().meta({
      description:
        'The line as it was sent: for CSV a row with commas, otherwise JSON. `null` if it is no longer kept.',
      example: '100000000002,#N/A,PEN',
    }),
    errors: z
      .array(
        sheetErrorSchema
          .pick({ column: true, pointer: true, value: true, reason: true, detail: true })
          .meta({ id: 'InvalidInvoiceLineError', description: 'What is wrong with the line.' }),
      )
      .meta({ description: 'What is wrong with it. Empty if it is no longer kept.' }),
  })
  .meta({
    id: 'InvalidInvoiceLine',
    description: 'A line of an invoice that was skipped because it is wrong.',
  })

type Row = {
  readonly version: number
  readonly line: number
  readonly guide_number: string | null
  readonly content: Buffer | null
}

export function listInvalidInvoiceLinesRoute(app: App, deps: InvoiceDeps): void {
  const invoice = invoiceResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/courier-invoices/:id/invalid-lines',
    config: { resource: invoice },
    schema: {
      operationId: 'listInvalidInvoiceLines',
      summary: 'List the lines of an invoice that were skipped because they are wrong, in order',
      description:
        'Only an import with `skip_invalid=true` has such lines. They bill nothing: they are in no total, finding, list of what was not billed, evidence or claim. To have them compared, correct them in the file and send the whole file again: it becomes the next version of the invoice.',
      tags: ['Courier invoices'],
      params: pathId('inv'),
      querystring: listQuery({ version: lineParameters.version }),
      response: { 200: listOf(invalidLineSchema, 'A page of lines, in order.') },
    },
    handler: async (request) => {
      const row = invoice.of(request)
      const { version } = chosenBy(row, { version: request.query.version })
      return await answerList(request, deps, {
        read: (place) => readInvalidLines(deps, row, version, place),
        sortKey: ({ line }) => [String(line)],
        show: async (lines) => {
          const sealer = openInvoice(deps.invoiceSealer, row)
          return lines.map((line) => {
            const { text = null, errors = [] } = openInvalidLine(sealer, line) ?? {}
            return {
              object: 'invalid_invoice_line' as const,
              line: line.line,
              guide_number: line.guide_number,
              text,
              errors: [...errors],
            }
          })
        },
      })
    },
  })
}

async function readInvalidLines(
  { db }: Pick<InvoiceDeps, 'db'>,
  { id, organization_id: organizationId }: ReadInvoice,
  version: number,
  { after, limit }: PagePlace,
): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`
    SELECT version, line, guide_number, content FROM courier_invoice_invalid_lines
    WHERE invoice_id = ${id} AND organization_id = ${organizationId} AND version = ${version}
      AND line > ${Number(after?.[0] ?? 0)}
    ORDER BY line LIMIT ${limit}`.execute(db)
  return rows
}
