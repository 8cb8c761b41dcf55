import autocannon from 'autocannon'
import type { LoadOptions, LoadResult } from './bench-service.ts'

/*
 * The load generator, in a process of its own: takes LoadOptions as its argument, sends each
 * request with a new idempotency key unless one is given, and prints a LoadResult.
 */

const { url, path, key, body, connections, seconds, idempotencyKey, keyPrefix } = JSON.parse(
  process.argv[2] ?? '',
) as LoadOptions
const authorization = `Bearer ${key}`
const headers =
  body === null ? { authorization } : { authorization, 'content-type': 'application/json' }
let next = 0

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 60,
  // The service closes a connection after a thousand requests, which autocannon would count as a
  // failure.
  reconnectRate: 900,
  requests: [
    {
      method: body === null ? 'GET' : 'POST',
      path,
      headers,
      ...(body === null
        ? {}
        : {
            body,
            setupRequest: (request) => ({
              ...request,
              headers: {
                ...headers,
                'idempotency-key': idempotencyKey ?? `${keyPrefix}-${next++}`,
              },
            }),
          }),
    },
  ],
})
const answer: LoadResult = {
  done: result['2xx'],
  failed: result.non2xx + result.errors + result.timeouts,
  perSecond: result['2xx'] / result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
}
process.stdout.write(JSON.stringify(answer))
