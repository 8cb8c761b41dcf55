import { Link, useLocation } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { FilterBar, FilterText } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { WorkspaceFilter } from '../lists/workspace-filter.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { BatchProgress } from './batch-progress.tsx'
import { failedCount } from './line-states.ts'

type Batch = Schemas['Batch']

const filterNames = ['workspace_id', 'reference'] as const

const columns: readonly Column<Batch>[] = [
  { name: 'Reference', width: 'minmax(10rem, 2fr)', cell: (row) => row.external_reference },
  {
    name: 'State',
    width: 'minmax(8rem, 0.8fr)',
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: 'Progress',
    width: 'minmax(9rem, 1fr)',
    isLong: true,
    cell: (row) => <BatchProgress batch={row} />,
  },
  { name: 'Lines', width: '4rem', cell: (row) => row.total },
  { name: 'With a guide', width: '6rem', cell: (row) => row.result ?? '' },
  { name: 'Failed', width: '4rem', cell: failedCount },
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

/** Every batch within the key's reach, newest first. */
export function Batches() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const { workspace_id, reference } = filters
  const query = {
    ...(workspace_id === undefined ? {} : { workspace_id }),
    ...(reference === undefined ? {} : { external_reference: reference }),
  }
  const list = usePagedList<Batch>({
    queryKey: ['batches', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.batches.list({ ...query, ...page }, options),
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <ScreenHead
        title="Batches"
        acts={
          <ActButton
            word="New batch"
            scope="shipments:write"
            isPrimary
            onAct={() => goTo('/batches/new')}
          />
        }
      />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <WorkspaceFilter
          value={workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
        <FilterText
          label="Whole reference"
          value={reference ?? ''}
          onChange={(value) => setFilter('reference', value)}
        />
      </FilterBar>
      <Table
        what="batches"
        list={list}
        columns={columns}
        href={(row) => `/batches/${row.id}`}
        whenEmpty={
          isFiltered ? (
            'No batch matches these filters.'
          ) : (
            <>
              A batch creates many shipments from one file of a spreadsheet.{' '}
              <Link href="/batches/new">Make the first one</Link>.
            </>
          )
        }
      />
    </>
  )
}
