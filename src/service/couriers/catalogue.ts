import { derivedValue } from '../domain/ids.ts'
import { type AgencyIndex, agencyIndex } from './agency-index.ts'
import type {
  CatalogueAnswer,
  Courier,
  CourierFailure,
  NativeAgency,
  NativePackageProduct,
} from './courier.ts'
import type { CourierMode } from './couriers.ts'
import { forEachInSlices, yieldToEventLoop } from './slices.ts'

export type Agency = NativeAgency & { readonly id: string; readonly providerCode: string }
export type PackageProduct = NativePackageProduct & {
  readonly id: string
  readonly providerCode: string
}

export type Found<T> =
  | { readonly kind: 'found'; readonly item: T }
  | { readonly kind: 'absent' }
  | CourierFailure

/** Every method returns `absent` if the mode has no such courier. */
export type Catalogue = {
  agencies(mode: CourierMode): Promise<Answer<{ readonly index: AgencyIndex<Agency> }>>
  packageProducts(mode: CourierMode): Promise<Answer<{ readonly items: readonly PackageProduct[] }>>
  agency(mode: CourierMode, id: string): Promise<Found<Agency>>
  packageProduct(mode: CourierMode, id: string): Promise<Found<PackageProduct>>
}
type Answer<T> = ({ readonly kind: 'listed' } & T) | { readonly kind: 'absent' } | CourierFailure

export function agencyIdOf(providerCode: string, code: string): string {
  return `agy_${derivedValue('agency', providerCode, code)}`
}

function packageProductIdOf(providerCode: string, code: string): string {
  return `pkg_${derivedValue('package-product', providerCode, code)}`
}

/** Agencies open or close a few times a year. Ten minutes spare requests the courier's latency. */
const freshMs = 10 * 60_000
/** After a failed refresh, the old list is served this long before the next attempt. */
const staleRetryMs = 30_000
/** Cached lists, for agencies and products each: far more than Peru has couriers. */
const listsMax = 100

/** A bounded cache of couriers' lists. If a refresh fails, the last list is served. */
export function catalogue(
  courierOf: (mode: CourierMode) => Courier | null,
  nowMs: () => number = () => performance.now(),
): Catalogue {
  const agencyLists = lists({
    courierOf,
    nowMs,
    ask: (courier) => courier.agencies(),
    prepare: async (natives: readonly NativeAgency[], providerCode) => {
      const agencies: Agency[] = []
      const add = (agency: NativeAgency) =>
        agencies.push({ ...agency, id: agencyIdOf(providerCode, agency.code), providerCode })
      await forEachInSlices(natives, add, yieldToEventLoop)
      return await agencyIndex(agencies)
    },
  })
  const productLists = lists({
    courierOf,
    nowMs,
    ask: (courier) => courier.packageProducts(),
    prepare: async (natives: readonly NativePackageProduct[], providerCode) => {
      const products = new Map<string, PackageProduct>()
      const add = (product: NativePackageProduct) => {
        const id = packageProductIdOf(providerCode, product.code)
        products.set(id, { ...product, id, providerCode })
      }
      await forEachInSlices(natives, add, yieldToEventLoop)
      return { items: [...products.values()], find: (id: string) => products.get(id) }
    },
  })
  return {
    async agencies(mode) {
      const loaded = await agencyLists(mode)
      return loaded.kind === 'list' ? { kind: 'listed', index: loaded.list } : loaded
    },
    async packageProducts(mode) {
      const loaded = await productLists(mode)
      return loaded.kind === 'list' ? { kind: 'listed', items: loaded.list.items } : loaded
    },
    agency: async (mode, id) => foundIn(await agencyLists(mode), id),
    packageProduct: async (mode, id) => foundIn(await productLists(mode), id),
  }
}

type Loaded<L> = { readonly kind: 'list'; readonly list: L } | CourierFailure
type Source<N, L> = {
  readonly courierOf: (mode: CourierMode) => Courier | null
  /** A monotonic clock. */
  readonly nowMs: () => number
  readonly ask: (courier: Courier) => Promise<CatalogueAnswer<N>>
  /** Prepares a courier's list for requests. */
  readonly prepare: (natives: readonly N[], providerCode: string) => Promise<L>
}

function lists<N, L>(
  source: Source<N, L>,
): (mode: CourierMode) => Promise<Loaded<L> | { readonly kind: 'absent' }> {
  const kept = new Map<string, { readonly list: L; readonly freshUntilMs: number }>()
  const loading = new Map<string, Promise<Loaded<L>>>()

  const load = async (key: string, courier: Courier, code: string): Promise<Loaded<L>> => {
    const answer = await source.ask(courier)
    if (answer.kind === 'listed')
      return keep(key, await source.prepare(answer.items, code), freshMs)
    const old = kept.get(key)
    return old === undefined ? answer : keep(key, old.list, staleRetryMs)
  }
  const keep = (key: string, list: L, forMs: number): Loaded<L> => {
    kept.delete(key)
    kept.set(key, { list, freshUntilMs: source.nowMs() + forMs })
    const oldest = kept.keys().next().value
    if (kept.size > listsMax && oldest !== undefined) kept.delete(oldest)
    return { kind: 'list', list }
  }

  return async (mode) => {
    // Checked every time, so that a removed courier disappears at once, even if its list is cached.
    const courier = source.courierOf(mode)
    if (courier === null) return { kind: 'absent' }
    const key = `${mode.livemode ? 'live' : 'test'}:${mode.providerCode}`
    const known = kept.get(key)
    if (known !== undefined && source.nowMs() < known.freshUntilMs) {
      return { kind: 'list', list: known.list }
    }
    const under = loading.get(key)
    // Only the request that refreshes the list waits for it. The others get the old one.
    if (under !== undefined) return known === undefined ? under : { kind: 'list', list: known.list }
    const loaded = load(key, courier, mode.providerCode).finally(() => loading.delete(key))
    loading.set(key, loaded)
    return loaded
  }
}

function foundIn<T>(
  loaded: Loaded<{ find(id: string): T | undefined }> | { readonly kind: 'absent' },
  id: string,
): Found<T> {
  if (loaded.kind !== 'list') return loaded
  const item = loaded.list.find(id)
  return item === undefined ? { kind: 'absent' } : { kind: 'found', item }
}
