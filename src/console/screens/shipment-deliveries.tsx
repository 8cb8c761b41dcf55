import type { Schemas } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { hrefOf } from '../parts/object-links.ts'
import { usePagedList } from '../parts/paged-list.ts'
import { Needs, useMay } from '../parts/scopes.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

type Delivery = Schemas['WebhookDelivery']

const columns: readonly Column<Delivery>[] = [
  { name: 'Event', width: 'minmax(10rem, 2fr)', cell: (row) => row.event_type },
  { name: 'State', width: '7rem', cell: (row) => <Badge value={row.state} /> },
  { name: 'Attempts', width: '5rem', cell: (row) => row.attempts.length },
  {
    name: 'Last answer',
    width: '7rem',
    cell: (row) => row.attempts.at(-1)?.status_code ?? row.attempts.at(-1)?.error ?? '–',
  },
  {
    name: 'Created',
    width: 'minmax(13rem, 1fr)',
    cell: (row) => <Time at={row.created_at} />,
  },
]

/** The webhooks that were sent, or are to be sent, about one shipment. */
export function ShipmentDeliveries({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const isEnabled = useMay('webhooks:read')
  const query = { shipment_id: shipmentId }
  const list = usePagedList<Delivery>({
    ...{ queryKey: ['deliveries', query], order: 'newest', isEnabled },
    read: (page, options) => client.webhookDeliveries.list({ ...query, ...page }, options),
  })
  return (
    <section className="panel listed" aria-label="Webhooks">
      <h2>Webhooks</h2>
      <Needs scope="webhooks:read">
        <Table
          what="webhooks"
          list={list}
          columns={columns}
          href={(row) => hrefOf(row.id)}
          whenEmpty="No endpoint was subscribed to what happened."
        />
      </Needs>
    </section>
  )
}
