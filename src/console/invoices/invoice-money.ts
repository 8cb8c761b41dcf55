import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { formatMoney } from '../shipments/money.ts'
import { type Invoice, isCash } from './invoice-findings.ts'

type Amounts = Schemas['CourierInvoice']['amounts'][number]
type Part = 'to_check' | 'disputed' | 'accepted'

/** A sum for each kind and currency in which there is one; null if there is none. */
function sumsText(
  { amounts }: Pick<Invoice, 'amounts'>,
  amountOf: (amounts: Amounts) => number,
): string | null {
  const sums = amounts.filter((each) => amountOf(each) !== 0)
  if (sums.length === 0) return null
  return sums
    .map((each) => {
      const money = formatMoney({ amount: amountOf(each), currency: each.currency })
      return isCash(each) ? i18n.t('{money} cash on delivery', { money }) : money
    })
    .join(' · ')
}

/** All that the invoice bills, and pays out. */
export function billedText(invoice: Invoice): string | null {
  return sumsText(invoice, ({ amount }) => amount)
}

/** What the lines to check, or those with a decision, bill and pay out. */
export function billedBy(invoice: Invoice, part: Part): string | null {
  return sumsText(invoice, (each) => each[part].amount)
}

/** What these lines bill too much and pay out too little; null if it is nothing. */
export function atStakeBy({ amounts }: Invoice, part: Part): string | null {
  const stakes = amounts.map((each) => ({ amount: each[part].at_stake, currency: each.currency }))
  const sums = byCurrency(stakes).filter(({ amount }) => amount !== 0)
  return sums.length === 0 ? null : sums.map((sum) => formatMoney(sum)).join(' · ')
}

/** The sum in each currency, in words: `PEN 14.50 and USD 3.00`. Empty without amounts. */
export function addedText(amounts: readonly Schemas['Money'][]): string {
  const texts = byCurrency(amounts).map((sum) => formatMoney(sum))
  return new Intl.ListFormat(i18n.locales, { type: 'conjunction' }).format(texts)
}

function byCurrency(amounts: readonly Schemas['Money'][]): readonly Schemas['Money'][] {
  return [...Map.groupBy(amounts, ({ currency }) => currency)].map(([currency, each]) => ({
    currency,
    amount: each.reduce((sum, { amount }) => sum + amount, 0),
  }))
}
