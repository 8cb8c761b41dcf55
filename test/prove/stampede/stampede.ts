import { fleet } from '../../support/processes.ts'
import { say } from '../../support/say.ts'
import { onScratchServer } from '../../support/until-closed.ts'
import { keyStampede } from './key-stampede.ts'

// A thousand keys with fifty concurrent callers each, over two API processes on one database: each
// key has one guide, one courier call, and one answer that says it created the shipment. `npm run
// prove:stampede [-- <keys>]`

const keys = Number(process.argv[2] ?? 1_000)
const callers = 50

await onScratchServer(async (ended) => {
  const beganAt = performance.now()
  const all = await fleet(ended)
  const processes = [await all.start({ roles: 'api' }), await all.start({ roles: 'api' })]
  const found = await keyStampede(all, processes, { keys, callers, say })
  const seconds = (performance.now() - beganAt) / 1_000
  for (const each of found.violations.slice(0, 50)) say(each)
  say(
    `${found.made} made, ${found.replayed} replayed, ${found.inFlight} in flight, ${found.shed} told to retry`,
  )
  say(
    `stampede: ${keys} keys x ${callers} callers in ${Math.round(seconds)} s, ${found.guides} guides, ${found.calls} courier calls, ${found.violations.length} violations`,
  )
  if (found.violations.length > 0) process.exitCode = 1
})
