import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { fileOf } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { fileHeaders } from './file-headers.ts'
import { labelPrintOf, labelsFields, labelTypes, refuseMixedLayout } from './label-style.ts'
import { busy, exampleIds, printShipments, readOnly, shipmentIdsFor } from './print-request.ts'
import { commonFormat } from './saved-format.ts'

type Deps = Pick<ApiServices, 'db' | 'documents'>

const labelsRequest = z
  .strictObject({
    shipment_ids: shipmentIdsFor('labels'),
    ...labelsFields,
  })
  .superRefine(refuseMixedLayout)
  .meta({
    description: 'What to print.',
    examples: [{ shipment_ids: exampleIds, layout: 'four_on_a4' }],
  })

export function printLabelsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/labels',
    config: {
      ...readOnly,
      produces: labelTypes,
      headers: ['accept-language'],
      problems: ['not_found', 'papers_too_large'],
    },
    schema: {
      operationId: 'printLabels',
      summary: 'Print the labels of many shipments as one file',
      description: `Shipments without a label are listed on pages at the front, each with the reason: it was not created or was cancelled, or its label was not fetched yet, was erased or cannot be read. The \`label_format\` of their workspace applies to what the request leaves out; if the shipments are of workspaces with different ones, none does. Nothing changes, and the courier is not asked. ${busy}`,
      tags: ['Documents'],
      querystring: z.strictObject(languageParameter),
      body: labelsRequest,
      response: {
        200: fileOf(labelTypes, 'The labels, after a list of those that are missing.'),
      },
    },
    handler: async (request, reply) => {
      const { shipment_ids: ids, ...style } = request.body
      const { principal } = authenticated(request)
      const { language, languageHeaders } = askedLanguage(request)
      const file = await printShipments(deps.db, principal, ids, async () => {
        const print = labelPrintOf(style, await commonFormat(deps.db, principal, ids), language)
        return await deps.documents.labels({ scope: principal, shipmentIds: ids, print })
      })
      return reply.headers({ ...fileHeaders(file), ...languageHeaders }).send(file.bytes)
    },
  })
}
