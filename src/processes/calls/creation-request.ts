import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'

/** Who asks for a shipment, with what and with which key. */
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
