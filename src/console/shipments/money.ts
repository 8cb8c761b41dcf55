import type { Schemas } from '../../client/methods.ts'

/** An amount in its currency's usual form: the API gives minor units. */
export function formatMoney({ amount, currency }: Schemas['Money']): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
