import { i18n } from '@lingui/core'
import type { Input, Schemas } from '../../client/methods.ts'
import { formatNumber } from '../languages/language.ts'
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
const slownesses = () =>
  [
    ['', i18n.t('Any')],
    ['500', i18n.t('Over ½ s')],
    ['2000', i18n.t('Over 2 s')],
    ['10000', i18n.t('Over 10 s')],
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
      title={i18n.t('Requests')}
      about={i18n.t(
        'The last seven days: route, response and duration, never a body. Under load, one row represents several requests.',
      )}
      what="requests"
      queryKey={['requests', query]}
      read={(page, options) => client.requests.list({ ...query, ...page }, options)}
      filters={
        <FilterBar count={Object.keys(filters).length} onClear={clear}>
          <FilterText label={i18n.t('Request id')} {...field('id')} />
          <FilterSelect label={i18n.t('Status')} {...field('status')} options={anyOf(statuses)} />
          <FilterSelect label={i18n.t('Method')} {...field('method')} options={anyOf(methods)} />
          <FilterText label={i18n.t('Route')} {...field('route')} />
          <FilterText label={i18n.t('Reason')} {...field('reason')} />
          <FilterSelect label={i18n.t('Took')} {...field('slow')} options={slownesses()} />
          <FilterText label={i18n.t('Key')} {...field('key_id')} />
          <FilterText label={i18n.t('Since (UTC)')} type="date" {...field('since')} />
        </FilterBar>
      }
      columns={requestColumns()}
      href={(row) => `/requests/${row.id}`}
      whenEmpty={i18n.t('No matching requests.')}
    />
  )
}

/** A request that represents others represents a fraction of them too. */
export const tenths = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
export type LoggedRequest = Schemas['Request']
type Query = Input<'listRequests'>

const requestColumns = (): readonly Column<LoggedRequest>[] => [
  {
    name: i18n.t('Request'),
    width: 'minmax(12rem, 2fr)',
    cell: (row) => (
      <>
        {row.method} {row.route}
      </>
    ),
  },
  {
    name: i18n.t('Answer'),
    width: 'minmax(14rem, 1.6fr)',
    isLong: true,
    cell: (row) => (
      <>
        <StatusCode value={row.status} /> {row.reason ?? ''}
      </>
    ),
  },
  {
    name: i18n.t('Took'),
    width: 'minmax(5rem, 0.5fr)',
    cell: (row) => `${formatNumber(row.duration_ms)} ms`,
  },
  {
    name: i18n.t('Represents'),
    width: '6rem',
    cell: (row) => (row.represents === 1 ? '1' : formatNumber(row.represents, tenths)),
  },
  {
    name: i18n.t('Key'),
    width: 'minmax(9rem, 1fr)',
    cell: (row) => <code title={row.key_id}>{row.key_id}</code>,
  },
  {
    name: i18n.t('At'),
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
