import type { Input, Shipment } from '../../client/methods.ts'
import { HeldSince } from '../forms/legal-hold.tsx'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { AgencyLink, ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { Moment } from '../parts/times.tsx'
import { formatMoney } from './money.ts'

/** A shipment's data. Personal data and free text are masked at first. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  return (
    <MaskedUntilRevealed>
      <Panel title="Details" name="Facts">
        <Facts facts={plainFacts(shipment)} />
      </Panel>
      <Panel title="Personal data" aside={<RevealButton />}>
        <Facts facts={personalFacts(shipment)} />
      </Panel>
    </MaskedUntilRevealed>
  )
}

type OrderField = Exclude<keyof Input<'createShipment'>, 'quote_id'>
type PersonalField = 'recipient' | 'declared_content' | 'metadata'
/** In display order. Null if the fact is not shown for this shipment. */
type FactsOf<Field extends string> = { readonly [Name in Field]: Fact | null } & {
  readonly [name: string]: Fact | null
}

function shown(facts: Readonly<Record<string, Fact | null>>): readonly Fact[] {
  return Object.values(facts).filter((fact) => fact !== null)
}

/** If neither these nor the personal facts show a field of the order, this does not compile. */
function plainFacts(shipment: Shipment): readonly Fact[] {
  const { package: parcel, service, price, workspace_id: workspaceId, failure } = shipment
  const size = [parcel.length_m, parcel.width_m, parcel.height_m].join(' × ')
  const { exception } = shipment.tracking
  const scenario = shipment.sandbox_scenario
  return shown({
    guide: [
      'Guide',
      shipment.guide_number && <Copyable key="guide" text={shipment.guide_number} />,
    ],
    failure: failure && ['Failure', failure.reason.replaceAll('_', ' ')],
    exception: exception && ['Exception', exception.code.replaceAll('_', ' ')],
    external_reference: [
      'External reference',
      <Copyable key="reference" text={shipment.external_reference} />,
    ],
    idempotency_key: ['Idempotency key', <Copyable key="key" text={shipment.idempotency_key} />],
    service: ['Service', `${service.mode}, paid by the ${service.payer}`],
    price: ['Price', price && formatMoney(price)],
    package: ['Package', `${parcel.quantity} × ${parcel.weight_kg} kg, ${size} m`],
    origin: ['Origin', <AgencyLink key="origin" id={shipment.origin.agency_id} />],
    destination: [
      'Destination',
      <AgencyLink key="destination" id={shipment.destination.agency_id} />,
    ],
    courier_connection_id: [
      'Courier',
      <ConnectionLink key="courier" id={shipment.courier_connection_id} />,
    ],
    workspace_id: ['Workspace', <WorkspaceLink key="workspace" id={workspaceId} />],
    legal_hold: ['Legal hold', <HeldSince key="hold" hold={shipment.legal_hold} />],
    created_at: [
      'Created',
      <Moment key="created" at={shipment.created_at} workspaceId={workspaceId} />,
    ],
    updated_at: [
      'Updated',
      <Moment key="updated" at={shipment.updated_at} workspaceId={workspaceId} />,
    ],
    sandbox_scenario: scenario === null ? null : ['Scenario', scenario.replaceAll('_', ' ')],
    id: ['Shipment', <Copyable key="id" text={shipment.id} />],
    version: ['Version', shipment.version],
  } satisfies FactsOf<Exclude<OrderField, PersonalField>>)
}

function personalFacts(shipment: Shipment): readonly Fact[] {
  const { recipient, metadata, failure } = shipment
  const masked = (value: string | null) => <Masked value={value} />
  return shown({
    recipient: ['Recipient', masked(recipient && `${recipient.first_name} ${recipient.last_name}`)],
    document: ['Document', masked(recipient && `${recipient.document_type} ${recipient.document}`)],
    pickup_code: ['Pickup code', masked(shipment.pickup_code)],
    declared_content: ['Declared content', masked(shipment.declared_content)],
    metadata: ['Metadata', masked(metadata && JSON.stringify(metadata))],
    words: ["Courier's message", masked(failure?.detail ?? null)],
  } satisfies FactsOf<PersonalField>)
}
