import type { Finding } from '../../domain/invoices/finding.ts'
import type { TrackingStatus } from '../../domain/tracking/tracking.ts'
import type { WebhookType } from '../../domain/webhooks/webhook-types.ts'
import type { TrackingCode } from '../protocol-codes.ts'
import type { CourierScript } from './courier-script.ts'
import { hourMs } from './courier-script.ts'
import type { ScenarioCall } from './scenario-calls.ts'

/** What a test or a reader sees when the scenario is played. */
export type ScenarioEnd = {
  /** The API's answer to the (last) listed call. */
  readonly answer: Answer
  /** The same request again once the scenario has ended. */
  readonly repeated: Answer
  /** How the operation ends; null if none is opened. */
  readonly operation: 'guide_exists' | 'nothing_created' | 'human_review' | 'cancelled' | null
  readonly shipment: string
  /** Where tracking ends; null if there is nothing to track. */
  readonly tracking: string | null
  /** What tracking reports on the way, in the order in which it happened. */
  readonly tracked: readonly TrackingReport[]
  /** The types of the webhooks sent on the way, in order, to an endpoint subscribed to all; without alerts. */
  readonly webhooks: readonly WebhookType[]
  /** How far the clock must be advanced from T until all of this holds. */
  readonly afterMs: number
}
/** A status, or an exception that is raised or resolved; `anomaly` is an impossible scan. */
export type TrackingReport = TrackingStatus | `${TrackingCode} ${'raised' | 'resolved'}` | 'anomaly'
type Answer = { readonly status: number; readonly reason: string | null }

/** How the month's invoice bills what the scenario made. */
type Billing = {
  readonly how: string
  /** The lines for each guide, and by how much each differs from what is right. */
  readonly lines: readonly { readonly amount: number; readonly weightKg: number }[]
  /** Whether a guide is billed after it was cancelled. */
  readonly billsCancelled: boolean
  /** What comparing the invoice finds once the listed calls are played, line by line. */
  readonly findings: readonly Finding[]
}

export type Scenario = {
  readonly number: number
  readonly summary: string
  readonly steps: readonly string[]
  /** The expected end in words. */
  readonly ends: string
  /** The calls that play it, in order; most scenarios need one. */
  readonly calls: readonly ScenarioCall[]
  readonly expected: ScenarioEnd
  readonly script: CourierScript
  readonly billing: Billing
}

export const asItIs = { amount: 0, weightKg: 0 }
export const billedRight: Billing = {
  how: 'Billed correctly.',
  lines: [asItIs],
  billsCancelled: false,
  findings: ['matched'],
}
export const billedOnceMade: Billing = {
  ...billedRight,
  how: 'Billed correctly, once it is created.',
  findings: [],
}

const created: Answer = { status: 201, reason: null }
export const unknown: Answer = { status: 409, reason: 'unknown_outcome' }
export const untilTransit: readonly TrackingReport[] = [
  'registered',
  'received_at_origin',
  'in_transit',
]
export const untilReady: readonly TrackingReport[] = [
  ...untilTransit,
  'arrived_at_destination',
  'ready_for_pickup',
]

export function updates(count: number): readonly WebhookType[] {
  return Array.from({ length: count }, () => 'tracking.updated' as const)
}
/** The label comes with the guide, and the courier's first scan with the first read. */
export const createdWithLabel: readonly WebhookType[] = ['shipment.created', 'label.ready']
const foundWithLabel: readonly WebhookType[] = [
  'shipment.outcome_unknown',
  'shipment.reconciled',
  'operation.resolved',
  'label.ready',
]
const onTheWay: readonly WebhookType[] = [...updates(6), 'tracking.delivered']

export const collected: ScenarioEnd = {
  answer: created,
  repeated: created,
  operation: null,
  shipment: 'created',
  tracking: 'delivered',
  tracked: [...untilReady, 'delivered'],
  webhooks: [...createdWithLabel, ...onTheWay],
  afterMs: 33 * hourMs,
}
export const foundLater: ScenarioEnd = {
  ...collected,
  answer: unknown,
  operation: 'guide_exists',
  webhooks: [...foundWithLabel, ...onTheWay],
}
export const never = { tracking: null, tracked: [], webhooks: [], afterMs: 0 } as const
export const reviewed: readonly WebhookType[] = [
  'shipment.outcome_unknown',
  'operation.needs_review',
]
