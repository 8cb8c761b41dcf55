import { setTimeout as delay } from 'node:timers/promises'
import { shipmentIdOf } from '../../../src/service/domain/ids.ts'
import type { Answer, ApiClient } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Shop, Shops } from './shops.ts'

export type Sent = {
  readonly what: 'create' | 'repeat' | 'cancel' | 'batch'
  readonly order: Order
  readonly sentAt: number
  readonly at: number
  /** Null if the connection failed. */
  readonly answer: Answer | null
  /** The status and reason, for counting. */
  readonly said: string
}

/** What a shop wants to ship once, under one key. */
export type Order = {
  readonly key: string
  readonly shop: Shop
  readonly scenario: string | undefined
  /** The shipment of the key; null for a batch line until it is known. */
  shipmentId: string | null
  readonly isLine: boolean
  readonly firstSentAt: number
  /** The guides with which it was answered. */
  readonly guides: Set<string>
  acknowledgedAt: number | null
  isCancelled: boolean
}

type Batch = {
  readonly shop: Shop
  readonly reference: string
  readonly orders: readonly Order[]
  id: string | null
}

/** The shares of each kind of request. */
const shares = { repeat: 0.2, cancel: 0.05, batch: 0.03, test: 0.25 }
const batchLines = 4
const openMax = 400
/** The pause between repetitions while a final answer is missing. */
const askAgainMs = 500
const askedAtOnce = 8

/** Shops that send orders at a steady rate, repeat some, cancel some and send some in batches. */
export class Shoppers {
  readonly #shops: Shops
  readonly #random: () => number
  readonly #name: string
  readonly orders: Order[] = []
  readonly batches: Batch[] = []
  readonly sent: Sent[] = []
  /** Answers that the document does not declare, and other errors of calls. */
  readonly faults: string[] = []
  readonly #open = new Set<Promise<unknown>>()
  #isOver = true
  #sending: Promise<void> = Promise.resolve()

  constructor(shops: Shops, random: () => number, name: string) {
    this.#shops = shops
    this.#random = random
    this.#name = name
  }

  start(perSecond: number): void {
    this.#isOver = false
    this.#sending = this.#send(1_000 / perSecond)
  }

  /** Stops sending and waits for the answers. */
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#sending
    await Promise.all(this.#open)
  }

  /** Sends a new order; the steady load does not await it. */
  create(mode: Shop['mode'], scenario?: string): Promise<Sent> {
    const order = this.#order(this.#shops[mode], `${this.#name}-${this.orders.length}`, scenario)
    return this.#ask('create', order)
  }

  /** The number of each kind of answer in a period. */
  countsOf(from: number, to: number): string {
    const counts = new Map<string, number>()
    for (const { what, said, at } of this.sent) {
      if (at < from || at >= to) continue
      const named = `${what} ${said}`
      counts.set(named, (counts.get(named) ?? 0) + 1)
    }
    return [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([said, count]) => `${said} x ${count}`)
      .join(', ')
  }

