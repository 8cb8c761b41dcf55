import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { findings } from '../../domain/invoices/finding.ts'
import { Problem } from '../../errors.ts'
import { decideLine } from '../../processes/invoices/decide-line.ts'
import { decisions } from '../../processes/invoices/invoice-to-api.ts'
import type { App } from '../api-services.ts'
import { auditAct } from '../audit-act.ts'
import { exampleInvoiceLineDecision } from '../openapi/invoice-examples.ts'
import { noteLengthMax, pathId, text, valuesText } from '../openapi/schemas.ts'
import { decidedBy } from '../operations/operation-act.ts'
import { authenticated } from '../rules/authenticate.ts'
import { type InvoiceDeps, invoiceResource, requireInvoice } from './find-invoice.ts'
import { invoiceLinesToApi, readLineRows } from './invoice-lines-to-api.ts'
import { invoiceLineSchema } from './invoice-schema.ts'
import { lineNumber } from './line-filters.ts'

const lineParams = pathId('inv').extend({
  line: lineNumber.meta({
    description: 'The number of the line. One that the newest version does not have is 404.',
    example: '1',
  }),
})

const decisionBody = z
  .strictObject({
    decision: z.enum(decisions).meta({
      description: valuesText('What is decided about the finding.', {
        accepted: 'The line is paid as it is.',
        disputed: 'The courier is asked to correct it.',
      }),
    }),
    note: text(noteLengthMax).meta({
      description: `The reason, in at most ${noteLengthMax} characters. Stored encrypted.`,
    }),
    decided_by: text(64).optional().meta({
      description:
        "Who decides, in at most 64 characters. Required from a key that belongs to no operator, and not allowed from an operator's key: the operator decides. Stored with the note.",
    }),
    seen: z
      .strictObject({
        version: z.int().meta({ description: 'The version of the invoice.', example: 1 }),
        finding: z.enum(findings).meta({ description: 'The `finding` of the line.' }),
        decided_at: z.iso.datetime().nullable().meta({
          description: 'The `decision.at` of the line. `null` if it was not decided.',
          example: null,
        }),
      })
      .optional()
      .meta({
        description:
          'The line as you read it. If its version, finding or decision has changed since, the response is 409 `invoice_line_changed` and nothing is decided. If it is absent, the line is decided as it is now.',
      }),
  })
  .meta({
    description: 'The decision and the reason for it.',
    examples: [exampleInvoiceLineDecision],
  })

export function decideCourierInvoiceLineRoute(app: App, deps: InvoiceDeps): void {
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
        'For a compared line of the newest version. A later decision replaces it; the audit keeps both. With `seen`, the line is decided only if it is still as you read it. Repeating the same decision with the same note about the same finding changes nothing. A new version of the invoice keeps the decisions of the lines that did not change.',
      tags: ['Courier invoices'],
      params: lineParams,
      body: decisionBody,
      response: { 200: invoiceLineSchema.meta({ description: 'The line after the decision.' }) },
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
      await decideLine(deps, id, requested, ({ version, finding, before }) =>
        auditAct(deps, caller, workspaceId, {
          type: 'CourierInvoiceLineDecided',
          data: { courier_invoice_id: id, version, line, finding, before, decision },
        }),
      )
      const now = await requireInvoice(deps, principal, id)
      const rows = await readLineRows(deps, now, {
        version: now.version,
        after: line - 1,
        limit: 1,
        where: sql<SqlBool>`line = ${line}`,
      })
      const [shown] = await invoiceLinesToApi(deps, now, rows)
      if (shown === undefined) throw new Problem('not_found')
      return shown
    },
  })
}
