import { z } from 'zod'
import { type HoldAct, holdShipment } from '../../processes/holds/shipment-hold.ts'
import { actorOf } from '../../security/api-keys.ts'
import { exampleHold } from '../openapi/examples.ts'
import { noteLengthMax, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { onceDone } from '../rules/once.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import { findShipment, shipmentResource } from './find-shipment.ts'
import { clockOf } from './shipment-clock.ts'
import { decryptFor, shipmentObject, shipmentSchema } from './shipment-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'processes' | 'secrets' | 'store'>

export const holdBody = z
  .strictObject({
    note: text(noteLengthMax).meta({
      description: `Why, in at most ${noteLengthMax} characters. Kept encrypted.`,
    }),
  })
  .meta({ description: 'Why the hold is placed or lifted.', examples: [exampleHold] })

export function shipmentHoldRoutes(app: App, deps: Deps): void {
  holdRoute(app, deps, 'place_hold', {
    url: '/v1/shipments/:id/hold',
    schema: {
      operationId: 'placeShipmentHold',
      summary: 'Put a legal hold on a shipment',
      description:
        "Until it is lifted, the shipment's personal data is not erased: erasures are refused with 409 `legal_hold`, and retention leaves it out. The hold also keeps the notes of decisions and the comments: an erased shipment can be held while it has any, but the note of that hold is not kept. Nothing else changes. Repeating the call changes nothing.",
    },
  })
  holdRoute(app, deps, 'lift_hold', {
    url: '/v1/shipments/:id/release-hold',
    schema: {
      operationId: 'liftShipmentHold',
      summary: 'Lift the legal hold on a shipment',
      description:
        'A hold on its workspace stays. If its retention has ended meanwhile, it is erased. Repeating the call changes nothing.',
    },
  })
}

function holdRoute(
  app: App,
  deps: Deps,
  act: HoldAct,
  {
    url,
    schema,
  }: { url: string; schema: Record<'operationId' | 'summary' | 'description', string> },
): void {
  const shipment = shipmentResource(deps, 'operations:review')
  app.route({
    method: 'POST',
    url,
    config: {
      resource: shipment,
      whileSuspended: true,
      isOnce: true,
      isVersioned: true,
      problems: act === 'place_hold' ? ['personal_data_erased'] : [],
    },
    schema: {
      ...schema,
      tags: ['Shipments'],
      params: pathId('shp'),
      body: holdBody,
      response: {
        200: shipmentSchema.meta({ description: 'The shipment, with or without its hold.' }),
      },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id: shipmentId } = request.params
      const { snapshot, state } = shipment.of(request)
      const order = {
        shipmentId,
        snapshot,
        act,
        note: request.body.note,
        actor: actorOf(principal),
        requestId,
        now: await clockOf(deps, state),
      } as const
      const found = await onceDone(deps, {
        request,
        reply,
        id: shipmentId,
        act: () => holdShipment(deps.processes, order),
        read: () => findShipment(deps, principal, shipmentId),
      })
      const opened = await decryptFor(deps.processes.vault, [found.state])
      return shipmentObject(shipmentId, found.state, opened)
    },
  })
}
