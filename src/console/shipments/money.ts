import type { Schemas } from '../../client/methods.ts'

/** An amount in its currency's usual form: the API gives minor units. */
export function formatMoney(money: Schemas['Money']): string {
  return formatted(money, 'auto')
}

/** A difference of two amounts, with its sign. */
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
