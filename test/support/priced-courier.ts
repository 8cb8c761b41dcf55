import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { operations } from '../../src/service/couriers/protocol.ts'
import type { Sums } from '../../src/service/domain/quote.ts'
import { agencyAt, box, refusal, success } from './connector-replies.ts'

/** How it answers a request for prices. `hangs`: never; the other one after the response's headers. */
type Behavior =
  | 'prices'
  | 'refuses'
  | 'fails'
  | 'unauthorized'
  | 'throttles'
  | 'hangs'
  | 'hangs_after_headers'
  | 'unreadable'
  | 'cannot_quote'

export type PricedCourier = {
  readonly url: string
  /** In minor units. Terrestrial; by air costs double. */
  price: { readonly amount: number; readonly currency: string }
  transitDays: { readonly min: number; readonly max: number }
  behavior: Behavior
  /** Whether it never answers a request for its agencies. */
  hidesAgencies: boolean
  /** How long it takes to answer a request for prices. */
  answerAfterMs: () => number
  /** Bodies of the requests for prices and guides. */
  // biome-ignore lint/suspicious/noExplicitAny: checked field by field
  readonly calls: { readonly path: string; readonly body: any }[]
  /** Called with each request for prices when it has arrived. */
  onQuote: () => void
  close(): Promise<void>
}

const agencies = [agencyAt('A1', 'Lima'), agencyAt('A2', 'Cusco'), agencyAt('A3', 'Piura')]

/** What it charges for the sums of a request, in percent. */
export const sumFeePercent = 2

function feeOf({ declared_value, cash_on_delivery }: Sums): number {
  const sum = (declared_value?.amount ?? 0) + (cash_on_delivery?.amount ?? 0)
  return (sum * sumFeePercent) / 100
}

/**
 * A courier over a real socket that gives prices as the test says, with a fee for the sums that it
 * takes, and creates each guide at its price.
 */
export async function pricedCourier(takes: readonly (keyof Sums)[] = []): Promise<PricedCourier> {
  let guides = 0
  const priceOf = (sums: Sums, factor = 1) => ({
    ...courier.price,
    amount: courier.price.amount * factor + feeOf(sums),
  })
  const rate = (sums: Sums, mode: string, factor: number) => ({
    service: { mode, payer: 'sender' },
    price: priceOf(sums, factor),
    breakdown: [{ code: 'freight', amount: priceOf(sums, factor).amount }],
    transit_days: courier.transitDays,
  })
  const quote = (response: ServerResponse, sums: Sums) => {
    switch (courier.behavior) {
      case 'prices':
        return success({ rates: [rate(sums, 'terrestrial', 1), rate(sums, 'air', 2)], errors: [] })
      case 'refuses':
        return refusal('not_served')
      case 'fails':
        return { status: 500, body: {} }
      case 'unauthorized':
        return refusal('credentials_refused', 401)
      case 'throttles':
        response.setHeader('retry-after', '60')
        return refusal('throttled', 429)
      case 'unreadable':
        return success({ rates: 'cheap' })
      case 'cannot_quote':
        return refusal('invalid_request', 501)
      case 'hangs':
        return null
      case 'hangs_after_headers':
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
        response.flushHeaders()
        return null
    }
  }
  const capabilities = () => {
    const all = { find: true, cancel: true, tracking: true, label: true, invoices: false }
    const taken = Object.fromEntries(takes.map((field) => [field, true]))
    return { ...all, ...taken, quote: courier.behavior !== 'cannot_quote' }
  }
  const replyTo = (path: string, response: ServerResponse, body: Sums) => {
    switch (path) {
      case operations.describe.path:
        return {
          status: 200,
          body: { protocol: 'v1', name: 'Priced', capabilities: capabilities() },
        }
      case operations.agencies.path:
        return courier.hidesAgencies ? null : success({ agencies })
      case operations.packageProducts.path:
        return success({ package_products: [box] })
      case operations.verifyCredentials.path:
        return success()
      case operations.quote.path:
        return quote(response, body)
      case operations.createGuide.path: {
        guides++
        const guide_number = `P${String(guides).padStart(8, '0')}`
        return success({ guide: { guide_number, pickup_code: null, price: priceOf(body) } })
      }
      default:
        return refusal('invalid_request')
    }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    const body = request.method === 'POST' ? ((await json(request)) as Sums) : {}
    if (path === operations.quote.path || path === operations.createGuide.path) {
      courier.calls.push({ path, body })
    }
    if (path === operations.quote.path) {
      courier.onQuote()
      const afterMs = courier.answerAfterMs()
      if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs))
    }
    const reply = replyTo(path, response, body)
    if (reply === null) return
    response.writeHead(reply.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(reply.body))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const courier: PricedCourier = {
    url: `http://127.0.0.1:${port}`,
    price: { amount: 1_000, currency: 'PEN' },
    transitDays: { min: 1, max: 2 },
    behavior: 'prices',
    hidesAgencies: false,
    answerAfterMs: () => 0,
    calls: [],
    onQuote: () => undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return courier
}
