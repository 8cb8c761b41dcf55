/*
 * `shipping-ledger/client`: the one file here that re-exports definitions of others, because a
 * package has one entry point.
 */
export { type Client, type ClientSettings, createClient } from './create-client.ts'
export type {
  EnsureOptions,
  ShipmentRequest,
  ShipmentWithGuide,
  Shipped,
} from './ensure-shipped.ts'
export type { Followed, FollowOptions } from './follow-operation.ts'
export type {
  Answered,
  AnswerInfo,
  CallOptions,
  Input,
  Known,
  Operation,
  OperationName,
  Output,
  Reason,
  RetryLimits,
  Schemas,
  Shipment,
  Tracking,
} from './methods.ts'
export { isNewer } from './newer-version.ts'
export {
  type Action,
  type ClientReason,
  type Outcome,
  ShippingLedgerError,
} from './shipping-ledger-error.ts'
export {
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookRefusal,
  WebhookRefused,
} from './verify-webhook.ts'
