import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import {
  labelPrintOf,
  labelsQuery,
  labelTypes,
  refuseMixedLayout,
} from '../documents/label-style.ts'
import { busy } from '../documents/print-request.ts'
import { savedFormat } from '../documents/saved-format.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { lineRange, nameOfBatch, printedLines } from './batch-line-range.ts'
import { batchResource } from './find-batch.ts'

const complete = z.enum(['true', 'false']).optional().meta({
  description:
    '`true`: if the courier has not made a label of a created line yet, the response is 409 `label_not_ready` with `Retry-After` instead of a file without it. The default is `false`.',
})

export function getBatchLabelsRoute(app: App, deps: ApiServices): void {
  const batch = batchResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/documents/labels',
    config: {
      resource: batch,
      produces: labelTypes,
      headers: ['accept-language'],
      problems: ['papers_too_large', 'label_not_ready'],
    },
    schema: {
      operationId: 'getBatchLabels',
      summary: 'Print the labels of a batch as one file, in the order of its lines',
      description: `Lines without a label are listed on pages at the front, each with the reason, unless \`complete\` is \`true\`. For a large batch, print a range of lines at a time. ${busy}`,
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: z
        .strictObject({ ...labelsQuery, ...lineRange, ...languageParameter, complete })
        .superRefine(refuseMixedLayout),
      response: {
        200: fileOf(labelTypes, 'The labels, after a list of those that are missing.'),
      },
    },
    handler: async (request, reply) => {
      const { query } = request
      const row = batch.of(request)
      const { language, languageHeaders } = askedLanguage(request)
      const named = await printedLines(deps, row, { ...query, language })
      const { principal: scope } = authenticated(request)
      const saved = await savedFormat(deps.db, scope, row.workspace_id)
      const print = labelPrintOf(query, saved, language)
      const file = await deps.documents.labels({
        scope,
        print,
        ...named,
        isComplete: query.complete === 'true',
      })
      const name = nameOfBatch({ kind: 'labels', language }, row, query)
      return reply
        .headers({ ...fileHeaders({ ...file, name }), ...languageHeaders })
        .send(file.bytes)
    },
  })
}
