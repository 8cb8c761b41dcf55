import { FilterBar, FilterSelect, FilterText } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { ScreenHead } from '../parts/screen-head.tsx'
import { useSession } from '../session.tsx'
import { type LoggedRequest, requestColumns } from './request-columns.tsx'

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
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const statuses = ['2xx', '3xx', '4xx', '5xx'] as const
const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const
const slownesses = [
  ['', 'Any'],
  ['500', 'Over ½ s'],
  ['2000', 'Over 2 s'],
  ['10000', 'Over 10 s'],
] as const

/** A truncated or hand-written link shows the API's own error. */
function useRequests(filters: Filters) {
  const { client } = useSession()
  const { id, status, method, route, reason, key_id, slow, since } = filters
  const query = {
    ...(id === undefined ? {} : { id }),
    ...(status === undefined ? {} : { status: status as (typeof statuses)[number] }),
    ...(method === undefined ? {} : { method: method as (typeof methods)[number] }),
    ...(route === undefined ? {} : { route }),
    ...(reason === undefined ? {} : { reason: reason as NonNullable<LoggedRequest['reason']> }),
    ...(key_id === undefined ? {} : { key_id }),
    ...(slow === undefined ? {} : { min_duration_ms: slow }),
    ...(since === undefined ? {} : { 'created_at[gte]': `${since}T00:00:00Z` }),
  }
  return usePagedList<LoggedRequest>({
    queryKey: ['requests', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.requests.list({ ...query, ...page }, options),
  })
}

/** What clients asked in the last seven days, for finding out what one did. */
export function Requests() {
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const list = useRequests(filters)
  const choice = (
    label: string,
    name: (typeof filterNames)[number],
    options: readonly (readonly [string, string])[],
  ) => (
    <FilterSelect
      label={label}
      value={filters[name] ?? ''}
      onChange={(value) => setFilter(name, value)}
      options={options}
    />
  )
  const text = (
    label: string,
    name: (typeof filterNames)[number],
    type: 'text' | 'date' = 'text',
  ) => (
    <FilterText
      label={label}
      type={type}
      value={filters[name] ?? ''}
      onChange={(value) => setFilter(name, value)}
    />
  )
  return (
    <>
      <ScreenHead title="Requests">
        <p className="reason">
          The last seven days: route, answer and time, never a body. When there are many at once,
          one stands for several.
        </p>
      </ScreenHead>
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        {text('Request id', 'id')}
        {choice('Status', 'status', [['', 'Any'], ...statuses.map((one) => [one, one] as const)])}
        {choice('Method', 'method', [['', 'Any'], ...methods.map((one) => [one, one] as const)])}
        {text('Route', 'route')}
        {text('Reason', 'reason')}
        {choice('Took', 'slow', slownesses)}
        {text('Key', 'key_id')}
        {text('Since (UTC)', 'since', 'date')}
      </FilterBar>
      <Table
        what="requests"
        list={list}
        columns={requestColumns}
        href={(row) => `/requests/${row.id}`}
        whenEmpty="No request matches these filters."
      />
    </>
  )
}
