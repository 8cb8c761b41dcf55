import { setTimeout as pause } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { platform } from '../domain/ids.ts'
import { failureCountsMax } from '../domain/ledger/audit-event.ts'
import type { EventStore } from '../event-store/event-store.ts'
import type { Log } from '../log.ts'
import { audit } from './audit.ts'
import { minuteMs } from './rate-limit.ts'

/** The owner of a key that is no longer valid. */
export type KeyOwner = {
  readonly keyId: string
  readonly organizationId: string
  readonly workspaceId: string | null
  readonly livemode: boolean
}

/** Owners counted per minute. Failures of further owners count as the platform's. */
const ownersMax = 100
/** Minutes kept in memory while the event store is unavailable. The oldest is dropped first. */
const waitingMax = 10
/** The longest that `close` waits for an event store that does not answer. */
const closeMaxMs = 2_000

type Owner = Omit<KeyOwner, 'keyId'>
type Count = { readonly keyId: string | null; readonly prefix: string | null; count: number }
type Counts = { readonly owner: Owner; readonly listed: Map<string, Count>; others: number }
type Minute = { readonly startMs: number; readonly owners: Map<string, Counts> }

const ofPlatform: Owner = { organizationId: platform, workspaceId: null, livemode: false }
const bySystem = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Deps = {
  readonly store: EventStore
  readonly log: Log
  readonly now?: () => number
}

/**
 * Counts refused requests by key and network, and records the counts of each minute as one audit
 * event per owner: in the organization's stream for its revoked or expired keys, in the platform's
 * for everything else. What clients send cannot grow the memory or the ledger without bound. Each
 * process counts for itself; one that dies loses at most one minute of counts.
 */
export class FailedAuthentications {
  readonly #deps: Deps
  #current: Minute | null = null
  #waiting: Minute[] = []
  #timer: NodeJS.Timeout | null = null
  #recording: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Counts one refused request. Returns at once and never throws. */
  count(address: string, key: KeyOwner | null): void {
    const now = (this.#deps.now ?? Date.now)()
    const startMs = now - (now % minuteMs)
    if (this.#current?.startMs !== startMs) this.#begin(startMs)
    const { owners } = this.#current as Minute
    const counts = countsOf(owners, key ?? ofPlatform)
    const prefix = addressPrefix(address)
    const name = `${key?.keyId ?? ''} ${prefix}`
    const known = counts.listed.get(name)
    if (known !== undefined) known.count++
    else if (counts.listed.size >= failureCountsMax) counts.others++
    else counts.listed.set(name, { keyId: key?.keyId ?? null, prefix, count: 1 })
    this.#recordAfter(startMs + minuteMs - now)
  }

  /** Records the counts so far. Those that cannot be recorded are tried again a minute later. */
  async record(): Promise<void> {
    this.#end()
    this.#recording = this.#recording.then(() => this.#recordWaiting())
    await this.#recording
  }

  /** Records the remaining counts. Call it before closing the event store. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await Promise.race([this.record(), pause(closeMaxMs, undefined, { ref: false })])
  }

  #begin(startMs: number): void {
    this.#end()
    this.#current = { startMs, owners: new Map() }
  }

  #end(): void {
    if (this.#current === null) return
    this.#waiting = [...this.#waiting, this.#current].slice(-waitingMax)
    this.#current = null
  }

  #recordAfter(waitMs: number): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.record()
    }, waitMs)
    this.#timer.unref()
  }

  async #recordWaiting(): Promise<void> {
    for (let minute = this.#waiting[0]; minute !== undefined; minute = this.#waiting[0]) {
      for (const [name, counts] of minute.owners) {
        try {
          await recordCounts(this.#deps.store, minute.startMs, counts)
          minute.owners.delete(name)
        } catch (error) {
          this.#deps.log.warn({ err: error }, 'failed authentications could not be recorded yet')
          this.#recordAfter(minuteMs)
          return
        }
      }
      this.#waiting = this.#waiting.filter((each) => each !== minute)
    }
  }
}

function countsOf(owners: Map<string, Counts>, owner: Owner): Counts {
  const { organizationId, workspaceId, livemode } = owner
  const name = `${organizationId} ${workspaceId} ${livemode}`
  const known = owners.get(name)
  if (known !== undefined) return known
  if (owners.size >= ownersMax && organizationId !== platform) return countsOf(owners, ofPlatform)
  const counts = { owner: { organizationId, workspaceId, livemode }, listed: new Map(), others: 0 }
  owners.set(name, counts)
  return counts
}

async function recordCounts(
  store: EventStore,
  startMs: number,
  { owner, listed, others }: Counts,
): Promise<void> {
  const counts = [...listed.values()].map(({ keyId, prefix, count }) => ({
    key_id: keyId,
    address_prefix: prefix,
    count,
  }))
  await audit(store, {
    ...bySystem,
    ...owner,
    type: 'AuthenticationsFailed',
    data: { minute: new Date(startMs).toISOString(), counts, others },
  })
}

/**
 * The network of an address, so that the address itself is never recorded: the /24 of IPv4, the /48
 * of IPv6, null for anything else.
 */
export function addressPrefix(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv6) {
    return `${ipaddr.IPv6.networkAddressFromCIDR(`${withoutZone(parsed)}/48`)}/48`
  }
  return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/24`)}/24`
}

/** A link-local address may name an interface of this machine. */
function withoutZone(address: ipaddr.IPv6): string {
  return new ipaddr.IPv6(address.parts).toString()
}
