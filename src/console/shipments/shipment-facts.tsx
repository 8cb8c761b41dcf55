import type { Shipment } from '../../client/methods.ts'
import { HeldSince } from '../forms/legal-hold.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Masked, MaskedUntilAsked, RevealButton } from '../parts/masked.tsx'
import { formatMoney } from '../parts/money.ts'
import { AgencyLink, ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Moment } from '../parts/times.tsx'

/** A shipment's data. Personal data and free text are masked at first. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  return (
    <MaskedUntilAsked>
      <Panel title="Details" name="Facts">
        <Facts facts={plainFacts(shipment)} />
      </Panel>
      <Panel title="Personal data" aside={<RevealButton />}>
        <Facts facts={personalFacts(shipment)} />
      </Panel>
    </MaskedUntilAsked>
  )
}

function plainFacts(shipment: Shipment): readonly Fact[] {
  const { package: parcel, service, price, workspace_id: workspaceId } = shipment
  const size = [parcel.length_m, parcel.width_m, parcel.height_m].join(' × ')
  const { exception } = shipment.tracking
  return [
    ['Guide', shipment.guide_number && <Copyable key="guide" text={shipment.guide_number} />],
    ...(shipment.failure === null
      ? []
      : [['Failure', shipment.failure.reason.replaceAll('_', ' ')] as const]),
    ...(exception === null ? [] : [['Exception', exception.code.replaceAll('_', ' ')] as const]),
    ['External reference', <Copyable key="reference" text={shipment.external_reference} />],
    ['Idempotency key', <Copyable key="key" text={shipment.idempotency_key} />],
    ['Service', `${service.mode}, paid by the ${service.payer}`],
    ['Price', price && formatMoney(price)],
    ['Package', `${parcel.quantity} × ${parcel.weight_kg} kg, ${size} m`],
    ['Origin', <AgencyLink key="origin" id={shipment.origin.agency_id} />],
    ['Destination', <AgencyLink key="destination" id={shipment.destination.agency_id} />],
    ['Courier', <ConnectionLink key="courier" id={shipment.courier_connection_id} />],
    ['Workspace', <WorkspaceLink key="workspace" id={workspaceId} />],
    ['Legal hold', <HeldSince key="hold" hold={shipment.legal_hold} />],
    ['Created', <Moment key="created" at={shipment.created_at} workspaceId={workspaceId} />],
    ['Updated', <Moment key="updated" at={shipment.updated_at} workspaceId={workspaceId} />],
    ...(shipment.sandbox_scenario === null
      ? []
      : [['Scenario', shipment.sandbox_scenario.replaceAll('_', ' ')] as const]),
    ['Shipment', <Copyable key="id" text={shipment.id} />],
    ['Version', shipment.version],
  ]
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
