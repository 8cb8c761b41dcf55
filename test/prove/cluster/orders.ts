import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, ApiClient } from '../../support/api-client.ts'

/** Time between new orders: a steady load that leaves room for three nodes on two cores. */
const orderEveryMs = 100
/**
 * The most open orders, at which no new ones are sent: as many as an outage of twenty seconds
 * leaves.
 */
const openMax = 500
/** The API answers everything within 40 s. */
const settleMs = 45_000
const askAgainMs = 1_000
/** More frequent requests would return the same until the operation is due. */
const unknownAskAgainMs = 5_000
/** When a shop stops repeating. The order's end is checked later, after an advance of the clock. */
const shopGivesUpMs = 60_000

export type OrderAnswer = {
  readonly key: string
  readonly at: number
  readonly ms: number
  /** The status and reason, for counting. */
  readonly what: string
}

export type Order = {
  readonly key: string
  readonly firstSentAt: number
  /** The time of its first 201. */
  createdAt: number | null
  readonly guides: Set<string>
  shipmentId: string | null
  last: Answer | null
}

/**
 * Sends orders at a steady rate, repeats their keys as the answers advise, and keeps every answer.
 */
export class Orders {
  readonly #apis: readonly ApiClient[]
  readonly all: Order[] = []
  readonly answers: OrderAnswer[] = []
  /** Calls without an answer in time. */
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

  /** Stops sending new orders and waits for the end of the open ones. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#sending
    await Promise.all(this.#open)
  }

  /** The time at which the first order sent after `moment` got a 201. */
  firstCreatedAfter(moment: number): number | null {
    const created = this.all.flatMap(({ firstSentAt, createdAt }) =>
      firstSentAt > moment && createdAt !== null ? [createdAt] : [],
    )
    return created.length === 0 ? null : Math.min(...created)
  }

  /** The number of each kind of answer in a period, and the slowest. */
  countsOf(from: number, to: number): string {
    const within = this.answers.filter(({ at }) => at >= from && at < to)
    const counts = new Map<string, number>()
    for (const { what } of within) counts.set(what, (counts.get(what) ?? 0) + 1)
    const slowest = within.reduce((most, { ms }) => Math.max(most, ms), 0)
    const shown = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
    return `${shown.map(([what, count]) => `${what} x ${count}`).join(', ')}; slowest ${Math.round(slowest)} ms`
  }

  /** Repeats an order's key until its answer is final. */
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

  /** One call; null if the connection failed or no answer came in time. */
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
