import { alternating, row } from '../support/bench-rounds.ts'
import { benchService } from '../support/bench-service.ts'

// Callers that ask with the same new key at once, beside creations one at a time. That each key has
// one guide, and one answer that is not a repetition, is checked with every answer.
// `npm run bench -- stampede [keys] [rounds]`

const keys = Number(process.argv[2] ?? 200)
const rounds = Number(process.argv[3] ?? 5)
const callers = 50
/** Enough answers for their p99. */
const alone = Math.max(keys, 1_000)
const name = 'stampede'

const service = await benchService({ courier: 'instant' })
try {
  await service.load({ path: '/v1/shipments', seconds: 3 })
  await service.callers({ callers, keys: 20 })
  const { single, all } = await alternating(rounds, {
    single: async () => (await service.callers({ callers: 1, keys: alone })).p99Ms,
    all: async () => (await service.callers({ callers, keys })).p99Ms,
  })
  row({ name, measured: 'one creation at a time, p99 ms', value: single, target: null })
  row({ name, measured: `${callers} callers with one key, p99 ms`, value: all, target: null })
  row({
    name,
    measured: `p99 of ${callers} callers with one key / of one creation`,
    value: all / single,
    target: { atMost: 3 },
  })
} finally {
  await service.stop()
}
