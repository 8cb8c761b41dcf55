import { invoiceLinesMax } from '../domain/invoices/invoice-limits.ts'

export const connectorLimits = {
  /** Any JSON answer except a catalogue: a thousand tracking events of 1 KiB. */
  bodyBytesMax: 1024 * 1024,
  /** A label of 99 pages with vector bars stays below a tenth of this. */
  labelBytesMax: 5 * 1024 * 1024,
  /** 20,000 agencies of 400 bytes. */
  catalogueBytesMax: 8 * 1024 * 1024,
  /** An agency with the longest texts, every character escaped, takes 11 KiB. */
  catalogueItemBytesMax: 64 * 1024,
  /** 200 bytes for each of 100,000 lines; those with every field have about 165. */
  invoiceBytesMax: 20 * 1024 * 1024,
  /** What the API itself accepts (64 KiB) plus what the protocol adds. */
  requestBytesMax: 96 * 1024,
  /** The limit of Node's own HTTP server. */
  headerBytesMax: 16 * 1024,
  agenciesMax: 20_000,
  packageProductsMax: 1_000,
  /** More guides under one reference than a person could review. */
  guidesMax: 100,
  /** More than any courier asks for. */
  credentialFieldsMax: 20,
  /** A parcel that is scanned hourly for six weeks. */
  trackingEventsMax: 1_000,
  /** As many as the API takes from a file. */
  invoiceLinesMax,
  /** Longer courier texts are truncated. */
  textCharactersMax: 500,
} as const

/**
 * How long a courier must be able to find a guide by its reference: a restored ledger asks that
 * long.
 */
export const findableDays = 60

/** Codes of tracking events. An event with another code is stored as unmapped. */
export const trackingCodes = {
  registered: 'The guide exists, the parcel has not been handed over.',
  received_at_origin: 'The origin agency has the parcel.',
  departed_origin: 'The parcel left the origin agency.',
  in_transit: 'The parcel moves between agencies or hubs.',
  arrived_at_destination: 'The destination agency has the parcel.',
  ready_for_pickup: 'The recipient can collect it.',
  reminder_sent: 'The recipient was reminded to collect it.',
  last_notice: 'The recipient was told that it will be returned.',
  out_for_delivery: 'The parcel is on its way to an address.',
  delivery_attempted: 'A delivery attempt failed.',
  collected: 'The recipient collected it at the agency.',
  delivered: 'The parcel was delivered to an address.',
  held: 'The parcel is held; `action_required` says whether a person must act.',
  released: 'The parcel is no longer held.',
  missing: 'The courier cannot find the parcel at the moment.',
  found: 'The parcel was found after it was missing or declared lost.',
  lost: 'The courier declared the parcel lost.',
  not_collected: 'The time to collect it has passed.',
  returning: 'The parcel is on its way back to the origin.',
  returned: 'The parcel is back at the origin or with the sender.',
  cancelled: 'The guide was voided.',
  delivery_reversed: 'A correction: the delivery reported before did not happen.',
} as const
export type TrackingCode = keyof typeof trackingCodes

/** The courier's price differs from the `quoted_amount` of a creation. */
export const priceChangedCode = 'quote_price_changed'

/** The courier has not billed the month yet. */
export const notBilledCode = 'invoice_not_ready'

/** Refusal codes with a defined meaning. A connector may use others of the same form. */
export const refusalCodes = {
  too_late: 'The call arrived after `not_after` (status 412); nothing was executed.',
  invalid_request: 'The request is not valid in this protocol.',
  unknown_agency: 'An agency code is not in the catalogue, or lacks the capability.',
  unknown_package_product: 'The product code is not in the catalogue.',
  unknown_service: 'The courier does not have the service.',
  package_exceeds_product: 'The weight or size exceeds the limits of the product.',
  [priceChangedCode]: '`quoted_amount` is not the current price; `price` is.',
  guide_not_found: 'There is no such guide under this reference.',
  not_cancellable: 'The guide can no longer be cancelled.',
  label_not_ready: 'The label will exist later (status 409).',
  [notBilledCode]: 'There is no invoice for the month yet.',
} as const
