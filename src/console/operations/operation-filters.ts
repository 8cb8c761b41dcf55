import type { Input } from '../../client/methods.ts'
import type { OperationQuery } from './operation-views.ts'

type Listed = Input<'listOperations'>

/** The filters of the work list, as they stand in its address. */
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
export type OperationFilters = Partial<Record<(typeof operationFilterNames)[number], string>>

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

/** A truncated or hand-written link shows the API's own error. */
export function queryOf(filters: OperationFilters): OperationQuery {
  const { type, cause, assignee, courier, escalated, older, since } = filters
  const { workspace_id, reference, key } = filters
  return {
    ...(type === undefined ? {} : { type: type as NonNullable<Listed['type']> }),
    ...(cause === undefined ? {} : { cause: cause as NonNullable<Listed['cause']> }),
    ...(assignee === undefined ? {} : { assignee }),
    ...(courier === undefined ? {} : { provider_code: courier }),
    ...(escalated === undefined ? {} : { escalated: escalated as 'true' | 'false' }),
    ...(older === undefined ? {} : { older_than_seconds: Number(older) }),
    ...(since === undefined ? {} : { 'created_at[gte]': `${since}T00:00:00Z` }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(key === undefined ? {} : { idempotency_key: key }),
  }
}
