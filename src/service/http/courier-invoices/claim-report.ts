import type { Instant } from '../../domain/decider.ts'
import type { Finding } from '../../domain/invoices/finding.ts'
import type { Money } from '../../domain/operation/machine.ts'
import { counted, formatMoney } from '../../ledger/evidence/report/event-labels.ts'
import type { Times } from '../../ledger/evidence/report/times.ts'
import {
  type Block,
  type Cell,
  heading,
  paragraph,
  type Report,
} from '../../processes/documents/report.ts'
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
  readonly invoice: {
    readonly id: string
    readonly reference: string
    readonly livemode: boolean
    readonly period: { readonly from: string; readonly to: string } | null
  }
  readonly shop: string
  readonly courier: string
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
  const { invoice, lines, times, madeAt } = content
  const disputed = lines.filter(({ decision }) => decision?.decision === 'disputed')
  if (disputed.length === 0) return null
  const mode = invoice.livemode ? '' : ' · test mode: a simulated courier'
  return {
    title: 'Claim about an invoice',
    subtitle: `Invoice ${invoice.reference}${mode}`,
    footer: `Claim about invoice ${invoice.reference} · made ${times.brief(madeAt.getTime())}`,
    madeAt,
    blocks: [
      { kind: 'facts', rows: factsOf(content, disputed) },
      heading('Disputed lines'),
      tableOf(content, disputed),
      heading('Evidence'),
      paragraph(
        content.isAlone
          ? 'The history of each shipment with its proofs is available as a separate file.'
          : 'README.md, in the same file as this page, names the folder of each line. It contains the history of the shipment with its proofs, and says how to check them.',
      ),
    ],
  }
}

function factsOf(content: ClaimContent, disputed: readonly ApiInvoiceLine[]) {
  const { invoice, shop, courier, lines, isAlone } = content
  const { period } = invoice
  const billed = disputed.map(({ amount, currency }) => ({ amount, currency }))
  return [
    ['Invoice', invoice.reference],
    ...(period === null ? [] : [['Period', `${period.from} to ${period.to}`] as const]),
    ['From', shop],
    ['To', courier],
    [
      'Disputed',
      isAlone
        ? counted(disputed.length, 'line')
        : `${disputed.length} of ${counted(lines.length, 'line')} in this file`,
    ],
    ['Billed for them', totalText(billed)],
    ['Claimed in all', totalText(disputed.flatMap((line) => claimedFor(line) ?? []))],
  ] as const
}

function tableOf(content: ClaimContent, disputed: readonly ApiInvoiceLine[]): Block {
  const claimed = disputed.flatMap((line) => claimedFor(line) ?? [])
  return {
    kind: 'table',
    columns: [
      { title: 'Line', points: 22 },
      { title: 'Guide', points: 82 },
      { title: 'Order', points: 70 },
      { title: 'Billed', points: 52 },
      { title: 'Expected', points: 52 },
      { title: 'Claimed', points: 52 },
      { title: 'Proof', share: 1 },
    ],
    rows: [
      ...disputed.map((line) => rowOf(content, line)),
      ['', 'Total', '', '', '', totalText(claimed).split(', '), ''],
    ],
  }
}

function rowOf(content: ClaimContent, line: ApiInvoiceLine): readonly Cell[] {
  const shipment = shipmentOf(content, line)
  const billed = formatMoney({ amount: line.amount, currency: line.currency })
  const sum = billedFor(line)
  const isSum = line.billing !== null && line.billing.line === line.line && line.billing.lines > 1
  const claimed = claimedFor(line)
  const route = shipment?.route ?? null
  return [
    String(line.line),
    line.guide_number,
    shipment?.order ?? nothing,
    isSum && sum !== null
      ? [billed, `${formatMoney(sum)} on ${line.billing?.lines} lines`]
      : billed,
    expectedText(line),
    claimed === null ? nothing : formatMoney(claimed),
    [proofOf(content, line), ...(route === null ? [] : [`From ${route.from} to ${route.to}.`])],
  ]
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

function expectedText({ finding, expected }: ApiInvoiceLine): string {
  if (finding !== null && owesNothing[finding]) return 'nothing'
  if (expected?.amount == null || expected.currency === null) return nothing
  return formatMoney({ amount: expected.amount, currency: expected.currency })
}

/** All that the invoice bills for the guide, if the line is the last of several; null if unknown. */
function billedFor({ line, amount, currency, billing }: ApiInvoiceLine): Money | null {
  if (billing === null || billing.line !== line) return { amount, currency }
  return billing.amount === null ? null : { amount: billing.amount, currency }
}

/** What is claimed for the line: all that it bills too much. Null if its finding names no amount. */
function claimedFor({ at_stake: amount, currency }: ApiInvoiceLine): Money | null {
  return amount === null ? null : { amount, currency }
}

/** One sentence. */
function proofOf(content: ClaimContent, line: ApiInvoiceLine): string {
  const { times } = content
  const shipment = shipmentOf(content, line)
  const at = (instant: Instant | null | undefined) =>
    instant == null ? '' : ` on ${times.brief(instant)}`
  switch (line.finding) {
    case 'amount_differs':
      return `The guide was issued${at(shipment?.endedAt)} for ${expectedText(line)}.`
    case 'weight_differs': {
      const billed = line.weight_kg === null ? '' : `, and is billed for ${line.weight_kg} kg`
      return `The guide was issued for ${shipment?.weightKg ?? nothing} kg${billed}.`
    }
    case 'billed_twice':
      return `${earlierBill(content, line)} already bills the guide in full.`
    case 'cancelled_guide':
      return `The guide was cancelled${at(shipment?.cancelledAt)}.`
    case 'nothing_created':
      return `The order ended without a guide${at(shipment?.endedAt)}.`
    case 'unknown_guide':
      return 'No guide with this number was ever ordered or received.'
    case 'unresolved':
      return 'Whether this order has a guide was never confirmed.'
    case 'part_of':
      return `It is one of the charges of this guide that line ${line.billing?.line ?? nothing} sums up.`
    case 'matched':
      return 'The line agrees with the ledger, and was disputed for another reason.'
    case null:
      return 'The line was not compared.'
  }
}

function earlierBill({ invoice, invoices }: ClaimContent, line: ApiInvoiceLine): string {
  const before = line.billed_before
  if (before === null) return 'An earlier line'
  if (before.courier_invoice_id === invoice.id) return `Line ${before.line} of this invoice`
  const reference = invoices.get(before.courier_invoice_id)
  return reference === undefined
    ? 'An earlier invoice'
    : `Line ${before.line} of invoice ${reference}`
}

/** A sum for each currency. */
function totalText(amounts: readonly Money[]): string {
  const byCurrency = Map.groupBy(amounts, ({ currency }) => currency)
  const sums = [...byCurrency].map(([currency, each]) =>
    formatMoney({ amount: each.reduce((sum, { amount }) => sum + amount, 0), currency }),
  )
  return sums.length === 0 ? nothing : sums.join(', ')
}
