import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { minorUnitsOf } from './money.ts'

/** Money that a courier handles for the shop, if it can. */
export const sums = ['declared_value', 'cash_on_delivery'] as const
export type Sum = (typeof sums)[number]

export type TypedSum = { readonly amount: string; readonly currency: string }
export type TypedSums = Readonly<Record<Sum, TypedSum>>
export type SentSums = { readonly [sum in Sum]?: Schemas['Money'] }
/** What is wrong with what was typed, by field. */
export type SumFaults = ReadonlyMap<`/${Sum}/${keyof TypedSum}`, string>

/** The sums to send. Without an amount there is none, whatever its currency. */
export function readSums(typed: TypedSums): {
  readonly sent: SentSums
  readonly faults: SumFaults
} {
  const sent: { [sum in Sum]?: Schemas['Money'] } = {}
  const faults = new Map<`/${Sum}/${keyof TypedSum}`, string>()
  for (const sum of sums) {
    const { currency } = typed[sum]
    const text = typed[sum].amount.trim()
    if (text === '') continue
    if (!/^[A-Z]{3}$/.test(currency)) {
      const isEmpty = currency === ''
      faults.set(
        `/${sum}/currency`,
        isEmpty ? i18n.t('The field is required.') : i18n.t('Expected three capital letters.'),
      )
      continue
    }
    const amount = minorUnitsOf(text, currency)
    if (typeof amount === 'string') faults.set(`/${sum}/amount`, amount)
    else sent[sum] = { amount, currency }
  }
  return { sent, faults }
}

/** What a courier without these capabilities cannot do. Empty if `detail` names none of them. */
export function lackingWords(detail: string): string {
  const [takesNoValue, collectsNothing] = sums.map((sum) => detail.includes(sum))
  if (takesNoValue && collectsNothing) {
    return i18n.t('The courier takes no declared value and does not collect cash on delivery.')
  }
  if (takesNoValue) return i18n.t('The courier takes no declared value.')
  return collectsNothing ? i18n.t('The courier does not collect cash on delivery.') : ''
}
