import type { Recorded } from '../decider.ts'
import { wasUnknown } from '../operation/operation.ts'
import { isOperationEvent } from '../operation/transitions.ts'
import { operationOf, type Shipment, type State, statusOf } from '../shipment/shipment.ts'
import type { EventData, ShipmentEvent, ShipmentEventType } from '../shipment/shipment-events.ts'
import type { Tracking } from '../tracking/tracking.ts'

/** All webhook types, and when each is sent. */
export const webhookTypes = {
  'shipment.created': 'The creation call itself was confirmed',
  'shipment.reconciled':
    'Reconciliation or a decision established a guide: sent instead of `shipment.created`',
  'shipment.rejected': 'The courier refused: nothing was created',
  'shipment.outcome_unknown': 'The answer of the creation call was lost: the guide may exist',
  'shipment.cancelled':
    'The guide was cancelled, whether by the call, reconciliation or a decision',
  'label.ready': 'The label can be downloaded',
  'operation.needs_review': 'Reconciliation cannot conclude: a person must decide',
  'operation.resolved': 'An operation whose outcome was unknown ended, by evidence or decision',
  'operation.contradicted': 'New evidence contradicts a conclusion',
  'tracking.updated': 'There are new scans, or the status, exception or ETA changed',
  'tracking.delivered': 'The parcel was delivered: sent in addition to `tracking.updated`',
  'tracking.returned': 'The parcel is back at its sender: sent in addition to `tracking.updated`',
  'tracking.lost': 'The courier declared the parcel lost: sent in addition to `tracking.updated`',
  'tracking.exception_raised':
    'Something delays the parcel: sent in addition to `tracking.updated`',
  'tracking.exception_resolved':
    'The parcel is no longer delayed: sent in addition to `tracking.updated`',
  'connection.needs_reauth': 'The courier refuses the credentials of a connection',
  'webhook_endpoint.disabled': 'An endpoint was disabled: sent to the other endpoints',
  'quota.threshold_reached': '80% or 100% of a quota is used: sent once each per month and mode',
  'batch.completed': 'Every line of a batch has been answered',
  'courier_invoice.compared':
    "Every line of a courier's invoice was compared: sent once per comparison",
  'alert.review_needed': 'An operation waits for a person to decide, or no longer does',
  'alert.contradicted': 'Evidence contradicts a conclusion, until a person closes the operation',
  'alert.endpoint_failing':
    'An endpoint fails, or was disabled because it failed; sent to the other endpoints',
  'alert.courier_unreachable': "Most calls to a connection's courier get no usable answer",
  'alert.projection_stopped': 'Lists and webhooks of shipments are out of date for every shop',
  'alert.ledger_damaged':
    'The ledger has lost events: nothing can be created or cancelled until it is recovered',
  'alert.witness_silent': 'A witness has not cosigned the newest checkpoints of the ledger',
} as const
export type WebhookType = keyof typeof webhookTypes
export type AlertType = Extract<WebhookType, `alert.${string}`>
/** Types that report an event of a shipment and count in the `sequence` of its webhooks. */
type ShipmentWebhookType = Extract<
  WebhookType,
  `${'shipment' | 'label' | 'operation' | 'tracking'}.${string}`
>
/** Types that report a changed row, which is not in the sequence of any shipment. */
export type RowWebhookType = Exclude<WebhookType, ShipmentWebhookType>
export const webhookTypeNames = Object.keys(webhookTypes) as [WebhookType, ...WebhookType[]]

