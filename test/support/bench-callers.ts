import { Pool } from 'undici'
import { quantile } from './bench-rounds.ts'
import type { CallersOptions, CallersResult } from './bench-service.ts'

/*
 * Callers that ask with the same key at once, one key after another, from a process of its own: takes
 * CallersOptions as its argument and prints a CallersResult. Fails unless all of a key's callers are
 * answered 201 with one guide, and all but one of them as a repetition.
 */

const { url, key, body, callers, keys, keyPrefix } = JSON.parse(
  process.argv[2] ?? '',
) as CallersOptions
const pool = new Pool(url, { connections: callers, pipelining: 1 })
const latenciesMs: number[] = []

async function ask(idempotencyKey: string) {
  const beganAt = performance.now()
  const {
    statusCode,
    headers,
    body: answered,
  } = await pool.request({
    path: '/v1/shipments',
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    },
    body,
  })
  const text = await answered.text()
  latenciesMs.push(performance.now() - beganAt)
  return { statusCode, text, isReplayed: headers['idempotent-replayed'] === 'true' }
}

function check(answers: readonly Awaited<ReturnType<typeof ask>>[]): void {
  const refused = answers.find(({ statusCode }) => statusCode !== 201)
  if (refused) throw new Error(`answered ${refused.statusCode}: ${refused.text}`)
  const made = answers.filter(({ isReplayed }) => !isReplayed).length
  const results = new Set(
    answers.map(({ text }) => {
      const { id, guide_number: guideNumber } = JSON.parse(text)
      if (!id || !guideNumber) throw new Error(`there is no guide in ${text}`)
      return `${id} ${guideNumber}`
    }),
  )
  if (made !== 1 || results.size !== 1) {
    throw new Error(`a key has ${results.size} results, ${made} of them made`)
  }
}

for (let number = 0; number < keys; number++) {
  const idempotencyKey = `${keyPrefix}-${number}`
  check(await Promise.all(Array.from({ length: callers }, () => ask(idempotencyKey))))
}
await pool.close()
const found: CallersResult = {
  p50Ms: quantile(latenciesMs, 0.5),
  p99Ms: quantile(latenciesMs, 0.99),
}
process.stdout.write(JSON.stringify(found))
