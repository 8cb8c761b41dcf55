import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { FilterSelect, FilterText } from '../parts/filters.tsx'
import { usePagedList } from '../parts/paged-list.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/times.tsx'
import { useUrlFilters } from '../parts/url-filters.ts'
import { useSession } from '../session.tsx'
import { RecentDeliveries } from './endpoint-health.tsx'

type Endpoint = Schemas['WebhookEndpoint']

const filterNames = ['status', 'workspace_id'] as const
const statuses = ['enabled', 'disabled'] as const

const columns: readonly Column<Endpoint>[] = [
  { name: 'Address', width: 'minmax(14rem, 3fr)', cell: (row) => row.url },
  {
    name: 'State',
    width: 'minmax(11rem, 1fr)',
    isLong: true,
    cell: (row) => <EndpointState endpoint={row} />,
  },
  {
    name: 'Last deliveries',
    width: 'minmax(12rem, 1fr)',
    isLong: true,
    cell: (row) => <RecentDeliveries endpointId={row.id} />,
  },
  {
    name: 'Subscribed to',
    width: 'minmax(10rem, 2fr)',
    isLong: true,
    cell: (row) => row.event_types.join(', '),
  },
  {
    name: 'Changed',
    width: 'minmax(15rem, 1fr)',
    isLong: true,
    cell: (row) => <Time at={row.updated_at} />,
  },
]

/** Why an endpoint is disabled, in words. */
const reasons = {
  by_owner: 'switched off',
  gone: 'it answered 410',
  failing: 'nothing succeeded for five days',
} as const

export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, disabled_reason: reason, health } = endpoint
  return (
    <>
      <Badge value={status} /> {reason !== null && reasons[reason]}
      {status === 'enabled' && health.state !== 'ok' && <Badge value={health.state} />}
    </>
  )
}

/** Where events are sent, and whether they arrive. */
export function Webhooks() {
  const { client } = useSession()
  const { filters, setFilter } = useUrlFilters(filterNames)
  const { status, workspace_id } = filters
  const query = {
    ...(status === undefined ? {} : { status: status as (typeof statuses)[number] }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
  }
  const list = usePagedList<Endpoint>({
    queryKey: ['endpoints', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.webhookEndpoints.list({ ...query, ...page }, options),
  })
  return (
    <>
      <h1>Webhooks</h1>
      <p>
        <Link href="/deliveries">All deliveries</Link> ·{' '}
        <Link href="/deliveries?state=dead">Dead letters</Link>
      </p>
      <search className="filters">
        <FilterSelect
          label="State"
          value={status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[['', 'Any'], ...statuses.map((one) => [one, one] as const)]}
        />
        <FilterText
          label="Workspace"
          value={workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
      </search>
      <Table
        what="endpoints"
        list={list}
        columns={columns}
        href={(row) => `/webhooks/${row.id}`}
        whenEmpty="No endpoint matches these filters. Create one with POST /v1/webhook-endpoints."
      />
    </>
  )
}
