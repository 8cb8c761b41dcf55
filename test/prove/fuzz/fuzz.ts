import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { apiOf } from '../../../src/service/api.ts'
import { seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { noLogger, service } from '../../support/service.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { fuzzCouriers, fuzzReceivers } from './fuzz-answers.ts'
import { fuzzApi } from './fuzz-api.ts'

// Valid, nearly valid and hostile requests derived from the document, and hostile answers of
// couriers and webhook receivers: nothing may fail with an undocumented error. The seed of a run is
// printed; FUZZ_SEED repeats it. Run: npm run prove:fuzz [-- requests answers]

const requests = Number(process.argv[2] ?? 12_000)
const answers = Number(process.argv[3] ?? 4_000)
/** The heap growth allowed at the end; a leak of 10 KiB per request would exceed it. */
const heapGrowthMaxBytes = 100 * 1024 * 1024
/** A request that blocks the event loop for this long would delay all others. */
const delayMaxMs = 2_000
const shownMax = 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** The heap in use after garbage collection. */
function heapInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

const seed = seedOf('FUZZ_SEED')
say(`seed ${seed} (FUZZ_SEED=${seed} repeats it)`)
const violations: string[] = []
await onScratchServer(async (test) => {
  const shop = await service(test, { roles: ['api', 'projector'] })
  await shop.parts.db.updateTable('plans').set({ requests_per_minute: null }).execute()
  const { app, keys } = apiOf(shop.parts, noLogger())
  await app.ready()
  await fuzzApi(app, shop, { seed, requests: 1_000 })
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const heapBefore = heapInUse()
  const progress = (done: number) => say(`${done} of ${requests} requests`)
  const api = await fuzzApi(app, shop, { seed, requests, progress })
  say(`answers by status: ${JSON.stringify(api.statuses)}`)
  const couriers = await fuzzCouriers(test, { seed, answers })
  say(`${couriers.answers} courier answers: ${JSON.stringify(couriers.kinds)}`)
  const receivers = await fuzzReceivers(test, { seed, answers })
  say(`${receivers.answers} receiver answers: ${JSON.stringify(receivers.kinds)}`)
  delay.disable()
  const grown = heapInUse() - heapBefore
  const longestMs = Math.round(delay.max / 1e6)
  violations.push(...api.violations, ...couriers.violations, ...receivers.violations)
  if (grown > heapGrowthMaxBytes) violations.push(`the heap grew by ${grown} bytes`)
  if (longestMs > delayMaxMs) violations.push(`the event loop was held for ${longestMs} ms`)
  for (const each of violations.slice(0, shownMax)) say(`VIOLATION ${each}`)
  await app.close()
  await keys.close()
  say(
    `seed ${seed}: ${api.requests} requests, ${couriers.answers} courier answers, ${receivers.answers} receiver answers; heap ${Math.round(grown / 1024 / 1024)} MiB more, longest delay ${longestMs} ms; ${violations.length} violations`,
  )
})
if (violations.length > 0) process.exitCode = 1
