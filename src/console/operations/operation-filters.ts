import { i18n } from '@lingui/core'
import type { Input } from '../../client/methods.ts'
import type { OperationQuery } from './operation-views.ts'

type Listed = Input<'listOperations'>

/** The filters of the work list in the page's address. */
export const operationFilterNames = [
  'type',
  'cause',
  'assignee',
  'courier',
  'escalated',
  'older',
  'since',
  'workspace_id',
  'reference',
  'key',
] as const
type FilterName = (typeof operationFilterNames)[number]
export type OperationFilters = Partial<Record<FilterName, string>>

export const operationTypes = () =>
  [
    ['', i18n.t('Any')],
    ['shipment_creation', i18n.t('shipment creation')],
    ['shipment_cancellation', i18n.t('shipment cancellation')],
  ] as const
export const operationCauses = () =>
  [
    ['', i18n.t('Any')],
    ['response_lost', i18n.t('response lost')],
    ['response_unreadable', i18n.t('response unreadable')],
    ['courier_error', i18n.t('courier error')],
    ['deadline_passed', i18n.t('deadline passed')],
    ['process_died', i18n.t('process died')],
  ] as const
export const operationAges = () =>
  [
    ['', i18n.t('Any')],
    ['3600', i18n.t('Over an hour')],
    ['28800', i18n.t('Over 8 hours')],
    ['86400', i18n.t('Over a day')],
  ] as const

/** The API query of each filter. */
const asked: { readonly [Name in FilterName]: (value: string) => OperationQuery } = {
  type: (type) => ({ type: type as NonNullable<Listed['type']> }),
  cause: (cause) => ({ cause: cause as NonNullable<Listed['cause']> }),
  assignee: (assignee) => ({ assignee }),
  courier: (provider_code) => ({ provider_code }),
  escalated: (escalated) => ({ escalated: escalated as 'true' | 'false' }),
  older: (older) => ({ older_than_seconds: Number(older) }),
  since: (since) => ({ 'created_at[gte]': `${since}T00:00:00Z` }),
  workspace_id: (workspace_id) => ({ workspace_id }),
  reference: (external_reference) => ({ external_reference }),
  key: (idempotency_key) => ({ idempotency_key }),
}

/**
 * Values are not checked: for a truncated or hand-written link the screen shows the API's error.
 */
export function queryOf(filters: OperationFilters): OperationQuery {
  const queries = operationFilterNames.map((name) => {
    const value = filters[name]
    return value === undefined ? {} : asked[name](value)
  })
  return Object.assign({}, ...queries)
}