/** Endpoints may subscribe to a whole family as well as to single types. */
export const webhookFamilies = [
  ...new Set(webhookTypeNames.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
]

export function isSubscribed(eventTypes: readonly string[], type: string): boolean {
  const family = `${type.slice(0, type.indexOf('.'))}.*`
  return eventTypes.includes(type) || eventTypes.includes(family)
}

/** A webhook about a resource of a shipment; `operationId` is set if it is about an operation. */
export type ResourceDraft = {
  readonly type: ShipmentWebhookType
  readonly resource: 'shipment' | 'operation' | 'tracking'
  readonly operationId: string | null
}

export type AlertDraft = {
  readonly type: AlertType
  readonly resource: 'alert'
  readonly operationId: string
}

/** A webhook that one event of a shipment calls for. */
type WebhookDraft = ResourceDraft | AlertDraft

type Occasion = {
  readonly before: State
  readonly after: Shipment
}

const none = (): readonly WebhookDraft[] => []

function shipment(type: ShipmentWebhookType): WebhookDraft {
  return { type, resource: 'shipment', operationId: null }
}

function operation(type: ShipmentWebhookType, operationId: string): WebhookDraft {
  return { type, resource: 'operation', operationId }
}

const always = (type: ShipmentWebhookType) => () => [shipment(type)]

/**
 * The webhooks for a conclusion reached after the call: its effect on the shipment, and the resolution.
 */
function concluded(
  { before, after }: Occasion,
  { operation_id: operationId }: { readonly operation_id: string },
): readonly WebhookDraft[] {
  const concerned = operationOf(after, operationId)
  // An operation that was never unknown, because its courier was asked first, is in no list.
  const wasListed = concerned === null || wasUnknown(concerned)
  const ended = wasListed ? [operation('operation.resolved', operationId)] : []
  const status = statusOf(after)
  if (concerned?.type === 'shipment_cancellation') {
    const isNew = status === 'cancelled' && (before === null || statusOf(before) !== 'cancelled')
    return isNew ? [shipment('shipment.cancelled'), ...ended] : ended
  }
  return concerned?.state === 'affirmed' ? [shipment('shipment.reconciled'), ...ended] : ended
}

function contradicted(
  _: Occasion,
  { operation_id: operationId }: EventData<'OperationContradicted'>,
) {
  return [
    operation('operation.contradicted', operationId),
    operation('operation.needs_review', operationId),
  ]
}

type Drafts = {
  readonly [T in ShipmentEventType]: (
    occasion: Occasion,
    data: EventData<T>,
  ) => readonly WebhookDraft[]
}

/** The webhooks for each event, apart from tracking changes. A missing event does not compile. */
const drafts: Drafts = {
  ShipmentRequested: none,
  GuideRequested: none,
  GuideIssued: always('shipment.created'),
  GuideRejected: always('shipment.rejected'),
  GuideNotSent: none,
  GuideOutcomeUnknown: always('shipment.outcome_unknown'),
  GuideLookedUp: none,
  GuideFound: concluded,
  GuideNotCreated: concluded,
  OperationReviewRequired: (_, data) => [operation('operation.needs_review', data.operation_id)],
  OperationEscalated: none,
  OperationResolved: concluded,
  OperationContradicted: contradicted,
  LateAnswerRecorded: none,
  TrackingObserved: none,
  TrackingMonitoringChanged: none,
  GuideShared: none,
  LabelReady: always('label.ready'),
  PersonalDataErased: none,
  LegalHoldPlaced: none,
  LegalHoldLifted: none,
  TrackingLinkRolled: none,
  CancellationRequested: none,
  GuideCancelled: always('shipment.cancelled'),
  CancellationRefused: none,
  CancellationNotSent: none,
  CancellationOutcomeUnknown: none,
  CancellationLookedUp: none,
  CancellationFound: concluded,
  GuideNotCancelled: concluded,
  CancellationDeclined: none,
  OperationAssigned: none,
  OperationCommented: none,
  OperationSnoozed: none,
}

const milestones = {
  delivered: 'tracking.delivered',
  returned: 'tracking.returned',
  lost: 'tracking.lost',
} as const

function trackingDrafts(before: Tracking, after: Tracking): readonly WebhookDraft[] {
  const same =
    before.events === after.events &&
    before.status === after.status &&
    before.subStatus === after.subStatus &&
    before.exception === after.exception &&
    before.eta === after.eta
  if (same) return []
  const types: ShipmentWebhookType[] = ['tracking.updated']
  const { status } = after
  if (status !== before.status && status !== null && status in milestones) {
    types.push(milestones[status as keyof typeof milestones])
  }
  const was = before.exception
  if (after.exception !== null && was?.code !== after.exception.code) {
    types.push('tracking.exception_raised')
  }
  if (after.exception === null && was !== null) types.push('tracking.exception_resolved')
  return types.map((type) => ({ type, resource: 'tracking', operationId: null }))
}

/** The alerts that begin or end because a person must decide on an operation, or has decided. */
function alertDrafts(
  before: State,
  event: Recorded<ShipmentEvent>,
  after: Shipment,
): readonly AlertDraft[] {
  if (!isOperationEvent(event)) return []
  const { operation_id: operationId } = event.data
  const was = before === null ? null : operationOf(before, operationId)
  const is = operationOf(after, operationId)
  const waited = was?.state === 'needs_review'
  if (is === null || waited === (is.state === 'needs_review')) return []
  const review = { type: 'alert.review_needed', resource: 'alert', operationId } as const
  return is.contradicted ? [{ ...review, type: 'alert.contradicted' }, review] : [review]
}

/**
 * The webhooks for one event, in order, alerts last. A pure function, so a stream always gives the
 * same webhooks.
 */
export function webhooksOf(
  before: State,
  event: Recorded<ShipmentEvent>,
  after: Shipment,
): readonly WebhookDraft[] {
  const draftsOf = drafts[event.type] as (
    occasion: Occasion,
    data: ShipmentEvent['data'],
  ) => readonly WebhookDraft[]
  const own = draftsOf({ before, after }, event.data)
  const alerts = alertDrafts(before, event, after)
  // The webhook that announces a guide also says that it is registered.
  if (before === null || before.followedGuide !== after.followedGuide) return [...own, ...alerts]
  return [...own, ...trackingDrafts(before.tracking, after.tracking), ...alerts]
}
