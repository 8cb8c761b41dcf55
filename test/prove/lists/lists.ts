import { say } from '../../support/say.ts'
import { scratchServer, scratchVariable } from '../../support/scratch-server.ts'
import { service } from '../../support/service.ts'
import { listPlans } from './list-plans.ts'
import { fillLists } from './list-rows.ts'

// Every list with every filter, on tables of a million rows each: no query reads a whole table, or
// more than a page needs. Run: npm run prove:lists [-- rows]

const rows = Number(process.argv[2] ?? 1_000_000)
const closers: (() => Promise<unknown>)[] = []
const server = await scratchServer()
try {
  process.env[scratchVariable] = server.adminUrl
  // Without the worker, which would query due work while the tables have no index.
  const roles = ['api', 'projector'] as const
  const shop = await service({ teardown: (fn) => closers.push(fn) }, { roles })
  const lost = await shop.create('model', { scenario: 'lost_response_guide_created' })
  const model = { shipmentId: lost.body.shipment_id, operationId: lost.body.operation_id }
  say(`Filling the tables of lists with ${rows} rows each.`)
  const filledAt = performance.now()
  const filled = await fillLists(shop, model, rows)
  say(`Filled in ${Math.round((performance.now() - filledAt) / 1_000)} s.`)
  const plans = await listPlans(shop, filled, { paired: true })
  for (const { request, ms, buffers, removed, indexes, fault } of plans) {
    const figures = `${ms.toFixed(1).padStart(8)} ms ${String(buffers).padStart(6)} buffers`
    const mark = fault === null ? 'ok   ' : 'FAULT'
    const why = fault === null ? indexes.join(' ') : `${fault} [${indexes.join(' ')}]`
    say(`${mark} ${figures} ${String(removed).padStart(5)} left out  ${request}  ${why}`)
  }
  const faults = plans.filter(({ fault }) => fault !== null)
  const slowest = Math.max(...plans.map(({ ms }) => ms))
  say(`${plans.length} requests, ${faults.length} at fault; the slowest ${slowest.toFixed(1)} ms.`)
  if (faults.length > 0) process.exitCode = 1
} finally {
  for (const close of closers.toReversed()) await close()
  await server.stop()
}
