import ipaddr from 'ipaddr.js'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Log } from '../log.ts'

/** The rate limit state returned to a request. */
type Rate = {
  readonly isAllowed: boolean
  readonly limit: number
  /** Requests left in this minute, as far as this process knows. */
  readonly remaining: number
  /** Seconds to the next minute, at least one. */
  readonly resetSeconds: number
}

/** Counts shared by several processes. Throws when the store is unreachable. */
export type SharedCounts = {
  /** Adds to a name's count of that minute and returns the new count. */
  readonly add: (name: string, minute: number, count: number) => Promise<number>
}

export const minuteMs = 60_000
/** Names counted at once; beyond this, the oldest entry is evicted. */
export const countedMax = 10_000
/** How often processes exchange their counts, and so how old another process's counts can be. */
const shareEveryMs = 1_000
/**
 * Names per exchange, one short statement each; the others wait for the next exchange. Together
 * they take less than half of the time between two exchanges.
 */
const sharedMax = 500
/**
 * A name is exchanged once it has used this part of its limit: below it, fifty processes together
 * cannot exceed the limit.
 */
const shareFrom = 1 / 50

type Count = { minute: number; limit: number; used: number; unsent: number }

/**
 * Counts requests by name in calendar minutes. A request costs a look-up in memory; processes
 * exchange their counts once a second, outside the requests. With one process a limit is exact.
 * With several it can be exceeded by what the others admit within that second, plus a fiftieth of
 * the limit for each. While the store is unreachable, each process counts for itself.
 */
export class RateLimit {
  readonly #counts = new Map<string, Count>()
  readonly #shared: SharedCounts | null
  readonly #log: Log
  readonly #now: () => number
  readonly #everyMs: number
  #timer: NodeJS.Timeout | null = null
  #sharing: Promise<void> | null = null
  #isClosed = false

  constructor(options: {
    /** Null = each process counts for itself. */
    readonly shared: SharedCounts | null
    readonly log: Log
    readonly now?: () => number
    readonly shareEveryMs?: number
  }) {
    this.#shared = options.shared
    this.#log = options.log
    this.#now = options.now ?? Date.now
    this.#everyMs = options.shareEveryMs ?? shareEveryMs
  }

  /** Counts one request unless the limit is reached. Refused requests are not counted. */
  take(name: string, limit: number): Rate {
    const now = this.#now()
    const count = this.#countOf(name, Math.floor(now / minuteMs), limit)
    const isAllowed = count.used < limit
    if (isAllowed) {
      count.used++
      count.unsent++
      if (count.used >= limit * shareFrom) this.#shareSoon()
    }
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit - count.used),
      resetSeconds: Math.max(1, Math.ceil((minuteMs - (now % minuteMs)) / 1_000)),
    }
  }

  /** Releases the store. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await this.#sharing
  }

  #countOf(name: string, minute: number, limit: number): Count {
    const known = this.#counts.get(name)
    if (known?.minute === minute) {
      known.limit = limit
      return known
    }
    this.#counts.delete(name)
    if (this.#counts.size >= countedMax) this.#counts.delete(this.#counts.keys().next().value!)
    const count = { minute, limit, used: 0, unsent: 0 }
    this.#counts.set(name, count)
    return count
  }

  #shareSoon(): void {
    if (this.#shared === null || this.#timer !== null || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#sharing = this.#share(this.#shared as SharedCounts).finally(() => {
        this.#timer = null
        if (!this.#isClosed && this.#due().length > 0) this.#shareSoon()
      })
    }, this.#everyMs)
    this.#timer.unref()
  }

  /** The counts of this minute that are not shared yet. */
  #due(): readonly (readonly [string, Count])[] {
    const minute = Math.floor(this.#now() / minuteMs)
    return [...this.#counts].filter(
      ([, count]) =>
        count.unsent > 0 && count.minute === minute && count.used >= count.limit * shareFrom,
    )
  }

  async #share(shared: SharedCounts): Promise<void> {
    for (const [name, count] of this.#due().slice(0, sharedMax)) {
      const { minute } = count
      const sent = count.unsent
      count.unsent = 0
      try {
        const total = await shared.add(name, minute, sent)
        count.used = Math.max(count.used, total + count.unsent)
      } catch (error) {
        count.unsent += sent
        this.#log.warn({ err: error }, 'rates of requests cannot be shared; each process counts')
        return
      }
    }
  }
}

/**
 * Rows are kept this long after their minute, so that processes with slightly different clocks
 * share a count.
 */
const keptSeconds = 90

/** Counts in PostgreSQL, in the table created by the migrations. */
export function sharedCounts(pool: Pool): SharedCounts {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'request_rates',
    tableCreated: true,
    keyPrefix: '',
    // `RateLimit` refuses requests; this only shares the counts.
    points: Number.MAX_SAFE_INTEGER,
    duration: keptSeconds,
  })
  return {
    add: async (name, minute, count) =>
      (await limiter.penalty(`${name}:${minute}`, count)).consumedPoints,
  }
}

/**
 * The network that identifies a client: the address itself for IPv4, the /64 for IPv6, because one
 * owner controls all of it.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
