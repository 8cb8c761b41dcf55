import type { Input, Schemas } from '../../client/methods.ts'

export type Invoice = Schemas['CourierInvoice']
export type InvoiceLine = Schemas['CourierInvoiceLine']
export type Finding = NonNullable<Input<'listCourierInvoiceLines'>['finding']>

type Told = {
  /** In its color, its name in the chart, and the name of its variable in the style sheet. */
  readonly word: string
  readonly what: string
  /** What to do about it. Empty: nothing. */
  readonly next: string
}

/** What a comparison finds, in the order in which it is worked off. */
export const findings = {
  billed_twice: {
    word: 'Billed twice',
    what: 'Earlier lines bill this guide in full.',
    next: 'Dispute it.',
  },
  cancelled_guide: {
    word: 'Cancelled guide',
    what: 'The guide is known to be cancelled.',
    next: 'Dispute it.',
  },
  unknown_guide: {
    word: 'Unknown guide',
    what: 'No shipment of the connection has this guide.',
    next: 'If a shipment is named below, see whether it has a guide too many. If none is, ask the courier which parcel it was.',
  },
  nothing_created: {
    word: 'Nothing created',
    what: 'The attempt is concluded to have made nothing. The courier was asked again, and still has no guide for it.',
    next: 'Ask the courier which parcel it was.',
  },
  amount_differs: {
    word: 'Amount differs',
    what: 'The guide was issued for another amount.',
    next: 'Dispute it, or accept a known surcharge.',
  },
  weight_differs: {
    word: 'Weight differs',
    what: 'The amount is right, but the weight is not that of all pieces together.',
    next: 'See whether the package was measured correctly.',
  },
  unresolved: {
    word: 'Unresolved',
    what: 'It is not certain yet what came of the shipment.',
    next: 'Wait until its operation is resolved, or resolve it. The line is then compared again by itself.',
  },
  part_of: {
    word: 'Part of a bill',
    what: 'One of several charges of its guide. The last of them has the finding of their sum.',
    next: '',
  },
  matched: {
    word: 'Matched',
    what: 'The guide was issued, and nothing that the line says differs from the ledger.',
    next: '',
  },
} as const satisfies Record<Finding, Told>

/** All of them; those that need no decision come last. */
export const findingNames = Object.keys(findings) as readonly Finding[]
/** Those that a person looks at. */
export const questioned = findingNames.filter(
  (finding) => finding !== 'matched' && finding !== 'part_of',
)

export function isFinding(name: string): name is Finding {
  return name in findings
}

export function isComparing({ status }: Pick<Invoice, 'status'>): boolean {
  return status === 'comparing'
}

/** It was imported by mistake: its lines bill nothing. */
export function isWithdrawn({ status }: Pick<Invoice, 'status'>): boolean {
  return status === 'withdrawn'
}

/** A person decided about the line when it had another finding. */
export function isOutdated({ finding, decision }: InvoiceLine): boolean {
  return decision !== null && finding !== null && decision.finding !== finding
}

/** How many lines have this finding, in all currencies. */
export function linesWith({ totals }: Invoice, finding: string): number {
  return totals.reduce((sum, each) => (each.finding === finding ? sum + each.lines : sum), 0)
}

/**
 * How many lines call for a decision and have none. A decision about a line that matches leaves as many
 * to check as before. Null: it is not known before the first comparison.
 */
export function toCheck(invoice: Invoice): number | null {
  if (isWithdrawn(invoice)) return 0
  if (invoice.totals.length === 0) return null
  const asked = questioned.reduce((sum, finding) => sum + linesWith(invoice, finding), 0)
  const { accepted, disputed, matched } = invoice.decisions
  return Math.max(0, asked - (accepted + disputed - matched))
}

/** What is billed, in each currency. */
export function sumsOf({ totals }: Pick<Invoice, 'totals'>): readonly Schemas['Money'][] {
  const sums = new Map<string, number>()
  for (const { currency, amount } of totals) {
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount }))
}

/** A period as people write it. */
export function periodOf({ period }: Pick<Invoice, 'period'>): string {
  if (period === null) return '–'
  const { from, to } = period
  const month = from.slice(0, 7)
  if (from === `${month}-01` && to === lastDayOf(month)) return monthName(month)
  return from === to ? from : `${from} – ${to}`
}

/** Of `2026-02`: `2026-02-28`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

const monthFormat = new Intl.DateTimeFormat('en', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** `Feb 2026` */
export function monthName(month: string): string {
  return monthFormat.format(new Date(`${month}-01T00:00:00Z`))
}
