import { Problem } from '../../errors.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { agencyObject, agencySchema } from './agency-schema.ts'

type Deps = Pick<ApiServices, 'catalogue' | 'couriers'>

export function getAgencyRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/agencies/:id',
    config: {
      collectionScope: null,
      isVersioned: true,
      problems: ['courier_unreachable', 'courier_throttled'],
    },
    schema: {
      operationId: 'getAgency',
      summary: 'Read an agency',
      description: 'Use it to show the agency of a shipment by its id.',
      tags: ['Couriers'],
      params: pathId('agy'),
      response: { 200: agencySchema.meta({ description: 'The agency.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { livemode } = principal
      for (const providerCode of deps.couriers.codes({ livemode })) {
        const found = await deps.catalogue.agency({ livemode, providerCode }, request.params.id)
        if (found.kind === 'found') return agencyObject(found.item, livemode)
      }
      throw new Problem('not_found')
    },
  })
}
