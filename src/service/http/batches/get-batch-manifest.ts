import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { fileHeaders } from '../documents/file-headers.ts'
import { busy } from '../documents/print-request.ts'
import { fileOf, pathId } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { lineRange, nameOfBatch, printedLines } from './batch-line-range.ts'
import { batchResource } from './find-batch.ts'

export function getBatchManifestRoute(app: App, deps: ApiServices): void {
  const batch = batchResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/batches/:id/documents/manifest',
    config: { resource: batch, produces: 'application/pdf', headers: ['accept-language'] },
    schema: {
      operationId: 'getBatchManifest',
      summary: 'Print the manifest of a batch as one PDF',
      description: `One list per origin agency, for both sides to sign, as \`POST /v1/manifests\` prints it. Lines that must not be handed over are listed at the end with the reason. ${busy}`,
      tags: ['Batches'],
      params: pathId('bat'),
      querystring: z.strictObject({ ...lineRange, ...languageParameter }),
      response: {
        200: fileOf('application/pdf', 'The lists, with what must not be handed over at the end.'),
      },
    },
    handler: async (request, reply) => {
      const row = batch.of(request)
      const { language, languageHeaders } = askedLanguage(request)
      const named = await printedLines(deps, row, { ...request.query, language })
      const { principal: scope } = authenticated(request)
      const file = await deps.documents.manifest({ scope, language, ...named })
      const name = nameOfBatch({ kind: 'manifest', language }, row, request.query)
      return reply
        .headers({ ...fileHeaders({ ...file, name }), ...languageHeaders })
        .send(file.bytes)
    },
  })
}
