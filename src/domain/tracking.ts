import { type Instant, instant, type Recorded } from './decider.ts'
import type { EventData, MonitoringState, TrackingEventData } from './shipment-events.ts'

export const trackingStatuses = [
  'registered',
  'received_at_origin',
  'in_transit',
  'arrived_at_destination',
  'ready_for_pickup',
  'out_for_delivery',
  'delivery_attempted',
  'delivered',
  'returning',
  'returned',
  'lost',
  'cancelled',
] as const
export type TrackingStatus = (typeof trackingStatuses)[number]
export type Phase = 'pre_transit' | 'origin' | 'transit' | 'destination' | 'return' | 'final'

type StatusFacts = {
  readonly phase: Phase
  readonly rank: number
  /** Statuses of a lower or equal rank that a newer event may still lead to. */
  readonly back: readonly TrackingStatus[]
}

export const trackingStatusFacts: Readonly<Record<TrackingStatus, StatusFacts>> = {
  registered: { phase: 'pre_transit', rank: 10, back: [] },
  received_at_origin: { phase: 'origin', rank: 20, back: [] },
  in_transit: { phase: 'transit', rank: 30, back: [] },
  arrived_at_destination: { phase: 'destination', rank: 40, back: ['in_transit'] },
  delivery_attempted: { phase: 'destination', rank: 45, back: [] },
  ready_for_pickup: {
    phase: 'destination',
    rank: 50,
    back: ['out_for_delivery', 'delivery_attempted'],
  },
  out_for_delivery: {
    phase: 'destination',
    rank: 50,
    back: ['ready_for_pickup', 'delivery_attempted'],
  },
  returning: { phase: 'return', rank: 60, back: ['ready_for_pickup'] },
  delivered: { phase: 'final', rank: 90, back: [] },
  returned: { phase: 'final', rank: 91, back: [] },
  lost: { phase: 'final', rank: 92, back: [] },
  cancelled: { phase: 'final', rank: 93, back: [] },
}

type Meaning = {
  readonly status: TrackingStatus | null
  readonly subStatus: string | null
  readonly exception: 'raised' | 'resolved' | null
  /** May leave a final status: `found` after lost, `correction` any. */
  readonly reopens: 'lost' | 'any' | null
  readonly description: string
}

function means(
  status: TrackingStatus | null,
  subStatus: string | null,
  description: string,
  more: Partial<Pick<Meaning, 'exception' | 'reopens'>> = {},
): Meaning {
  return { status, subStatus, description, exception: null, reopens: null, ...more }
}

const raised = { exception: 'raised' } as const

/** Our closed list of codes: what a connector may say, and what it means. */
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
  found: means('in_transit', 'found', 'Found again', { exception: 'resolved', reopens: 'lost' }),
  cancelled: means('cancelled', null, 'The guide was cancelled'),
  delivery_reversed: means(
    'arrived_at_destination',
    'delivery_reversed',
    'A delivery was corrected',
    {
      reopens: 'any',
    },
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
export type TrackingCode = keyof typeof trackingCodes

export function isTrackingCode(code: string): code is TrackingCode {
  return Object.hasOwn(trackingCodes, code) && code !== 'unmapped'
}

export function meaningOf(code: string): Meaning {
  return isTrackingCode(code) ? trackingCodes[code] : trackingCodes.unmapped
}

export type TrackingException = {
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
  /** Ids of events that made an illegal move; kept, and without effect on the status. */
  readonly anomalies: readonly string[]
  /** When the status began, as the courier tells it. */
  readonly statusSince: Instant | null
  readonly monitoring: 'not_started' | MonitoringState
  readonly lastChangedAt: Instant | null
}

export const untracked: Tracking = {
  status: null,
  subStatus: null,
  exception: null,
  eta: null,
  events: [],
  anomalies: [],
  statusSince: null,
  monitoring: 'not_started',
  lastChangedAt: null,
}

/**
 * A shipment's scans: as many as one answer of a courier may hold. Of more the oldest are kept, so
 * that what was kept once is kept for ever.
 */
export const trackingEventsMax = 1_000

export function phaseOf(tracking: Tracking): Phase | null {
  return tracking.status === null ? null : trackingStatusFacts[tracking.status].phase
}

function rankOf(event: TrackingEventData): number {
  const status = meaningOf(event.code).status
  return status === null ? 0 : trackingStatusFacts[status].rank
}

/** By time, then rank, then id: the same set of events always makes the same row. */
function inOrder(events: readonly TrackingEventData[]): TrackingEventData[] {
  const unique = new Map<string, TrackingEventData>()
  for (const event of events) if (!unique.has(event.id)) unique.set(event.id, event)
  return [...unique.values()].sort(
    (a, b) =>
      instant(a.occurred_at) - instant(b.occurred_at) ||
      rankOf(a) - rankOf(b) ||
      (a.id < b.id ? -1 : 1),
  )
}

function kept(
  tracking: Tracking,
  events: readonly TrackingEventData[],
): readonly TrackingEventData[] {
  return inOrder([...tracking.events, ...events]).slice(0, trackingEventsMax)
}

/** Of these events the ones that would be kept and are not yet, each once, oldest first. */
export function unseenEvents(
  tracking: Tracking,
  events: readonly TrackingEventData[],
): TrackingEventData[] {
  const seen = new Set(tracking.events.map((event) => event.id))
  return kept(tracking, events).filter((event) => !seen.has(event.id))
}

function mayMove(
  from: TrackingStatus | null,
  to: TrackingStatus,
  reopens: Meaning['reopens'],
): boolean {
  if (from === null || from === to) return true
  const facts = trackingStatusFacts[from]
  if (facts.phase === 'final') return reopens === 'any' || (reopens === 'lost' && from === 'lost')
  if (to === 'cancelled') return facts.phase === 'pre_transit'
  return reopens === 'any' || trackingStatusFacts[to].rank > facts.rank || facts.back.includes(to)
}

type Derived = Pick<Tracking, 'status' | 'subStatus' | 'exception' | 'anomalies' | 'statusSince'>

function apply(before: Derived, event: TrackingEventData): Derived {
  const meaning = meaningOf(event.code)
  const at = instant(event.occurred_at)
  if (meaning.status !== null && !mayMove(before.status, meaning.status, meaning.reopens)) {
    return { ...before, anomalies: [...before.anomalies, event.id] }
  }
  const final = meaning.status !== null && trackingStatusFacts[meaning.status].phase === 'final'
  let exception = meaning.exception === 'resolved' || final ? null : before.exception
  if (meaning.exception === 'raised') {
    const since = before.exception?.code === event.code ? before.exception.since : at
    exception = { code: event.code, since, actionRequired: event.action_required }
  }
  if (meaning.status === null) return { ...before, exception }
  return {
    ...before,
    status: meaning.status,
    subStatus: meaning.subStatus,
    exception,
    statusSince: meaning.status === before.status ? before.statusSince : at,
  }
}

/** Folds all scans anew, so that the order in which they were learned makes no difference. */
export function observe(
  tracking: Tracking,
  data: EventData<'TrackingObserved'>,
  event: Recorded<object>,
): Tracking {
  const events = kept(tracking, data.events)
  const derived = events.reduce<Derived>(apply, {
    status: null,
    subStatus: null,
    exception: null,
    anomalies: [],
    statusSince: null,
  })
  return {
    ...tracking,
    ...derived,
    events,
    eta: data.eta === null ? tracking.eta : instant(data.eta),
    lastChangedAt: event.recordedAt,
  }
}
