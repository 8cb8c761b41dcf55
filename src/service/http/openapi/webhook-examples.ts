import type { JsonObject } from '../../domain/decider.ts'
import { reviewTexts } from '../../domain/operation/operation-to-api.ts'
import { thresholdResource } from '../../domain/quota.ts'
import type { ClearField, ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import { type Alert, alertBefore, alertToApi } from '../../domain/webhooks/alert.ts'
import { type WebhookEvent, webhookBody } from '../../domain/webhooks/webhook-event.ts'
import type { AlertType, WebhookType } from '../../domain/webhooks/webhook-types.ts'
import { exampleBatch, exampleConnection, exampleShipment, exampleTracking } from './examples.ts'
import { exampleInvoice } from './invoice-examples.ts'
import { exampleOperation } from './operation-examples.ts'

/**
 * The webhooks that the document shows and the test route sends: objects as in real webhooks, without
 * personal data, free text or pickup codes.
 */

const value = '0aB1cD2eF3gH4iJ5kL6mN7'
const at = '2026-03-01T12:00:00.000Z'
const workspaceId = `ws_${value}`

export function exampleEndpointRequest(workspace: string = workspaceId) {
  return {
    workspace_id: workspace,
    url: 'https://shop.example/webhooks',
    description: 'Orders',
    event_types: ['shipment.*', 'operation.*', 'tracking.delivered'],
  }
}

export const exampleEndpoint = {
  id: `whe_${value}`,
  object: 'webhook_endpoint' as const,
  livemode: false,
  ...exampleEndpointRequest(),
  status: 'enabled' as const,
  disabled_reason: null,
  health: {
    state: 'ok' as const,
    failing_since: null,
    last_success_at: at,
    next_probe_at: null,
  },
  created_at: at,
  updated_at: at,
  version: 1,
}

const shipment = {
  ...exampleShipment,
  pickup_code: null,
  declared_content: null,
  recipient: null,
} satisfies JsonObject & Record<Exclude<keyof ShipmentPayload, ClearField>, null>

const tracking = { ...exampleTracking, events_omitted: 0 } satisfies JsonObject

const connection = {
  ...exampleConnection,
  display_name: null,
  status: 'needs_reauth',
  verified_at: null,
} satisfies JsonObject

const quota = thresholdResource({
  organizationId: `org_${value}`,
  livemode: false,
  period: '2026-03',
  percent: 80,
  used: 80,
  quota: 100,
})

/** None of its lines is decided yet. */
const compared = {
  ...exampleInvoice,
  totals: exampleInvoice.totals.map(undecided),
  amounts: exampleInvoice.amounts.map(({ lines, amount, ...each }) => ({
    ...undecided({ ...each, lines: 2, amount: 3100 }),
    lines,
    amount,
  })),
  decisions: { accepted: 0, disputed: 0, outdated: 0, matched: 0, to_check: 2 },
  updated_at: exampleInvoice.compared_at,
} satisfies JsonObject

type Money = Omit<(typeof exampleInvoice.amounts)[number], 'currency'>

function undecided<Total extends Money>(total: Total) {
  const { lines, amount, at_stake, accepted: none } = total
  const toCheck = at_stake === 0 ? none : { lines, amount, at_stake }
  return { ...total, to_check: toCheck, disputed: none }
}

type Example = {
  readonly type: string
  readonly object: JsonObject
  readonly previous: JsonObject | null
}

function ofShipment(object: JsonObject, previous: JsonObject | null): Example {
  return { type: 'shipment', object: { ...shipment, ...object }, previous }
}

function ofTracking(object: JsonObject, previous: JsonObject): Example {
  return { type: 'tracking', object: { ...tracking, ...object }, previous }
}

function ofOperation(object: JsonObject, previous: JsonObject | null): Example {
  return { type: 'operation', object: { ...exampleOperation, ...object }, previous }
}

function ofAlert(type: AlertType, about: Pick<Alert, 'subject'> & Partial<Alert>): Example {
  const alert = {
    type,
    livemode: false,
    workspaceId,
    shipmentId: null,
    reason: null,
    since: Date.parse(at),
    resolvedAt: null,
    version: 1,
    ...about,
  }
  return { type: 'alert', object: alertToApi(alert), previous: alertBefore(alert) }
}

const stuck = {
  subject: { type: 'operation', id: exampleOperation.id },
  shipmentId: shipment.id,
} as const
const ofService = { subject: { type: 'service', id: null } } as const

const untracked = { status: null, phase: null, exception: null }
const noGuide = { guide_number: null, price: null, tracking: untracked }
const creating = { ...noGuide, status: 'creating' }
const unknown = { ...noGuide, status: 'unknown_outcome', operation_id: exampleOperation.id }
const inReview = {
  status: 'needs_review',
  result: 'human_review',
  resolution: null,
  resolutions: [],
  reason_for_review: { code: 'deadline_passed', text: reviewTexts.deadline_passed },
}
const against = {
  ...inReview,
  resolutions: [
    {
      ...exampleOperation.resolution,
      decision: 'nothing_created',
      by: 'operator',
      guide_number: null,
      confirmed: null,
    },
  ],
  reason_for_review: { code: 'contradicted', text: reviewTexts.contradicted },
  contradicted: true,
}
const underWay = { status: 'in_transit', phase: 'transit' }
const onHold = { exception: { code: 'held', since: at, action_required: true } }

/** One example of each type. */
const examples: Readonly<Record<WebhookType, Example>> = {
  'shipment.created': ofShipment({}, creating),
  'shipment.reconciled': ofShipment({}, unknown),
  'shipment.rejected': ofShipment(
    {
      ...noGuide,
      status: 'rejected',
      failure: { reason: 'courier_rejected', detail: null, at },
    },
    { status: 'creating', failure: null },
  ),
  'shipment.outcome_unknown': ofShipment(unknown, { status: 'creating', operation_id: null }),
  'shipment.cancelled': ofShipment(
    { status: 'cancelled', tracking: { status: 'cancelled', phase: 'final', exception: null } },
    { status: 'cancelling', tracking: shipment.tracking },
  ),
  'label.ready': ofShipment({ label: { status: 'ready' } }, { label: { status: 'pending' } }),
  'operation.needs_review': ofOperation(inReview, {
    status: 'reconciling',
    result: null,
    reason_for_review: null,
  }),
  'operation.resolved': ofOperation({}, { status: 'reconciling', result: null, resolution: null }),
  'operation.contradicted': ofOperation(against, {
    status: 'resolved',
    result: 'nothing_created',
    reason_for_review: null,
    contradicted: false,
  }),
  'tracking.updated': ofTracking({}, { status: 'received_at_origin', phase: 'origin' }),
  'tracking.delivered': ofTracking({ status: 'delivered', phase: 'final' }, underWay),
  'tracking.returned': ofTracking({ status: 'returned', phase: 'final' }, underWay),
  'tracking.lost': ofTracking({ status: 'lost', phase: 'final' }, underWay),
  'tracking.exception_raised': ofTracking(onHold, { exception: null }),
  'tracking.exception_resolved': ofTracking({}, onHold),
  'connection.needs_reauth': {
    type: 'courier_connection',
    object: connection,
    previous: { status: 'active' },
  },
  'webhook_endpoint.disabled': {
    type: 'webhook_endpoint',
    object: {
      ...exampleEndpoint,
      url: null,
      description: null,
      status: 'disabled',
      disabled_reason: 'failing',
      version: 2,
    },
    previous: { status: 'enabled', disabled_reason: null },
  },
  'quota.threshold_reached': { type: 'quota', object: quota, previous: null },
  'batch.completed': { type: 'batch', object: exampleBatch, previous: null },
  'courier_invoice.compared': { type: 'courier_invoice', object: compared, previous: null },
  'alert.review_needed': ofAlert('alert.review_needed', { ...stuck, reason: 'deadline_passed' }),
  'alert.contradicted': ofAlert('alert.contradicted', { ...stuck, reason: 'contradicted' }),
  'alert.endpoint_failing': ofAlert('alert.endpoint_failing', {
    subject: { type: 'webhook_endpoint', id: exampleEndpoint.id },
  }),
  'alert.courier_unreachable': ofAlert('alert.courier_unreachable', {
    subject: { type: 'courier_connection', id: connection.id },
  }),
  'alert.projection_stopped': ofAlert('alert.projection_stopped', ofService),
  'alert.ledger_damaged': ofAlert('alert.ledger_damaged', ofService),
  'alert.witness_silent': ofAlert('alert.witness_silent', ofService),
}

type Place = Pick<WebhookEvent, 'id' | 'at' | 'livemode' | 'workspaceId' | 'requestId'>

/** An example as an event of a workspace. The ids in its object belong to no real object. */
export function exampleEvent(type: WebhookType, place: Place): WebhookEvent {
  const { type: resource, object, previous } = examples[type]
  const id = typeof object.id === 'string' ? object.id : ''
  const version = typeof object.version === 'number' ? object.version : null
  return {
    ...place,
    type,
    sequence: null,
    resource: { type: resource, id, version },
    object: { ...object, livemode: place.livemode },
    previous,
  }
}

/** The body of a delivery of this type. */
export function exampleBody(type: WebhookType): JsonObject {
  const event = exampleEvent(type, {
    id: `evt_${value}`,
    at: Date.parse(shipment.updated_at),
    livemode: false,
    workspaceId,
    requestId: `req_${value}`,
  })
  const isOfShipment = ['shipment', 'operation', 'tracking'].includes(event.resource.type)
  return JSON.parse(webhookBody({ ...event, sequence: isOfShipment ? 1 : null }))
}

export const exampleWebhookBody: JsonObject = exampleBody('shipment.created')

export const exampleDelivery = {
  id: `dlv_${value}`,
  object: 'webhook_delivery' as const,
  livemode: false,
  workspace_id: workspaceId,
  event_id: `evt_${value}`,
  event_type: 'shipment.created',
  endpoint_id: exampleEndpoint.id,
  shipment_id: shipment.id,
  state: 'pending' as const,
  attempts: [
    {
      at: '2026-03-01T12:00:00.400Z',
      status_code: 503,
      latency_ms: 41,
      error: null,
      response_excerpt: 'Service Unavailable',
    },
  ],
  next_attempt_at: '2026-03-01T12:00:05.441Z',
  dead_reason: null,
  created_at: shipment.updated_at,
  updated_at: '2026-03-01T12:00:00.441Z',
  version: 2,
}

export const exampleRecovery = {
  object: 'webhook_recovery' as const,
  endpoint_id: exampleEndpoint.id,
  since: '2026-03-01T00:00:00.000Z',
  until: '2026-03-02T00:00:00.000Z',
  recovered: 17,
  has_more: false,
  next_since: null,
}
