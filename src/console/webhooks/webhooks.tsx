import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import { Link } from 'wouter'
import type { Input, Schemas } from '../../client/methods.ts'
import { type FilterField, FilterFields } from '../lists/filter-fields.tsx'
import { anyOf } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { SavedViews } from '../lists/saved-views.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { Far, LastingFor } from '../parts/times.tsx'
import { useSession } from '../session.tsx'
import { CreateEndpointDialog } from './create-endpoint-dialog.tsx'
import { RecentDeliveries } from './endpoint-health.tsx'

type Endpoint = Schemas['WebhookEndpoint']

const filterNames = ['status', 'health', 'workspace_id'] as const
const fields = () =>
  ({
    status: { label: i18n.t('State'), options: anyOf(['enabled', 'disabled']) },
    health: { label: i18n.t('Endpoint health'), options: anyOf(['ok', 'failing']) },
    workspace_id: { label: i18n.t('Workspace'), kind: 'workspace' },
  }) as const satisfies Record<(typeof filterNames)[number], FilterField>

const columns = (): readonly Column<Endpoint>[] => [
  {
    name: i18n.t('Address'),
    width: 'minmax(12.5rem, 2.4fr)',
    cell: (row) => row.url,
  },
  {
    name: i18n.t('State'),
    width: 'minmax(11.5rem, 1.2fr)',
    isLong: true,
    cell: (row) => <EndpointState endpoint={row} />,
  },
  {
    name: i18n.t('Next try'),
    width: 'minmax(7.5rem, 0.7fr)',
    isLong: true,
    cell: ({ health, workspace_id: workspaceId }) =>
      health.next_probe_at === null ? (
        '–'
      ) : (
        <Far at={health.next_probe_at} workspaceId={workspaceId} />
      ),
  },
  {
    name: i18n.t('Last deliveries'),
    width: 'minmax(9.5rem, 1fr)',
    isLong: true,
    cell: (row) => <RecentDeliveries endpointId={row.id} />,
  },
  {
    name: i18n.t('Last success'),
    width: 'minmax(7rem, 0.7fr)',
    cell: ({ health, workspace_id: workspaceId }) =>
      health.last_success_at === null ? (
        i18n.t('never')
      ) : (
        <Far at={health.last_success_at} workspaceId={workspaceId} />
      ),
  },
  {
    name: i18n.t('Workspace'),
    width: 'minmax(8rem, 0.8fr)',
    isLong: true,
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: i18n.t('Subscribed to'),
    width: 'minmax(8rem, 1.4fr)',
    isLong: true,
    cell: (row) => <span title={row.event_types.join(', ')}>{row.event_types.join(', ')}</span>,
  },
]

/** Why an endpoint is disabled. */
const reasons = (): Readonly<Record<string, string>> => ({
  by_owner: i18n.t('switched off'),
  gone: i18n.t('the receiver answered 410'),
  failing: i18n.t('no success for five days'),
})

/** The endpoint's most important state. */
export function EndpointState({ endpoint }: { readonly endpoint: Endpoint }) {
  const { status, disabled_reason: reason, health, workspace_id: workspaceId } = endpoint
  if (status === 'enabled' && health.state !== 'ok') {
    return (
      <>
        <Badge value={health.state} />{' '}
        {health.failing_since !== null && (
          <LastingFor at={health.failing_since} workspaceId={workspaceId} />
        )}
      </>
    )
  }
  return (
    <>
      <Badge value={status} />{' '}
      {reason !== null && (reasons()[reason] ?? <ServiceText>{reason}</ServiceText>)}
    </>
  )
}

/** The list of webhook endpoints and their health. */
export function Webhooks() {
  const { client } = useSession()
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const query = filters as Omit<Input<'listWebhookEndpoints'>, 'limit' | 'cursor'>
  return (
    <ListScreen<Endpoint>
      title={i18n.t('Webhooks')}
      what="endpoints"
      queryKey={['endpoints', query]}
      read={(page, options) => client.webhookEndpoints.list({ ...query, ...page }, options)}
      acts={
        <>
          <SavedViews screen="webhooks" />
          <Button component={Link} href="/deliveries" variant="default">
            {i18n.t('All deliveries')}
          </Button>
          <Button component={Link} href="/deliveries?state=dead" variant="default">
            {i18n.t('Dead letters')}
          </Button>
        </>
      }
      filters={
        <FilterFields fields={fields()} filters={filters} setFilter={setFilter} clear={clear} />
      }
      columns={columns()}
      href={(row) => `/webhooks/${row.id}`}
      whenEmpty={i18n.t(
        'An endpoint is an address that events are sent to. Create the first one, or clear the filters.',
      )}
      create={{
        word: i18n.t('Create an endpoint…'),
        scope: 'webhooks:write',
        dialog: (onClose) => (
          <CreateEndpointDialog workspaceId={query.workspace_id ?? null} onClose={onClose} />
        ),
      }}
    />
  )
}
