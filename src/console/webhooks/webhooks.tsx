import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../client/methods.ts'
import { FilterBar, FilterSelect } from '../lists/filters.tsx'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { WorkspaceFilter } from '../lists/workspace-filter.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Far } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx'
import { RecentDeliveries } from './endpoint-health.tsx'

type Endpoint = Schemas['WebhookEndpoint']

const filterNames = ['status', 'workspace_id'] as const
const statuses = ['enabled', 'disabled'] as const

const columns: readonly Column<Endpoint>[] = [
  {
    name: 'Address',
    width: 'minmax(14rem, 2.4fr)',
    cell: (row) => row.url,
  },
  {
    name: 'State',
    width: 'minmax(15rem, 1.4fr)',
    isLong: true,
    cell: (row) => <EndpointState endpoint={row} />,
  },
  {
    name: 'Last deliveries',
    width: 'minmax(11rem, 1fr)',
    isLong: true,
    cell: (row) => <RecentDeliveries endpointId={row.id} />,
  },
  {
    name: 'Last success',
    width: 'minmax(7rem, 0.7fr)',
    cell: ({ health, workspace_id: workspaceId }) =>
      health.last_success_at === null ? (
        'none'
      ) : (
        <Far at={health.last_success_at} workspaceId={workspaceId} />
      ),
  },
  {
    name: 'Workspace',
    width: 'minmax(8rem, 0.8fr)',
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: 'Subscribed to',
    width: 'minmax(10rem, 1.4fr)',
    isLong: true,
    cell: (row) => <span title={row.event_types.join(', ')}>{row.event_types.join(', ')}</span>,
  },
]

/** Why an endpoint is disabled, in words. */
const reasons: Readonly<Record<string, string>> = {
  by_owner: 'switched off',
  gone: 'it answered 410',
  failing: 'nothing succeeded for five days',
}

/** One state: what matters more hides what follows from it. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, disabled_reason: reason, health, workspace_id: workspaceId } = endpoint
  if (status === 'enabled' && health.state !== 'ok') {
    return (
      <>
        <Badge value={health.state} />{' '}
        {health.failing_since !== null && (
          <>
            since <Far at={health.failing_since} workspaceId={workspaceId} />
          </>
        )}
      </>
    )
  }
  return (
    <>
      <Badge value={status} /> {reason !== null && (reasons[reason] ?? reason)}
    </>
  )
}

/** Where events are sent, and whether they arrive. */
export function Webhooks() {
  const { client } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
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
      <ScreenHead
        title="Webhooks"
        acts={
          <>
            <Button component={Link} href="/deliveries" variant="default">
              All deliveries
            </Button>
            <Button component={Link} href="/deliveries?state=dead" variant="default">
              Dead letters
            </Button>
            <ActButton
              word="Create an endpoint…"
              scope="webhooks:write"
              isPrimary
              onAct={() => setCreating(true)}
            />
          </>
        }
      />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
        <FilterSelect
          label="State"
          value={status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={[['', 'Any'], ...statuses.map((one) => [one, one] as const)]}
        />
        <WorkspaceFilter
          value={workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
      </FilterBar>
      <Table
        what="endpoints"
        list={list}
        columns={columns}
        href={(row) => `/webhooks/${row.id}`}
        whenEmpty="An endpoint is an address that events are sent to. None matches: create one."
      />
      {isCreating && (
        <CreateEndpointDialog
          workspaceId={workspace_id ?? null}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}
