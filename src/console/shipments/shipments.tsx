import type { Shipment } from '../../client/methods.ts'
import { FilterBar, FilterSelect, FilterText } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { WorkspaceFilter } from '../lists/workspace-filter.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const filterNames = ['status', 'workspace_id', 'guide', 'reference', 'key'] as const

const columns: readonly Column<Shipment>[] = [
  { name: 'Reference', width: 'minmax(9rem, 2fr)', cell: (row) => row.external_reference },
  {
    name: 'State',
    width: 'minmax(10rem, 1fr)',
    isLong: true,
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: 'Tracking',
    width: 'minmax(11rem, 1fr)',
    isLong: true,
    cell: (row) => (row.tracking.status === null ? '–' : <Badge value={row.tracking.status} />),
  },
  {
    name: 'Guide',
    width: 'minmax(10rem, 1fr)',
    isLong: true,
    cell: (row) => (row.guide_number === null ? '–' : <code>{row.guide_number}</code>),
  },
  {
    name: 'Workspace',
    width: 'minmax(8rem, 1fr)',
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: 'Created',
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

const statuses = [
  ...(['creating', 'created', 'rejected', 'not_executed', 'unknown_outcome'] as const),
  ...(['not_created', 'cancelling', 'cancelled'] as const),
]
type Status = (typeof statuses)[number]

/** Every shipment within the key's reach, newest first. */
export function Shipments() {
  const { client } = useSession()
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const { status, workspace_id, guide, reference, key } = filters
  const query = {
    ...(status === undefined ? {} : { status: status as Status }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(guide === undefined ? {} : { guide_number: guide }),
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(key === undefined ? {} : { idempotency_key: key }),
  }
  const list = usePagedList<Shipment>({
    queryKey: ['shipments', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.shipments.list({ ...query, ...page }, options),
  })
  const text = (label: string, name: (typeof filterNames)[number]) => (
    <FilterText
      label={label}
      value={filters[name] ?? ''}
      onChange={(value) => setFilter(name, value)}
    />
  )
  return (
    <>
      <ScreenHead title="Shipments" />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <FilterSelect
          label="State"
          value={status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[
            ['', 'Any'],
            ...statuses.map((one) => [one, one.replaceAll('_', ' ')] as const),
          ]}
        />
        <WorkspaceFilter
          value={workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
        {text('Whole guide number', 'guide')}
        {text('Whole external reference', 'reference')}
        {text('Whole idempotency key', 'key')}
      </FilterBar>
      <Table
        what="shipments"
        list={list}
        columns={columns}
        href={(row) => `/shipments/${row.id}`}
        whenEmpty="No shipment matches these filters."
      />
    </>
  )
}
