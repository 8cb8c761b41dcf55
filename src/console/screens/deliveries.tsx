import { useState } from 'react'
import { ActButton } from '../parts/act-button.tsx'
import { FilterSelect, FilterText } from '../parts/filters.tsx'
import { type PagedList, usePagedList } from '../parts/paged-list.ts'
import { type Column, Table } from '../parts/table.tsx'
import { useUrlFilters } from '../parts/url-filters.ts'
import { type WebhookType, webhookTypes } from '../parts/webhook-types.ts'
import { useSession } from '../session.tsx'
import { type Delivery, deliveryColumns as of } from './delivery-columns.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'

const filterNames = ['state', 'event_type', 'endpoint_id', 'shipment_id', 'workspace_id'] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const states = ['pending', 'delivered', 'dead', 'discarded'] as const

/** One click sends no more than a person can review; the next hundred need another click. */
const chosenMax = 100

/** The matching deliveries, newest first. */
export function useDeliveries(filters: Filters): PagedList<Delivery> {
  const { client } = useSession()
  const { state, event_type, endpoint_id, shipment_id, workspace_id } = filters
  const query = {
    ...(state === undefined ? {} : { state: state as (typeof states)[number] }),
    ...(event_type === undefined ? {} : { event_type: event_type as WebhookType }),
    ...(endpoint_id === undefined ? {} : { endpoint_id }),
    ...(shipment_id === undefined ? {} : { shipment_id }),
    ...(workspace_id === undefined ? {} : { workspace_id }),
  }
  return usePagedList<Delivery>({
    queryKey: ['deliveries', query],
    order: 'newest',
    isEnabled: true,
    read: (page, options) => client.webhookDeliveries.list({ ...query, ...page }, options),
  })
}

const columns = [
  of.event,
  of.state,
  of.attempts,
  of.lastAnswer,
  of.endpoint,
  of.shipment,
  of.created,
]

/** Every past and pending delivery. Dead ones are the dead letters. */
export function Deliveries() {
  const { filters, setFilter } = useUrlFilters(filterNames)
  const list = useDeliveries(filters)
  const text = (label: string, name: (typeof filterNames)[number]) => (
    <FilterText
      label={label}
      value={filters[name] ?? ''}
      onChange={(value) => setFilter(name, value)}
    />
  )
  return (
    <>
      <h1>{filters.state === 'dead' ? 'Dead letters' : 'Deliveries'}</h1>
      <search className="filters">
        <FilterSelect
          label="State"
          value={filters.state ?? ''}
          onChange={(value) => setFilter('state', value)}
          options={[['', 'Any'], ...states.map((one) => [one, one] as const)]}
        />
        <FilterSelect
          label="Event type"
          value={filters.event_type ?? ''}
          onChange={(value) => setFilter('event_type', value)}
          options={[['', 'Any'], ...webhookTypes.map((one) => [one, one] as const)]}
        />
        {text('Endpoint', 'endpoint_id')}
        {text('Shipment', 'shipment_id')}
        {text('Workspace', 'workspace_id')}
      </search>
      <DeliveriesTable key={JSON.stringify(filters)} list={list} columns={columns} />
    </>
  )
}

type DeliveriesTableProps = {
  readonly list: PagedList<Delivery>
  readonly columns: readonly Column<Delivery>[]
}

/** Deliveries to select, and the acts on the selected ones. */
export function DeliveriesTable({ list, columns }: DeliveriesTableProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [sent, setSent] = useState<readonly Delivery[] | null>(null)
  const rows = list.rows.filter(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const after = new Set(chosen)
    if (!after.delete(id) && after.size < chosenMax) after.add(id)
    setChosen(after)
  }
  const choice: Column<Delivery> = {
    name: 'Choose',
    width: '3.5rem',
    cell: (row) => (
      <input
        type="checkbox"
        className="over-link"
        aria-label={`Choose ${row.id}`}
        checked={chosen.has(row.id)}
        onChange={() => toggle(row.id)}
      />
    ),
  }
  return (
    <>
      <div className="actions">
        <button
          type="button"
          disabled={list.rows.length === 0}
          onClick={() => setChosen(new Set(list.rows.slice(0, chosenMax).map(({ id }) => id)))}
        >
          Choose the first {Math.min(chosenMax, list.rows.length)}
        </button>
        <button type="button" disabled={chosen.size === 0} onClick={() => setChosen(new Set())}>
          Choose none
        </button>
        <ActButton
          word={rows.length === 0 ? 'Redeliver…' : `Redeliver ${rows.length}…`}
          scope="webhooks:write"
          refused={rows.length === 0 ? `Choose up to ${chosenMax} deliveries first.` : null}
          onAct={() => setSent(rows)}
        />
        {chosen.size === chosenMax && (
          <span className="reason" role="status">
            No more than {chosenMax} are sent at once.
          </span>
        )}
      </div>
      <Table
        what="deliveries"
        list={list}
        columns={[...columns, choice]}
        href={(row) => `/deliveries/${row.id}`}
        whenEmpty="No delivery matches these filters."
      />
      {sent !== null && (
        <RedeliverDialog
          deliveries={sent}
          onClose={() => {
            setSent(null)
            setChosen(new Set())
          }}
        />
      )}
    </>
  )
}
