import { i18n } from '@lingui/core'
import type { Input, Shipment } from '../../client/methods.ts'
import { HeldSince } from '../forms/legal-hold.tsx'
import { formatNumber } from '../languages/language.ts'
import { Copyable } from '../parts/copyable.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { FailureWords } from '../parts/failure-words.tsx'
import { Masked, MaskedUntilRevealed, RevealButton } from '../parts/masked.tsx'
import { AgencyLink, ConnectionLink, WorkspaceLink } from '../parts/names.tsx'
import { Panel } from '../parts/panel.tsx'
import { ServiceText } from '../parts/service-text.tsx'
import { stateWord } from '../parts/state-words.ts'
import { Moment } from '../parts/times.tsx'
import { formatMoney } from './money.ts'

/** A shipment's data. Personal data and free text are masked at first. */
export function ShipmentFacts({ shipment }: { readonly shipment: Shipment }) {
  return (
    <MaskedUntilRevealed>
      <Panel title={i18n.t('Details')} name={i18n.t('Facts')}>
        <Facts facts={plainFacts(shipment)} />
      </Panel>
      <Panel title={i18n.t('Personal data')} aside={<RevealButton />}>
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
  const { service, price, workspace_id: workspaceId, failure } = shipment
  const { exception } = shipment.tracking
  const scenario = shipment.sandbox_scenario
  return shown({
    guide: [
      i18n.t('Guide'),
      shipment.guide_number && <Copyable key="guide" text={shipment.guide_number} />,
    ],
    failure: failure && [i18n.t('Failure'), <FailureWords key="failure" reason={failure.reason} />],
    exception: exception && [i18n.t('Exception'), stateWord(exception.code)],
    external_reference: [
      i18n.t('External reference'),
      <Copyable key="reference" text={shipment.external_reference} />,
    ],
    idempotency_key: [
      i18n.t('Idempotency key'),
      <Copyable key="key" text={shipment.idempotency_key} />,
    ],
    service: [i18n.t('Service'), serviceWords(service)],
    price: [i18n.t('Price'), price && formatMoney(price)],
    declared_value: shipment.declared_value && [
      i18n.t('Declared value'),
      formatMoney(shipment.declared_value),
    ],
    cash_on_delivery: shipment.cash_on_delivery && [
      i18n.t('Cash on delivery'),
      formatMoney(shipment.cash_on_delivery),
    ],
    package: [i18n.t('Package'), packageOf(shipment)],
    origin: [i18n.t('Origin'), <AgencyLink key="origin" id={shipment.origin.agency_id} />],
    destination: [
      i18n.t('Destination'),
      <AgencyLink key="destination" id={shipment.destination.agency_id} />,
    ],
    courier_connection_id: [
      i18n.t('Courier'),
      <ConnectionLink key="courier" id={shipment.courier_connection_id} />,
    ],
    workspace_id: [i18n.t('Workspace'), <WorkspaceLink key="workspace" id={workspaceId} />],
    legal_hold: [i18n.t('Legal hold'), <HeldSince key="hold" hold={shipment.legal_hold} />],
    created_at: [
      i18n.t('Created'),
      <Moment key="created" at={shipment.created_at} workspaceId={workspaceId} />,
    ],
    updated_at: [
      i18n.t('Updated'),
      <Moment key="updated" at={shipment.updated_at} workspaceId={workspaceId} />,
    ],
    sandbox_scenario:
      scenario === null
        ? null
        : [
            i18n.t('Scenario'),
            <ServiceText key="scenario">{scenario.replaceAll('_', ' ')}</ServiceText>,
          ],
    id: [i18n.t('Shipment'), <Copyable key="id" text={shipment.id} />],
    version: [i18n.t('Version'), shipment.version],
  } satisfies FactsOf<Exclude<OrderField, PersonalField>>)
}

export function serviceWords({ mode, payer }: Shipment['service']): string {
  const way = ways[mode]?.() ?? mode
  return payers[payer]?.(way) ?? `${way}, ${payer}`
}

const ways: Readonly<Record<string, () => string>> = {
  terrestrial: () => i18n.t('terrestrial'),
  air: () => i18n.t('air'),
}

const payers: Readonly<Record<string, (way: string) => string>> = {
  sender: (way) => i18n.t('{way}, paid by the sender', { way }),
  recipient: (way) => i18n.t('{way}, paid by the recipient', { way }),
}

function packageOf({ package: parcel }: Shipment): string {
  const { quantity, weight_kg: kg, length_m: length, width_m: width, height_m: height } = parcel
  const size = [length, width, height].map((meters) => formatNumber(meters)).join(' × ')
  return `${formatNumber(quantity)} × ${formatNumber(kg)} kg, ${size} m`
}

function personalFacts(shipment: Shipment): readonly Fact[] {
  const { recipient, metadata, failure } = shipment
  const masked = (value: string | null) => <Masked value={value} />
  return shown({
    recipient: [
      i18n.t('Recipient'),
      masked(recipient && `${recipient.first_name} ${recipient.last_name}`),
    ],
    document: [
      i18n.t('Document'),
      masked(recipient && `${recipient.document_type} ${recipient.document}`),
    ],
    phone: recipient?.phone ? [i18n.t('Phone'), masked(recipient.phone)] : null,
    email: recipient?.email ? [i18n.t('E-mail'), masked(recipient.email)] : null,
    pickup_code: [i18n.t('Pickup code'), masked(shipment.pickup_code)],
    declared_content: [i18n.t('Declared content'), masked(shipment.declared_content)],
    metadata: [i18n.t('Metadata'), masked(metadata && JSON.stringify(metadata))],
    words: [i18n.t("Courier's message"), masked(failure?.detail ?? null)],
  } satisfies FactsOf<PersonalField>)
}
