import type { Finding } from '../../domain/invoices/finding.ts'
import type { TrackingStatus } from '../../domain/tracking/tracking.ts'
import type { WebhookType } from '../../domain/webhooks/webhook-types.ts'
import type { TrackingCode } from '../protocol-codes.ts'
import type { CourierScript } from './courier-script.ts'
import { hourMs } from './courier-script.ts'
import type { ScenarioCall } from './scenario-calls.ts'

/** The expected result of the scenario. */
export type ScenarioEnd = {
  /** The API's answer to the (last) listed call. */
  readonly answer: Answer
  /** The API's answer to the same request once the scenario has ended. */
  readonly repeated: Answer
  /** How the operation ends; null if no operation is opened. */
  readonly operation: 'guide_exists' | 'nothing_created' | 'human_review' | 'cancelled' | null
  readonly shipment: string
  /** The final tracking status; null if there is nothing to track. */
  readonly tracking: string | null
  /** The reports of tracking, in the order in which they happened. */
  readonly tracked: readonly TrackingReport[]
  /**
   * The types of the webhooks, in order, for an endpoint subscribed to all of them; without alerts.
   */
  readonly webhooks: readonly WebhookType[]
  /** How far the clock must be advanced after T to reach this end. */
  readonly afterMs: number
}
/** A status, or an exception that is raised or resolved; `anomaly` is an impossible scan. */
export type TrackingReport = TrackingStatus | `${TrackingCode} ${'raised' | 'resolved'}` | 'anomaly'
type Answer = { readonly status: number; readonly reason: string | null }

/** How the month's invoice bills the guides of the scenario. */
type Billing = {
  readonly how: string
  /** The lines for each guide, and by how much each differs from the correct values. */
  readonly lines: readonly { readonly amount: number; readonly weightKg: number }[]
  /** Whether a guide is billed after it was cancelled. */
  readonly billsCancelled: boolean
  /** The findings of the invoice comparison once the listed calls are played, line by line. */
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
/** The label is fetched with the guide, and the first scan with the first tracking read. */
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
