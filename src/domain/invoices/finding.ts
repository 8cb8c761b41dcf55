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
  billed_twice: 'An earlier line of this or another invoice of the connection bills the guide.',
  cancelled_guide: 'The guide is known to be cancelled.',
  nothing_created: 'The attempt is concluded to have made no guide; the courier is asked again.',
  unknown_guide: 'No shipment of the connection has this guide.',
  unresolved: 'It is not certain yet what came of the shipment.',
} as const
export type Finding = keyof typeof findingTexts
export const findings = Object.keys(findingTexts) as [Finding, ...Finding[]]

export type InvoiceLine = {
  readonly guideNumber: string
  readonly amount: number
  readonly currency: string
  /** Null: the line has none, so it is not compared. */
  readonly weightGrams: number | null
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

/** Compares a line with the shipments that it may be about; the closest one counts. */
export function compareLine(
  line: InvoiceLine,
  candidates: readonly Candidate[],
  isBilledBefore: boolean,
): Comparison {
  const found = closest(line, candidates)
  if (found === null) {
    const finding = isBilledBefore ? 'billed_twice' : 'unknown_guide'
    return { finding, shipmentId: null, shipmentVersion: null, expected: null }
  }
  const { shipmentId, version: shipmentVersion, status, expected } = found
  const at = { shipmentId, shipmentVersion, expected: null }
  if (isBilledBefore) return { finding: 'billed_twice', ...at }
  const finding = byStatus[status]
  if (finding !== 'guide') return { finding, ...at }
  if (found.guideNumber !== line.guideNumber) return { finding: 'unknown_guide', ...at }
  if (status === 'cancelled') return { finding: 'cancelled_guide', ...at }
  return { ...at, finding: differenceFrom(expected, line), expected }
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
function closest(line: InvoiceLine, candidates: readonly Candidate[]): Candidate | null {
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

function differenceFrom({ price, weightGrams }: Expected, line: InvoiceLine): Finding {
  if (price !== null && (price.amount !== line.amount || price.currency !== line.currency)) {
    return 'amount_differs'
  }
  const isOtherWeight = line.weightGrams !== null && line.weightGrams !== weightGrams
  return isOtherWeight ? 'weight_differs' : 'matched'
}
