import type { Agency, Catalogue, Found, PackageProduct } from '../../couriers/catalogue.ts'
import type { CourierFailure } from '../../couriers/courier.ts'
import type { CourierMode } from '../../couriers/couriers.ts'
import type { FieldError } from '../../error-kinds.ts'
import { agencyErrors } from '../calls/creation-checks.ts'
import { agencyIdsOf, productIdsOf, type RatesRequest } from './quote-request.ts'

/** What the ids of a request mean to one courier, in their order; null for another courier's id. */
export type NamedIds = {
  readonly kind: 'named'
  readonly origins: readonly (Agency | null)[]
  readonly destinations: readonly (Agency | null)[]
  readonly products: readonly (PackageProduct | null)[]
}

/** `absent`: the mode has no such courier. Otherwise its lists cannot be read. */
export type NamedOrNot = NamedIds | { readonly kind: 'absent' } | CourierFailure

export async function namedIds(
  catalogue: Pick<Catalogue, 'agency' | 'packageProduct'>,
  mode: CourierMode,
  request: RatesRequest,
): Promise<NamedOrNot> {
  const agency = (id: string) => catalogue.agency(mode, id)
  const product = (id: string) => catalogue.packageProduct(mode, id)
  const [origins, destinations, products] = await Promise.all([
    itemsOf(agencyIdsOf(request.origin).map(agency)),
    itemsOf(agencyIdsOf(request.destination).map(agency)),
    itemsOf(productIdsOf(request.package).map(product)),
  ])
  if (origins.kind !== 'items') return origins
  if (destinations.kind !== 'items') return destinations
  if (products.kind !== 'items') return products
  return {
    kind: 'named',
    origins: origins.items,
    destinations: destinations.items,
    products: products.items,
  }
}

type Items<T> = { readonly kind: 'items'; readonly items: readonly (T | null)[] }

async function itemsOf<T>(asked: readonly Promise<Found<T>>[]): Promise<Items<T> | CourierFailure> {
  const items: (T | null)[] = []
  for (const found of await Promise.all(asked)) {
    if (found.kind !== 'found' && found.kind !== 'absent') return found
    items.push(found.kind === 'found' ? found.item : null)
  }
  return { kind: 'items', items }
}

/**
 * What is wrong with the ids, whatever the couriers answer. An id that no courier knows is wrong only
 * if the lists of all couriers could be read: `isComplete`.
 */
export function wrongIds(
  request: RatesRequest,
  couriers: readonly NamedIds[],
  isComplete: boolean,
): readonly FieldError[] {
  const { origin, destination, package: parcel } = request
  const agencies = { singular: 'agency_id', plural: 'agency_ids' }
  const origins = pointers('/origin', agencies, 'agency_ids' in origin)
  const destinations = pointers('/destination', agencies, 'agency_ids' in destination)
  const products = pointers(
    '/package',
    { singular: 'product_id', plural: 'product_ids' },
    'product_ids' in parcel,
  )
  return [
    ...agencyIdsOf(origin).flatMap((_, at) => {
      const agency = found(couriers, ({ origins: named }) => named[at])
      return agency === null && !isComplete ? [] : agencyErrors(origins(at), agency, 'drop_off')
    }),
    ...agencyIdsOf(destination).flatMap((_, at) => {
      const agency = found(couriers, ({ destinations: named }) => named[at])
      return agency === null && !isComplete ? [] : agencyErrors(destinations(at), agency, 'pickup')
    }),
    ...productIdsOf(parcel).flatMap((_, at) =>
      found(couriers, ({ products: named }) => named[at]) === null && isComplete
        ? [productNotFound(products(at))]
        : [],
    ),
    ...couriers.flatMap((courier) => [
      ...several(courier.origins, origins),
      ...several(courier.destinations, destinations),
      ...several(courier.products, products),
      ...sameAgency(courier, destinations),
    ]),
  ]
}

/** The pointer to each id of a list, or to the one id. */
function pointers(
  within: string,
  { singular, plural }: { readonly singular: string; readonly plural: string },
  isList: boolean,
): (at: number) => string {
  return (at) => (isList ? `${within}/${plural}/${at}` : `${within}/${singular}`)
}

function found<T>(
  couriers: readonly NamedIds[],
  of: (courier: NamedIds) => T | null | undefined,
): T | null {
  for (const courier of couriers) {
    const item = of(courier)
    if (item) return item
  }
  return null
}

function productNotFound(pointer: string): FieldError {
  const detail = 'No courier of these connections has such a package product.'
  return { pointer, reason: 'product_not_found', detail }
}

/** Two ids of one courier would leave open which one it is asked for. */
function several(
  named: readonly (Agency | PackageProduct | null)[],
  pointer: (at: number) => string,
): readonly FieldError[] {
  const own = named.flatMap((item, at) => (item === null ? [] : [at]))
  return own.slice(1).map((at) => ({
    pointer: pointer(at),
    reason: 'several_of_one_courier',
    detail: 'The list names another one of the same courier.',
  }))
}

function sameAgency(
  { origins, destinations }: NamedIds,
  pointer: (at: number) => string,
): readonly FieldError[] {
  const ids = origins.flatMap((agency) => (agency === null ? [] : [agency.id]))
  return destinations.flatMap((agency, at) =>
    agency === null || !ids.includes(agency.id)
      ? []
      : [
          {
            pointer: pointer(at),
            reason: 'same_origin_and_destination',
            detail: 'The destination must be a different agency from the origin.',
          },
        ],
  )
}
