import type { Input } from '../../client/methods.ts'

export type WebhookType = Input<'testWebhookEndpoint'>['type']

// A type added to the OpenAPI document does not compile until it is listed here.
const inOrder: Readonly<Record<WebhookType, null>> = {
  'shipment.created': null,
  'shipment.reconciled': null,
  'shipment.rejected': null,
  'shipment.outcome_unknown': null,
  'shipment.cancelled': null,
  'label.ready': null,
  'operation.needs_review': null,
  'operation.resolved': null,
  'operation.contradicted': null,
  'tracking.updated': null,
  'tracking.delivered': null,
  'tracking.returned': null,
  'tracking.lost': null,
  'tracking.exception_raised': null,
  'tracking.exception_resolved': null,
  'connection.needs_reauth': null,
  'webhook_endpoint.disabled': null,
  'quota.threshold_reached': null,
  'batch.completed': null,
  'courier_invoice.compared': null,
  'alert.review_needed': null,
  'alert.contradicted': null,
  'alert.endpoint_failing': null,
  'alert.courier_unreachable': null,
  'alert.projection_stopped': null,
  'alert.ledger_damaged': null,
  'alert.witness_silent': null,
}

export const webhookTypes = Object.keys(inOrder) as readonly WebhookType[]
