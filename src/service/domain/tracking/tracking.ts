import { type Instant, instant, type Recorded } from '../decider.ts'
import type { EventData, MonitoringState, TrackingEventData } from '../shipment/shipment-events.ts'
import {
  type Phase,
  type TrackingSignal,
  type TrackingStatus,
  trackingStatusFacts,
  trackingTransitions,
} from './tracking-transitions.ts'

export {
  type Phase,
  phases,
  type TrackingStatus,
  trackingStatuses,
} from './tracking-transitions.ts'

type Meaning = {
  readonly status: TrackingStatus | null
  readonly subStatus: string | null
  readonly exception: 'raised' | 'resolved' | null
  /** Its meaning for the status; null if it has none. */
  readonly signal: TrackingSignal | null
  readonly description: string
}

function means(
  status: TrackingStatus | null,
  subStatus: string | null,
  description: string,
  more: Partial<Pick<Meaning, 'exception' | 'signal'>> = {},
): Meaning {
  return { status, subStatus, description, exception: null, signal: status, ...more }
}

const raised = { exception: 'raised' } as const

/** Our closed list of codes: what a connector may report, and what it means. */
export const trackingCodes = {
  registered: means('registered', null, 'The guide was registered'),
  received_at_origin: means('received_at_origin', 'dropped_off', 'Received at the origin agency'),
  in_transit: means('in_transit', null, 'On its way'),
  departed_origin: means('in_transit', 'departed_origin', 'Left the origin agency'),
  arrived_at_hub: means('in_transit', 'arrived_at_hub', 'Arrived at a hub'),
  departed_hub: means('in_transit', 'departed_hub', 'Left a hub'),
  arrived_at_destination: means(
    'arrived_at_destination',
    null,
    'Arrived at the destination agency',
  ),
  ready_for_pickup: means('ready_for_pickup', 'awaiting_collection', 'Ready to be collected'),
  reminder_sent: means('ready_for_pickup', 'reminder_sent', 'The recipient was reminded'),
  last_notice: means('ready_for_pickup', 'last_notice', 'The recipient got the last notice'),
  out_for_delivery: means('out_for_delivery', null, 'Out for delivery'),
  delivery_attempted: means('delivery_attempted', null, 'A delivery was attempted'),
  delivered: means('delivered', 'delivered_to_recipient', 'Delivered'),
  collected: means('delivered', 'collected_at_agency', 'Collected at the agency'),
  not_collected: means('returning', 'not_collected', 'Not collected in time; going back'),
  returning: means('returning', null, 'Going back to the sender'),
  returned: means('returned', null, 'Returned to the sender'),
  lost: means('lost', 'declared_by_courier', 'Declared lost by the courier'),
  found: means('in_transit', 'found', 'Found again', { exception: 'resolved', signal: 'found' }),
  cancelled: means('cancelled', null, 'The guide was cancelled'),
  delivery_reversed: means(
    'arrived_at_destination',
    'delivery_reversed',
    'A delivery was corrected',
    { signal: 'correction' },
  ),
  held: means(null, null, 'Held', raised),
  damaged: means(null, null, 'Damaged', raised),
  missing: means(null, null, 'Not found at the expected place', raised),
  misrouted: means(null, null, 'Sent the wrong way', raised),
  documents_required: means(null, null, 'Documents are required', raised),
  delayed: means(null, null, 'Delayed', raised),
  released: means(null, null, 'Released', { exception: 'resolved' }),
  unmapped: means(null, null, 'An event that has no normalized code yet'),
} as const satisfies Record<string, Meaning>
type TrackingCode = keyof typeof trackingCodes

export function isTrackingCode(code: string): code is TrackingCode {
  return Object.hasOwn(trackingCodes, code) && code !== 'unmapped'
}

export function meaningOf(code: string): Meaning {
  return isTrackingCode(code) ? trackingCodes[code] : trackingCodes.unmapped
}

type TrackingException = {
  readonly code: string
  readonly since: Instant
  readonly actionRequired: boolean
}

