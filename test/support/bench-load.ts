import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import type { BenchShop, LoadOptions, LoadResult } from './bench-service.ts'

/*
 * The load generator, a process of its own: takes LoadOptions as its argument, sends each request with
 * an idempotency key of its own unless one is given, and prints a LoadResult.
 */

const { url, path, key, body, shopsFile, connections, seconds, idempotencyKey, keyPrefix } =
  JSON.parse(process.argv[2] ?? '') as LoadOptions
const shops: readonly BenchShop[] =
  shopsFile === null ? [{ key, body }] : JSON.parse(readFileSync(shopsFile, 'utf8'))
let next = 0

function headersOf(shop: BenchShop): Record<string, string> {
  const authorization = `Bearer ${shop.key}`
  return shop.body === null
    ? { authorization }
    : { authorization, 'content-type': 'application/json' }
}

const result = await autocannon({
  url,
  connections,
  duration: seconds,
  timeout: 60,
  // The service closes a connection after a thousand requests, which autocannon takes for a failure.
  reconnectRate: 900,
  requests: [
    {
      method: body === null ? 'GET' : 'POST',
      path,
      headers: headersOf({ key, body }),
      ...(body === null
        ? {}
        : {
            body,
            setupRequest: (request) => {
              const number = next++
              const shop = shops[number % shops.length] ?? { key, body }
              return {
                ...request,
                body: shop.body ?? body,
                headers: {
                  ...headersOf(shop),
                  'idempotency-key': idempotencyKey ?? `${keyPrefix}-${number}`,
                },
              }
            },
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
