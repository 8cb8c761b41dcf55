import type { Shipment } from '../../client/methods.ts'
import { anyOf, FilterBar, FilterSelect, FilterText, WorkspaceFilter } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
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

/** Every shipment in the key's tenant scope, newest first. */
export function Shipments() {
  const { client } = useSession()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { status, guide, reference, key, ...workspace } = filters
  const query = {
    ...workspace,
    ...(status === undefined ? {} : { status: status as (typeof statuses)[number] }),
    ...(guide === undefined ? {} : { guide_number: guide }),
    ...(reference === undefined ? {} : { external_reference: reference }),
    ...(key === undefined ? {} : { idempotency_key: key }),
  }
  return (
    <ListScreen<Shipment>
      title="Shipments"
      what="shipments"
      queryKey={['shipments', query]}
      read={(page, options) => client.shipments.list({ ...query, ...page }, options)}
      filters={
        <FilterBar count={Object.keys(filters).length} onClear={clear}>
          <FilterSelect label="State" {...field('status')} options={anyOf(statuses)} />
          <WorkspaceFilter {...field('workspace_id')} />
          <FilterText label="Exact guide number" {...field('guide')} />
          <FilterText label="Exact external reference" {...field('reference')} />
          <FilterText label="Exact idempotency key" {...field('key')} />
        </FilterBar>
      }
      columns={columns}
      href={(row) => `/shipments/${row.id}`}
      whenEmpty="No matching shipments."
    />
  )
}
