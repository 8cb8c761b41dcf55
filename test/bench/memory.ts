import { setTimeout as delay } from 'node:timers/promises'
import { say } from '../support/say.ts'
import { median, row } from './support/bench-rounds.ts'
import { type BenchService, benchService } from './support/bench-service.ts'

// Measures the memory of the service's process after many creations compared with after few, and
// the rate of the last ones. A million takes about an hour, so the default is less: `npm run bench
// -- memory 1000000`. `npm run bench -- memory [many] [few]`

const many = Number(process.argv[2] ?? 100_000)
const few = Number(process.argv[3] ?? 10_000)
/** Between two lines of progress. */
const loadSeconds = 10
/** The rate of creations is the median of this many measurements. */
const ratesMin = 3
/** Memory is sampled this many times, at this interval, once the read models have caught up. */
const looks = 5
const lookEveryMs = 1_000

async function megabytes(service: BenchService): Promise<number> {
  await service.caughtUp()
  const found: number[] = []
  for (let look = 0; look < looks; look++) {
    await delay(lookEveryMs)
    found.push((await service.memoryBytes()) / 2 ** 20)
  }
  return median(found)
}

const name = 'memory'
const service = await benchService({ courier: 'instant' })
try {
  let made = 0
  const createUpTo = async (count: number) => {
    const rates: number[] = []
    while (made < count || rates.length < ratesMin) {
      const { done, perSecond } = await service.load({
        path: '/v1/shipments',
        seconds: loadSeconds,
      })
      made += done
      rates.push(perSecond)
      const now = (await service.memoryBytes()) / 2 ** 20
      say(`  ${made} of ${count} shipments, ${now.toFixed(0)} MB`)
    }
    const used = await megabytes(service)
    row({ name, measured: `MB after ${made} creations`, value: used, target: null })
    return { used, perSecond: median(rates.slice(-ratesMin)) }
  }
  const before = await createUpTo(few)
  const after = await createUpTo(many)
  const measured = `after ${many} creations / after ${few}`
  row({ name, measured, value: after.used / before.used, target: { atMost: 1.2 } })
  const rate = `creations/s ${measured}`
  row({ name, measured: rate, value: after.perSecond / before.perSecond, target: null })
  if (many < 1_000_000) say('  for a million creations: npm run bench -- memory 1000000')
} finally {
  await service.stop()
}
