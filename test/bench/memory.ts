import { setTimeout as delay } from 'node:timers/promises'
import { median, row } from '../support/bench-rounds.ts'
import { type BenchService, benchService } from '../support/bench-service.ts'
import { say } from '../support/say.ts'

// The memory of the service's process after many creations against after few. A million takes an hour
// or so, which is why fewer are the default: `npm run bench -- memory 1000000`.
// `npm run bench -- memory [many] [few]`

const many = Number(process.argv[2] ?? 100_000)
const few = Number(process.argv[3] ?? 10_000)
/** Between two lines of progress. */
const loadSeconds = 10
/** So many looks, each so long after the one before, once everything is in the read models. */
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
    while (made < count) {
      const { done } = await service.load({ path: '/v1/shipments', seconds: loadSeconds })
      made += done
      const now = (await service.memoryBytes()) / 2 ** 20
      say(`  ${made} of ${count} shipments, ${now.toFixed(0)} MB`)
    }
    const used = await megabytes(service)
    row({ name, measured: `MB after ${made} creations`, value: used, target: null })
    return used
  }
  const before = await createUpTo(few)
  const after = await createUpTo(many)
  const measured = `after ${many} creations / after ${few}`
  row({ name, measured, value: after / before, target: { atMost: 1.2 } })
  if (many < 1_000_000) say('  for a million creations: npm run bench -- memory 1000000')
} finally {
  await service.stop()
}
