import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, ApiClient } from '../../support/api-client.ts'

/** A new order so often: a steady load that leaves the two cores room for three nodes. */
const orderEveryMs = 100
/** Orders without an end; no new ones are sent above it. All of an outage of twenty seconds. */
const openMax = 500
/** The API answers everything within 40 s. */
export const settleMs = 45_000
const askAgainMs = 1_000
/** Until the time of an operation has come, asking more often says nothing new. */
const unknownAskAgainMs = 5_000
/** An order that got no end in the traffic gets it at the end, after the clock was advanced. */
const shopGivesUpMs = 60_000

export type OrderAnswer = {
  readonly key: string
  readonly at: number
  readonly ms: number
  /** The status and the reason, for counting. */
  readonly what: string
}

export type Order = {
  readonly key: string
  readonly firstSentAt: number
  /** Of its first 201. */
  createdAt: number | null
  readonly guides: Set<string>
  shipmentId: string | null
  last: Answer | null
}

/** What was told to shops that send an order each moment, and repeat with its key as they are told to. */
export class Orders {
  readonly #apis: readonly ApiClient[]
  readonly all: Order[] = []
  readonly answers: OrderAnswer[] = []
  /** Calls that were not answered in any way within the time of all answers. */
  neverSettled = 0
  #open = new Set<Promise<void>>()
  #isOver = false
  #sending: Promise<void> = Promise.resolve()

  constructor(apis: readonly ApiClient[]) {
    this.#apis = apis
  }

  start(): void {
    this.#sending = this.#send()
  }

  /** Sends no new ones and waits for the end of those that are open. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#sending
    await Promise.all(this.#open)
  }

  /** When an order first sent after a moment was first answered 201. */
  firstCreatedAfter(moment: number): number | null {
    const created = this.all.flatMap(({ firstSentAt, createdAt }) =>
      firstSentAt > moment && createdAt !== null ? [createdAt] : [],
    )
    return created.length === 0 ? null : Math.min(...created)
  }

  /** How often each answer was given in a stretch of time, and the slowest of them. */
  countsOf(from: number, to: number): string {
    const within = this.answers.filter(({ at }) => at >= from && at < to)
    const counts = new Map<string, number>()
    for (const { what } of within) counts.set(what, (counts.get(what) ?? 0) + 1)
    const slowest = within.reduce((most, { ms }) => Math.max(most, ms), 0)
    const shown = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return `${shown.map(([what, count]) => `${what} x ${count}`).join(', ')}; slowest ${Math.round(slowest)} ms`
  }

  /** Asks with an order's key until it has an end. */
  async ask(order: Order, forMs: number): Promise<void> {
    const until = performance.now() + forMs
    for (let tries = this.all.indexOf(order); performance.now() < until; tries++) {
      const answer = await this.#call(order, this.#apis[tries % this.#apis.length])
      order.last = answer
      if (answer !== null && isFinal(answer)) return
      await delay(askAgainAfterMs(answer))
    }
  }

  async #send(): Promise<void> {
    for (let due = performance.now(); !this.#isOver; due += orderEveryMs) {
      await delay(Math.max(0, due - performance.now()))
      if (this.#open.size >= openMax) continue
      const order: Order = {
        key: `order-${this.all.length}`,
        firstSentAt: performance.now(),
        createdAt: null,
        guides: new Set(),
        shipmentId: null,
        last: null,
      }
      this.all.push(order)
      const asking = this.ask(order, shopGivesUpMs).finally(() => this.#open.delete(asking))
      this.#open.add(asking)
    }
  }

  /** One call; null when the connection failed, or nothing came of it. */
  async #call(order: Order, api: ApiClient | undefined): Promise<Answer | null> {
    if (api === undefined) throw new Error('there is no process to ask')
    const sentAt = performance.now()
    const timer = new AbortController()
    const late = delay(settleMs, 'late' as const, { signal: timer.signal }).catch(() => null)
    const answer = await Promise.race([api.create(order.key).catch(() => null), late])
    timer.abort()
    const at = performance.now()
    const record = (what: string) =>
      this.answers.push({ key: order.key, at, ms: at - sentAt, what })
    if (answer === 'late') {
      this.neverSettled += 1
      record('nothing')
      return null
    }
    if (answer === null) {
      record('no connection')
      return null
    }
    record(answer.status === 201 ? '201' : `${answer.status} ${answer.body.reason}`)
    if (answer.status === 201) {
      order.createdAt ??= at
      order.shipmentId = answer.body.id
      order.guides.add(answer.body.guide_number)
    }
    return answer
  }
}

/** Any answer that means neither "try again" nor "not known yet". */
export function isFinal({ status, body }: Answer): boolean {
  if (status === 201) return true
  return status < 500 && body.retryable === false && body.reason !== 'unknown_outcome'
}

function askAgainAfterMs(answer: Answer | null): number {
  if (answer?.body.reason === 'unknown_outcome') return unknownAskAgainMs
  const seconds = Number(answer?.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : askAgainMs
}
