import { i18n } from '@lingui/core'
import { useQuery } from '@tanstack/react-query'
import type { Operation } from '../../client/methods.ts'
import { useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'

/** With more operators than these, use the API to assign. */
const operatorsMax = 100
const operatorsFreshMs = 60_000
export const hourMs = 3_600_000

/** The snooze durations: as choices, and as the result. */
export const snoozes = [
  {
    hours: 1,
    word: () => i18n.t('For an hour'),
    done: () => i18n.t('Snoozed for an hour.'),
  },
  {
    hours: 4,
    word: () => i18n.t('For 4 hours'),
    done: () => i18n.t('Snoozed for 4 hours.'),
  },
  {
    hours: 24,
    word: () => i18n.t('For a day'),
    done: () => i18n.t('Snoozed for a day.'),
  },
  {
    hours: 72,
    word: () => i18n.t('For 3 days'),
    done: () => i18n.t('Snoozed for 3 days.'),
  },
] as const

type Choice = { readonly value: string; readonly label: string }

/** The operators to choose from, including the current assignee. */
export function useOperatorChoices(assignee: Operation['assignee']): readonly Choice[] {
  const { client } = useSession()
  const operators = useQuery({
    queryKey: ['operators', 'active'],
    queryFn: ({ signal }) =>
      client.operators.list({ status: 'active', limit: operatorsMax }, { signal }),
    staleTime: operatorsFreshMs,
    enabled: useMay('operations:read'),
  })
  const active = (operators.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))
  const isListed = assignee === null || active.some(({ value }) => value === assignee.operator_id)
  if (isListed) return active
  return [{ value: assignee.operator_id, label: assignee.name ?? assignee.operator_id }, ...active]
}
