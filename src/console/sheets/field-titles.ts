import { i18n } from '@lingui/core'
import type { batchFields, invoiceFields } from './generated-fields.ts'

type Pointer = keyof typeof batchFields | keyof typeof invoiceFields

/** The titles of all fields that a file can have, by JSON pointer. */
export function fieldTitles(): Readonly<Record<Pointer, string>> {
  return {
    '/idempotency_key': i18n.t('Idempotency key'),
    '/external_reference': i18n.t('Order'),
    '/workspace_id': i18n.t('Workspace'),
    '/courier_connection_id': i18n.t('Courier connection'),
    '/origin/agency_id': i18n.t('Origin agency'),
    '/destination/agency_id': i18n.t('Destination agency'),
    '/package/product_id': i18n.t('Kind of parcel'),
    '/package/quantity': i18n.t('Pieces'),
    '/package/weight_kg': i18n.t('Weight'),
    '/package/height_m': i18n.t('Height'),
    '/package/length_m': i18n.t('Length'),
    '/package/width_m': i18n.t('Width'),
    '/service/mode': i18n.t('Service'),
    '/service/payer': i18n.t('Who pays'),
    '/declared_content': i18n.t('Content'),
    '/recipient/document_type': i18n.t('Document type'),
    '/recipient/document': i18n.t('Document number'),
    '/recipient/first_name': i18n.t('Given names'),
    '/recipient/last_name': i18n.t('Family names'),
    '/recipient/phone': i18n.t('Phone'),
    '/recipient/email': i18n.t('E-mail'),
    '/quote_id': i18n.t('Quote'),
    '/declared_value/amount': i18n.t('Declared value'),
    '/declared_value/currency': i18n.t('Currency of the declared value'),
    '/cash_on_delivery/amount': i18n.t('Cash on delivery'),
    '/cash_on_delivery/currency': i18n.t('Currency of the cash on delivery'),
    '/guide_number': i18n.t('Guide'),
    '/amount': i18n.t('Amount'),
    '/currency': i18n.t('Currency'),
    '/weight_kg': i18n.t('Weight'),
    '/date': i18n.t('Date'),
    '/client_reference': i18n.t('Reference'),
    '/kind': i18n.t('Kind'),
  }
}

/** The number of a line of a file, as the name of a column. */
export function fileLine(): string {
  return i18n.t({ id: 'Line (of a file)', message: 'Line' })
}

/** A choice of a field, which the service has a word for, in the current language. */
export function choiceWord(choice: string): string {
  const words: Readonly<Record<string, string>> = {
    terrestrial: i18n.t('terrestrial'),
    air: i18n.t('air'),
    sender: i18n.t('sender'),
    recipient: i18n.t('recipient'),
    PASSPORT: i18n.t('PASSPORT'),
    charge: i18n.t('charge'),
    cash_on_delivery: i18n.t('cash on delivery'),
  }
  return words[choice] ?? choice
}
