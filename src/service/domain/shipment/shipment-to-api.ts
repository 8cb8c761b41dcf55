import { type Json, rfc3339 } from '../decider.ts'
import { type Phase, phaseOf, type Tracking, type TrackingStatus } from '../tracking/tracking.ts'
import { findCurrentAttempt, openOperationOf, type Shipment, statusOf } from './shipment.ts'
import type { ShipmentPayload } from './shipment-payload.ts'
import { noTrackingUrl, type TrackingUrlOf, trackingLinkOf } from './tracking-link.ts'

/** The vault's data about a shipment, as far as the reader may see it. */
type Personal = {
  readonly payload: { readonly [key: string]: Json } | undefined
  readonly pickupCode: string | null
  readonly refusalText: string | null
}

/** For readers that may see neither personal data nor free text. */
const impersonal: Personal = { payload: undefined, pickupCode: null, refusalText: null }

/** What the API shows besides the ledger. */
export type Beside = { readonly personal?: Personal; readonly trackingUrl?: TrackingUrlOf }

type Person = {
  document_type: string
  document: string
  first_name: string
  last_name: string
  phone?: string
  email?: string
}

function personToApi(person: Person | undefined) {
  if (person === undefined) return null
  const { phone = null, email = null, ...others } = person
  return { ...others, phone, email }
}

type FailureReason =
  | 'quote_price_changed'
  | 'courier_rejected'
  | 'dependency_unavailable'
  | 'courier_unreachable'
  | 'connection_needs_reauth'
  | 'courier_throttled'

export function exceptionToApi({ exception }: Tracking) {
  return exception === null
    ? null
    : {
        code: exception.code,
        since: rfc3339(exception.since),
        action_required: exception.actionRequired,
      }
}

function failureToApi(state: Shipment, refusalText: string | null) {
  const attempt = findCurrentAttempt(state)
  if (attempt === null) return null
  const at = rfc3339(attempt.endedAt ?? attempt.updatedAt)
  if (attempt.state === 'refused' || (attempt.state === 'denied' && attempt.refused)) {
    const isPrice = attempt.priceChanged !== null
    const reason: FailureReason = isPrice ? 'quote_price_changed' : 'courier_rejected'
    return { reason, detail: refusalText, at }
  }
  if (attempt.state !== 'not_sent' || attempt.notSent === null) return null
  const { reason: why } = attempt.notSent
  const reason: FailureReason = why === 'too_late' ? 'dependency_unavailable' : why
  return { reason, detail: null, at }
}

export function labelStatusOf(
  { label }: Pick<Shipment, 'label'>,
  isErased: boolean,
): 'pending' | 'ready' | 'erased' {
  if (isErased) return 'erased'
  return label === null ? 'pending' : 'ready'
}

/** The API's shipment object, with the personal data and the link that are given. */
export function shipmentToApi(
  shipmentId: string,
  state: Shipment,
  isErased: boolean,
  { personal = impersonal, trackingUrl = noTrackingUrl }: Beside = {},
) {
  const { request, tracking } = state
  const { payload, pickupCode, refusalText } = personal
  const attempt = findCurrentAttempt(state)
  const status: TrackingStatus | null = tracking.status
  const phase: Phase | null = phaseOf(tracking)
  return {
    id: shipmentId,
    object: 'shipment' as const,
    livemode: request.livemode,
    workspace_id: request.workspace_id,
    courier_connection_id: request.courier_connection_id,
    external_reference: request.external_reference,
    idempotency_key: request.idempotency_key,
    status: statusOf(state),
    failure: failureToApi(state, refusalText),
    guide_number: attempt?.guide?.guideNumber ?? null,
    pickup_code: pickupCode,
    operation_id: openOperationOf(state)?.operationId ?? null,
    origin: request.origin,
    destination: request.destination,
    package: request.package,
    service: request.service,
    declared_content: (payload?.declared_content as string | undefined) ?? null,
    recipient: personToApi(payload?.recipient as Person | undefined),
    quote_id: request.quote_id,
    declared_value: request.declared_value ?? null,
    cash_on_delivery: request.cash_on_delivery ?? null,
    price: attempt?.guide?.price ?? null,
    label: { status: labelStatusOf(state, isErased) },
    tracking: { status, phase, exception: exceptionToApi(tracking) },
    tracking_url: isErased ? null : trackingUrl(shipmentId, trackingLinkOf(state)),
    metadata: (payload?.metadata as Record<string, string> | undefined) ?? null,
    sandbox_scenario: request.sandbox_scenario,
    legal_hold: state.legalHold === null ? null : { since: rfc3339(state.legalHold.since) },
    created_at: rfc3339(state.createdAt),
    updated_at: rfc3339(state.updatedAt),
    version: state.version,
  } satisfies Record<keyof ShipmentPayload, unknown> & Record<string, unknown>
}
