import { formatMoney } from '../../domain/currency.ts'
import type { Instant } from '../../domain/decider.ts'
import type { Finding } from '../../domain/invoices/finding.ts'
import { type Language, numberText } from '../../domain/language.ts'
import type { Money } from '../../domain/operation/machine.ts'
import type { Times } from '../../ledger/evidence/report/times.ts'
import {
  type Block,
  type Cell,
  heading,
  paragraph,
  type Report,
} from '../../processes/documents/report.ts'
import { claimTexts } from './claim-texts.ts'
import type { ApiInvoiceLine } from './invoice-lines-to-api.ts'

/** What a claim tells about the shipment of a line. */
export type ClaimedShipment = {
  readonly order: string
  /** When the guide was issued, or the attempt ended without one; null while it is uncertain. */
  readonly endedAt: Instant | null
  readonly cancelledAt: Instant | null
  /** The total weight of all pieces. */
  readonly weightKg: number
  /** The names of the agencies; null if the courier does not list them now. */
  readonly route: { readonly from: string; readonly to: string } | null
}

export type ClaimContent = {
  readonly language: Language
  readonly invoice: {
    readonly id: string
    readonly reference: string
    readonly livemode: boolean
    readonly period: { readonly from: string; readonly to: string } | null
  }
  readonly shop: string
  readonly courier: { readonly code: string; readonly account: string }
  readonly lines: readonly ApiInvoiceLine[]
  readonly shipments: ReadonlyMap<string, ClaimedShipment>
  /** The references of invoices that bill the same guides, by id. */
  readonly invoices: ReadonlyMap<string, string>
  readonly times: Times
  /** Whether the evidence is not in the same file. */
  readonly isAlone: boolean
  readonly madeAt: Date
}

const nothing = '—'

/**
 * A claim for the courier: the disputed lines, what they should cost, and why. It contains no id of
 * this service and no name of a person. Null if no line is disputed. A pure function.
 */
export function claimReport(content: ClaimContent): Report | null {
  const { invoice, lines, times, language, madeAt } = content
  const texts = claimTexts[language]
  const disputed = lines.filter(({ decision }) => decision?.decision === 'disputed')
  if (disputed.length === 0) return null
  const { livemode, reference } = invoice
  return {
    language,
    title: texts.title,
    subtitle: livemode ? texts.subtitle(reference) : texts.subtitleInTestMode(reference),
    footer: texts.footer(reference, times.brief(madeAt.getTime())),
    madeAt,
    blocks: [
      { kind: 'facts', rows: factsOf(content, disputed) },
      heading(texts.disputedLines),
      tableOf(content, disputed),
      heading(texts.evidence),
      paragraph(content.isAlone ? texts.evidenceApart : texts.evidenceInside),
    ],
  }
}

function factsOf(content: ClaimContent, disputed: readonly ApiInvoiceLine[]) {
  const { invoice, shop, courier, lines, isAlone, language } = content
  const texts = claimTexts[language]
  const { facts } = texts
  const { period } = invoice
  const [charges, cash] = [disputed.filter((line) => !isCash(line)), disputed.filter(isCash)]
  return [
    [facts.invoice, invoice.reference],
    ...(period === null ? [] : [[facts.period, texts.period(period.from, period.to)] as const]),
    [facts.from, shop],
    [facts.to, texts.account(courier.code, courier.account)],
    [
      facts.disputed,
      isAlone ? texts.lines(disputed.length) : texts.linesOf(disputed.length, lines.length),
    ],
    ...(charges.length === 0 ? [] : [[facts.billed, totalText(charges, language)] as const]),
    ...(cash.length === 0 ? [] : [[facts.paidOut, totalText(cash, language)] as const]),
    [
      facts.claimed,
      totalText(
        disputed.flatMap((line) => claimedFor(line) ?? []),
        language,
      ),
    ],
  ] as const
}

function tableOf(content: ClaimContent, disputed: readonly ApiInvoiceLine[]): Block {
  const { language } = content
  const { columns, total } = claimTexts[language]
  const claimed = disputed.flatMap((line) => claimedFor(line) ?? [])
  return {
    kind: 'table',
    columns: [
      { title: columns.line, points: 22 },
      { title: columns.guide, points: 82 },
      { title: columns.order, points: 70 },
      { title: columns.billed, points: 52 },
      { title: columns.expected, points: 52 },
      { title: columns.claimed, points: 52 },
      { title: columns.proof, share: 1 },
    ],
    rows: [
      ...disputed.map((line) => rowOf(content, line)),
      ['', total, '', '', '', totalText(claimed, language).split(', '), ''],
    ],
  }
}

