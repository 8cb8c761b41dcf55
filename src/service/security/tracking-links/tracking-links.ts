import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../database/database.ts'
import type { TrackingUrlOf } from '../../domain/shipment/tracking-link.ts'
import { type LinkedShipment, type TrackingTokens, trackingTokens } from './tracking-tokens.ts'

/** How long another process may go on with the former settings of a workspace's page. */
export const settingsMs = 5_000
/** Workspaces whose settings are known at once. */
const settingsMax = 10_000

/** Where the service listens by default. */
const defaultUrl = 'http://127.0.0.1:3000'

export function trackingLinks(
  db: Kysely<Database>,
  pepper: Buffer,
  publicUrl: () => string = () => defaultUrl,
): TrackingLinks {
  return new TrackingLinks({ db, tokens: trackingTokens(pepper), publicUrl })
}

/** What the shop decided about its pages. */
export type PageShop = {
  readonly name: string
  readonly supportUrl: string | null
  readonly accent: string | null
}

type Settings = { readonly isEnabled: boolean; readonly shop: PageShop }

type TrackingLinksOptions = {
  readonly db: Kysely<Database>
  readonly tokens: TrackingTokens
  /** The address of the service for browsers, without a slash at the end. */
  readonly publicUrl: () => string
}

/**
 * The links to recipients' pages, the same in answers and webhooks. A shipment has one from its
 * guide until its erasure, unless its workspace has turned the page off.
 */
export class TrackingLinks {
  readonly #options: TrackingLinksOptions
  /** By workspace. */
  readonly #settings = new LRUCache<string, Settings>({ max: settingsMax, ttl: settingsMs })

  constructor(options: TrackingLinksOptions) {
    this.#options = options
  }

  /** The links of shipments in these workspaces. */
  async urlsFor(workspaceIds: readonly string[]): Promise<TrackingUrlOf> {
    const known = await this.#settingsOf([...new Set(workspaceIds)])
    const enabled = new Set(known.flatMap(([id, { isEnabled }]) => (isEnabled ? id : [])))
    return (shipmentId, link) =>
      link !== null && enabled.has(link.workspaceId)
        ? this.#urlOf({ shipmentId, number: link.number })
        : null
  }

  /** How the workspace shows its pages; null if it has turned them off. */
  async shopOf(workspaceId: string): Promise<PageShop | null> {
    const [known] = await this.#settingsOf([workspaceId])
    return known?.[1].isEnabled === true ? known[1].shop : null
  }

  /** The link of a token; null for any other text. */
  read(token: string): LinkedShipment | null {
    return this.#options.tokens.read(token)
  }

  /** Call it when the settings of a workspace have changed. */
  forget(workspaceId: string): void {
    this.#settings.delete(workspaceId)
  }

  #urlOf(link: LinkedShipment): string {
    return `${this.#options.publicUrl()}/t/${this.#options.tokens.of(link)}`
  }

  async #settingsOf(ids: readonly string[]): Promise<readonly (readonly [string, Settings])[]> {
    const known: (readonly [string, Settings])[] = []
    const unknown: string[] = []
    for (const id of ids) {
      const settings = this.#settings.get(id)
      if (settings === undefined) unknown.push(id)
      else known.push([id, settings])
    }
    return unknown.length === 0 ? known : [...known, ...(await this.#read(unknown))]
  }

  async #read(ids: readonly string[]): Promise<readonly (readonly [string, Settings])[]> {
    const start = performance.now()
    const rows = await this.#options.db
      .selectFrom('workspaces')
      .select([
        'id',
        'name',
        'tracking_page_enabled as isEnabled',
        'tracking_page_shop_name as shopName',
        'tracking_page_support_url as supportUrl',
        'tracking_page_accent as accent',
      ])
      .where('id', 'in', ids)
      .execute()
    return rows.map(({ id, name, isEnabled, shopName, supportUrl, accent }) => {
      const settings = { isEnabled, shop: { name: shopName ?? name, supportUrl, accent } }
      this.#settings.set(id, settings, { start })
      return [id, settings]
    })
  }
}
