import type { JsonObject } from './decider.ts'
import {
  type Shipment,
  type ShipmentStatus,
  statusByCreation,
  statusOf,
} from './shipment/shipment.ts'

/** Whether a shipment of this status counts against its month's quota. */
const counted: Readonly<Record<ShipmentStatus, boolean>> = {
  creating: true,
  created: true,
  rejected: false,
  not_executed: false,
  unknown_outcome: true,
  not_created: false,
  cancelling: true,
  cancelled: true,
}

export function isCounted(state: Shipment): boolean {
  return counted[statusOf(state)]
}

/** Whether its place may ever have been released. Other shipments need no correction. */
export function mayFreeQuotaPlace({ attempts }: Shipment): boolean {
  return attempts.some(
    (attempt) => attempt.contradicted || !counted[statusByCreation[attempt.state]],
  )
}

/** A share of a month's quota that was used up, in percent. */
export type ReachedThreshold = {
  readonly organizationId: string
  readonly livemode: boolean
  /** The calendar month (UTC), such as `2026-03`. */
  readonly period: string
  readonly percent: number
  readonly used: number
  readonly quota: number
}

/** The object of the webhook `quota.threshold_reached`. */
export function thresholdResource(reached: ReachedThreshold) {
  return {
    id: reached.organizationId,
    object: 'quota',
    livemode: reached.livemode,
    metric: 'shipments',
    period: reached.period,
    percent: reached.percent,
    used: reached.used,
    limit: reached.quota,
  } satisfies JsonObject
}
