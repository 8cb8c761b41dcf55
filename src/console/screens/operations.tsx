import type { Operation } from '../../client/methods.ts'
import { FilterSelect, FilterText } from '../parts/filters.tsx'
import { oneAfterAnother, type PagedList, usePagedList } from '../parts/paged-list.ts'
import { type Column, Table } from '../parts/table.tsx'
import { useUrlFilters } from '../parts/url-filters.ts'
import { useSession } from '../session.tsx'
import { operationColumns as of } from './operation-columns.tsx'

const filterNames = [
  'status',
  'cause',
  'mark',
  'type',
  'workspace_id',
  'reference',
  'key',
  'older',
] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const statuses = ['needs_review', 'reconciling', 'resolved'] as const
type Status = (typeof statuses)[number]

const columns: readonly Column<Operation>[] = [
  of.reference,
  of.state,
  of.result,
  of.cause,
  of.type,
  of.age,
  of.looks,
  of.nextLook,
]

/** The operators' work list: first what needs review, then what is open, oldest first. */
export function Operations() {
  const { filters, setFilter } = useUrlFilters(filterNames)
  const list = useOperations(filters)
  return (
    <>
      <h1>Operations</h1>
      <search className="filters">
        <FilterSelect
          label="State"
          value={filters.status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[['', 'Open'], ...statuses.map(named), ['all', 'All']]}
        />
        <FilterSelect
          label="Cause"
          value={filters.cause ?? ''}
          onChange={(value) => setFilter('cause', value)}
          options={[['', 'Any'], ...causes.map(named)]}
        />
        <FilterSelect
          label="Mark"
          value={filters.mark ?? ''}
          onChange={(value) => setFilter('mark', value)}
          options={[['', 'Any'], ...marks.map(named)]}
        />
        <FilterSelect
          label="Type"
          value={filters.type ?? ''}
          onChange={(value) => setFilter('type', value)}
          options={[['', 'Any'], ...types.map(named)]}
        />
        <FilterSelect
          label="Age"
          value={filters.older ?? ''}
          onChange={(value) => setFilter('older', value)}
          options={ages}
        />
        <FilterText
          label="Workspace"
          value={filters.workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
        <FilterText
          label="External reference"
          value={filters.reference ?? ''}
          onChange={(value) => setFilter('reference', value)}
        />
        <FilterText
          label="Idempotency key"
          value={filters.key ?? ''}
          onChange={(value) => setFilter('key', value)}
        />
      </search>
      <Table
        what="operations"
        list={list}
        columns={columns}
        href={(row) => `/operations/${row.id}`}
        whenEmpty={
          Object.keys(filters).length === 0
            ? 'No operation needs attention.'
            : 'No operation matches these filters.'
        }
      />
    </>
  )
}

const named = (value: string) => [value, value.replaceAll('_', ' ')] as const
const causes = [
  ...(['response_lost', 'response_unreadable', 'courier_error'] as const),
  ...(['deadline_passed', 'process_died'] as const),
]
type Cause = (typeof causes)[number]
const marks = ['contradicted', 'escalated', 'unconfirmed'] as const
const types = ['shipment_creation', 'shipment_cancellation'] as const
type Type = (typeof types)[number]
const ages = [
  ['', 'Any'],
  ['3600', 'Over an hour'],
  ['28800', 'Over 8 hours'],
  ['86400', 'Over a day'],
] as const

function useOperations(filters: Filters): PagedList<Operation> {
  // An operation decided without the courier is resolved, so it is never among the open ones.
  const { mark, status = mark === 'unconfirmed' ? 'all' : '' } = filters
  const isShown = (one: Status) =>
    status === 'all' || status === one || (status === '' && one !== 'resolved')
  return oneAfterAnother([
    useStatus('needs_review', filters, isShown('needs_review')),
    useStatus('reconciling', filters, isShown('reconciling')),
    useStatus('resolved', filters, isShown('resolved')),
  ])
}

function useStatus(status: Status, filters: Filters, isEnabled: boolean): PagedList<Operation> {
  const { client } = useSession()
  const { cause, mark, type, workspace_id, reference, key, older } = filters
  // A truncated or hand-written link shows the API's own error.
  const query = {
    status,
    ...(cause === undefined ? {} : { cause: cause as Cause }),
    ...(mark === undefined ? {} : { [mark]: 'true' as const }),
    ...(type === undefined ? {} : { type: type as Type }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(older === undefined ? {} : { older_than_seconds: Number(older) }),
  }
  const order = status === 'resolved' ? 'newest' : 'oldest'
  return usePagedList({
    queryKey: ['operations', 'list', query],
    order,
    isEnabled,
    read: (page, options) => client.operations.list({ ...query, ...page, order }, options),
  })
}
