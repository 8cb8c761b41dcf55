import { i18n } from '@lingui/core'
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

/** Digits with a decimal point or comma, and no groups of thousands. */
const written = /^(?<whole>[0-9]+)(?:[.,](?<fraction>[0-9]+))?$/

/** The minor units of an amount that a person has typed, or what is wrong with it. */
export function minorUnitsOf(typed: string, currency: string): number | string {
  const { whole, fraction = '' } = written.exec(typed)?.groups ?? {}
  if (whole === undefined) return i18n.t('Expected an amount, such as 14.50.')
  const decimals = decimalsOf(currency)
  // Also zeros: 1.000 is as often a thousand as one.
  if (fraction.length > decimals) {
    return i18n.t('An amount in {currency} has at most {decimals} decimals.', {
      currency,
      decimals,
    })
  }
  return Number(`${whole}.${fraction}e${decimals}`)
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
