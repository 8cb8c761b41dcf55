import type { Instant } from './decider.ts'

export const quoteTimes = {
  /** How long a price is valid, on the workspace's clock. */
  validMs: 30 * 60_000,
} as const

/**
 * Why a service has no price, with the text shown to people. Any other courier answer is `unavailable`.
 */
export const quoteErrorReasons = {
  no_capacity: 'The service currently has no capacity on this route.',
  not_served: 'The service does not serve this route.',
  package_not_accepted: 'The service does not accept this package.',
  unavailable: 'The courier currently has no price for this service.',
} as const
type QuoteErrorReason = keyof typeof quoteErrorReasons

export function quoteErrorReason(code: string): QuoteErrorReason {
  return Object.hasOwn(quoteErrorReasons, code) ? (code as QuoteErrorReason) : 'unavailable'
}

/** The parts of a price. A courier's code that is not listed becomes `other`. */
export const breakdownCodes = {
  freight: 'The transport itself.',
  air: 'The surcharge for transport by air.',
  insurance: 'Insurance of the declared content.',
  surcharge: 'A route, fuel or seasonal surcharge.',
  discount: 'A discount; its amount is negative.',
  tax: 'A tax shown separately.',
  other: 'Anything else.',
} as const
export type BreakdownCode = keyof typeof breakdownCodes

export function breakdownCode(code: string): BreakdownCode {
  return Object.hasOwn(breakdownCodes, code) ? (code as BreakdownCode) : 'other'
}

export type Service = { readonly mode: string; readonly payer: string }

/** The part of a request that a quote binds. */
export type Parcel = {
  readonly courier_connection_id: string
  readonly origin: { readonly agency_id: string }
  readonly destination: { readonly agency_id: string }
  readonly package: {
    readonly product_id: string
    readonly quantity: number
    readonly weight_kg: number
    readonly height_m: number
    readonly length_m: number
    readonly width_m: number
  }
}

/** Integer minor units, as on the wire and in the events. */
export type Rate = {
  readonly service: Service
  readonly amount: number
  readonly currency: string
  readonly breakdown: readonly { readonly code: BreakdownCode; readonly amount: number }[]
  readonly transit_days: { readonly min: number; readonly max: number }
}
export type RateError = {
  readonly service: Service
  readonly reason: QuoteErrorReason
  readonly detail: string
}

/** The price terms that a creation can be bound to. */
export type QuoteTerms = {
  readonly parcel: Parcel
  readonly rates: readonly Rate[]
  readonly expiresAt: Instant
}

type Bound =
  | { readonly kind: 'bound'; readonly price: Pick<Rate, 'amount' | 'currency'> }
  | { readonly kind: 'expired' }
  /** RFC 6901 pointers to the fields that differ from the quote. */
  | { readonly kind: 'mismatch'; readonly pointers: readonly string[] }

export function isExpired(terms: Pick<QuoteTerms, 'expiresAt'>, now: Instant): boolean {
  return now >= terms.expiresAt
}

/** The price that a creation is bound to, or why this quote does not apply to it. */
export function bindQuote(
  terms: QuoteTerms,
  wanted: Parcel & { readonly service: Service },
  now: Instant,
): Bound {
  if (isExpired(terms, now)) return { kind: 'expired' }
  const rate = rateOf(terms.rates, wanted.service)
  const pointers = [...differences(terms.parcel, wanted), ...(rate === null ? ['/service'] : [])]
  if (rate === null || pointers.length > 0) return { kind: 'mismatch', pointers }
  return { kind: 'bound', price: { amount: rate.amount, currency: rate.currency } }
}

export function isSameService(one: Service, other: Service): boolean {
  return one.mode === other.mode && one.payer === other.payer
}

function rateOf(rates: readonly Rate[], service: Service): Rate | null {
  return rates.find((rate) => isSameService(rate.service, service)) ?? null
}

const measures = [
  'product_id',
  'quantity',
  'weight_kg',
  'height_m',
  'length_m',
  'width_m',
] as const satisfies readonly (keyof Parcel['package'])[]

function differences(quoted: Parcel, wanted: Parcel): readonly string[] {
  const pairs = [
    ['/courier_connection_id', quoted.courier_connection_id, wanted.courier_connection_id],
    ['/origin/agency_id', quoted.origin.agency_id, wanted.origin.agency_id],
    ['/destination/agency_id', quoted.destination.agency_id, wanted.destination.agency_id],
    ...measures.map(
      (field) => [`/package/${field}`, quoted.package[field], wanted.package[field]] as const,
    ),
  ] as const
  return pairs.filter(([, before, now]) => before !== now).map(([pointer]) => pointer)
}
