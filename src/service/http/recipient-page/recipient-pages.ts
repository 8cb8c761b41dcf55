import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Catalogue } from '../../couriers/catalogue.ts'
import type { Couriers } from '../../couriers/couriers.ts'
import type { Database } from '../../database/database.ts'
import { shipmentStream } from '../../domain/ids.ts'
import type { Language } from '../../domain/language.ts'
import type { Shipment } from '../../domain/shipment/shipment.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import { loadShipment } from '../../event-store/transact.ts'
import { readClock } from '../../processes/sandbox/workspace-clock.ts'
import { settingsMs, type TrackingLinks } from '../../security/tracking-links/tracking-links.ts'
import { agencyIdsOf, type PageAgency, pageContent } from './page-content.ts'
import { parcelPage, type RenderedPage } from './render-page.ts'

/** How old the agency on a page may be, and with the age of their copy the shop's settings. */
const shownMs = 60_000
/** Rendered pages of about 8 KiB, by language and token. */
const pagesMax = 2_000

export type RecipientPagesDeps = {
  /** Whoever opens the page belongs to no organization, so they read without the tenant fence. */
  readonly links: Pick<TrackingLinks, 'read' | 'shopOf'>
  readonly store: EventStore
  readonly catalogue: Pick<Catalogue, 'agency'>
  readonly couriers: Pick<Couriers, 'displayName'>
  readonly db: Kysely<Database>
}

/** `unknown`: no such link, or not any more. `erased`: the person was erased. */
export type OpenedPage =
  | { readonly kind: 'page'; readonly page: RenderedPage }
  | { readonly kind: 'unknown' | 'erased' }

type Kept = {
  readonly shipmentId: string
  readonly version: number
  readonly page: RenderedPage
}

/**
 * The pages behind links. A page is rendered again when its shipment has changed, which is looked up
 * for each request: a link that was rolled, or whose person was erased, ends at once in every process.
 * A text that is no link is refused before anything is read.
 */
export class RecipientPages {
  readonly #deps: RecipientPagesDeps
  readonly #pages = new LRUCache<string, Kept>({ max: pagesMax, ttl: shownMs - settingsMs })

  constructor(deps: RecipientPagesDeps) {
    this.#deps = deps
  }

  async open(token: string, language: Language): Promise<OpenedPage> {
    const key = `${language} ${token}`
    const kept = this.#pages.get(key)
    if (kept !== undefined && (await this.#isCurrent(kept))) {
      return { kind: 'page', page: kept.page }
    }
    this.#pages.delete(key)
    const link = this.#deps.links.read(token)
    if (link === null) return { kind: 'unknown' }
    const { state } = await loadShipment(this.#deps.store, link.shipmentId)
    if (state === null || state.linkNumber !== link.number) return { kind: 'unknown' }
    const shop = await this.#deps.links.shopOf(state.request.workspace_id)
    if (shop === null) return { kind: 'unknown' }
    if (state.erasedAt !== null) return { kind: 'erased' }
    const { workspace_id: workspaceId, livemode } = state.request
    const { now } = await readClock(this.#deps.db, { workspaceId, livemode })
    const content = pageContent(state, { shop, agencies: await this.#agenciesOf(state), now })
    const page = parcelPage(content, language)
    this.#pages.set(key, { shipmentId: link.shipmentId, version: state.version, page })
    return { kind: 'page', page }
  }

  async #isCurrent({ shipmentId, version }: Kept): Promise<boolean> {
    const stream = shipmentStream(shipmentId)
    const since = await this.#deps.store.readStream(stream, { from: version, limit: 1 })
    return since.length === 0
  }

  /** A courier that cannot be asked leaves the page without agencies. */
  async #agenciesOf(state: Shipment): Promise<ReadonlyMap<string, PageAgency>> {
    const { livemode, provider_code: providerCode } = state.request
    const courier = this.#deps.couriers.displayName({ livemode, providerCode })
    const found = agencyIdsOf(state).map(async (id) => {
      const answer = await this.#deps.catalogue.agency({ livemode, providerCode }, id)
      if (answer.kind !== 'found') return []
      const { name, address, district, province, department } = answer.item
      const area = [...new Set([district, province, department])].join(', ')
      return [[id, { courier, name, address, area }] as const]
    })
    return new Map((await Promise.all(found)).flat())
  }
}