function rowOf(content: ClaimContent, line: ApiInvoiceLine): readonly Cell[] {
  const { language } = content
  const texts = claimTexts[language]
  const shipment = shipmentOf(content, line)
  const billed = formatMoney({ amount: line.amount, currency: line.currency }, language)
  const sum = billedFor(line)
  const lines = line.billing?.line === line.line ? line.billing.lines : 1
  const claimed = claimedFor(line)
  const route = shipment?.route ?? null
  return [
    String(line.line),
    line.guide_number,
    shipment?.order ?? nothing,
    [
      billed,
      ...(isCash(line) ? [texts.paidOut] : []),
      ...(lines > 1 && sum !== null ? [texts.sumOf(formatMoney(sum, language), lines)] : []),
    ],
    expectedText(line, language),
    claimed === null ? nothing : formatMoney(claimed, language),
    [proofOf(content, line), ...(route === null ? [] : [texts.route(route.from, route.to)])],
  ]
}

function isCash({ kind }: ApiInvoiceLine): boolean {
  return kind === 'cash_on_delivery'
}

function shipmentOf({ shipments }: ClaimContent, line: ApiInvoiceLine): ClaimedShipment | null {
  return line.shipment_id === null ? null : (shipments.get(line.shipment_id) ?? null)
}

/** Whether nothing should be billed, for each finding. */
const owesNothing: Readonly<Record<Finding, boolean>> = {
  matched: false,
  amount_differs: false,
  weight_differs: false,
  billed_twice: true,
  cancelled_guide: true,
  nothing_created: true,
  unknown_guide: true,
  unresolved: false,
  part_of: false,
}

function expectedText({ finding, expected }: ApiInvoiceLine, language: Language): string {
  if (finding !== null && owesNothing[finding]) return claimTexts[language].expectedNothing
  if (expected?.amount == null || expected.currency === null) return nothing
  return formatMoney({ amount: expected.amount, currency: expected.currency }, language)
}

/** All that the invoice bills for the guide, if the line is the last of several; null if unknown. */
function billedFor({ line, amount, currency, billing }: ApiInvoiceLine): Money | null {
  if (billing === null || billing.line !== line) return { amount, currency }
  return billing.amount === null ? null : { amount: billing.amount, currency }
}

/**
 * What is claimed for the line: all that it bills too much or pays out too little. Null if its
 * finding names no amount.
 */
function claimedFor({ at_stake: amount, currency }: ApiInvoiceLine): Money | null {
  return amount === null ? null : { amount, currency }
}

/** One sentence. */
function proofOf(content: ClaimContent, line: ApiInvoiceLine): string {
  const { times, language } = content
  const { proof } = claimTexts[language]
  const shipment = shipmentOf(content, line)
  const at = (instant: Instant | null | undefined) =>
    instant == null ? null : times.brief(instant)
  const kilograms = (weight: number | null | undefined) =>
    weight == null ? null : numberText(weight, language)
  switch (line.finding) {
    case 'amount_differs':
      return (isCash(line) ? proof.cashDiffers : proof.amountDiffers)(
        at(shipment?.endedAt),
        expectedText(line, language),
      )
    case 'weight_differs':
      return proof.weightDiffers(
        kilograms(shipment?.weightKg) ?? nothing,
        kilograms(line.weight_kg),
      )
    case 'billed_twice':
      return earlierBill(content, line)
    case 'cancelled_guide':
      return proof.cancelled(at(shipment?.cancelledAt))
    case 'nothing_created':
      return proof.nothingCreated(at(shipment?.endedAt))
    case 'unknown_guide':
      return proof.unknownGuide
    case 'unresolved':
      return proof.unresolved
    case 'part_of':
      return proof.partOf(String(line.billing?.line ?? nothing))
    case 'matched':
      return proof.matched
    case null:
      return proof.notCompared
  }
}

function earlierBill({ invoice, invoices, language }: ClaimContent, line: ApiInvoiceLine): string {
  const { proof } = claimTexts[language]
  const before = line.billed_before
  if (isCash(line)) return proof.cashPaidBefore
  if (before === null) return proof.billedBefore
  if (before.courier_invoice_id === invoice.id) return proof.billedBeforeHere(before.line)
  const reference = invoices.get(before.courier_invoice_id)
  return reference === undefined
    ? proof.billedBeforeElsewhere
    : proof.billedBeforeIn(before.line, reference)
}

/** A sum for each currency. */
function totalText(amounts: readonly Money[], language: Language): string {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency)
  const sums = [...byCurrency].map(([currency, each]) =>
    formatMoney({ amount: each.reduce((sum, { amount }) => sum + amount, 0), currency }, language),
  )
  return sums.length === 0 ? nothing : sums.join(', ')
}