export type Tracking = {
  readonly status: TrackingStatus | null
  readonly subStatus: string | null
  readonly exception: TrackingException | null
  readonly eta: Instant | null
  /** Deduplicated, oldest first. */
  readonly events: readonly TrackingEventData[]
  /** Ids of events that would be an impossible move. They are kept but do not affect the status. */
  readonly anomalies: readonly string[]
  /** Ids of events about an earlier parcel with the same guide number. Only their ids are kept here. */
  readonly earlier: readonly string[]
  /** Other shipments that have the same guide number. */
  readonly sharedWith: readonly string[]
  /** When the status began: when the guide became known, later as the courier reports it. */
  readonly statusSince: Instant | null
  /** When its guide was issued or found; null if it has none. */
  readonly registeredAt: Instant | null
  readonly monitoring: 'not_started' | MonitoringState
  /** When reading was last resumed after it had ended; null if never. */
  readonly resumedAt: Instant | null
  readonly lastChangedAt: Instant | null
}

export const untracked: Tracking = {
  status: null,
  subStatus: null,
  exception: null,
  eta: null,
  events: [],
  anomalies: [],
  earlier: [],
  sharedWith: [],
  statusSince: null,
  registeredAt: null,
  monitoring: 'not_started',
  resumedAt: null,
  lastChangedAt: null,
}

/** The tracking of a guide without scans: registered, and followed from the moment it became known. */
export function registered(event: Recorded<object>): Tracking {
  const at = event.recordedAt
  return {
    ...untracked,
    status: 'registered',
    statusSince: at,
    registeredAt: at,
    monitoring: 'active',
    lastChangedAt: at,
  }
}

/**
 * Scans of a shipment: as many as one courier answer may hold. Beyond that the oldest are kept, so a
 * scan once kept is never dropped.
 */
export const trackingEventsMax = 1_000
/** Shipments listed as sharing a guide number. The first one already makes it an anomaly. */
export const sharedWithMax = 10

export function phaseOf(tracking: Tracking): Phase | null {
  return tracking.status === null ? null : trackingStatusFacts[tracking.status].phase
}

function rankOf(event: TrackingEventData): number {
  const status = meaningOf(event.code).status
  return status === null ? 0 : trackingStatusFacts[status].rank
}

/** A total order by time, rank and id. Stored times have one format, so they compare as text. */
function compare(a: TrackingEventData, b: TrackingEventData): number {
  if (a.occurred_at !== b.occurred_at) return a.occurred_at < b.occurred_at ? -1 : 1
  return rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1)
}

/** The new ones among these events, without duplicates, in order. */
function fresh(tracking: Tracking, events: readonly TrackingEventData[]): TrackingEventData[] {
  const seen = new Set([...tracking.events.map((event) => event.id), ...tracking.earlier])
  const unique = new Map<string, TrackingEventData>()
  for (const event of events) {
    if (!seen.has(event.id) && !unique.has(event.id)) unique.set(event.id, event)
  }
  return [...unique.values()].sort(compare)
}

/** Whether all of these are later than the kept ones, so nothing already folded changes. */
function areLater(tracking: Tracking, ordered: readonly TrackingEventData[]): boolean {
  const [first] = ordered
  const last = tracking.events.at(-1)
  return first === undefined || last === undefined || compare(last, first) < 0
}

function merged(
  tracking: Tracking,
  ordered: readonly TrackingEventData[],
): readonly TrackingEventData[] {
  const all = [...tracking.events, ...ordered]
  if (!areLater(tracking, ordered)) all.sort(compare)
  return all.slice(0, trackingEventsMax)
}

/** The events among these that are not kept yet and would be, without duplicates, oldest first. */
export function unseenEvents(
  tracking: Tracking,
  events: readonly TrackingEventData[],
): TrackingEventData[] {
  const unseen = fresh(tracking, events)
  const { own, earlier } = byParcel(unseen)
  const kept = new Set(merged(tracking, own).map((event) => event.id))
  const isKept = ({ id }: TrackingEventData) => kept.has(id)
  return [...earlier.slice(0, trackingEventsMax - tracking.earlier.length), ...own.filter(isKept)]
}

function byParcel(events: readonly TrackingEventData[]) {
  const isEarlier = ({ earlier_parcel }: TrackingEventData) => earlier_parcel === true
  return {
    own: events.filter((event) => !isEarlier(event)),
    earlier: events.filter(isEarlier),
  }
}

