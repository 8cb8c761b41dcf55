import type { Money } from '../operation/machine.ts'
import {
  type Candidate,
  type Comparison,
  differenceFrom,
  type Finding,
  findingOf,
} from './finding.ts'

/** More lines of one guide in an invoice are no charges of it. */
export const chargesMax = 100

/** A line, as one of several charges of its guide. */
export type Charge = Money & {
  readonly line: number
  /** Null: the line has none, so it is not compared. */
  readonly weightGrams: number | null
}

/** What earlier invoices bill for the guide. */
export type BilledBefore = { readonly amounts: readonly Money[] }

/** Lines that bill a guide together. */
export type Billing = {
  readonly line: number
  readonly lines: number
  /** Null: in several currencies. */
  readonly amount: number | null
}

type ComparedCharge = Comparison & {
  readonly line: number
  /** Null: the line is alone. */
  readonly billing: Billing | null
  /** Where the guide was billed in full or in part before: in an earlier invoice, or at this line. */
  readonly billedBefore: 'earlier' | number | null
}

type Part = { readonly charges: readonly Charge[]; readonly isRepeat: boolean }

/**
 * Compares the lines of one guide in an invoice, in their order, with its shipment. Their sum is
 * compared: the last has the finding. Once the guide is billed in full, more is billed twice.
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

/** Each time that the lines bill the guide in full, and what is left over with all of them. */
function partsOf(
  charges: readonly Charge[],
  price: Money | null,
  before: BilledBefore | null,
): readonly Part[] {
  const isRepeat = before !== null && isInFull(price, before)
  const whole = [{ charges, isRepeat }]
  // Without a price, lines of the same amount bill the guide again, and others are its charges.
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

/** What was billed in another currency, or without a known price, counts as all of it. */
function isInFull(price: Money | null, { amounts }: BilledBefore): boolean {
  if (price === null || amounts.some(({ currency }) => currency !== price.currency)) return true
  return sumOf(amounts) >= price.amount
}

function sumOf(amounts: readonly Money[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

/** What a part bills, with what was billed of the guide before. */
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
