import { z } from 'zod'
import { instant } from '../../domain/decider.ts'
import { shipmentStream } from '../../domain/ids.ts'
import { evolve, type Shipment } from '../../domain/shipment/shipment.ts'
import { Problem } from '../../errors.ts'
import { decodeEvent } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { shipmentResource } from './find-shipment.ts'
import { decryptFor, shipmentObject, shipmentSchema } from './shipment-schema.ts'

export function getShipmentRoute(app: App, deps: ApiServices): void {
  const shipment = shipmentResource(deps, 'shipments:read')
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id',
    config: { resource: shipment, isVersioned: true },
    schema: {
      operationId: 'getShipment',
      summary: 'Read a shipment, now or at an earlier version',
      description:
        'Never older than the last response to the same client. Erased data is `null` at every version.',
      tags: ['Shipments'],
      params: pathId('shp'),
      querystring: z.strictObject({
        as_of: z
          .union([
            z
              .string()
              .regex(/^[1-9][0-9]{0,6}$/)
              .transform((text) => ({ version: Number(text) })),
            z.iso.datetime({ offset: true }).transform((text) => ({ at: instant(text) })),
          ])
          .optional()
          .meta({
            description:
              'Returns the shipment at a version (a number of events, from 1) or at a time (RFC 3339). The default is its current state.',
            example: '2',
          }),
      }),
      response: { 200: shipmentSchema.meta({ description: 'The shipment.' }) },
    },
    handler: async (request) => {
      const { id } = request.params
      const found = shipment.of(request)
      const { as_of: asOf } = request.query
      const state = asOf === undefined ? found.state : await shipmentAsOf(deps.store, id, asOf)
      if (state === null) {
        throw new Problem('not_found', { detail: 'The shipment has no such version.' })
      }
      // Erased data is erased at every version.
      const shown = { ...state, erasedAt: found.state.erasedAt }
      return shipmentObject(id, shown, await decryptFor(deps, [shown]))
    },
  })
}

/**
 * The state at a version (a number of events, from 1) or at a time; null if the shipment did not
 * exist yet or has no such version.
 */
async function shipmentAsOf(
  store: EventStore,
  shipmentId: string,
  asOf: { readonly version: number } | { readonly at: number },
): Promise<Shipment | null> {
  const events = (await store.readStream(shipmentStream(shipmentId))).map((event) =>
    decodeEvent(event),
  )
  const last =
    'version' in asOf
      ? asOf.version
      : events.findLastIndex((event) => event.recordedAt <= asOf.at) + 1
  if (last < 1 || last > events.length) return null
  return events.slice(0, last).reduce(evolve, null as Shipment | null)
}
