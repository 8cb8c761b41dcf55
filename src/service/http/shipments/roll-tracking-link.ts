import { rollLink } from '../../processes/tracking/roll-link.ts'
import { actorOf } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentAct } from '../rules/idempotent-create.ts'
import { clockOf, findShipment, shipmentResource } from './find-shipment.ts'
import { decryptFor, shipmentObject, shipmentSchema } from './shipment-schema.ts'

export function rollTrackingLinkRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:write')
  app.route({
    method: 'POST',
    url: '/v1/shipments/:id/tracking-link/roll',
    config: {
      resource: shipment,
      isIdempotent: true,
      isVersioned: true,
      problems: ['shipment_has_no_guide', 'personal_data_erased', 'limit_reached'],
    },
    schema: {
      operationId: 'rollTrackingLink',
      summary: "Replace the link to the recipient's page",
      description:
        'For a link that reached the wrong person: the former `tracking_url` leads nowhere from now on, including the one printed on a label, and the answer has the new one. Of two requests at once, one replaces it and both get the new link. A link can be rolled 255 times.',
      tags: ['Tracking'],
      params: pathId('shp'),
      response: { 200: shipmentSchema.meta({ description: 'The shipment with its new link.' }) },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id: shipmentId } = request.params
      const { snapshot, state } = shipment.of(request)
      const order = {
        shipmentId,
        snapshot,
        actor: actorOf(principal),
        requestId,
        now: await clockOf(deps, state),
      }
      const found = await idempotentAct(deps, {
        request,
        reply,
        id: shipmentId,
        act: () => rollLink(deps, order),
        read: () => findShipment(deps, principal, shipmentId),
      })
      return shipmentObject(shipmentId, found.state, await decryptFor(deps, [found.state]))
    },
  })
}
