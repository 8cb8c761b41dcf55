import { Link } from 'wouter'
import type { Shipment } from '../../client/methods.ts'
import { Badge } from '../parts/badge.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Masked, MaskedUntilAsked, RevealButton } from '../parts/masked.tsx'
import { Moment } from '../parts/times.tsx'

/** A shipment's data. Personal data and free text are masked at first. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  return (
    <MaskedUntilAsked>
      <section className="panel" aria-label="Facts">
        <Facts facts={plainFacts(shipment)} />
      </section>
      <section className="panel" aria-label="Personal data">
        <div className="actions">
          <h2>Personal data and free text</h2>
          <RevealButton />
        </div>
        <Facts facts={personalFacts(shipment)} />
      </section>
    </MaskedUntilAsked>
  )
}

function plainFacts(shipment: Shipment): readonly Fact[] {
  const { package: parcel, service, price, workspace_id: workspaceId } = shipment
  const size = [parcel.length_m, parcel.width_m, parcel.height_m].join(' × ')
  const { exception } = shipment.tracking
  return [
    ['Shipment', <Copyable key="id" text={shipment.id} />],
    ['State', <Badge key="state" value={shipment.status} />],
    ['Failure', shipment.failure?.reason.replaceAll('_', ' ') ?? null],
    ['Guide', shipment.guide_number && <Copyable key="guide" text={shipment.guide_number} />],
    ['Tracking', shipment.tracking.status?.replaceAll('_', ' ') ?? null],
    ['Exception', exception === null ? null : exception.code.replaceAll('_', ' ')],
    ['Label', shipment.label.status],
    ['External reference', <Copyable key="reference" text={shipment.external_reference} />],
    ['Idempotency key', <Copyable key="key" text={shipment.idempotency_key} />],
    ['Service', `${service.mode}, paid by the ${service.payer}`],
    ['Price', price && formatMoney(price)],
    ['Package', `${parcel.quantity} × ${parcel.weight_kg} kg, ${size} m`],
    ['Origin', objectLink(shipment.origin.agency_id)],
    ['Destination', objectLink(shipment.destination.agency_id)],
    ['Courier connection', objectLink(shipment.courier_connection_id)],
    ['Workspace', objectLink(workspaceId)],
    ['Created', <Moment key="created" at={shipment.created_at} workspaceId={workspaceId} />],
    ['Updated', <Moment key="updated" at={shipment.updated_at} workspaceId={workspaceId} />],
    ['Scenario', shipment.sandbox_scenario],
    ['Version', shipment.version],
  ]
}

function objectLink(id: string) {
  return (
    <Link key={id} href={`/objects/${id}`}>
      {id}
    </Link>
  )
}

function formatMoney({ amount, currency }: { readonly amount: number; readonly currency: string }) {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}

function personalFacts(shipment: Shipment): readonly Fact[] {
  const { recipient, metadata, failure } = shipment
  const masked = (value: string | null) => <Masked value={value} />
  return [
    ['Recipient', masked(recipient && `${recipient.first_name} ${recipient.last_name}`)],
    ['Document', masked(recipient && `${recipient.document_type} ${recipient.document}`)],
    ['Pickup code', masked(shipment.pickup_code)],
    ['Declared content', masked(shipment.declared_content)],
    ['Metadata', masked(metadata && JSON.stringify(metadata))],
    ["The courier's words", masked(failure?.detail ?? null)],
  ]
}
