import type { Input, Schemas } from '../../client/methods.ts'
import { anyOf, FilterBar, FilterSelect, FilterText } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const filterNames = [
  'id',
  'status',
  'method',
  'route',
  'reason',
  'key_id',
  'slow',
  'since',
] as const

const statuses = ['2xx', '3xx', '4xx', '5xx'] as const
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const
const slownesses = [
  ['', 'Any'],
  ['500', 'Over ½ s'],
  ['2000', 'Over 2 s'],
  ['10000', 'Over 10 s'],
] as const

/** The requests of the last seven days. */
export function Requests() {
  const { client } = useSession()
  const { filters, field, clear } = useUrlFilters(filterNames)
  const { slow, since, ...named } = filters
  // Not checked: for a truncated or hand-written link the screen shows the API's error.
  const query = {
    ...(named as Pick<Query, 'id' | 'status' | 'method' | 'route' | 'reason' | 'key_id'>),
    ...(slow === undefined ? {} : { min_duration_ms: slow }),
    ...(since === undefined ? {} : { 'created_at[gte]': `${since}T00:00:00Z` }),
  }
  return (
    <ListScreen<LoggedRequest>
      title="Requests"
      about="The last seven days: route, response and duration, never a body. Under load, one row represents several requests."
      what="requests"
      queryKey={['requests', query]}
      read={(page, options) => client.requests.list({ ...query, ...page }, options)}
      filters={
        <FilterBar count={Object.keys(filters).length} onClear={clear}>
          <FilterText label="Request id" {...field('id')} />
          <FilterSelect label="Status" {...field('status')} options={anyOf(statuses)} />
          <FilterSelect label="Method" {...field('method')} options={anyOf(methods)} />
          <FilterText label="Route" {...field('route')} />
          <FilterText label="Reason" {...field('reason')} />
          <FilterSelect label="Took" {...field('slow')} options={slownesses} />
          <FilterText label="Key" {...field('key_id')} />
          <FilterText label="Since (UTC)" type="date" {...field('since')} />
        </FilterBar>
      }
      columns={requestColumns}
      href={(row) => `/requests/${row.id}`}
      whenEmpty="No matching requests."
    />
  )
}

export type LoggedRequest = Schemas['Request']
type Query = Input<'listRequests'>

const requestColumns: readonly Column<LoggedRequest>[] = [
  {
    name: 'Request',
    width: 'minmax(12rem, 2fr)',
    cell: (row) => (
      <>
        {row.method} {row.route}
      </>
    ),
  },
  {
    name: 'Answer',
    width: 'minmax(14rem, 1.6fr)',
    isLong: true,
    cell: (row) => (
      <>
        <StatusCode value={row.status} /> {row.reason ?? ''}
      </>
    ),
  },
  { name: 'Took', width: 'minmax(5rem, 0.5fr)', cell: (row) => `${row.duration_ms} ms` },
  {
    name: 'Represents',
    width: '6rem',
    cell: (row) => (row.represents === 1 ? '1' : row.represents.toFixed(1)),
  },
  {
    name: 'Key',
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <code title={row.key_id}>{row.key_id}</code>,
  },
  {
    name: 'At',
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

/** An HTTP status, colored by its class. */
export function StatusCode({ value }: { readonly value: number }) {
  const tone = value < 400 ? 'good' : value < 500 ? 'warn' : 'bad'
  return (
    <span className="badge" data-tone={tone}>
      {value}
    </span>
  )
}
