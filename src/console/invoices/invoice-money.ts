import type { Schemas } from '../../client/methods.ts'
import { formatMoney } from '../shipments/money.ts'
import type { Invoice } from './invoice-findings.ts'

type Amounts = Schemas['CourierInvoice']['amounts'][number]
type Part = 'to_check' | 'disputed' | 'accepted'

/** A sum for each currency in which there is one; null if there is none. */
function sumsText(
  { amounts }: Pick<Invoice, 'amounts'>,
  amountOf: (amounts: Amounts) => number,
): string | null {
  const sums = amounts.filter((each) => amountOf(each) !== 0)
  if (sums.length === 0) return null
  return sums
    .map((each) => formatMoney({ amount: amountOf(each), currency: each.currency }))
    .join(' · ')
}

/** All that the invoice bills. */
export function billedText(invoice: Invoice): string | null {
  return sumsText(invoice, ({ amount }) => amount)
}

/** What the lines to check, or those with a decision, bill. */
export function billedBy(invoice: Invoice, part: Part): string | null {
  return sumsText(invoice, (each) => each[part].amount)
}

/** What these lines bill too much. */
export function atStakeBy(invoice: Invoice, part: Part): string | null {
  return sumsText(invoice, (each) => each[part].at_stake)
}
