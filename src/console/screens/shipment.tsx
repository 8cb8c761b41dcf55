import { Link } from 'wouter'
import type { Answered, Shipment } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { ListLink } from '../parts/list-link.tsx'
import { usePolled } from '../parts/polled.ts'
import { Failed, Loading } from '../parts/states.tsx'
import { useSession } from '../session.tsx'
import { ShipmentDeliveries } from './shipment-deliveries.tsx'
import { ShipmentFacts } from './shipment-facts.tsx'
import { ShipmentHistory } from './shipment-history.tsx'
import { ShipmentLabel } from './shipment-label.tsx'
import { ShipmentOperations } from './shipment-operations.tsx'
import { ShipmentReplay, useReplay } from './shipment-replay.tsx'
import { ShipmentTracking } from './shipment-tracking.tsx'

/** A creation or decision changes within moments; the rest changes with the courier's scans. */
const movingEveryMs = 2_000
const restingEveryMs = 6_000
const moving = new Set<string>(['creating', 'unknown_outcome', 'cancelling'])

/** One shipment: its data, its place, and its whole history. */
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
  return <Failed isScreen error={shipment.error} again={() => void shipment.refetch()} />
}

function State({ shipment }: { readonly shipment: Shipment }) {
  const { status, tracking, operation_id: operationId } = shipment
  return (
    <>
      <Badge value={status} /> {tracking.status !== null && <Badge value={tracking.status} />}{' '}
      {operationId !== null && <Link href={`/operations/${operationId}`}>Open operation</Link>}
    </>
  )
}

function Shown({ now }: { readonly now: Answered<Shipment> }) {
  const replay = useReplay(now)
  const { shown, version } = replay
  const isOther = shown !== null && version !== null && shown.version !== version
  return (
    <>
      <header className="screen-head">
        <p>
          <ListLink to="/shipments">Shipments</ListLink>
        </p>
        <h1>
          <bdi>{now.external_reference}</bdi>
        </h1>
        <p>
          {shown !== null && !isOther && <State shipment={shown} />}{' '}
          <Link href={`/health?shipment=${now.id}`}>Verify this shipment</Link>
        </p>
      </header>
      <ShipmentReplay now={now} replay={replay} />
      {shown !== null ? (
        <div className="facts-of" aria-busy={isOther}>
          {isOther && (
            <p role="status">
              Of version {shown.version}, while version {version} is read…
            </p>
          )}
          <ShipmentFacts shipment={shown} />
        </div>
      ) : replay.error !== null ? (
        <Failed error={replay.error} again={replay.again} />
      ) : (
        <Loading what={`version ${version}`} />
      )}
      <div className="columns">
        <ShipmentTracking id={now.id} replay={replay} />
        <ShipmentLabel shipment={now} />
      </div>
      <ShipmentOperations shipmentId={now.id} />
      <ShipmentHistory replay={replay} />
      <ShipmentDeliveries shipmentId={now.id} />
    </>
  )
}
