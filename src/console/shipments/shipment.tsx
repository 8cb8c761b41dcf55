import { Button } from '@mantine/core'
import IconShieldCheck from '@tabler/icons-react/icons/IconShieldCheck'
import { Link } from 'wouter'
import type { Answered, Shipment } from '../../client/methods.ts'
import { LegalHold } from '../forms/legal-hold.tsx'
import { ListLink } from '../lists/list-link.tsx'
import { Badge } from '../parts/badge.tsx'
import { ScreenHead } from '../parts/screen-head.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { usePolled } from '../reading/polled.ts'
import { useSession } from '../session.tsx'
import { EvidenceBundle } from './evidence-bundle.tsx'
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

function Shown({ now }: { readonly now: Answered<Shipment> }) {
  const replay = useReplay(now)
  const { shown, version } = replay
  const isOther = shown !== null && version !== null && shown.version !== version
  return (
    <>
      <ScreenHead
        back={<ListLink to="/shipments">Shipments</ListLink>}
        title={<bdi>{now.external_reference}</bdi>}
        states={shown !== null && !isOther && <States shipment={shown} />}
        acts={<Links shipment={now} />}
      />
      <ShipmentReplay now={now} replay={replay} />
      <div className="split">
        <div className="split-main">
          <ShipmentTracking id={now.id} replay={replay} />
          <ShipmentHistory replay={replay} />
          <ShipmentOperations shipmentId={now.id} />
          <ShipmentDeliveries shipmentId={now.id} />
        </div>
        <div className="split-side">
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
          <ShipmentLabel shipment={now} />
        </div>
      </div>
    </>
  )
}

function States({ shipment }: { readonly shipment: Shipment }) {
  const { status, tracking } = shipment
  return (
    <>
      <Badge value={status} />
      {tracking.status !== null && <Badge value={tracking.status} />}
      {tracking.exception !== null && <Badge value={tracking.exception.code} />}
    </>
  )
}

function Links({ shipment }: { readonly shipment: Shipment }) {
  const { client } = useSession()
  const { id, operation_id: operationId } = shipment
  return (
    <>
      {operationId !== null && (
        <Button component={Link} href={`/operations/${operationId}`} color="red.8">
          Open operation
        </Button>
      )}
      <EvidenceBundle shipmentId={id} />
      <LegalHold
        of={shipment}
        api={client.shipments}
        queryKey="shipment"
        keeps="Its personal data is kept: it cannot be erased, and retention leaves it out, until you lift the hold."
        afterwards="If its retention has ended meanwhile, its personal data is erased. A hold on its workspace stays."
      />
      <Button
        component={Link}
        href={`/health?shipment=${id}`}
        variant="default"
        leftSection={<IconShieldCheck size={15} />}
      >
        Verify this shipment
      </Button>
    </>
  )
}
