import { usePagedList } from '../lists/paged-list.ts'
import { Table } from '../lists/table.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { Panel } from '../parts/panel.tsx'
import { Needs, useMay } from '../parts/scopes.tsx'
import { useSession } from '../session.tsx'
import { type Delivery, deliveryColumns as of } from '../webhooks/delivery-columns.tsx'

const columns = [of.event, of.state, of.attempts, of.lastAnswer, of.endpoint, of.created]

/** The past and pending webhook deliveries about one shipment. */
export function ShipmentDeliveries({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const isEnabled = useMay('webhooks:read')
  const query = { shipment_id: shipmentId }
  const list = usePagedList<Delivery>({
    queryKey: ['deliveries', query],
    order: 'newest',
    isEnabled,
    read: (page, options) => client.webhookDeliveries.list({ ...query, ...page }, options),
  })
  return (
    <Panel title="Webhooks" className="listed">
      <Needs scope="webhooks:read">
        <Table
          what="webhooks"
          list={list}
          columns={columns}
          href={(row) => hrefOf(row.id)}
          whenEmpty="No endpoint was subscribed to these events."
        />
      </Needs>
    </Panel>
  )
}
