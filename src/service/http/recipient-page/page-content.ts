import { type Instant, instant } from '../../domain/decider.ts'
import {
  findCurrentAttempt,
  type Shipment,
  type ShipmentStatus,
  statusOf,
} from '../../domain/shipment/shipment.ts'
import { phaseOf, type Tracking, trackingCodes } from '../../domain/tracking/tracking.ts'
import type { PageShop } from '../../security/tracking-links/tracking-links.ts'
import { type Situation, type Trouble, troubles } from './page-texts.ts'
import { peruDay } from './peru-time.ts'

/** Scans that are shown, newest first. A journey has about ten. */
const stepsMax = 50

export type PageAgency = {
  /** Without it many agencies cannot be found; null if the courier is not available any more. */
  readonly courier: string | null
  readonly name: string
  readonly address: string
  /** District, province and department. */
  readonly area: string
}

type PageTrouble = {
  readonly code: Trouble
  readonly mustAct: boolean
  /** The parcel got so near since then that its situation is what the person must know first. */
  readonly isOvertaken: boolean
}

type Step = {
  /** Null for the registration by the shop, which is no scan. */
  readonly code: keyof typeof trackingCodes | null
  readonly at: Instant
  readonly agency: string | null
}

/** What the page shows, in no language yet: nothing personal, no code and no price. */
export type PageContent = {
  readonly shop: PageShop
  readonly isSandbox: boolean
  readonly situation: Situation
  /** What is wrong, which is said instead of the situation. */
  readonly trouble: PageTrouble | null
  readonly isCancelling: boolean
  readonly isOutOfDate: boolean
  /** When the parcel is expected; null if it is not known or no longer matters. */
  readonly expectedAt: Instant | null
  /** Where the parcel is collected; null if it will not be, or the courier does not list it. */
  readonly agency: PageAgency | null
  readonly hasNews: boolean
  /** Newest first. */
  readonly steps: readonly Step[]
}

/** The statuses of a shipment whose guide is not certain. */
const unconfirmed: ReadonlySet<ShipmentStatus> = new Set([
  'creating',
  'unknown_outcome',
  'not_created',
  'not_executed',
  'rejected',
])
/** The parcel will not be collected any more. */
const over: ReadonlySet<Situation> = new Set([
  'delivered',
  'collected',
  'returning',
  'returned',
  'lost',
  'cancelled',
])
/** The person can have the parcel today. */
const near: ReadonlySet<Situation> = new Set(['ready_for_pickup', 'out_for_delivery'])
const silent: ReadonlySet<Tracking['monitoring']> = new Set(['unreachable', 'expired'])

/** The agencies that the page names, if the courier lists them. */
export function agencyIdsOf({ request, tracking }: Shipment): readonly string[] {
  const scanned = tracking.events.slice(-stepsMax).flatMap(({ agency_id: id }) => id ?? [])
  return [...new Set([request.destination.agency_id, ...scanned])]
}

type Surroundings = {
  readonly shop: PageShop
  readonly agencies: ReadonlyMap<string, PageAgency>
  /** The workspace's clock. */
  readonly now: Instant
}

export function pageContent(state: Shipment, { shop, agencies, now }: Surroundings): PageContent {
  const { request, tracking } = state
  const situation = situationOf(state)
  const isOver = over.has(situation)
  const steps = stepsOf(tracking, agencies)
  const trouble = isOver ? null : troubleOf(tracking, situation)
  const isArrived = phaseOf(tracking) === 'destination'
  const isExpected = !isOver && !isArrived && situation !== 'unconfirmed' && trouble === null
  return {
    shop,
    isSandbox: !request.livemode,
    situation,
    trouble,
    isCancelling: statusOf(state) === 'cancelling',
    isOutOfDate: !isOver && silent.has(tracking.monitoring),
    expectedAt: isExpected && !isPast(tracking.eta, now) ? tracking.eta : null,
    agency: isOver ? null : (agencies.get(request.destination.agency_id) ?? null),
    hasNews: steps.some((step) => step.code !== null),
    steps,
  }
}

/** Whether the day is over. */
function isPast(eta: Instant | null, now: Instant): boolean {
  return eta !== null && peruDay(eta) < peruDay(now)
}

function troubleOf({ exception, statusSince }: Tracking, situation: Situation): PageTrouble | null {
  const code = troubles.find((one) => one === exception?.code)
  if (exception === null || code === undefined) return null
  const isOvertaken = near.has(situation) && statusSince !== null && statusSince > exception.since
  return { code, mustAct: exception.actionRequired, isOvertaken }
}

function situationOf(state: Shipment): Situation {
  const { status, subStatus } = state.tracking
  const shipmentStatus = statusOf(state)
  if (shipmentStatus === 'cancelled') return 'cancelled'
  const hasGuide = (findCurrentAttempt(state)?.guide ?? null) !== null
  if (unconfirmed.has(shipmentStatus) || !hasGuide || status === null) return 'unconfirmed'
  return status === 'delivered' && subStatus === 'collected_at_agency' ? 'collected' : status
}

/**
 * Scans of an impossible move or of an earlier parcel with the same number are left out, and the
 * courier's own registration, which repeats that of the shop.
 */
function stepsOf(tracking: Tracking, agencies: ReadonlyMap<string, PageAgency>): readonly Step[] {
  const ignored = new Set([...tracking.anomalies, ...tracking.earlier])
  const scans = tracking.events
    .filter(({ id, code }) => !ignored.has(id) && code !== 'registered')
    .slice(-stepsMax)
    .map(
      ({ code, occurred_at: at, agency_id: id }): Step => ({
        code: isKnown(code) ? code : 'unmapped',
        at: instant(at),
        agency: id === null ? null : (agencies.get(id)?.name ?? null),
      }),
    )
  const { registeredAt } = tracking
  const first: readonly Step[] =
    registeredAt === null ? [] : [{ code: null, at: registeredAt, agency: null }]
  return [...first, ...scans].reverse()
}

function isKnown(code: string): code is keyof typeof trackingCodes {
  return Object.hasOwn(trackingCodes, code)
}
