import { i18n } from '@lingui/core'
import { useLocation } from 'wouter'
import type { Input, Shipment } from '../../client/methods.ts'
import { type FilterField, FilterFields } from '../lists/filter-fields.tsx'
import { anyOf } from '../lists/filters.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { SavedViews } from '../lists/saved-views.tsx'
import type { Column } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { Badge } from '../parts/badge.tsx'
import { WorkspaceName } from '../parts/names.tsx'
import { useMay } from '../parts/scopes.tsx'
import { SteadyButton } from '../parts/steady-button.tsx'
import { Time, useDayStart } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

/** The filters in the page's address, in display order. */
const filterNames = [
  'status',
  'tracking',
  'from',
  'to',
  'guide',
  'reference',
  'workspace_id',
  'key',
] as const
type FilterName = (typeof filterNames)[number]
type Query = Omit<Input<'listShipments'>, 'limit' | 'cursor'>

const columns = (): readonly Column<Shipment>[] => [
  { name: i18n.t('Reference'), width: 'minmax(9rem, 2fr)', cell: (row) => row.external_reference },
  {
    name: i18n.t('State'),
    width: 'minmax(12.5rem, 1fr)',
    isLong: true,
    cell: (row) => <Badge value={row.status} />,
  },
  {
    name: i18n.t('Tracking'),
    width: 'minmax(11rem, 1fr)',
    isLong: true,
    cell: (row) => (row.tracking.status === null ? '–' : <Badge value={row.tracking.status} />),
  },
  {
    name: i18n.t('Guide'),
    width: 'minmax(10rem, 1fr)',
    isLong: true,
    cell: (row) => (row.guide_number === null ? '–' : <code>{row.guide_number}</code>),
  },
  {
    name: i18n.t('Workspace'),
    width: 'minmax(8rem, 1fr)',
    isLong: true,
    cell: (row) => <WorkspaceName id={row.workspace_id} />,
  },
  {
    name: i18n.t('Created'),
    width: 'minmax(10rem, 0.8fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

const statuses = [
  ...(['creating', 'created', 'rejected', 'not_executed', 'unknown_outcome'] as const),
  ...(['not_created', 'cancelling', 'cancelled'] as const),
]

const trackingStatuses = [
  ...(['registered', 'received_at_origin', 'in_transit', 'arrived_at_destination'] as const),
  ...(['ready_for_pickup', 'out_for_delivery', 'delivery_attempted', 'delivered'] as const),
  ...(['returning', 'returned', 'lost', 'cancelled'] as const),
]

const fields = (): Readonly<Record<FilterName, FilterField>> => ({
  status: { label: i18n.t('State'), options: anyOf(statuses) },
  tracking: { label: i18n.t('Tracking'), options: anyOf(trackingStatuses) },
  from: { label: i18n.t('Created from'), kind: 'date' },
  to: { label: i18n.t('Created to'), kind: 'date' },
  guide: { label: i18n.t('Exact guide number') },
  reference: { label: i18n.t('Exact external reference') },
  workspace_id: { label: i18n.t('Workspace'), kind: 'workspace' },
  key: { label: i18n.t('Exact idempotency key') },
})

/** Every shipment in the key's tenant scope, newest first. */
export function Shipments() {
  const { client } = useSession()
  const [, goTo] = useLocation()
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const query = useQueryOf(filters)
  const mayCreate = useMay('shipments:write')
  return (
    <ListScreen<Shipment>
      title={i18n.t('Shipments')}
      what="shipments"
      acts={
        <>
          <SavedViews screen="shipments" />
          {mayCreate && (
            <SteadyButton isOff={false} isPrimary onPress={() => goTo('/shipments/new')}>
              {i18n.t('New shipment')}
            </SteadyButton>
          )}
        </>
      }
      queryKey={['shipments', query]}
      read={(page, options) => client.shipments.list({ ...query, ...page }, options)}
      filters={
        <FilterFields fields={fields()} filters={filters} setFilter={setFilter} clear={clear} />
      }
      columns={columns()}
      href={(row) => `/shipments/${row.id}`}
      whenEmpty={
        Object.keys(filters).length === 0 ? i18n.t('No matching shipments.') : nothingFound()
      }
    />
  )
}

const nothingFound = () =>
  i18n.t(
    'No matching shipments. Names are encrypted and cannot be searched. Ask for the order or guide number.',
  )

/**
 * The API's query. Values are not checked: for a truncated or hand-written link the screen shows the
 * API's error. Days are those of the zone in which the list shows its times.
 */
function useQueryOf(filters: Partial<Record<FilterName, string>>): Query {
  const startOf = useDayStart()
  const asked: { readonly [Name in FilterName]: (value: string) => Query } = {
    status: (status) => ({ status: status as NonNullable<Query['status']> }),
    tracking: (status) => ({ tracking_status: status as NonNullable<Query['tracking_status']> }),
    from: (day) => ({ 'created_at[gte]': startOf(day) }),
    to: (day) => ({ 'created_at[lt]': startOf(day, 'next') }),
    guide: (guide_number) => ({ guide_number }),
    reference: (external_reference) => ({ external_reference }),
    workspace_id: (workspace_id) => ({ workspace_id }),
    key: (idempotency_key) => ({ idempotency_key }),
  }
  const queries = filterNames.map((name) => {
    const value = filters[name]
    return value === undefined ? {} : asked[name](value)
  })
  return Object.assign({}, ...queries)
}
