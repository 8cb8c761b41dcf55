import type { JsonObject } from '../domain/decider.ts'

/** The validated body of a creation, as the API takes it (product, "Shipment payload"). */
export type ShipmentRequestBody = {
  readonly workspace_id: string
  readonly courier_connection_id: string
  readonly external_reference: string
  readonly origin: { readonly agency_id: string }
  readonly destination: { readonly agency_id: string }
  readonly package: {
    readonly product_id: string
    readonly quantity: number
    readonly weight_kg: number
    readonly height_m: number
    readonly length_m: number
    readonly width_m: number
  }
  readonly service: { readonly mode: string; readonly payer: string }
  readonly declared_content: string
  readonly recipient: {
    readonly document_type: string
    readonly document: string
    readonly first_name: string
    readonly last_name: string
  }
  /** Null is as absent, here and below: neither is in the fingerprint. */
  readonly metadata?: { readonly [key: string]: string } | null | undefined
  readonly quote_id?: string | null | undefined
}

/** Who asks for a shipment, with what and with which key. */
export type CreationRequest = {
  readonly organizationId: string
  readonly livemode: boolean
  readonly keyId: string
  readonly requestId: string
  readonly idempotencyKey: string
  readonly body: ShipmentRequestBody
  /** Null in live mode. */
  readonly scenario: string | null
}

/** What goes to the vault: the person and every free text. */
export function personalPart(body: ShipmentRequestBody): JsonObject {
  return {
    declared_content: body.declared_content,
    recipient: { ...body.recipient },
    ...(body.metadata == null ? {} : { metadata: { ...body.metadata } }),
  }
}

/** What the events hold in clear. */
export function openPart(body: ShipmentRequestBody): JsonObject {
  return {
    workspace_id: body.workspace_id,
    courier_connection_id: body.courier_connection_id,
    external_reference: body.external_reference,
    origin: { ...body.origin },
    destination: { ...body.destination },
    package: { ...body.package },
    service: { ...body.service },
    ...(body.quote_id == null ? {} : { quote_id: body.quote_id }),
  }
}
