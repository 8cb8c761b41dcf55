import type { Agency, Found, PackageProduct } from '../../couriers/catalogue.ts'
import type { Consignment, Courier } from '../../couriers/courier.ts'
import type { Instant } from '../../domain/decider.ts'
import type { Money } from '../../domain/operation/machine.ts'
import { bindQuote, type Parcel } from '../../domain/quote.ts'
import type { ShipmentPayload } from '../../domain/shipment/shipment-payload.ts'
import type { FieldError } from '../../error-kinds.ts'
import { Problem } from '../../errors.ts'
import {
  type CourierAccount,
  type UsableConnection,
  usableConnection,
} from '../connections/courier-accounts.ts'
import type { ProcessServices } from '../process-services.ts'
import { findQuote } from '../quotes/quote-rows.ts'
import { readClock } from '../sandbox/workspace-clock.ts'
import { payloadFor } from './courier-options.ts'

type ParcelDeps = Pick<ProcessServices, 'accounts' | 'catalogue' | 'couriers'>

export type CheckedRequest = {
  readonly account: CourierAccount
  readonly courier: Courier
  readonly consignment: Consignment
}

/** A request with the payload as its courier gets it. */
export type SendableRequest = CheckedRequest & { readonly payload: ShipmentPayload }

/** Null without a quote. */
export type BoundQuote = {
  readonly price: Money
  readonly expiresAt: Instant
} | null

type Owner = {
  readonly organizationId: string
  readonly workspaceId: string
  readonly livemode: boolean
}

/**
 * All checks that can refuse a creation before an attempt exists: connection, agencies, product
 * limits and quote. Throws a Problem before anything is written.
 */
export async function checkCreation(
  deps: ParcelDeps & Pick<ProcessServices, 'db'>,
  owner: Owner,
  body: ShipmentPayload,
): Promise<SendableRequest & { readonly quote: BoundQuote }> {
  const quoteId = body.quote_id ?? null
  const quote = quoteId === null ? null : await findQuote(deps.db, owner, quoteId)
  const isUnknown = quoteId !== null && quote === null
  const checked = await checkSendable(deps, owner, body, isUnknown ? [quoteNotFound] : [])
  if (quote === null) return { ...checked, quote }
  const { now } = await readClock(deps.db, owner)
  const bound = bindQuote(quote, body, now)
  switch (bound.kind) {
    case 'bound':
      return { ...checked, quote: { price: bound.price, expiresAt: quote.expiresAt } }
    case 'expired':
      throw new Problem('quote_expired')
    case 'mismatch':
      throw new Problem('quote_mismatch', { errors: bound.pointers.map(notAsQuoted) })
  }
}

/** The same without the quote, whose terms the first attempt of a key has bound. */
export async function checkSendable(
  deps: ParcelDeps,
  owner: Owner,
  body: ShipmentPayload,
  more: readonly FieldError[] = [],
): Promise<SendableRequest> {
  const checked = await checkParcel(deps, owner, body, more)
  return { ...checked, payload: await payloadFor(deps, checked.account, body) }
}

const quoteNotFound: FieldError = {
  pointer: '/quote_id',
  reason: 'quote_not_found',
  detail: 'No such quote.',
}

function notAsQuoted(pointer: string): FieldError {
  const detail =
    pointer === '/service'
      ? 'The quote has no price for this service.'
      : 'It differs from the quote.'
  return { pointer, reason: 'not_as_quoted', detail }
}

