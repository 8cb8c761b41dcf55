import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../languages/language.ts'
import type { LineRow } from '../../lists/line-rows.ts'
import type { Column } from '../../lists/table.tsx'
import { Badge } from '../../parts/badge.tsx'
import { useSession } from '../../session.tsx'
import { formatDifference, formatMoney } from '../../shipments/money.ts'
import { type InvoiceLine, isCash } from '../invoice-findings.ts'
import type { LineView } from './line-view.ts'

export type Row = LineRow<InvoiceLine>

/** The amount that is billed or paid out minus the expected one; null if they cannot be compared. */
export function differenceOf({ amount, billing, currency, expected }: InvoiceLine) {
  if (expected === null || expected.amount === null || expected.currency !== currency) return null
  const billed = billing === null ? amount : billing.amount
  return billed === null ? null : { amount: billed - expected.amount, currency }
}

export function expectedOf({ expected }: Pick<InvoiceLine, 'expected'>) {
  if (expected === null || expected.amount === null || expected.currency === null) return null
  return { amount: expected.amount, currency: expected.currency }
}

export function formatKg(kg: number): string {
  return `${formatNumber(kg)} kg`
}

/** Computed in grams to be exact. */
export function weightDifferenceOf({ weight_kg: billed, expected }: InvoiceLine): string | null {
  if (billed === null || expected === null) return null
  const grams = Math.round(billed * 1_000) - Math.round(expected.weight_kg * 1_000)
  return `${formatNumber(grams / 1_000, { signDisplay: 'exceptZero' })} kg`
}

/** The amount of a line, and whether the courier pays it out. */
export function Billed({ line }: { readonly line: InvoiceLine }) {
  if (!isCash(line)) return formatMoney(line)
  return (
    <>
      {formatMoney(line)} <span className="reason">{i18n.t('paid out')}</span>
    </>
  )
}

const lineColumns = () =>
  ({
    guide: {
      name: i18n.t('Guide'),
      width: 'minmax(9.5rem, 1.2fr)',
      cell: (row) => row.guide_number,
    },
    line: { name: i18n.t('Line'), width: '3rem', cell: (row) => row.line },
    finding: {
      name: i18n.t('Finding'),
      width: 'minmax(10rem, 0.7fr)',
      isLong: true,
      cell: ({ finding }) =>
        finding === null ? i18n.t('not compared yet') : <Badge value={finding} />,
    },
    billed: {
      name: i18n.t('Billed'),
      width: 'minmax(5.5rem, 0.6fr)',
      cell: (row) => <Billed line={row} />,
    },
    sum: {
      name: i18n.t('Sum of its lines'),
      width: 'minmax(5.5rem, 0.6fr)',
      cell: ({ billing, currency }) =>
        billing === null || billing.amount === null
          ? '–'
          : formatMoney({ amount: billing.amount, currency }),
    },
    expected: {
      name: i18n.t('Expected'),
      width: 'minmax(5.5rem, 0.6fr)',
      cell: (row) => {
        const expected = expectedOf(row)
        return expected === null ? '–' : formatMoney(expected)
      },
    },
    difference: {
      name: i18n.t('Difference'),
      width: 'minmax(6.5rem, 0.6fr)',
      isLong: true,
      cell: (row) => {
        const difference = differenceOf(row)
        return difference === null ? i18n.t('other currency') : formatDifference(difference)
      },
    },
    atStake: {
      name: i18n.t('At stake'),
      width: 'minmax(5.5rem, 0.6fr)',
      cell: ({ at_stake: amount, currency }) =>
        amount === null ? '–' : formatMoney({ amount, currency }),
    },
    weight: {
      name: i18n.t('Weight'),
      width: 'minmax(4.5rem, 0.5fr)',
      cell: ({ weight_kg: kg }) => (kg === null ? '–' : formatKg(kg)),
    },
    expectedWeight: {
      name: i18n.t('Shipped'),
      width: 'minmax(4.5rem, 0.5fr)',
      cell: ({ expected }) => (expected === null ? '–' : formatKg(expected.weight_kg)),
    },
    weightDifference: {
      name: i18n.t('Difference'),
      width: 'minmax(5.5rem, 0.6fr)',
      cell: (row) => weightDifferenceOf(row) ?? '–',
    },
    date: { name: i18n.t('Date'), width: '6.5rem', cell: (row) => row.date ?? '–' },
    billedBefore: {
      name: i18n.t('Billed first'),
      width: 'minmax(9rem, 1fr)',
      isLong: true,
      cell: ({ billed_before: before }) =>
        before === null ? '–' : <BilledFirst before={before} />,
    },
    decision: {
      name: i18n.t('Decision'),
      width: 'minmax(6.5rem, 0.5fr)',
      cell: ({ decision }) => (decision === null ? '–' : <Badge value={decision.decision} />),
    },
    decidedAbout: {
      name: i18n.t('Decided about'),
      width: 'minmax(10rem, 0.7fr)',
      isLong: true,
      cell: ({ decision }) => (decision === null ? '–' : <Badge value={decision.finding} />),
    },
  }) satisfies Record<string, Column<Row>>

/** The columns of a view, without what all its lines have in common. */
export function columnsOf({ finding, show, line }: LineView): readonly Column<Row>[] {
  const of = lineColumns()
  if (show === 'outdated') {
    const common = finding === 'all' || finding === 'differs' ? of.finding : of.billed
    return [of.guide, of.line, common, of.decision, of.decidedAbout]
  }
  // Beside an open line there is no room for what it says itself.
  const isNarrow = line !== null && show !== ''
  const ofSeveral = [of.finding, of.billed, ...(isNarrow ? [] : [of.expected]), of.atStake]
  const shown: Readonly<Record<LineView['finding'], readonly Column<Row>[]>> = {
    billed_twice: [of.billed, of.billedBefore],
    cancelled_guide: [of.billed, of.date],
    unknown_guide: [of.billed, of.date],
    nothing_created: [of.billed, of.date],
    amount_differs: [of.billed, of.sum, of.expected, of.difference],
    weight_differs: [of.billed, of.weight, of.expectedWeight, of.weightDifference],
    unresolved: [of.billed, of.date],
    part_of: [of.billed, of.sum],
    matched: [of.billed, of.weight],
    differs: ofSeveral,
    all: ofSeveral,
  }
  return [of.guide, of.line, ...shown[finding], ...(show === '' ? [] : [of.decision])]
}

type Before = NonNullable<InvoiceLine['billed_before']>

/** Names a line by its number and the reference of its invoice. */
export function BilledFirst({ before }: { readonly before: Before }) {
  const { client } = useSession()
  const { courier_invoice_id: id, line } = before
  const { data: reference } = useQuery({
    queryKey: ['invoice-reference', id],
    queryFn: async ({ signal }) => (await client.courierInvoices.get({ id }, { signal })).reference,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const words = i18n.t('line {line} of {invoice}', { line, invoice: reference ?? id })
  return <span title={words}>{words}</span>
}
