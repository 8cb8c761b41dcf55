import { crashableServer } from '../../support/crashable-server.ts'
import { fleet } from '../../support/processes.ts'
import { random, seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { untilClosed } from '../../support/until-closed.ts'
import { soak } from './soak-run.ts'

// Two API processes, a worker and PostgreSQL are killed at random under load, while the courier
// stays up and keeps the true record. `npm run prove:soak [-- <minutes>]`; with EVENT_STORE_URL on
// that server.

/** A run of at least this many minutes must have done this much. */
const wholeMinutes = 10
const killsMin = 500
const operationsMin = 20_000
const minutes = Number(process.argv[2] ?? 10)
const seed = seedOf('SOAK_SEED')
say(`SOAK_SEED=${seed}`)

await untilClosed(async (ended) => {
  const database = await crashableServer(ended)
  const all = await fleet(ended, { database })
  const options = { forMs: minutes * 60_000, draw: random(seed), say }
  const found = await soak(all, database, options)
  for (const each of found.violations.slice(0, 50)) say(each)
  say(
    `soak: ${minutes} min, ${found.kills} kills (${found.databaseKills} of PostgreSQL), ${found.operations} operations, ${found.lost} lost, ${found.late} late, ${found.doubled} doubled, ${found.violations.length} violations`,
  )
  if (found.lost + found.late + found.doubled + found.violations.length > 0) process.exitCode = 1
  if (minutes < wholeMinutes) return
  const { kills, operations } = found
  for (const [what, count, least] of [
    ['kills', kills, killsMin],
    ['operations', operations, operationsMin],
  ] as const) {
    if (count >= least) continue
    say(`only ${count} ${what} of the ${least} that prove something`)
    process.exitCode = 1
  }
})