type Derived = Pick<Tracking, 'subStatus' | 'exception' | 'anomalies' | 'statusSince'> & {
  readonly status: TrackingStatus
}

/** The state before the first scan. */
function withoutScans({ registeredAt }: Tracking): Derived {
  return {
    status: 'registered',
    subStatus: null,
    exception: null,
    anomalies: [],
    statusSince: registeredAt,
  }
}

function derivedOf(tracking: Tracking): Derived {
  const { status, subStatus, exception, anomalies, statusSince } = tracking
  if (status === null) return withoutScans(tracking)
  return { status, subStatus, exception, anomalies, statusSince }
}

function apply(before: Derived, event: TrackingEventData): Derived {
  const meaning = meaningOf(event.code)
  const at = instant(event.occurred_at)
  const { signal } = meaning
  const target = signal === null ? meaning.status : trackingTransitions[before.status][signal]
  if (target === 'anomaly') return { ...before, anomalies: [...before.anomalies, event.id] }
  const isFinal = target !== null && trackingStatusFacts[target].phase === 'final'
  let exception = meaning.exception === 'resolved' || isFinal ? null : before.exception
  if (meaning.exception === 'raised') {
    const since = before.exception?.code === event.code ? before.exception.since : at
    exception = { code: event.code, since, actionRequired: event.action_required }
  }
  if (target === null) return { ...before, exception }
  const hasMoved = target !== before.status
  return {
    ...before,
    status: target,
    subStatus: target === meaning.status ? meaning.subStatus : before.subStatus,
    exception,
    statusSince: hasMoved ? at : before.statusSince,
  }
}

/**
 * Folds scans so that their order of arrival does not matter: scans later than all others are added on
 * top; for any other scan, all are folded again.
 */
export function observe(
  tracking: Tracking,
  data: EventData<'TrackingObserved'>,
  event: Recorded<object>,
): Tracking {
  const { own: unseen, earlier: others } = byParcel(fresh(tracking, data.events))
  const earlier = [...tracking.earlier, ...others.map(({ id }) => id)]
  if (unseen.length === 0 && others.length > 0 && data.eta === null) return { ...tracking, earlier }
  const events = merged(tracking, unseen)
  const isOnTop = areLater(tracking, unseen)
  const derived = isOnTop
    ? events.slice(tracking.events.length).reduce(apply, derivedOf(tracking))
    : events.reduce(apply, withoutScans(tracking))
  return {
    ...tracking,
    ...derived,
    events,
    earlier,
    eta: data.eta === null ? tracking.eta : instant(data.eta),
    lastChangedAt: event.recordedAt,
  }
}

export function hasEnded({ monitoring }: Tracking): boolean {
  return monitoring === 'completed' || monitoring === 'expired'
}

/** What can be wrong with the scans that the courier reports for a guide. */
export const anomalyTexts = {
  earlier_parcel:
    'scans older than the shipment: about an earlier parcel with the same guide number.',
  impossible_move: 'scans that cannot follow the ones before them.',
  guide_number_shared: 'another shipment of the connection has the same guide number.',
} as const
export type AnomalyCode = keyof typeof anomalyTexts

export function anomaliesOf({ anomalies, earlier, sharedWith }: Tracking) {
  const counts: Readonly<Record<AnomalyCode, readonly string[]>> = {
    earlier_parcel: earlier,
    impossible_move: anomalies,
    guide_number_shared: sharedWith,
  }
  return counts
}

/** Records that another shipment has the same guide number. */
export function shareGuide(tracking: Tracking, shipmentId: string): Tracking {
  return { ...tracking, sharedWith: [...tracking.sharedWith, shipmentId] }
}

/** Records that automatic reading started, kept failing, recovered or ended. */
export function monitor(
  tracking: Tracking,
  state: MonitoringState,
  event: Recorded<object>,
): Tracking {
  const isResumed = hasEnded(tracking) && state === 'active'
  const resumedAt = isResumed ? event.recordedAt : tracking.resumedAt
  return { ...tracking, monitoring: state, resumedAt }
}
