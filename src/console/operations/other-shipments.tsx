import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Operation } from '../../client/methods.ts'
import { hrefOf } from '../parts/object-links.ts'
import { useMay } from '../parts/scopes.tsx'
import { polledEvery } from '../reading/polled.ts'
import { useSession } from '../session.tsx'

/** The shop may ship the order again while the operator reads. */
const everyMs = 5_000
/** The newest ones; the list of shipments has all. */
const shownMax = 5

/** Whether the order was shipped again: the shop's other shipments with the same reference. */
export function OtherShipments({ operation }: { readonly operation: Operation }) {
  const { client } = useSession()
  const { workspace_id, external_reference, shipment_id: ownId } = operation
  const isAllowed = useMay('shipments:read')
  const { data } = useQuery({
    queryKey: ['shipments', 'with reference', workspace_id, external_reference],
    queryFn: ({ signal }) =>
      client.shipments.list({ workspace_id, external_reference, limit: shownMax + 1 }, { signal }),
    enabled: isAllowed,
    refetchInterval: polledEvery(everyMs),
  })
  if (data === undefined) return null
  const others = data.data.filter(({ id }) => id !== ownId)
  if (others.length === 0) {
    return <p className="what-next">No other shipment of this shop has this reference.</p>
  }
  const query = new URLSearchParams({ workspace_id, reference: external_reference })
  return (
    <p className="what-next">
      Other shipments with this reference:{' '}
      {others.slice(0, shownMax).map(({ id, status, guide_number: guide }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link href={hrefOf(id)}>{guide ?? id}</Link> ({status.replaceAll('_', ' ')})
        </span>
      ))}
      . <Link href={`/shipments?${query}`}>Show them</Link>
    </p>
  )
}
