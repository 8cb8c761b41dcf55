import { type Kysely, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../../projections/tables.ts'
import {
  type Connector,
  type ConnectorCall,
  type ConnectorOptions,
  connector,
} from '../../couriers/connector.ts'
import type { CourierCapabilities } from '../../couriers/courier.ts'
import { type LiveCourier, simulatedProviderCode } from '../../couriers/couriers.ts'
import type { Database } from '../../database/database.ts'
import { platform } from '../../domain/ids.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import type { Actor } from '../../event-store/codec.ts'
import type { EventStore } from '../../event-store/event-store.ts'
import type { Log } from '../../log.ts'
import { AdaptivePoll } from '../../queue/signal.ts'
import { audit } from '../../security/audit.ts'

/** Each process uses a newly registered courier after this and one read of the registry. */
const refreshTimes = { soonMs: 2_000, idleMs: 10_000 }
/** Couriers of one installation; further registrations are refused. */
export const couriersMax = 100
/** Calls to a replaced connector may continue for this long, which is longer than any call. */
const retireMs = 30_000

export type TokenSealer = {
  seal(providerCode: string, token: string): Buffer
  open(providerCode: string, sealed: Buffer): string
}

type Deps = {
  readonly db: Kysely<Tables>
  readonly store: Pick<EventStore, 'news'>
  readonly tokens: TokenSealer
  readonly log: Log
  /** Called after each request to a registered courier, for the metrics. */
  readonly onCall?: (made: ConnectorCall & { readonly providerCode: string }) => void
} & Pick<ConnectorOptions, 'traceparent'>

type Entry = LiveCourier & { readonly courier: Connector; readonly version: number }

/** The couriers registered for live use, as this process knows them: a changing map. */
export class RegisteredCouriers {
  readonly #deps: Deps
  readonly #live = new Map<string, Entry>()
  readonly #retired = new Set<{ readonly courier: Connector; readonly timer: NodeJS.Timeout }>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** The map that `couriers` reads; it follows the registry. */
  get live(): ReadonlyMap<string, LiveCourier> {
    return this.#live
  }

  /**
   * Reads the registry once. Throws when the database is unreachable; the known couriers then stay.
   */
  async refresh(): Promise<void> {
    const { db, tokens, log, traceparent } = this.#deps
    const rows = await db
      .selectFrom('couriers')
      .select(['provider_code', 'display_name', 'base_url', 'token', 'version'])
      .where('provider_code', '<>', simulatedProviderCode)
      .limit(couriersMax)
      .execute()
    const codes = new Set(rows.map((row) => row.provider_code))
    for (const code of this.#live.keys()) if (!codes.has(code)) this.#retire(code)
    for (const row of rows) {
      const { provider_code: code, version } = row
      if (this.#live.get(code)?.version === version) continue
      try {
        const token = row.token === null ? {} : { token: tokens.open(code, row.token) }
        const onCall = (made: ConnectorCall) => this.#deps.onCall?.({ ...made, providerCode: code })
        const courier = connector({ baseUrl: row.base_url, ...token, onCall, traceparent })
        this.#retire(code)
        this.#live.set(code, { displayName: row.display_name, courier, version })
      } catch (error) {
        // The other rows still load.
        log.error({ err: error, providerCode: code }, 'a registered courier cannot be used')
      }
    }
  }

  /** Keeps the map up to date until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const poll = new AdaptivePoll(this.#deps.store)
    while (!signal.aborted) {
      await poll.wait(refreshTimes, signal)
      if (signal.aborted) return
      await this.refresh().catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'the registry of couriers could not be read')
      })
    }
  }

  async close(): Promise<void> {
    for (const code of [...this.#live.keys()]) this.#retire(code)
    const retired = [...this.#retired]
    this.#retired.clear()
    for (const { timer } of retired) clearTimeout(timer)
    await Promise.all(retired.map(({ courier }) => courier.close()))
  }

  /** Removes the courier from the map; calls in flight finish first. */
  #retire(code: string): void {
    const entry = this.#live.get(code)
    if (entry === undefined) return
    this.#live.delete(code)
    const { courier } = entry
    const timer = setTimeout(() => {
      this.#retired.delete(retired)
      void courier.close()
    }, retireMs)
    const retired = { courier, timer: timer.unref() }
    this.#retired.add(retired)
  }
}

type Registration = {
  readonly providerCode: string
  readonly displayName: string
  readonly baseUrl: string
  readonly token: string | null
  readonly capabilities: CourierCapabilities
}

type Registered = 'added' | 'replaced' | 'exists' | 'unknown' | 'too_many'

type RegisterDeps = {
  readonly db: Kysely<Tables>
  readonly store: EventStore
  readonly tokens: TokenSealer
}

/**
 * Registers a courier for live use, or with `replace` changes a registered one; the audit is
 * written first. Repeating it with `replace` changes nothing.
 */
export async function registerCourier(
  { db, store, tokens }: RegisterDeps,
  registration: Registration,
  options: { readonly replace: boolean; readonly actor: Actor },
): Promise<Registered> {
  const { providerCode } = registration
  const known = await db.selectFrom('couriers').selectAll().execute()
  const before = known.find((row) => row.provider_code === providerCode)
  const exists = before !== undefined
  if (exists && !options.replace) return 'exists'
  if (!exists && options.replace) return 'unknown'
  if (!exists && known.length >= couriersMax) return 'too_many'
  const change = before === undefined ? null : changeOf(before, registration, tokens)
  if (change?.fields.length === 0) return 'replaced'
  const data = { provider_code: providerCode }
  const registered = {
    ...data,
    url: registration.baseUrl,
    has_token: registration.token !== null,
    capabilities: registration.capabilities,
  }
  await audit(store, {
    ...(change === null
      ? { type: 'CourierRegistered', data: registered }
      : { type: 'CourierReplaced', data: { ...data, ...change } }),
    organizationId: platform,
    livemode: true,
    actor: options.actor,
    requestId: null,
  })
  const now = new Date()
  const values = {
    display_name: registration.displayName,
    base_url: registration.baseUrl,
    token: registration.token === null ? null : tokens.seal(providerCode, registration.token),
    capabilities: JSON.stringify(registration.capabilities),
    updated_at: now,
  }
  await db
    .insertInto('couriers')
    .values({ provider_code: providerCode, created_at: now, ...values })
    .onConflict((conflict) =>
      conflict
        .column('provider_code')
        .doUpdateSet({ ...values, version: sql`couriers.version + 1` }),
    )
    .execute()
  return exists ? 'replaced' : 'added'
}

type CourierRow = Selectable<Database['couriers']>
type Replaced = Extract<AuditEvent, { type: 'CourierReplaced' }>['data']

/**
 * The fields of an existing courier that a registration changes: their names, and the token without
 * its value.
 */
function changeOf(
  row: CourierRow,
  registration: Registration,
  tokens: TokenSealer,
): Required<Pick<Replaced, 'fields'>> & Pick<Replaced, 'changes'> {
  const { displayName, baseUrl, token, capabilities } = registration
  const fields: string[] = []
  const changes: Mutable<NonNullable<Replaced['changes']>> = {}
  if (row.display_name !== displayName) fields.push('display_name')
  if (row.base_url !== baseUrl) {
    fields.push('url')
    changes.url = { before: row.base_url, after: baseUrl }
  }
  if (!isSameToken(row, token, tokens)) {
    fields.push('token')
    const [before, after] = [row.token !== null, token !== null]
    if (before !== after) changes.has_token = { before, after }
  }
  const names = Object.keys(capabilities) as (keyof CourierCapabilities)[]
  // Older rows lack capabilities that were added to the protocol later.
  if (names.some((name) => (row.capabilities[name] ?? false) !== capabilities[name])) {
    fields.push('capabilities')
    changes.capabilities = { before: row.capabilities, after: capabilities }
  }
  return Object.keys(changes).length === 0 ? { fields } : { fields, changes }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A token that cannot be decrypted counts as different, because it is useless. */
function isSameToken(row: CourierRow, token: string | null, tokens: TokenSealer): boolean {
  if (row.token === null || token === null) return row.token === token
  try {
    return tokens.open(row.provider_code, row.token) === token
  } catch {
    return false
  }
}
