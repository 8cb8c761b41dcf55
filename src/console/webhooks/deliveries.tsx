import { i18n } from '@lingui/core'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { type FilterField, FilterFields } from '../lists/filter-fields.tsx'
import { anyOf } from '../lists/filters.tsx'
import { type PagedList, usePagedList } from '../lists/paged-list.ts'
import { SavedViews } from '../lists/saved-views.tsx'
import { type Column, Table } from '../lists/table.tsx'
import { useUrlFilters } from '../lists/url-filters.ts'
import { useChosen } from '../lists/use-chosen.tsx'
import { ActButton } from '../parts/act-button.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { useSession } from '../session.tsx'
import { type Delivery, deliveryColumns } from './delivery-columns.tsx'
import { RedeliverDialog } from './redeliver-dialog.tsx'
import { type WebhookType, webhookTypes } from './subscribable-types.ts'

const filterNames = ['state', 'event_type', 'endpoint_id', 'shipment_id', 'workspace_id'] as const
type Filters = Partial<Record<(typeof filterNames)[number], string>>

const states = ['pending', 'delivered', 'dead', 'discarded'] as const
const fields = () =>
  ({
    state: { label: i18n.t('State'), options: anyOf(states) },
    event_type: {
      label: i18n.t('Event type'),
      options: [['', i18n.t('Any')], ...webhookTypes.map((one) => [one, one] as const)],
    },
    endpoint_id: { label: i18n.t('Endpoint') },
    shipment_id: { label: i18n.t('Shipment') },
    workspace_id: { label: i18n.t('Workspace'), kind: 'workspace' },
  }) as const satisfies Record<(typeof filterNames)[number], FilterField>

/** One click must not send more than a user can review. */
const chosenMax = 100

/** The matching deliveries, newest first. */
export function useDeliveries(filters: Filters): PagedList<Delivery> {
  const { client } = useSession()
  const query = filters as Omit<Filters, 'state' | 'event_type'> & {
    state?: (typeof states)[number]
    event_type?: WebhookType
  }
  return usePagedList<Delivery>({
    queryKey: ['deliveries', query],
    read: (page, options) => client.webhookDeliveries.list({ ...query, ...page }, options),
  })
}

function columns(): readonly Column<Delivery>[] {
  const { event, state, attempts, lastAnswer, endpoint, shipment, created } = deliveryColumns()
  return [event, state, attempts, lastAnswer, endpoint, shipment, created]
}

/** All deliveries. The dead ones are the dead letters. */
export function Deliveries() {
  const { filters, setFilter, clear } = useUrlFilters(filterNames)
  const list = useDeliveries(filters)
  return (
    <>
      <ScreenHead
        title={filters.state === 'dead' ? i18n.t('Dead letters') : i18n.t('Deliveries')}
        acts={<SavedViews screen="deliveries" />}
      />
      <FilterFields fields={fields()} filters={filters} setFilter={setFilter} clear={clear} />
      <DeliveriesTable key={JSON.stringify(filters)} list={list} columns={columns()} />
    </>
  )
}

/** Two deliveries may be of one event, to different endpoints. */
function nameOf({ event_type: type, shipment_id: shipmentId, id }: Delivery): string {
  return shipmentId === null
    ? `${type}, ${id}`
    : i18n.t('{type} of {shipment}, {id}', { type, shipment: shipmentId, id })
}

type DeliveriesTableProps = {
  readonly list: PagedList<Delivery>
  readonly columns: readonly Column<Delivery>[]
}

/** A table of deliveries with checkboxes, and the actions on the selected ones. */
export function DeliveriesTable({ list, columns }: DeliveriesTableProps) {
  const { chosen, isFull, choice, clear, chooseFirst } = useChosen(list.rows, chosenMax, nameOf)
  const [sent, setSent] = useState<readonly Delivery[] | null>(null)
  return (
    <>
      <Table
        what="deliveries"
        list={list}
        columns={[choice, ...columns]}
        href={(row) => `/deliveries/${row.id}`}
        whenEmpty={i18n.t('No matching deliveries.')}
        aside={
          <div className="actions">
            <Button variant="default" onClick={chooseFirst}>
              {i18n.t('Select the first {count}', {
                count: Math.min(chosenMax, list.rows.length),
              })}
            </Button>
            <Button variant="default" disabled={chosen.length === 0} onClick={clear}>
              {i18n.t('Clear the selection')}
            </Button>
            <ActButton
              word={
                chosen.length === 0
                  ? i18n.t('Redeliver…')
                  : i18n.t('Redeliver {count}…', { count: chosen.length })
              }
              scope="webhooks:write"
              refused={
                chosen.length === 0
                  ? i18n.t('Select up to {max} deliveries first.', { max: chosenMax })
                  : null
              }
              onAct={() => setSent(chosen)}
            />
            {isFull && (
              <span className="reason" role="status">
                {i18n.t('At most {max} deliveries can be sent at once.', { max: chosenMax })}
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
