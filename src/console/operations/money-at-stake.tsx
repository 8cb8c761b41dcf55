import { i18n } from '@lingui/core'
import type { Operation, Schemas } from '../../client/methods.ts'
import { useMay } from '../parts/scopes.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { formatMoney } from '../shipments/money.ts'
import { type OperationQuery, operationViews } from './operation-views.ts'

const everyMs = 10_000
/** The API's largest page. With more operations the sum is a lower bound. */
const countedMax = 100

export type AtStake = {
  readonly sums: readonly Schemas['Money'][]
  /** Operations without a price or a quote. */
  readonly unpriced: number
  /** There are more operations than are counted. */
  readonly isMore: boolean
}

/** What the guides of the operations in review cost; undefined until it is known. */
export function useMoneyAtStake(query: OperationQuery): AtStake | undefined {
  const { client } = useSession()
  const [review] = operationViews
  const input = { ...query, ...review.query, limit: countedMax }
  const page = usePolled(['operations', 'count', input], client.operations.list, input, {
    everyMs: () => everyMs,
    isEnabled: useMay('operations:read'),
  }).data
  return page === undefined ? undefined : { ...sumsOf(page.data), isMore: page.has_more }
}

function sumsOf(operations: readonly Operation[]): Omit<AtStake, 'isMore'> {
  const sums = new Map<string, number>()
  const known = operations.flatMap(({ amount }) => amount ?? [])
  for (const { currency, amount } of known) {
    sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return {
    sums: [...sums].map(([currency, amount]) => ({ currency, amount })),
    unpriced: operations.length - known.length,
  }
}

/** The sums, one per currency; null if no price is known. */
export function moneyText({ sums, isMore }: AtStake): string | null {
  const text = sums.map(formatMoney).join(' · ')
  if (text === '') return null
  return isMore ? `${text}+` : text
}

/** The same sum as on Home, above the operations that it counts. */
export function MoneyAtStake({ query }: { readonly query: OperationQuery }) {
  const stake = useMoneyAtStake(query)
  const text = stake === undefined ? null : moneyText(stake)
  return text === null ? null : (
    <p className="count">{i18n.t('Money at stake: {amount}', { amount: text })}</p>
  )
}
