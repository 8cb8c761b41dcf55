import type { Money } from '../operation/machine.ts'
import {
  type Candidate,
  type Comparison,
  differenceFrom,
  type Finding,
  findingOf,
} from './finding.ts'

/** If an invoice has more lines for one guide, they are not treated as charges of it. */
export const chargesMax = 100

/** A line, as one of several charges of its guide. */
export type Charge = Money & {
  readonly line: number
  /** Null if the line has no weight, so none is compared. */
  readonly weightGrams: number | null
}

/** The amounts that earlier invoices bill for the guide. */
export type BilledBefore = { readonly amounts: readonly Money[] }

/** Several lines that together bill a guide. */
export type Billing = {
  readonly line: number
  readonly lines: number
  /** Null if the lines have several currencies. */
  readonly amount: number | null
}

type ComparedCharge = Comparison & {
  readonly line: number
  /** Null if the line is the only one. */
  readonly billing: Billing | null
  /** Where the guide was already billed, in full or in part: in an earlier invoice, or at this line. */
  readonly billedBefore: 'earlier' | number | null
}

type Part = { readonly charges: readonly Charge[]; readonly isRepeat: boolean }

/**
 * Compares an invoice's lines for one guide, in their order, with its shipment. Their sum is compared,
 * and the last line gets the finding. Lines after the guide is billed in full bill it twice.
 */
export function compareCharges(
  guideNumber: string,
  charges: readonly Charge[],
  found: Candidate | null,
  before: BilledBefore | null,
): readonly ComparedCharge[] {
  const price = found?.expected.price ?? null
  const parts = partsOf(charges, price, before)
  const firstLine = parts[0]?.charges.at(-1)?.line ?? null
  return parts.flatMap((part) => {
    const last = part.charges.at(-1) as Charge
    const billedBefore = before !== null ? 'earlier' : part.isRepeat ? firstLine : null
    const base = part.isRepeat ? 'billed_twice' : findingOf(guideNumber, found)
    const isExpected = base === 'guide' && found !== null
    const finding = isExpected ? differenceFrom(found.expected, totalOf(part, price, before)) : base
    const billing = billingOf(part.charges)
    return part.charges.map(({ line }) => ({
      line,
      finding: line === last.line ? (finding as Finding) : ('part_of' as const),
      shipmentId: found?.shipmentId ?? null,
      shipmentVersion: found?.version ?? null,
      expected: isExpected && line === last.line ? found.expected : null,
      billing,
      billedBefore,
    }))
  })
}

/** Splits the lines where they bill the guide in full; if any are left over, all stay in one part. */
function partsOf(
  charges: readonly Charge[],
  price: Money | null,
  before: BilledBefore | null,
): readonly Part[] {
  const isRepeat = before !== null && isInFull(price, before)
  const whole = [{ charges, isRepeat }]
  // Without a price, a line with the same amount bills the guide again; others are charges of it.
  const [full] = price === null ? charges : [price]
  if (full === undefined || charges.some(({ currency }) => currency !== full.currency)) return whole
  const parts: Part[] = []
  let from = 0
  let sum = isRepeat ? 0 : sumOf(before?.amounts ?? [])
  for (const [index, { amount }] of charges.entries()) {
    sum += amount
    if (sum !== full.amount * (parts.length + 1)) continue
    const some = charges.slice(from, index + 1)
    parts.push({ charges: some, isRepeat: isRepeat || parts.length > 0 })
    from = index + 1
  }
  return from === charges.length ? parts : whole
}

/** An amount in another currency, or without a known price to compare, counts as billed in full. */
function isInFull(price: Money | null, { amounts }: BilledBefore): boolean {
  if (price === null || amounts.some(({ currency }) => currency !== price.currency)) return true
  return sumOf(amounts) >= price.amount
}

function sumOf(amounts: readonly Money[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

/** The total of a part, including what was billed for the guide before. */
function totalOf({ charges }: Part, price: Money | null, before: BilledBefore | null) {
  const currencies = new Set(charges.map(({ currency }) => currency))
  const weights = charges.flatMap(({ weightGrams }) => weightGrams ?? [])
  return {
    amount: sumOf(charges) + (price === null ? 0 : sumOf(before?.amounts ?? [])),
    currency: currencies.size === 1 ? (charges[0]?.currency ?? null) : null,
    weightsGrams: weights,
  }
}

function billingOf(charges: readonly Charge[]): Billing | null {
  if (charges.length < 2) return null
  const isOne = new Set(charges.map(({ currency }) => currency)).size === 1
  const { line } = charges.at(-1) as Charge
  return { line, lines: charges.length, amount: isOne ? sumOf(charges) : null }
}
