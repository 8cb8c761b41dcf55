import { i18n } from '@lingui/core'
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

/** The sum in each currency, in words: `PEN 14.50 and USD 3.00`. Empty without amounts. */
export function addedText(amounts: readonly Schemas['Money'][]): string {
  const sums = new Map<string, number>()
  for (const { currency, amount } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  const texts = [...sums].map(([currency, amount]) => formatMoney({ currency, amount }))
  return new Intl.ListFormat(i18n.locales, { type: 'conjunction' }).format(texts)
}
