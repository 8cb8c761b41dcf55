import type { TrackingReport } from '../../src/service/couriers/scenarios/scenario.ts'
import type { TrackingEventData } from '../../src/service/domain/shipment/shipment-events.ts'
import { observe, type Tracking, untracked } from '../../src/service/domain/tracking/tracking.ts'
import type { LedgerEvent } from './api-client.ts'

/**
 * A body without what differs between runs: ids and values derived from them are removed, and times
 * are returned separately.
 */
export type Comparable = {
  readonly text: string
  /**
   * Times in milliseconds since the start of the run, in the order of the body, then durations of
   * calls.
   */
  readonly afterMs: readonly number[]
}

const id = /\b(ws|ccn|shp|op|req|tev|evt|quo|key|org)_[0-9A-Za-z_]+/g
/** The simulated courier's guide numbers. */
const guide = /\bSG\d{14}\b/g
const moment = /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/g
/** The real duration of a call. */
const latency = /("latency_ms":)(\d+)/g
/** Four digits that the courier derives for a guide. */
const pickupCode = /("pickup_code":)"\d{4}"/g

/** It follows from the shipment's id. */
const trackingLink = /(\/t\/)[0-9A-Za-z]{46}\b/g

export function comparable(body: unknown, began: number): Comparable {
  const afterMs: number[] = []
  const text = JSON.stringify(body)
    .replaceAll(id, '$1_…')
    .replaceAll(guide, 'SG…')
    .replaceAll(trackingLink, '$1…')
    .replaceAll(pickupCode, '$1"…"')
    .replaceAll(moment, (_, at: string) => {
      afterMs.push(Date.parse(at) - began)
      return '"…"'
    })
    .replaceAll(latency, (_, name: string, ms: string) => {
      afterMs.push(Number(ms))
      return `${name}"…"`
    })
  return { text, afterMs }
}

type ShownScan = Omit<TrackingEventData, 'action_required'>

/** The changes that scans, as the API shows them and oldest first, report one by one. */
export function reportsIn(scans: readonly ShownScan[]): readonly TrackingReport[] {
  const milestones: TrackingReport[] = []
  let before: Tracking = untracked
  for (const scan of scans) {
    const events = [{ ...scan, action_required: false }]
    const data = { events, eta: null, evidence_ref: null }
    const after = observe(before, data, { version: 0, occurredAt: 0, recordedAt: 0 })
    if (before.exception !== null && after.exception?.code !== before.exception.code) {
      milestones.push(`${before.exception.code} resolved` as TrackingReport)
    }
    if (after.exception !== null && after.exception.code !== before.exception?.code) {
      milestones.push(`${after.exception.code} raised` as TrackingReport)
    }
    if (after.status !== null && after.status !== before.status) milestones.push(after.status)
    if (after.anomalies.length > before.anomalies.length) milestones.push('anomaly')
    before = after
  }
  return milestones
}

/** The part of the history that is the same in every run, as text. */
export function storyOf(events: readonly LedgerEvent[]): readonly string[] {
  return events.map(({ type, data }) => {
    const codes =
      type === 'TrackingObserved' ? data.events.map((scan: { code: string }) => scan.code) : []
    const said = data.answer ?? data.state ?? data.reason ?? data.cause ?? data.because ?? ''
    return [type, said, ...codes].filter((word) => word !== '').join(' ')
  })
}
