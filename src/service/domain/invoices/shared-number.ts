import { instant } from '../decider.ts'
import type { BilledBefore } from './charges.ts'
import type { Candidate, InvoiceLine } from './finding.ts'

/** A margin of a day, because couriers' dates have no time zone. */
const dayMs = 24 * 60 * 60_000

type DatedLine = InvoiceLine & { readonly line: number }

/**
 * Assigns lines to shipments when several shipments have the same guide number: to the shipment named
 * by the line's reference, otherwise to the newest one before the line's date that is not billed in
 * full yet. `lines` must be in the invoice's order.
 */
export function shareLines(
  lines: readonly DatedLine[],
  shipments: readonly Candidate[],
  billedBefore: (shipmentId: string) => BilledBefore | null,
): ReadonlyMap<number, Candidate> {
  const oldestFirst = shipments.toSorted((a, b) => a.createdAt - b.createdAt)
  const billed = new Map<string, number>()
  for (const { shipmentId } of shipments) {
    const amounts = billedBefore(shipmentId)?.amounts
    if (amounts !== undefined) billed.set(shipmentId, sumOf(amounts))
  }
  const chosen = new Map<number, Candidate>()
  const assign = ({ line, amount }: DatedLine, to: Candidate) => {
    chosen.set(line, to)
    billed.set(to.shipmentId, (billed.get(to.shipmentId) ?? 0) + amount)
  }
  const needs = ({ shipmentId, expected }: Candidate) => {
    const sum = billed.get(shipmentId)
    return sum === undefined || (expected.price !== null && sum < expected.price.amount)
  }
  for (const line of lines) {
    const named = shipments.find(({ shipmentId }) => shipmentId === line.clientReference)
    if (named !== undefined) assign(line, named)
  }
  const rest = lines.filter(({ line }) => !chosen.has(line)).toSorted(byDate)
  for (const line of rest) {
    const until = line.date === null ? Number.NaN : instant(line.date) + dayMs
    const before = oldestFirst.filter(({ createdAt }) => createdAt <= until)
    const dated = before.length === 0 ? oldestFirst : before.toReversed()
    const next = dated.find(needs) ?? (before.length === 0 ? oldestFirst.at(-1) : dated[0])
    if (next !== undefined) assign(line, next)
  }
  return chosen
}

function sumOf(amounts: BilledBefore['amounts']): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

/** Lines without a date come last. */
function byDate(a: DatedLine, b: DatedLine): number {
  if (a.date === b.date) return a.line - b.line
  if (a.date === null) return 1
  return b.date === null || a.date < b.date ? -1 : 1
}
