import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { useCouriers } from '../setup/use-couriers.ts'
import type { OrderField, Quote, Rate, ShipmentDraft } from './shipment-draft.ts'

type Order = Schemas['ShipmentRequest']
type Typed = ShipmentDraft['draft']['order']
type Capabilities = NonNullable<Schemas['Courier']['capabilities']>

/** What the courier of the chosen rate can do; null while that is not known. */
export function useCapabilities({ chosen, rate }: ShipmentDraft): Capabilities | null {
  const { data: couriers } = useCouriers()
  const connection = chosen.find(({ id }) => id === rate?.courier_connection_id)
  const courier = couriers?.find(({ provider_code: code }) => code === connection?.provider_code)
  return courier?.capabilities ?? null
}

export const metadataForm = () => i18n.t('Each line is a name and its value, such as channel: web.')

/** Null if there is none, and a sentence if a line is not a name and its value. */
export function metadataOf(typed: Typed): Readonly<Record<string, string>> | string | null {
  const lines = typed['/metadata'].split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  const pairs: (readonly [string, string])[] = []
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
    if (name.trim() === '' || value.trim() === '') {
      return metadataForm()
    }
    pairs.push([name.trim(), value.trim()])
  }
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) {
    return i18n.t('Two keys are the same text.')
  }
  return Object.fromEntries(pairs)
}

/** The creation at this rate. It names the quote, so that it gets its price or no guide. */
export function orderOf(
  { workspaceId, draft: { order } }: Pick<ShipmentDraft, 'workspaceId' | 'draft'>,
  quote: Quote,
  rate: Rate,
): Order {
  const typed = (field: OrderField) => order[field].trim()
  const phone = typed('/recipient/phone')
  const email = typed('/recipient/email')
  const metadata = metadataOf(order)
  if (typeof metadata === 'string') throw new Error('bug: the metadata was not checked')
  const { origin, destination, package: parcel, service } = rate
  const { declared_value, cash_on_delivery } = quote
  return {
    workspace_id: workspaceId,
    courier_connection_id: rate.courier_connection_id,
    quote_id: quote.id,
    external_reference: typed('/external_reference'),
    origin,
    destination,
    package: parcel,
    service: service as Order['service'],
    declared_content: typed('/declared_content'),
    recipient: {
      document_type: order['/recipient/document_type'] as Order['recipient']['document_type'],
      document: typed('/recipient/document'),
      first_name: typed('/recipient/first_name'),
      last_name: typed('/recipient/last_name'),
      ...(phone === '' ? {} : { phone }),
      ...(email === '' ? {} : { email }),
    },
    ...(declared_value && { declared_value }),
    ...(cash_on_delivery && { cash_on_delivery }),
    ...(metadata && { metadata }),
  }
}
