import type { Instant } from './decider.ts'
import type { Money } from './operation/machine.ts'

export const quoteTimes = {
  /** How long a price is valid, on the workspace's clock. */
  validMs: 30 * 60_000,
  /** How long the couriers of one quote have to answer, all together, in real time. */
  answeredWithinMs: 8_000,
} as const

/** Connections that one quote may compare. */
export const quoteConnectionsMax = 10

/**
 * Why a service has no price, with the text shown to people. Any other courier answer is `unavailable`.
 */
export const quoteErrorReasons = {
  no_capacity: 'The service currently has no capacity on this route.',
  not_served: 'The service does not serve this route.',
  package_not_accepted: 'The service does not accept this package.',
  unavailable: 'The courier currently has no price for this service.',
} as const
type ServiceErrorReason = keyof typeof quoteErrorReasons

export function quoteErrorReason(code: string): ServiceErrorReason {
  return Object.hasOwn(quoteErrorReasons, code) ? (code as ServiceErrorReason) : 'unavailable'
}

/** Why a connection has no price at all beside the others, with the text shown to people. */
export const connectionErrorReasons = {
  no_agency: 'The request names no agency of the courier for the origin or the destination.',
  no_product: 'The request names no package product of the courier.',
  courier_rejected: 'The courier has no price for such a parcel on this route.',
  courier_timed_out: `The courier did not answer within ${quoteTimes.answeredWithinMs / 1_000} s.`,
  courier_unreachable: 'The courier could not be reached.',
  courier_throttled: 'The courier asks to slow down.',
  courier_failed: 'The courier answered with an error, or its answer could not be read.',
  courier_not_available: 'The courier is not available to this key.',
  quotes_not_supported: 'The courier gives no prices.',
  not_supported_by_courier: 'The courier does not offer what was asked.',
  connection_needs_reauth: 'The courier refuses the credentials of the connection.',
  connection_disabled: 'The connection is disabled.',
} as const
export type ConnectionErrorReason = keyof typeof connectionErrorReasons

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

/** The sums of a request that a courier may charge for, and that a quote binds too. */
export type Sums = {
  readonly declared_value?: Money | null | undefined
  readonly cash_on_delivery?: Money | null | undefined
}
export const sumFields = ['declared_value', 'cash_on_delivery'] as const satisfies (keyof Sums)[]

/** The sums that were given. */
export function givenSums(sums: Sums): { readonly [Field in keyof Sums]?: Money } {
  return Object.fromEntries(
    sumFields.flatMap((field) => (sums[field] ? [[field, sums[field]]] : [])),
  )
}

/** Integer minor units, as on the wire and in the events. */
export type Rate = {
  readonly courier_connection_id: string
  readonly service: Service
  readonly amount: number
  readonly currency: string
  readonly breakdown: readonly { readonly code: BreakdownCode; readonly amount: number }[]
  readonly transit_days: { readonly min: number; readonly max: number }
}
export type RateError = {
  readonly courier_connection_id: string
  /** Null: the connection has no price for any service. */
  readonly service: Service | null
  readonly reason: ServiceErrorReason | ConnectionErrorReason
  readonly detail: string
}

/** The price terms that a creation can be bound to. */
export type QuoteTerms = {
  /** The parcel in the ids of each courier that it was sent to. */
  readonly parcels: readonly Parcel[]
  readonly sums: Sums
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
  wanted: Parcel & Sums & { readonly service: Service },
  now: Instant,
): Bound {
  if (isExpired(terms, now)) return { kind: 'expired' }
  const quoted = quotedParcel(terms, wanted.courier_connection_id)
  if (quoted === null) return { kind: 'mismatch', pointers: ['/courier_connection_id'] }
  const rate = rateOf(terms.rates, quoted.courier_connection_id, wanted.service)
  const pointers = [
    ...differences(quoted, wanted),
    ...differentSums(terms.sums, wanted),
    ...(rate === null ? ['/service'] : []),
  ]
  if (rate === null || pointers.length > 0) return { kind: 'mismatch', pointers }
  return { kind: 'bound', price: { amount: rate.amount, currency: rate.currency } }
}

/** The parcel that a creation with this connection must repeat: its own, or the only one. */
function quotedParcel({ parcels }: QuoteTerms, connectionId: string): Parcel | null {
  const own = parcels.find((parcel) => parcel.courier_connection_id === connectionId)
  const [only, other] = parcels
  return own ?? (other === undefined ? (only ?? null) : null)
}

/**
 * The rates of several connections, cheapest first. Amounts of different currencies are never
 * compared: each currency has its own part of the list, in the order of their codes. Of equal amounts
 * the faster one comes first.
 */
export function cheapestFirst(rates: readonly Rate[]): readonly Rate[] {
  return rates.toSorted((one, other) => {
    if (one.currency !== other.currency) return one.currency < other.currency ? -1 : 1
    return (
      one.amount - other.amount ||
      one.transit_days.max - other.transit_days.max ||
      one.transit_days.min - other.transit_days.min
    )
  })
}

export function isSameService(one: Service, other: Service): boolean {
  return one.mode === other.mode && one.payer === other.payer
}

function rateOf(rates: readonly Rate[], connectionId: string, service: Service): Rate | null {
  return (
    rates.find(
      (rate) => rate.courier_connection_id === connectionId && isSameService(rate.service, service),
    ) ?? null
  )
}

function differentSums(quoted: Sums, wanted: Sums): readonly string[] {
  return sumFields.filter((field) => !isSameSum(quoted[field], wanted[field])).map((it) => `/${it}`)
}

function isSameSum(one: Sums[keyof Sums], other: Sums[keyof Sums]): boolean {
  return one?.amount === other?.amount && one?.currency === other?.currency
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
