import type { Schemas } from '../../client/methods.ts'

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
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency, signDisplay })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
