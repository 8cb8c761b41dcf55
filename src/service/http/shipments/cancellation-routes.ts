import { cancelShipment } from '../../processes/calls/cancel-shipment.ts'
import { actorOf } from '../../security/api-keys.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { parseIdempotencyKey } from '../rules/idempotency-key.ts'
import { resource } from '../rules/resources/resource.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { answerCancellation } from './cancellation-answer.ts'
import { findShipment } from './find-shipment.ts'
import { shipmentSchema } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'owners' | 'processes' | 'store'>

export function cancellationRoutes(app: App, deps: Deps): void {
  // While the ledger is damaged, one that it does not have may be lost.
  const shipment = resource('shipments:write', async ({ principal }, id) => {
    try {
      return await findShipment(deps, principal, id)
    } catch (error) {
      deps.processes.guard.refuseWhileDamaged()
      throw error
    }
  })
  app.route({
    method: 'POST',
    url: '/v1/shipments/:id/cancel',
    config: {
      resource: shipment,
      whileSuspended: true,
      isVersioned: true,
      requiresKey: true,
      problems: [
        'unknown_outcome',
        'shipment_not_cancellable',
        'not_cancelled',
        'courier_not_available',
        'connection_needs_reauth',
        'connection_disabled',
        'courier_unreachable',
        'courier_throttled',
        'clock_advancing',
      ],
    },
    schema: {
      operationId: 'cancelShipment',
      summary: 'Cancel a shipment before it is handed over',
      description:
        'The `Idempotency-Key` is the logical attempt to cancel this shipment; other shipments may use the same key. On 409 `unknown_outcome` the guide may be cancelled: read the operation. A shipment that is already cancelled answers 200 to any key.',
      tags: ['Shipments'],
      params: pathId('shp'),
      response: { 200: shipmentSchema.meta({ description: 'The shipment, which is cancelled.' }) },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id: shipmentId } = request.params
      const answer = await cancelShipment(deps.processes, {
        shipmentId,
        found: shipment.of(request).snapshot,
        idempotencyKey: parseIdempotencyKey(request),
        actor: actorOf(principal),
        requestId,
      })
      return await answerCancellation(deps, reply, answer)
    },
  })
}
