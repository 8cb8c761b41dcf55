import { shipmentStream } from '../../domain/ids.ts'
import { ledgerEventObject } from '../../event-store/codec.ts'
import type { ApiServices, App } from '../api-services.ts'
import { ledgerEventSchema } from '../ledger/ledger-events.ts'
import { listOf, listQuery, pathId } from '../openapi/schemas.ts'
import { answerList } from '../rules/answer-list.ts'
import { shipmentResource } from './find-shipment.ts'

type Deps = Pick<ApiServices, 'owners' | 'secrets' | 'store'>

export function listShipmentEventsRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/shipments/:id/events',
    config: { resource: shipmentResource(deps, 'ledger:read') },
    schema: {
      operationId: 'listShipmentEvents',
      summary: 'Read the whole history of a shipment, oldest first',
      description:
        'Every event of its stream, for auditors: what was requested, sent, answered, looked up and decided, by whom and when. It contains no personal data.',
      tags: ['Ledger'],
      params: pathId('shp'),
      querystring: listQuery({}),
      response: { 200: listOf(ledgerEventSchema, 'A page of events, oldest first.') },
    },
    handler: async (request) => {
      const { id } = request.params
      return await answerList(request, deps, {
        read: ({ after, limit }) => {
          const from = after === null ? 0 : Number(after[0]) + 1
          return deps.store.readStream(shipmentStream(id), { from, limit })
        },
        sortKey: (event) => [String(event.revision)],
        show: (events) => events.map(ledgerEventObject),
      })
    },
  })
}
