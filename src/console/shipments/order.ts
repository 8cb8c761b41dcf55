import { i18n } from '@lingui/core'
import type { Schemas } from '../../client/methods.ts'
import { useCouriers } from '../setup/use-couriers.ts'
import { minorUnitsOf } from './money.ts'
import {
  type OrderField,
  type Quote,
  type Rate,
  type ShipmentDraft,
  type Sum,
  sums,
} from './shipment-draft.ts'

type Order = Schemas['ShipmentRequest']
type Typed = ShipmentDraft['draft']['order']
type Capabilities = NonNullable<Schemas['Courier']['capabilities']>

/** What is wrong with what was typed, by field. */
export type Faults = ReadonlyMap<OrderField, string>

/** What the courier of the chosen rate can do; null while that is not known. */
export function useCapabilities({ chosen, rate }: ShipmentDraft): Capabilities | null {
  const { data: couriers } = useCouriers()
  const connection = chosen.find(({ id }) => id === rate?.courier_connection_id)
  const courier = couriers?.find(({ provider_code: code }) => code === connection?.provider_code)
  return courier?.capabilities ?? null
}

/** Said before anything is sent: the service would refuse the order. */
export function lackingWords(sum: Sum): string {
  return sum === 'declared_value'
    ? i18n.t('The courier of this rate takes no declared value.')
    : i18n.t('The courier of this rate does not collect cash on delivery.')
}

/** The sums that were typed and that the courier does not handle. */
export function lackingFaults(typed: Typed, capabilities: Capabilities | null): Faults {
  const lacking = sums.filter(
    (sum) => capabilities?.[sum] === false && typed[`/${sum}/amount`].trim() !== '',
  )
  return new Map(
    lacking.map((sum) => [
      `/${sum}/amount`,
      `${lackingWords(sum)} ${i18n.t('Empty the field, or choose another rate.')}`,
    ]),
  )
}

/** What cannot be sent as it is written. */
export function writingFaults(typed: Typed, rate: Rate): Faults {
  const faults = new Map<OrderField, string>()
  for (const sum of sums) {
    if (typed[`/${sum}/amount`].trim() === '') continue
    if (!/^[A-Z]{3}$/.test(currencyOf(sum, typed, rate))) {
      faults.set(`/${sum}/currency`, i18n.t('Expected three capital letters.'))
      continue
    }
    const read = sumOf(sum, typed, rate)
    if (typeof read === 'string') faults.set(`/${sum}/amount`, read)
  }
  const metadata = metadataOf(typed)
  if (typeof metadata === 'string') faults.set('/metadata', metadata)
  return faults
}

/** The currency that is sent: that of the rate, unless another one was typed. */
export function currencyOf(sum: Sum, typed: Typed, rate: Rate | null): string {
  return typed[`/${sum}/currency`] || (rate?.currency ?? '')
}

/** Null if there is none, and a sentence if the amount cannot be read. */
function sumOf(sum: Sum, typed: Typed, rate: Rate): Schemas['Money'] | string | null {
  const text = typed[`/${sum}/amount`].trim()
  if (text === '') return null
  const currency = currencyOf(sum, typed, rate)
  const amount = minorUnitsOf(text, currency)
  return typeof amount === 'string' ? amount : { amount, currency }
}

/** Null if there is none, and a sentence if a line is not a name and its value. */
function metadataOf(typed: Typed): Readonly<Record<string, string>> | string | null {
  const lines = typed['/metadata'].split('\n').filter((line) => line.trim() !== '')
  if (lines.length === 0) return null
  const pairs: (readonly [string, string])[] = []
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
    if (name.trim() === '' || value.trim() === '') {
      return i18n.t('Each line is a name and its value, such as channel: web.')
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
  const { origin, destination, package: parcel, service } = rate
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
    ...given('declared_value', sumOf('declared_value', order, rate)),
    ...given('cash_on_delivery', sumOf('cash_on_delivery', order, rate)),
    ...given('metadata', metadataOf(order)),
  }
}

/** The field with its value. Without one the field is left out, so that it is not sent as null. */
function given<Name extends Sum | 'metadata', Value extends object>(
  name: Name,
  value: Value | string | null,
): { readonly [field in Name]?: Value } {
  if (value === null) return {}
  if (typeof value === 'string') throw new Error(`bug: ${name} was not checked`)
  return { [name]: value } as { readonly [field in Name]: Value }
}
