import { fleet } from '../../support/processes.ts'
import { say } from '../../support/say.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { killedBatch } from './killed-batch.ts'

// A batch of ten thousand lines whose worker is killed five times: one guide for each line in the courier's
// own record. `npm run prove:batches [-- <lines> <kills>]`

const lines = Number(process.argv[2] ?? 10_000)
const kills = Number(process.argv[3] ?? 5)

await onScratchServer(async (ended) => {
  const found = await killedBatch(await fleet(ended), { lines, kills, say })
  for (const each of found.violations.slice(0, 50)) say(each)
  say(
    `batches: ${lines} lines, ${kills} kills in ${Math.round(found.seconds)} s, ${found.guides} guides, ${found.calls} courier calls, ${found.violations.length} violations`,
  )
  if (found.violations.length > 0) process.exitCode = 1
})
