import { resolve } from 'node:path'
import { fleet } from '../../support/processes.ts'
import { random, seedOf } from '../../support/random.ts'
import { say } from '../../support/say.ts'
import { emptyDatabase } from '../../support/test-database.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { migrationsSince, rolling } from './rolling-run.ts'

// The previous version and this one side by side on one database during a rolling update, each
// restarted in turn under load. `PREVIOUS=<folder of a checkout> npm run prove:rolling [--
// <minutes>]`

const previous = process.env.PREVIOUS
if (previous === undefined) throw new Error('PREVIOUS must name the folder of a checkout')
const minutes = Number(process.argv[2] ?? 2)
const seed = seedOf('ROLLING_SEED')
say(`ROLLING_SEED=${seed}`)

await onScratchServer(async (ended) => {
  const checkout = resolve(previous)
  const database = await emptyDatabase(ended)
  const all = await fleet(ended, { database, checkout })
  const options = { previous: checkout, forMs: minutes * 60_000, draw: random(seed), say }
  const found = await rolling(all, options)
  for (const each of found.violations.slice(0, 50)) say(each)
  say(
    `rolling: ${minutes} min, ${migrationsSince(checkout).length} migrations, ${found.restarts} restarts, ${found.operations} operations, ${found.violations.length} violations`,
  )
  if (found.violations.length > 0) process.exitCode = 1
})
