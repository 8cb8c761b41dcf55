import { z } from 'zod'
import type { ApiServices, App } from '../api-services.ts'
import { fileOf } from '../openapi/schemas.ts'
import { askedLanguage, languageParameter } from '../rules/asked-language.ts'
import { authenticated } from '../rules/authenticate.ts'
import { fileHeaders } from './file-headers.ts'
import { busy, exampleIds, printShipments, readOnly, shipmentIdsFor } from './print-request.ts'

type Deps = Pick<ApiServices, 'db' | 'documents'>

const manifestRequest = z
  .strictObject({
    shipment_ids: shipmentIdsFor('lists'),
  })
  .meta({ description: 'What to list.', examples: [{ shipment_ids: exampleIds }] })

export function printManifestRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/manifests',
    config: {
      ...readOnly,
      produces: 'application/pdf',
      headers: ['accept-language'],
      problems: ['not_found'],
    },
    schema: {
      operationId: 'printManifest',
      summary: 'Print the manifest of many shipments as one PDF',
      description: `One list per workspace and origin agency, for both sides to sign, with each guide number as text and as a Code 128 barcode. Shipments that must not be handed over are listed at the end with the reason: no guide, an unknown outcome, or a cancellation. Recipients are not shown. Nothing changes. ${busy}`,
      tags: ['Documents'],
      querystring: z.strictObject(languageParameter),
      body: manifestRequest,
      response: {
        200: fileOf('application/pdf', 'The lists, with what must not be handed over at the end.'),
      },
    },
    handler: async (request, reply) => {
      const { shipment_ids: ids } = request.body
      const { principal } = authenticated(request)
      const { language, languageHeaders } = askedLanguage(request)
      const file = await printShipments(deps.db, principal, ids, () =>
        deps.documents.manifest({ scope: principal, language, shipmentIds: ids }),
      )
      return reply.headers({ ...fileHeaders(file), ...languageHeaders }).send(file.bytes)
    },
  })
}
