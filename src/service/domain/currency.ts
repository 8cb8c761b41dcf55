import { type Language, numberFormat } from './language.ts'

/** The decimals of a currency's minor unit: 2 for PEN, 0 for JPY, and 2 for what is no code. */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

type Amount = { readonly amount: number; readonly currency: string }

/**
 * `14.50 PEN`. It has the code and no groups of digits, like the amounts of other systems with which
 * a reader compares it.
 */
export function formatMoney({ amount, currency }: Amount, language: Language): string {
  const decimals = decimalsOf(currency)
  const format = numberFormat(language, { min: decimals, max: decimals })
  return `${format.format(amount / 10 ** decimals)} ${currency}`
}
