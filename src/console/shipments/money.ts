import type { Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'

/** Formats an amount, which the API gives in minor units. */
export function formatMoney(money: Schemas['Money']): string {
  return formatted(money, 'auto')
}

/** Formats a difference with its sign. */
export function formatDifference(money: Schemas['Money']): string {
  return formatted(money, 'exceptZero')
}

function formatted(
  { amount, currency }: Schemas['Money'],
  signDisplay: 'auto' | 'exceptZero',
): string {
  const options = { style: 'currency', currency, signDisplay } as const
  return formatNumber(amount / 10 ** decimalsOf(currency), options)
}

const decimals = new Map<string, number>()

function decimalsOf(currency: string): number {
  const known = decimals.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  decimals.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}
