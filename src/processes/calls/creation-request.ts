import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'

/** A client's request for a shipment, with its body and key. */
export type CreationRequest = {
  readonly organizationId: string
  readonly livemode: boolean
  readonly keyId: string
  readonly requestId: string
  readonly idempotencyKey: string
  readonly body: ShipmentPayload
  /** Null in live mode. */
  readonly scenario: string | null
}