/** The checks that creations and quotes share: courier, parcel, origin and destination. */
export async function checkParcel(
  deps: ParcelDeps,
  owner: Owner,
  body: Parcel,
  wrong: readonly FieldError[] = [],
): Promise<CheckedRequest> {
  const { account, courier } = await connectionFor(deps, owner, body.courier_connection_id)
  const mode = { livemode: owner.livemode, providerCode: account.providerCode }
  const [origin, destination, product] = await Promise.all([
    catalogued(deps.catalogue.agency(mode, body.origin.agency_id)),
    catalogued(deps.catalogue.agency(mode, body.destination.agency_id)),
    catalogued(deps.catalogue.packageProduct(mode, body.package.product_id)),
  ])
  const errors = [
    ...wrong,
    ...agencyErrors('/origin/agency_id', origin, 'drop_off'),
    ...agencyErrors('/destination/agency_id', destination, 'pickup'),
    ...productErrors(body, product),
  ]
  if (body.origin.agency_id === body.destination.agency_id) {
    errors.push({
      pointer: '/destination/agency_id',
      reason: 'same_origin_and_destination',
      detail: 'The destination must be a different agency from the origin.',
    })
  }
  if (errors.length > 0 || origin === null || destination === null || product === null) {
    throw new Problem('validation_failed', { errors })
  }
  return {
    account,
    courier,
    consignment: consignmentOf({ origin, destination, product }, body.package),
  }
}

/** The courier's own codes of a route and product. */
type Catalogued = {
  readonly origin: Agency
  readonly destination: Agency
  readonly product: PackageProduct
}

export function consignmentOf(
  { origin, destination, product }: Catalogued,
  measures: Measures,
): Consignment {
  return {
    origin: { code: origin.code },
    destination: { code: destination.code },
    package: {
      productCode: product.code,
      quantity: measures.quantity,
      weightKg: measures.weight_kg,
      heightM: measures.height_m,
      lengthM: measures.length_m,
      widthM: measures.width_m,
    },
  }
}

/**
 * The owner's connection, if it is usable. Another owner's connection is treated as nonexistent.
 */
async function connectionFor(
  deps: Omit<ParcelDeps, 'catalogue'>,
  owner: Owner,
  connectionId: string,
): Promise<UsableConnection> {
  const account = await deps.accounts.load({ ...owner, connectionId })
  if (account === null || account.livemode !== owner.livemode) throw new Problem('not_found')
  return usableConnection(deps.couriers, account, account)
}

async function catalogued<T>(asked: Promise<Found<T>>): Promise<T | null> {
  const found = await asked
  if (found.kind === 'found') return found.item
  if (found.kind === 'absent') return null
  throw new Problem('courier_unreachable', {
    retryAfterSeconds: 5,
    detail: "The courier's list of agencies and products cannot be read.",
  })
}

export function agencyErrors(
  pointer: string,
  agency: Agency | null,
  capability: 'drop_off' | 'pickup',
): FieldError[] {
  if (agency === null) {
    return [{ pointer, reason: 'agency_not_found', detail: 'The courier has no such agency.' }]
  }
  if (agency.capabilities.includes(capability)) return []
  return [
    {
      pointer,
      reason: 'agency_capability_missing',
      detail: `The agency does not offer ${capability}.`,
    },
  ]
}

function productErrors(body: Parcel, product: PackageProduct | null): FieldError[] {
  if (product === null) {
    const detail = 'The courier has no such package product.'
    return [{ pointer: '/package/product_id', reason: 'product_not_found', detail }]
  }
  return overLimits(product, body.package).map(({ field, max }) => ({
    pointer: `/package/${field}`,
    reason: 'exceeds_product_limit',
    detail: `The product takes at most ${max} per piece.`,
  }))
}

type Measures = Omit<Parcel['package'], 'product_id'>

/** The measures that exceed a limit of the product, with the limit. */
export function overLimits(
  product: PackageProduct,
  measures: Measures,
): readonly { readonly field: keyof Measures; readonly max: number }[] {
  const limits = [
    { field: 'weight_kg', max: product.maxWeightKg },
    { field: 'length_m', max: product.maxLengthM },
    { field: 'width_m', max: product.maxWidthM },
    { field: 'height_m', max: product.maxHeightM },
  ] as const
  return limits.filter(({ field, max }) => measures[field] > max)
}