  /** Sends every key again, including batches, until each has its final answer or time is up. */
  async sendAllAgain(withinMs: number): Promise<readonly Sent[]> {
    const until = performance.now() + withinMs
    const waiting = this.orders.filter(({ isLine }) => !isLine)
    const last: Sent[] = []
    const ask = async (order: Order) => {
      for (;;) {
        const sent = await this.#ask('repeat', order)
        if (isFinal(sent) || performance.now() > until) {
          last.push(sent)
          return
        }
        await delay(askAgainMs)
      }
    }
    const askRest = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await ask(next)
    }
    await Promise.all(Array.from({ length: askedAtOnce }, askRest))
    // A key whose outcome stays unknown may have used all of the time.
    const batchesUntil = performance.now() + withinMs
    for (const batch of this.batches)
      await this.#endBatch(batch, Math.max(1_000, batchesUntil - performance.now()))
    // The database may have answered a line whose shipment the ledger has lost.
    waiting.push(...this.batches.flatMap(({ orders }) => orders))
    await Promise.all(Array.from({ length: askedAtOnce }, askRest))
    return last
  }

  async #send(everyMs: number): Promise<void> {
    for (let due = performance.now(); !this.#isOver; due += everyMs) {
      await delay(Math.max(0, due - performance.now()))
      if (this.#open.size >= openMax) continue
      const sending: Promise<unknown> = this.#one().finally(() => this.#open.delete(sending))
      this.#open.add(sending)
    }
  }

  #one(): Promise<unknown> {
    const choice = this.#random()
    const mode = this.#random() < shares.test ? 'test' : 'live'
    const known = this.orders.filter(
      ({ acknowledgedAt, isLine }) => acknowledgedAt !== null && !isLine,
    )
    const any = known[Math.floor(this.#random() * known.length)]
    if (any !== undefined) {
      if (choice < shares.repeat) return this.#ask('repeat', any)
      if (choice < shares.repeat + shares.cancel) return this.#cancel(any)
    }
    if (choice > 1 - shares.batch) return this.#sendBatch(this.#batch(this.#shops[mode]))
    return this.create(mode)
  }

  #order(shop: Shop, key: string, scenario: string | undefined, isLine = false): Order {
    const { organizationId, workspaceId, mode } = shop
    const livemode = mode === 'live'
    const order: Order = {
      key,
      shop,
      scenario,
      shipmentId: isLine
        ? null
        : shipmentIdOf({ organizationId, workspaceId, livemode, idempotencyKey: key }),
      isLine,
      firstSentAt: performance.now(),
      guides: new Set(),
      acknowledgedAt: null,
      isCancelled: false,
    }
    this.orders.push(order)
    return order
  }

  #batch(shop: Shop): Batch {
    const reference = `${this.#name}-batch-${this.batches.length}`
    const orders = Array.from({ length: batchLines }, (_, line) =>
      this.#order(shop, `${reference}-${line}`, undefined, true),
    )
    const batch: Batch = { shop, reference, orders, id: null }
    this.batches.push(batch)
    return batch
  }

  #api(shop: Shop): ApiClient {
    return shop.apis[Math.floor(this.#random() * shop.apis.length)] as ApiClient
  }

  async #ask(what: 'create' | 'repeat', order: Order): Promise<Sent> {
    const { shop, key, scenario } = order
    const sent = await this.#record(what, order, () =>
      this.#api(shop).create(key, {
        body: { declared_content: key },
        ...(scenario === undefined ? {} : { scenario }),
      }),
    )
    const { answer } = sent
    if (answer?.status === 201) {
      order.acknowledgedAt ??= sent.at
      if (answer.body.guide_number !== null) order.guides.add(answer.body.guide_number)
    }
    return sent
  }

  async #cancel(order: Order): Promise<Sent> {
    const { shop, key, shipmentId } = order
    const headers = { 'idempotency-key': `cancel-${key}` }
    const sent = await this.#record('cancel', order, () =>
      this.#api(shop).call(`/v1/shipments/${shipmentId}/cancel`, { method: 'POST', headers }),
    )
    if (sent.answer !== null && sent.answer.status < 300) order.isCancelled = true
    return sent
  }

  async #sendBatch(batch: Batch): Promise<Sent> {
    const { shop, reference, orders } = batch
    const api = this.#api(shop)
    const { workspace_id, courier_connection_id } = api.bodyOf('')
    const items = orders.map(({ key }) => {
      const { workspace_id: _, courier_connection_id: __, ...line } = api.bodyOf(key)
      return { ...line, idempotency_key: key, declared_content: key }
    })
    const body = { external_reference: reference, workspace_id, courier_connection_id, items }
    const headers = { 'idempotency-key': reference }
    const [order] = orders as readonly [Order, ...Order[]]
    const sent = await this.#record('batch', order, () =>
      api.call('/v1/batches', { headers, body }),
    )
    if (sent.answer !== null && sent.answer.status < 300) batch.id = sent.answer.body.id
    return sent
  }

  /** Sends the batch again and waits for its lines. */
  async #endBatch(batch: Batch, withinMs: number): Promise<void> {
    const api = this.#api(batch.shop)
    const until = performance.now() + withinMs
    try {
      await eventually(
        () => this.#sendBatch(batch),
        ({ answer }) => answer !== null && answer.status < 300,
        withinMs,
      )
      await eventually(
        () => api.call(`/v1/batches/${batch.id}`),
        ({ body }) => body.status === 'completed',
        withinMs,
      )
      // A line with an unknown outcome has ended, but gets its guide only once that is found.
      const left = Math.max(1, until - performance.now())
      const read = () => api.call(`/v1/batches/${batch.id}/items`)
      const hasGuides = ({ body }: Answer) =>
        body.data.every(({ state }: { readonly state: string }) => hasGuide.has(state))
      const { body } = await eventually(read, hasGuides, left).catch(read)
      for (const item of body.data) {
        const order = batch.orders.find(({ key }) => key === item.external_reference)
        if (order !== undefined) order.shipmentId = item.shipment_id
        if (!hasGuide.has(item.state)) {
          this.faults.push(`${item.external_reference}: ${item.state} ${item.error?.reason}`)
        }
      }
    } catch (error) {
      this.faults.push(`${batch.reference}: ${String(error).slice(0, 300)}`)
    }
  }

  async #record(what: Sent['what'], order: Order, ask: () => Promise<Answer>): Promise<Sent> {
    const sentAt = performance.now()
    const answer = await ask().catch((error: unknown) => {
      const { cause, name } = error as Error & { cause?: { code?: string } }
      if (cause?.code === undefined && name !== 'TimeoutError')
        this.faults.push(`${what} ${order.key}: ${String(error).slice(0, 300)}`)
      return null
    })
    const said =
      answer === null ? 'no answer' : `${answer.status} ${answer.body?.reason ?? ''}`.trimEnd()
    const sent: Sent = { what, order, sentAt, at: performance.now(), answer, said }
    this.sent.push(sent)
    return sent
  }
}

const hasGuide: ReadonlySet<string> = new Set(['created', 'cancelling', 'cancelled'])

/** Whether the repetition of a key is over. */
function isFinal({ answer }: Sent): boolean {
  if (answer === null) return false
  const { status, body } = answer
  return (
    status === 201 ||
    (status < 500 && body.retryable === false && body.reason !== 'unknown_outcome')
  )
}
