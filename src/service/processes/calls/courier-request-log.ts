import type { CourierExchange } from '../../couriers/courier.ts'
import { type Instant, type JsonObject, rfc3339 } from '../../domain/decider.ts'
import type { Exchange } from '../../domain/event-fields.ts'
import type { ExchangeRecord } from '../../domain/operation/kind.ts'
import type { ItemWriter } from '../../security/vault/vault.ts'

/** Collects the requests to the courier during one call, including safe retries. */
export type CourierRequestLog = {
  readonly onExchange: (exchange: CourierExchange) => void
  /** Seals the bodies for the vault and returns the part that goes into the event. */
  readonly record: (writer: ItemWriter) => ExchangeRecord
}

/** `beganAt` converts a request's latency to its start on the workspace's clock. */
export function courierRequestLog(beganAt: (latencyMs: number) => Instant): CourierRequestLog {
  const entries: (CourierExchange & { readonly at: Instant })[] = []
  return {
    onExchange: (exchange) => entries.push({ ...exchange, at: beganAt(exchange.latencyMs) }),
    record: (writer) => {
      if (entries.length === 0) return { exchanges: [], exchangesRef: null }
      const exchangesRef = writer.write({ exchanges: entries.map(bodiesOf) })
      const exchanges = entries.map((exchange, index): Exchange => {
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
          request_digest: writer.bodyDigest(request),
          response_digest: response === null ? null : writer.bodyDigest(response),
        }
      })
      return { exchanges, exchangesRef }
    },
  }
}

/** Bodies that are not UTF-8 are stored as base64, so that their bytes can be verified. */
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
