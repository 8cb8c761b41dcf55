import type { Operation } from '../../client/methods.ts'
import { usePagedList } from '../lists/paged-list.ts'
import { type Column, Table } from '../lists/table.tsx'
import { operationColumns as of } from '../operations/operation-columns.tsx'
import { Panel } from '../parts/panel.tsx'
import { Needs, useMay } from '../parts/scopes.tsx'
import { Time } from '../parts/times.tsx'
import { useSession } from '../session.tsx'

const columns: readonly Column<Operation>[] = [
  of.type,
  of.state,
  of.plainWhy,
  {
    name: 'Created',
    width: 'minmax(10rem, 1fr)',
    isLong: true,
    cell: (row) => <Time at={row.created_at} />,
  },
]

/**
 * The operations of one shipment, including resolved ones: those whose outcome was unknown at
 * first.
 */
export function ShipmentOperations({ shipmentId }: { readonly shipmentId: string }) {
  const { client } = useSession()
  const isEnabled = useMay('operations:read')
  const query = { shipment_id: shipmentId }
  const list = usePagedList<Operation>({
    queryKey: ['operations', 'shipment', query],
    order: 'newest',
    isEnabled,
    read: (page, options) => client.operations.list({ ...query, ...page }, options),
  })
  return (
    <Panel title="Operations" className="listed">
      <Needs scope="operations:read">
        <Table
          what="operations"
          list={list}
          columns={columns}
          href={(row) => `/operations/${row.id}`}
          whenEmpty="The outcome of every call was known at once."
        />
      </Needs>
    </Panel>
  )
}
