import { derivedValue } from '../domain/ids.ts'
import type {
  CatalogueAnswer,
  Courier,
  CourierFailure,
  NativeAgency,
  NativePackageProduct,
} from './courier.ts'
import type { CourierMode } from './couriers.ts'

export type Agency = NativeAgency & { readonly id: string; readonly providerCode: string }
export type PackageProduct = NativePackageProduct & {
  readonly id: string
  readonly providerCode: string
}

export type Listed<T> = { readonly kind: 'listed'; readonly items: readonly T[] } | CourierFailure
export type Found<T> =
  | { readonly kind: 'found'; readonly item: T }
  | { readonly kind: 'absent' }
  | CourierFailure

/** `absent` from every method also where the mode has no such courier. */
export type Catalogue = {
  agencies(mode: CourierMode): Promise<Listed<Agency> | { readonly kind: 'absent' }>
  packageProducts(mode: CourierMode): Promise<Listed<PackageProduct> | { readonly kind: 'absent' }>
  agency(mode: CourierMode, id: string): Promise<Found<Agency>>
  packageProduct(mode: CourierMode, id: string): Promise<Found<PackageProduct>>
}

export function agencyIdOf(providerCode: string, code: string): string {
  return `agy_${derivedValue('agency', providerCode, code)}`
}

export function packageProductIdOf(providerCode: string, code: string): string {
  return `pkg_${derivedValue('package-product', providerCode, code)}`
}

/** An agency opens or closes a few times a year; ten minutes keeps a courier's list off every request. */
const freshMs = 10 * 60_000
/** After a failed refresh the old list is served this long before the courier is asked again. */
const staleRetryMs = 30_000
/** Lists kept at once, agencies and products each: far more couriers than Peru has. */
const listsMax = 100

type List<T> = {
  readonly items: readonly T[]
  readonly byId: ReadonlyMap<string, T>
  readonly freshUntilMs: number
}

/** Bounded memory of what couriers list; a courier that fails is answered for with its last list. */
export function catalogue(
  courierOf: (mode: CourierMode) => Courier | null,
  now: () => number = Date.now,
): Catalogue {
  const agencyLists = lists<NativeAgency, Agency>({
    courierOf,
    now,
    ask: (courier) => courier.agencies(),
    own: (agency, providerCode) => ({
      ...agency,
      id: agencyIdOf(providerCode, agency.code),
      providerCode,
    }),
  })
  const productLists = lists<NativePackageProduct, PackageProduct>({
    courierOf,
    now,
    ask: (courier) => courier.packageProducts(),
    own: (product, providerCode) => ({
      ...product,
      id: packageProductIdOf(providerCode, product.code),
      providerCode,
    }),
  })
  return {
    agencies: async (mode) => listedOf(await agencyLists(mode)),
    packageProducts: async (mode) => listedOf(await productLists(mode)),
    agency: async (mode, id) => foundIn(await agencyLists(mode), id),
    packageProduct: async (mode, id) => foundIn(await productLists(mode), id),
  }
}

type Loaded<T> = { readonly kind: 'list'; readonly list: List<T> } | CourierFailure
type Source<N, T> = {
  readonly courierOf: (mode: CourierMode) => Courier | null
  readonly now: () => number
  readonly ask: (courier: Courier) => Promise<CatalogueAnswer<N>>
  readonly own: (native: N, providerCode: string) => T
}

function lists<N, T extends { readonly id: string }>(
  source: Source<N, T>,
): (mode: CourierMode) => Promise<Loaded<T> | { readonly kind: 'absent' }> {
  const kept = new Map<string, List<T>>()
  const loading = new Map<string, Promise<Loaded<T>>>()

  const load = async (key: string, courier: Courier, code: string): Promise<Loaded<T>> => {
    const answer = await source.ask(courier)
    const old = kept.get(key)
    if (answer.kind !== 'listed') {
      if (old === undefined) return answer
      return keep(key, { ...old, freshUntilMs: source.now() + staleRetryMs })
    }
    const items = answer.items.map((native) => source.own(native, code))
    const byId = new Map(items.map((item) => [item.id, item]))
    return keep(key, { items: [...byId.values()], byId, freshUntilMs: source.now() + freshMs })
  }
  const keep = (key: string, list: List<T>): Loaded<T> => {
    kept.delete(key)
    kept.set(key, list)
    const oldest = kept.keys().next().value
    if (kept.size > listsMax && oldest !== undefined) kept.delete(oldest)
    return { kind: 'list', list }
  }

  return async (mode) => {
    // Asked every time: a courier that was removed is gone at once, its list or not.
    const courier = source.courierOf(mode)
    if (courier === null) return { kind: 'absent' }
    const key = `${mode.livemode ? 'live' : 'test'}:${mode.providerCode}`
    const list = kept.get(key)
    if (list !== undefined && source.now() < list.freshUntilMs) return { kind: 'list', list }
    const under = loading.get(key)
    if (under !== undefined) return under
    const loaded = load(key, courier, mode.providerCode).finally(() => loading.delete(key))
    loading.set(key, loaded)
    return loaded
  }
}

function listedOf<T>(loaded: Loaded<T> | { readonly kind: 'absent' }) {
  return loaded.kind === 'list' ? { kind: 'listed' as const, items: loaded.list.items } : loaded
}

function foundIn<T>(loaded: Loaded<T> | { readonly kind: 'absent' }, id: string): Found<T> {
  if (loaded.kind !== 'list') return loaded
  const item = loaded.list.byId.get(id)
  return item === undefined ? { kind: 'absent' } : { kind: 'found', item }
}
