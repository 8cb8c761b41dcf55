import {
  type Shipment,
  type ShipmentStatus,
  statusByCreation,
  statusOf,
} from './shipment/shipment.ts'

/** Whether a shipment of this status counts against its month's quota. */
const counted: Readonly<Record<ShipmentStatus, boolean>> = {
  creating: true,
  created: true,
  rejected: false,
  not_executed: false,
  unknown_outcome: true,
  not_created: false,
  cancelling: true,
  cancelled: true,
}

export function isCounted(state: Shipment): boolean {
  return counted[statusOf(state)]
}

/** Whether its place may ever have been given back; other shipments need no correction. */
export function mayFreeQuotaPlace({ attempts }: Shipment): boolean {
  return attempts.some(
    (attempt) => attempt.contradicted || !counted[statusByCreation[attempt.state]],
  )
}
