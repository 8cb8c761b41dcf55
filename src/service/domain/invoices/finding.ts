import type { Instant } from '../decider.ts'
import type { Money } from '../operation/machine.ts'
import { gramsOf } from '../parcel-weight.ts'
import {
  currentAttempt,
  type Shipment,
  type ShipmentStatus,
  statusOf,
} from '../shipment/shipment.ts'
import type { LineKind } from './line-kind.ts'

/** The findings of comparing a line of a courier's invoice with the ledger, with their meaning. */
export const findingTexts = {
  matched: 'The guide was issued, and the line agrees with the ledger.',
  amount_differs:
    'The guide was issued for another amount or currency, or with another cash on delivery.',
  weight_differs: 'The amount is correct, but the weight differs from the shipment.',
  billed_twice:
    'Earlier lines of this invoice or another invoice of the connection already bill the guide in full, or pay out all of its cash on delivery.',
  cancelled_guide: 'The guide is known to be cancelled.',
  nothing_created:
    'The attempt was concluded to have created no guide; the courier is asked again.',
  unknown_guide: 'No shipment of the connection has this guide.',
  unresolved: 'The outcome of the shipment is not certain yet.',
  part_of:
    'One of several lines of its kind for the guide. The last one has the finding for their sum.',
} as const
export type Finding = keyof typeof findingTexts
export const findings = Object.keys(findingTexts) as [Finding, ...Finding[]]
/** The findings that need a person's decision. */
export const questionedFindings = findings.filter(
  (finding) => finding !== 'matched' && finding !== 'part_of',
)

/** Whether lines with this finding differ, so that they need a decision. */
export function isDiffering(finding: Finding): boolean {
  return finding !== 'matched' && finding !== 'part_of'
}

export type InvoiceLine = {
  readonly kind: LineKind
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
  /** Null if the line has no weight, so none is compared. */
  readonly weightGrams: number | null
  /** As the courier prints it, such as 2026-03-01. */
  readonly date: string | null
  /** As the courier prints it: our shipment id, if the courier preserved it. */
  readonly clientReference: string | null
  /** The shipment that an earlier comparison found. The reference that led to it may be erased by now. */
  readonly foundBefore: string | null
}

/** The data of a shipment that a line may be about. */
export type Candidate = {
  readonly shipmentId: string
  readonly version: number
  readonly status: ShipmentStatus
  readonly createdAt: Instant
  /** Its guide, even if it is cancelled. */
  readonly guideNumber: string | null
  /** Every guide ever seen for it. */
  readonly seenGuides: readonly string[]
  readonly expected: Expected
  /** What the courier collects for the shop; null if it collects nothing. */
  readonly cashOnDelivery: Money | null
  /** Whether its personal data is erased. */
  readonly isErased: boolean
}

/** What the ledger expects to be charged, or to be paid out of cash on delivery. */
export type Expected = {
  /** Null if the courier gave no price. */
  readonly price: Money | null
  /** Total weight of all pieces. */
  readonly weightGrams: number
}

export type Comparison = {
  readonly finding: Finding
  readonly shipmentId: string | null
  /** The version of the shipment that the finding is based on. */
  readonly shipmentVersion: number | null
  /** Null if no charge is expected, or it is not certain yet. */
  readonly expected: Expected | null
}

/** The finding for a bill of the guide; `guide` means that amount and weight must be compared. */
export function findingOf(guideNumber: string, found: Candidate | null): Finding | 'guide' {
  if (found === null) return 'unknown_guide'
  const finding = byStatus[found.status]
  if (finding !== 'guide') return finding
  if (found.guideNumber !== guideNumber) return 'unknown_guide'
  return found.status === 'cancelled' ? 'cancelled_guide' : 'guide'
}

/** The finding by the shipment's status; `guide` means that it depends on the guide. */
const byStatus: Readonly<Record<ShipmentStatus, Finding | 'guide'>> = {
  creating: 'unresolved',
  created: 'guide',
  rejected: 'nothing_created',
  not_executed: 'nothing_created',
  unknown_outcome: 'unresolved',
  not_created: 'nothing_created',
  cancelling: 'unresolved',
  cancelled: 'guide',
}

/** Matches by guide number first, then by reference, by a guide seen once, and by an earlier finding. */
export function closest(line: InvoiceLine, candidates: readonly Candidate[]): Candidate | null {
  return (
    candidates.find(({ guideNumber }) => guideNumber === line.guideNumber) ??
    candidates.find(({ shipmentId }) => shipmentId === line.clientReference) ??
    candidates.find(({ seenGuides }) => seenGuides.includes(line.guideNumber)) ??
    candidates.find(({ shipmentId }) => shipmentId === line.foundBefore) ??
    null
  )
}

/** The data that lines are compared with. The shipment must have an attempt. */
export function candidateOf(shipmentId: string, state: Shipment): Candidate {
  const seen = state.attempts.flatMap(({ knownGuides, looks }) => [
    ...knownGuides,
    ...looks.flatMap(({ guideNumbers }) => guideNumbers),
  ])
  return {
    shipmentId,
    version: state.version,
    status: statusOf(state),
    createdAt: state.createdAt,
    guideNumber: currentAttempt(state).guide?.guideNumber ?? null,
    seenGuides: [...new Set(seen)],
    expected: expectedOf(state),
    cashOnDelivery: state.request.cash_on_delivery ?? null,
    isErased: state.erasedAt !== null,
  }
}

/** What the ledger expects to be charged for a shipment with a guide. */
export function expectedOf(state: Shipment): Expected {
  return {
    price: currentAttempt(state).guide?.price ?? null,
    weightGrams: gramsOf(state.request.package),
  }
}

/**
 * What a line of this kind is compared with. A shipment without cash on delivery has 0 of it, in the
 * currency of the line.
 */
export function expectedFor(
  kind: LineKind,
  { expected, cashOnDelivery }: Pick<Candidate, 'expected' | 'cashOnDelivery'>,
  currency: string,
): Expected {
  if (kind === 'charge') return expected
  return { ...expected, price: cashOnDelivery ?? { amount: 0, currency } }
}

/** The total billed for a guide, on one line or several. */
type Billed = {
  readonly amount: number
  /** Null if there are several currencies. */
  readonly currency: string | null
  /** The weights that the lines give, each for the whole shipment or for some of its pieces. */
  readonly weightsGrams: readonly number[]
}

export function differenceFrom({ price, weightGrams }: Expected, billed: Billed): Finding {
  const { amount, currency, weightsGrams } = billed
  if (price !== null && (price.amount !== amount || price.currency !== currency)) {
    return 'amount_differs'
  }
  const isSame = weightsGrams.every((each) => each === weightGrams)
  const sum = weightsGrams.reduce((all, each) => all + each, 0)
  return isSame || sum === weightGrams ? 'matched' : 'weight_differs'
}
