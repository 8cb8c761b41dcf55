import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../database/database.ts'
import type { TrackingUrlOf } from '../../domain/shipment/tracking-link.ts'
import { type LinkedShipment, type TrackingTokens, trackingTokens } from './tracking-tokens.ts'

/** How long another process may go on showing the links of a workspace that turned its page off. */
const settingMs = 5_000
/** Workspaces whose setting is known at once. */
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
  /** Whether the page of a workspace is on. */
  readonly #settings = new LRUCache<string, boolean>({ max: settingsMax, ttl: settingMs })

  constructor(options: TrackingLinksOptions) {
    this.#options = options
  }

  /** The links of shipments in these workspaces. */
  async urlsFor(workspaceIds: readonly string[]): Promise<TrackingUrlOf> {
    const enabled = await this.#enabledAmong(new Set(workspaceIds))
    return (shipmentId, link) =>
      link !== null && enabled.has(link.workspaceId)
        ? this.#urlOf({ shipmentId, number: link.number })
        : null
  }

  /** The link of a token; `isGenuine` is false for any other text. */
  read(token: string): LinkedShipment & { readonly isGenuine: boolean } {
    return this.#options.tokens.read(token)
  }

  /** Call it when the setting of a workspace has changed. */
  forget(workspaceId: string): void {
    this.#settings.delete(workspaceId)
  }

  #urlOf(link: LinkedShipment): string {
    return `${this.#options.publicUrl()}/t/${this.#options.tokens.of(link)}`
  }

  async #enabledAmong(wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const known = [...wanted].map((id) => [id, this.#settings.get(id)] as const)
    const unknown = known.flatMap(([id, isEnabled]) => (isEnabled === undefined ? id : []))
    const all = [...known, ...(unknown.length > 0 ? await this.#read(unknown) : [])]
    return new Set(all.flatMap(([id, isEnabled]) => (isEnabled === true ? id : [])))
  }

  async #read(ids: readonly string[]): Promise<readonly (readonly [string, boolean])[]> {
    const start = performance.now()
    const rows = await this.#options.db
      .selectFrom('workspaces')
      .select(['id', 'tracking_page_enabled'])
      .where('id', 'in', ids)
      .execute()
    for (const row of rows) this.#settings.set(row.id, row.tracking_page_enabled, { start })
    return rows.map((row) => [row.id, row.tracking_page_enabled])
  }
}
