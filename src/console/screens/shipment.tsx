import { Link } from 'wouter'
import type { Answered, Shipment } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { ShipmentDeliveries } from './shipment-deliveries.tsx'
import { ShipmentFacts } from './shipment-facts.tsx'
import { ShipmentHistory } from './shipment-history.tsx'
import { ShipmentLabel } from './shipment-label.tsx'
import { ShipmentReplay, useReplay } from './shipment-replay.tsx'
import { ShipmentTracking } from './shipment-tracking.tsx'

/** What is being created or decided changes in moments, the rest by the courier's scans. */
const movingEveryMs = 2_000
const restingEveryMs = 6_000
const moving = new Set<string>(['creating', 'unknown_outcome', 'cancelling'])

/** One shipment: what it is, where it is, and everything that ever happened to it. */
export function ShipmentScreen({ id }: { readonly id: string }) {
  const { client } = useSession()
  const shipment = usePolled(
    ['shipment', id],
    client.shipments.get,
    { id },
    {
      everyMs: (last) => (moving.has(last?.status ?? '') ? movingEveryMs : restingEveryMs),
    },
  )
  if (shipment.data !== undefined) return <Shown now={shipment.data} />
  if (shipment.isPending) return <Loading what="the shipment" />
  return <Failed error={shipment.error} again={() => void shipment.refetch()} />
}

function Shown({ now }: { readonly now: Answered<Shipment> }) {
  const replay = useReplay(now)
  const { shown } = replay
  return (
    <>
      <header className="screen-head">
        <p>
          <Link href="/shipments">Shipments</Link>
        </p>
        <h1>{now.external_reference}</h1>
        <p>
          <Badge value={shown.status} />{' '}
          {shown.tracking.status !== null && <Badge value={shown.tracking.status} />}{' '}
          {shown.operation_id !== null && (
            <Link href={`/operations/${shown.operation_id}`}>Open operation</Link>
          )}{' '}
          <Link href={`/health?shipment=${now.id}`}>Verify this shipment</Link>
        </p>
      </header>
      <ShipmentReplay now={now} replay={replay} />
      <ShipmentFacts shipment={shown} />
      <div className="columns">
        <ShipmentTracking id={now.id} until={replay.at} />
        <ShipmentLabel shipment={now} />
      </div>
      <ShipmentHistory replay={replay} />
      <ShipmentDeliveries shipmentId={now.id} />
    </>
  )
}
