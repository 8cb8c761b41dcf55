import { alternating, row } from './support/bench-rounds.ts'
import { benchService } from './support/bench-service.ts'

// Measures repeating a finished key over 50 connections, compared with a route that does nothing.
// `npm run bench -- replay-key [seconds] [rounds]`

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
const idempotencyKey = 'bench-finished'
const name = 'replay-key'

const service = await benchService({ courier: 'instant' })
try {
  const again = { path: '/v1/shipments', idempotencyKey }
  await service.load({ ...again, connections: 1, seconds: 1 })
  await service.load({ ...again, seconds: 3 })
  const { nothing, replays } = await alternating(rounds, {
    nothing: async () => (await service.load({ path: '/v1/bench/nothing', seconds })).perSecond,
    replays: async () => (await service.load({ ...again, seconds })).perSecond,
  })
  row({ name, measured: 'repetitions/s', value: replays, target: null })
  row({
    name,
    measured: 'repetitions / requests that do nothing',
    value: replays / nothing,
    target: { atLeast: 0.4 },
  })
} finally {
  await service.stop()
}
