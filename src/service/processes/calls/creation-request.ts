import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { PlannedCall } from './begin-call.ts'

/** A client's request to create a shipment, with its body and idempotency key. */
export type CreationRequest = {
  readonly organizationId: string
  readonly livemode: boolean
  readonly actor: Actor
  readonly requestId: string
  readonly idempotencyKey: string
  readonly body: ShipmentPayload
  /** Null in live mode. */
  readonly scenario: string | null
}

/** The request, with the shipment that its key identifies. */
export type KeyedRequest = CreationRequest & {
  readonly workspaceId: string
  readonly shipmentId: string
}

/** The command that records an attempt to create. */
export type CreationCommand = Extract<
  PlannedCall['command'],
  { do: 'request_shipment' | 'request_guide' }
>
