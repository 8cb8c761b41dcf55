import type { LoadOptions } from './bench-service.ts'
import { steadyLoad } from './steady-load.ts'

/* A steady load from a process of its own: takes LoadOptions as its argument and prints a LoadResult. */

const { url, path, key, body, connections, seconds, perSecond, idempotencyKey, keyPrefix } =
  JSON.parse(process.argv[2] ?? '') as LoadOptions
const answer = await steadyLoad({
  url,
  connections,
  seconds,
  perSecond: perSecond ?? 1,
  request: (number) => ({
    path,
    method: body === null ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      'idempotency-key': idempotencyKey ?? `${keyPrefix}-${number}`,
    },
    body,
  }),
})
process.stdout.write(JSON.stringify(answer))
