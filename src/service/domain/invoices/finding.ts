import type { Instant } from '../decider.ts'
import type { Money } from '../operation/machine.ts'
import {
  currentAttempt,
  type Shipment,
  type ShipmentStatus,
  statusOf,
} from '../shipment/shipment.ts'

/** What comparing a line of a courier's invoice with the ledger can find, with its meaning. */
export const findingTexts = {
  matched: 'The guide was issued, and nothing that the line says differs from the ledger.',
  amount_differs: 'The guide was issued for another amount or currency.',
  weight_differs: 'The amount is right, but the weight is not that of the shipment.',
  billed_twice:
    'Earlier lines of this or another invoice of the connection bill the guide in full.',
  cancelled_guide: 'The guide is known to be cancelled.',
  nothing_created: 'The attempt is concluded to have made no guide; the courier is asked again.',
  unknown_guide: 'No shipment of the connection has this guide.',
  unresolved: 'It is not certain yet what came of the shipment.',
  part_of: 'One of several charges of its guide: the last of them has the finding of their sum.',
} as const
export type Finding = keyof typeof findingTexts
export const findings = Object.keys(findingTexts) as [Finding, ...Finding[]]

export type InvoiceLine = {
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
  /** Null: the line has none, so it is not compared. */
  readonly weightGrams: number | null
  /** As the courier prints it, such as 2026-03-01. */
  readonly date: string | null
  /** As the courier prints it: our shipment id, if it has kept it. */
  readonly clientReference: string | null
  /** What an earlier comparison found: the reference that led to it may be erased since. */
  readonly foundBefore: string | null
}

/** A shipment that a line may be about, as far as it matters. */
export type Candidate = {
  readonly shipmentId: string
  readonly version: number
  readonly status: ShipmentStatus
  readonly createdAt: Instant
  /** The guide that it has, or had before it was cancelled. */
  readonly guideNumber: string | null
  /** Every other guide in evidence. */
  readonly seenGuides: readonly string[]
  readonly expected: Expected
  /** Its personal data is erased. */
  readonly isErased: boolean
}

/** What the ledger expects to be charged. */
export type Expected = {
  /** Null: the courier has told no price. */
  readonly price: Money | null
  /** Of all pieces together. */
  readonly weightGrams: number
}

export type Comparison = {
  readonly finding: Finding
  readonly shipmentId: string | null
  /** The number of the shipment's events that the finding rests on. */
  readonly shipmentVersion: number | null
  /** Null: no charge is expected, or it is not certain yet. */
  readonly expected: Expected | null
}

/** What a shipment says of a bill for the guide; `guide`: the amount and weight are compared. */
export function findingOf(guideNumber: string, found: Candidate | null): Finding | 'guide' {
  if (found === null) return 'unknown_guide'
  const finding = byStatus[found.status]
  if (finding !== 'guide') return finding
  if (found.guideNumber !== guideNumber) return 'unknown_guide'
  return found.status === 'cancelled' ? 'cancelled_guide' : 'guide'
}

/** What a shipment's status says of a line for it; `guide`: it depends on the guide. */
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

/** Its own guide counts first, then the client's reference, a guide once seen, what was found before. */
export function closest(line: InvoiceLine, candidates: readonly Candidate[]): Candidate | null {
  return (
    candidates.find(({ guideNumber }) => guideNumber === line.guideNumber) ??
    candidates.find(({ shipmentId }) => shipmentId === line.clientReference) ??
    candidates.find(({ seenGuides }) => seenGuides.includes(line.guideNumber)) ??
    candidates.find(({ shipmentId }) => shipmentId === line.foundBefore) ??
    null
  )
}

/** What lines are compared with of a shipment that has an attempt. */
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
    isErased: state.erasedAt !== null,
  }
}

/** What the ledger expects to be charged for a shipment with a guide. */
export function expectedOf(state: Shipment): Expected {
  const { quantity, weight_kg: weightKg } = state.request.package
  return {
    price: currentAttempt(state).guide?.price ?? null,
    weightGrams: Math.round(weightKg * 1_000) * quantity,
  }
}

/** What is billed for a guide, on one line or on several. */
type Billed = {
  readonly amount: number
  /** Null: in several. */
  readonly currency: string | null
  /** Of the lines that have one: of the whole shipment each, or of its pieces. */
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
