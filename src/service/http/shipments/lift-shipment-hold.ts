import type { App } from '../api-services.ts'
import { type HoldDeps, shipmentHoldRoute } from './place-shipment-hold.ts'

export function liftShipmentHoldRoute(app: App, deps: HoldDeps): void {
  shipmentHoldRoute(app, deps, 'lift_hold', {
    url: '/v1/shipments/:id/release-hold',
    schema: {
      operationId: 'liftShipmentHold',
      summary: 'Lift the legal hold on a shipment',
      description:
        'A hold on its workspace stays in force. If the retention period has ended meanwhile, the shipment is erased. Repeating the call changes nothing.',
    },
  })
}
