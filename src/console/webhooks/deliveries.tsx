import { Button } from '@mantine/core'
import { useState } from 'react'
import { FilterBar, FilterSelect, FilterText } from '../lists/filters.tsx'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { useChosen } from '../lists/use-chosen.tsx'
import { WorkspaceFilter } from '../lists/workspace-filter.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { useSession } from '../session.tsx'
import { type Delivery, deliveryColumns as of } from './delivery-columns.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { type WebhookType, webhookTypes } from './subscribable-types.ts'

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
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
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
      <ScreenHead title={filters.state === 'dead' ? 'Dead letters' : 'Deliveries'} />
      <FilterBar count={Object.keys(filters).length} onClear={clear}>
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
        <WorkspaceFilter
          value={filters.workspace_id ?? ''}
          onChange={(value) => setFilter('workspace_id', value)}
        />
      </FilterBar>
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
  const { chosen, isFull, choice, clear, chooseFirst } = useChosen(list.rows, chosenMax)
  const [sent, setSent] = useState<readonly Delivery[] | null>(null)
  return (
    <>
      <Table
        what="deliveries"
        list={list}
        columns={[choice, ...columns]}
        href={(row) => `/deliveries/${row.id}`}
        whenEmpty="No delivery matches these filters."
        aside={
          <div className="actions">
            <Button variant="default" onClick={chooseFirst}>
              Choose the first {Math.min(chosenMax, list.rows.length)}
            </Button>
            <Button variant="default" disabled={chosen.length === 0} onClick={clear}>
              Choose none
            </Button>
            <ActButton
              word={chosen.length === 0 ? 'Redeliver…' : `Redeliver ${chosen.length}…`}
              scope="webhooks:write"
              refused={chosen.length === 0 ? `Choose up to ${chosenMax} deliveries first.` : null}
              onAct={() => setSent(chosen)}
            />
            {isFull && (
              <span className="reason" role="status">
                No more than {chosenMax} are sent at once.
              </span>
            )}
          </div>
        }
      />
      {sent !== null && (
        <RedeliverDialog
          deliveries={sent}
          onClose={() => {
            setSent(null)
            clear()
          }}
        />
      )}
    </>
  )
}
