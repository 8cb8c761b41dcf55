import type { Operation } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { FilterSelect, FilterText } from '../parts/filters.tsx'
import { oneAfterAnother, type PagedList, usePagedList } from '../parts/paged-list.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Age, Far } from '../parts/times.tsx'
import { useUrlFilters } from '../parts/url-filters.ts'
import { useSession } from '../session.tsx'

const filterNames = ['status', 'cause', 'workspace_id', 'reference', 'key', 'older'] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const statuses = ['needs_review', 'reconciling', 'resolved'] as const
type Status = (typeof statuses)[number]

const columns: readonly Column<Operation>[] = [
  { name: 'Reference', width: 'minmax(9rem, 2fr)', cell: (row) => row.external_reference },
  {
    ...{ name: 'State', width: 'minmax(14.5rem, 1.5fr)', isLong: true },
    cell: (row) => (
      <>
        <Badge value={row.status} /> {row.contradicted && <Badge value="contradicted" />}
        {row.escalated && <Badge value="escalated" />}
      </>
    ),
  },
  {
    ...{ name: 'Result', width: 'minmax(8rem, 1fr)', isLong: true },
    cell: (row) => (row.result === null ? '–' : row.result.replaceAll('_', ' ')),
  },
  {
    ...{ name: 'Cause', width: 'minmax(10rem, 1fr)', isLong: true },
    cell: (row) => row.cause?.replaceAll('_', ' ') ?? '–',
  },
  {
    ...{ name: 'Type', width: '7rem' },
    cell: (row) => row.type.replace('shipment_', ''),
  },
  {
    name: 'Age',
    width: 'minmax(7rem, 0.8fr)',
    cell: (row) => <Age at={row.created_at} workspaceId={row.workspace_id} />,
  },
  { name: 'Looks', width: '4rem', cell: (row) => row.looks.length },
  {
    ...{ name: 'Next look', width: 'minmax(9rem, 1fr)', isLong: true },
    cell: (row) =>
      row.next_look_at === null ? (
        '–'
      ) : (
        <Far at={row.next_look_at} workspaceId={row.workspace_id} />
      ),
  },
]

/** What operators work off: what needs review first, then what is open, the oldest first. */
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
            ? 'Nothing waits for anybody here.'
            : 'No operation fits these filters.'
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
const ages = [
  ['', 'Any'],
  ['3600', 'Over an hour'],
  ['28800', 'Over 8 hours'],
  ['86400', 'Over a day'],
] as const

function useOperations(filters: Filters): PagedList<Operation> {
  const { status = '' } = filters
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
  const { cause, workspace_id, reference, key, older } = filters
  // A link that was cut or written by hand says what is wrong in the API's own words.
  const query = {
    status,
    ...(cause === undefined ? {} : { cause: cause as Cause }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(key === undefined ? {} : { idempotency_key: key }),
    ...(older === undefined ? {} : { older_than_seconds: Number(older) }),
  }
  const order = status === 'resolved' ? 'newest' : 'oldest'
  return usePagedList({
    ...{ queryKey: ['operations', 'list', query], order, isEnabled },
    read: (page, options) => client.operations.list({ ...query, ...page, order }, options),
  })
}
