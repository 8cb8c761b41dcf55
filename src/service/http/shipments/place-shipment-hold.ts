import { z } from 'zod'
import { type HoldAct, holdShipment } from '../../processes/holds/shipment-hold.ts'
import { actorOf } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { exampleHold } from '../openapi/examples.ts'
import { noteLengthMax, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentAct } from '../rules/idempotent-create.ts'
import { clockOf, findShipment, shipmentResource } from './find-shipment.ts'
import { decryptFor, shipmentObject, shipmentSchema } from './shipment-schema.ts'

export type HoldDeps = ApiServices

export const holdBody = z
  .strictObject({
    note: text(noteLengthMax).meta({
      description: `The reason, in at most ${noteLengthMax} characters. Stored encrypted.`,
    }),
  })
  .meta({ description: 'The reason for placing or lifting the hold.', examples: [exampleHold] })

export function placeShipmentHoldRoute(app: App, deps: HoldDeps): void {
  shipmentHoldRoute(app, deps, 'place_hold', {
    url: '/v1/shipments/:id/hold',
    schema: {
      operationId: 'placeShipmentHold',
      summary: 'Put a legal hold on a shipment',
      description:
        "Until the hold is lifted, the shipment's personal data is not erased: erasures are refused with 409 `legal_hold`, and retention skips the shipment. The hold also keeps decision notes and comments: an erased shipment that still has any can be held, but the note of that hold is not kept. Nothing else changes. Repeating the call changes nothing.",
    },
  })
}

/** The route of either act. */
export function shipmentHoldRoute(
  app: App,
  deps: HoldDeps,
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
      isIdempotent: true,
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
      const found = await idempotentAct(deps, {
        request,
        reply,
        id: shipmentId,
        act: () => holdShipment(deps, order),
        read: () => findShipment(deps, principal, shipmentId),
      })
      const opened = await decryptFor(deps, [found.state])
      return shipmentObject(shipmentId, found.state, opened)
    },
  })
}
