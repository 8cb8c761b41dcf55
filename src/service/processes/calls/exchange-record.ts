import type { CourierExchange } from '../../couriers/courier.ts'
import { type Instant, type JsonObject, rfc3339 } from '../../domain/decider.ts'
import type { Exchange } from '../../domain/event-fields.ts'
import type { ExchangeRecord } from '../../domain/operation/kind.ts'
import type { Keeper } from '../../security/vault/vault.ts'

/** Collects what was said to the courier during one call, safe retries included. */
export type ExchangeLog = {
  readonly onExchange: (exchange: CourierExchange) => void
  /** Keeps the bodies in the vault and answers what the event holds. */
  readonly record: (keeper: Keeper) => Promise<ExchangeRecord>
}

/** `beganAt`: when a request that took this long began, on the workspace's clock. */
export function exchangeLog(beganAt: (latencyMs: number) => Instant): ExchangeLog {
  const heard: (CourierExchange & { readonly at: Instant })[] = []
  return {
    onExchange: (exchange) => heard.push({ ...exchange, at: beganAt(exchange.latencyMs) }),
    record: async (keeper) => {
      if (heard.length === 0) return { exchanges: [], exchangesRef: null }
      const exchangesRef = await keeper.put({ exchanges: heard.map(bodiesOf) })
      const exchanges = heard.map(async (exchange, index): Promise<Exchange> => {
        const { request, response } = exchange
        return {
          at: rfc3339(exchange.at),
          call: exchange.call,
          attempt: index + 1,
          sent: exchange.sent,
          status_code: exchange.statusCode,
          failure: exchange.failure,
          latency_ms: exchange.latencyMs,
          courier_request_id: exchange.courierRequestId,
          request_digest: await keeper.bodyDigest(request),
          response_digest: response === null ? null : await keeper.bodyDigest(response),
        }
      })
      return { exchanges: await Promise.all(exchanges), exchangesRef }
    },
  }
}

/** A body that is not UTF-8 is kept in base64, so that its bytes can be checked. */
function bodiesOf({ request, response }: CourierExchange): JsonObject {
  return {
    request: request.toString('utf8'),
    response: response === null ? null : bodyOf(response),
  }
}

function bodyOf(body: Buffer): JsonObject {
  const text = body.toString('utf8')
  const isText = Buffer.from(text).equals(body)
  return isText ? { text } : { base64: body.toString('base64') }
}
