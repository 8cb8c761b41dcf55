import { i18n } from '@lingui/core'
import type { Input, Schemas } from '../../client/methods.ts'

export type Invoice = Schemas['CourierInvoice']
export type InvoiceLine = Schemas['CourierInvoiceLine']
export type Finding = NonNullable<Input<'listCourierInvoiceLines'>['finding']>
export type LineKind = NonNullable<Input<'listCourierInvoiceLines'>['kind']>

/** Null for any other text. */
export function kindIn(text: string): LineKind | null {
  return text === 'charge' || text === 'cash_on_delivery' ? text : null
}

/** Whether the courier pays the amount out instead of billing it. */
export function isCash({ kind }: { readonly kind: string }): boolean {
  return kind === 'cash_on_delivery'
}

type FindingText = {
  /** The label, also in the chart. */
  readonly word: string
  readonly what: string
  /** What to do about it; empty if there is nothing to do. */
  readonly next: string
}

/** The findings of a comparison, in the order in which operators work on them. */
const findings = {
  billed_twice: () => ({
    word: i18n.t('Billed twice'),
    what: i18n.t('Earlier lines bill this guide in full.'),
    next: i18n.t('Dispute it.'),
  }),
  cancelled_guide: () => ({
    word: i18n.t('Cancelled guide'),
    what: i18n.t('The guide is known to be cancelled.'),
    next: i18n.t('Dispute it.'),
  }),
  unknown_guide: () => ({
    word: i18n.t('Unknown guide'),
    what: i18n.t('No shipment of the connection has this guide.'),
    next: i18n.t(
      'If a shipment is named below, check whether it has an extra guide. Otherwise ask the courier which parcel it was.',
    ),
  }),
  nothing_created: () => ({
    word: i18n.t('Nothing created'),
    what: i18n.t(
      'The attempt was resolved as “nothing created”. The courier was asked again and still has no guide for it.',
    ),
    next: i18n.t('Ask the courier which parcel it was.'),
  }),
  amount_differs: () => ({
    word: i18n.t('Amount differs'),
    what: i18n.t('The guide was issued for another amount.'),
    next: i18n.t('Dispute it, or accept a known surcharge.'),
  }),
  weight_differs: () => ({
    word: i18n.t('Weight differs'),
    what: i18n.t('The amount is right, but the weight differs from the total of all pieces.'),
    next: i18n.t('Check whether the package was measured correctly.'),
  }),
  unresolved: () => ({
    word: i18n.t('Unresolved'),
    what: i18n.t('The outcome of the shipment is not certain yet.'),
    next: i18n.t(
      'Wait until its operation is resolved, or resolve it. The line is then compared again automatically.',
    ),
  }),
  part_of: () => ({
    word: i18n.t('Part of a bill'),
    what: i18n.t(
      'One of several charges for its guide. The last charge carries the finding for their sum.',
    ),
    next: '',
  }),
  matched: () => ({
    word: i18n.t('Matched'),
    what: i18n.t('The guide was issued, and the line agrees with the ledger.'),
    next: '',
  }),
} as const satisfies Record<Finding, () => FindingText>

/** What differs for the cash on delivery that a courier pays out. */
const cashFindings: Partial<Record<Finding, () => Omit<FindingText, 'word'>>> = {
  billed_twice: () => ({
    what: i18n.t('Earlier lines already pay out all of the cash on delivery.'),
    next: i18n.t('Ask the courier: it may take the money back.'),
  }),
  cancelled_guide: () => ({
    what: i18n.t('The guide is known to be cancelled.'),
    next: i18n.t('Ask the courier whether the parcel was handed over.'),
  }),
  amount_differs: () => ({
    what: i18n.t('The shipment has another cash on delivery.'),
    next: i18n.t('Dispute it if too little is paid out.'),
  }),
  part_of: () => ({
    what: i18n.t(
      'One of several payments for its guide. The last one carries the finding for their sum.',
    ),
    next: '',
  }),
  matched: () => ({
    what: i18n.t('The courier pays out what it was to collect.'),
    next: '',
  }),
}

/** What the finding of a line says, and what to do about it. */
export function findingText(finding: Finding, line: Pick<InvoiceLine, 'kind'>): FindingText {
  const text = findings[finding]()
  return isCash(line) ? { ...text, ...cashFindings[finding]?.() } : text
}

/** The label of a finding, for lines of every kind. */
export function findingWord(finding: Finding): string {
  return findings[finding]().word
}

/** All findings; those that need no decision come last. */
export const findingNames = Object.keys(findings) as readonly Finding[]
/** The findings that need a decision. */
export const questioned = findingNames.filter(
  (finding) => finding !== 'matched' && finding !== 'part_of',
)

export function isFinding(name: string): name is Finding {
  return name in findings
}

export function isComparing({ status }: Pick<Invoice, 'status'>): boolean {
  return status === 'comparing'
}

/** Whether the import was withdrawn. The lines of a withdrawn invoice bill nothing. */
export function isWithdrawn({ status }: Pick<Invoice, 'status'>): boolean {
  return status === 'withdrawn'
}

/** Whether the decision was made for an earlier finding. */
export function isOutdated({ finding, decision }: InvoiceLine): boolean {
  return decision !== null && finding !== null && decision.finding !== finding
}

/** The number of lines with this finding, in all currencies. */
export function linesWith({ totals }: Invoice, finding: string): number {
  return totals.reduce((sum, each) => (each.finding === finding ? sum + each.lines : sum), 0)
}

/** The number of lines that differ and are undecided. Null before the first comparison. */
export function toCheck({ status, totals, decisions }: Invoice): number | null {
  return totals.length === 0 && status !== 'withdrawn' ? null : decisions.to_check
}

/** A period for display. */
export function periodOf({ period }: Pick<Invoice, 'period'>): string {
  if (period === null) return '–'
  const { from, to } = period
  const month = from.slice(0, 7)
  if (from === `${month}-01` && to === lastDayOf(month)) return monthName(month)
  return from === to ? from : `${from} – ${to}`
}

/** `2026-02-28` for `2026-02`. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}

/** `Feb 2026` */
export function monthName(month: string): string {
  const shape = { month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString(i18n.locales, shape)
}
