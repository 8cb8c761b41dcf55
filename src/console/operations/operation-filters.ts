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

export const operationTypes = ['shipment_creation', 'shipment_cancellation'] as const
export const operationCauses = [
  'response_lost',
  'response_unreadable',
  'courier_error',
  'deadline_passed',
  'process_died',
] as const
export const operationAges = [
  ['', 'Any'],
  ['3600', 'Over an hour'],
  ['28800', 'Over 8 hours'],
  ['86400', 'Over a day'],
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
