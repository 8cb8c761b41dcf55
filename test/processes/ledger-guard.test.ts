import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { Problem } from '../../src/service/errors.ts'
import { HistoryDiverged } from '../../src/service/event-store/event-store.ts'
import { positionOf } from '../../src/service/event-store/position.ts'
import { LedgerGuard } from '../../src/service/processes/recovery/ledger-guard.ts'
import { stoppedWhileDamaged } from '../../src/service/processes/recovery/stopped-couriers.ts'
import { noLog } from '../support/no-log.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, courier, query } = await processParts(t)
const { db } = deps

function guardOf() {
  let restarts = 0
  const guard = new LedgerGuard({ db, log: noLog, restartStore: () => restarts++ })
  return { guard, restarts: () => restarts }
}

const diverged = () =>
  new HistoryDiverged({ position: positionOf(747), id: randomUUID() }, randomUUID())

async function recover(id: string): Promise<void> {
  await sql`
    UPDATE ledger_damages SET recovered_at = now(), proven_size = 0,
      find_first_until = now() + interval '1 hour'
    WHERE id = ${id}`.execute(db)
}

t.test(
  'a damage is latched for every process until a person has recovered the ledger',
  async (t) => {
    const [one, other] = [guardOf(), guardOf()]
    await Promise.all([one.guard.read(), other.guard.read()])
    one.guard.signs().onDiverged(diverged())
    t.ok(one.guard.damage, 'at once, before it is written down')
    t.throws(() => one.guard.refuseWhileDamaged(), new Problem('ledger_damaged'))
    t.equal(other.guard.damage, null)
    await one.guard.read()
    await other.guard.read()
    t.equal(other.guard.damage?.id, one.guard.damage?.id)
    t.match(other.guard.damage, { expectedPosition: positionOf(747) })
    for (let reads = 0; reads < 3; reads++) await one.guard.read()
    t.ok(one.guard.damage, 'it does not clear by itself')
    const fresh = guardOf()
    await fresh.guard.read()
    t.ok(fresh.guard.damage, 'nor by a restart')
    await recover(one.guard.damage?.id ?? '')
    for (const { guard } of [one, other, fresh]) {
      await guard.read()
      t.equal(guard.damage, null)
      t.ok(guard.findFirst, 'from now on couriers are asked first')
    }
    t.equal(one.restarts(), 2, 'both stores discard what they read of the lost history')
  },
)

t.test('a process that missed a damage and its recovery reads the ledger again', async (t) => {
  const { guard, restarts } = guardOf()
  await guard.read()
  const other = guardOf()
  other.guard.signs().onDiverged(diverged())
  await other.guard.read()
  await recover(other.guard.damage?.id ?? '')
  await guard.read()
  t.equal(guard.damage, null)
  t.equal(restarts(), 1)
})

t.test('a damage that its database has forgotten too is written down again', async (t) => {
  const { guard } = guardOf()
  await guard.read()
  guard.signs().onDiverged(diverged())
  await guard.read()
  const { id = '' } = guard.damage ?? {}
  await sql`DELETE FROM ledger_damages WHERE id = ${id}`.execute(db)
  await guard.read()
  await guard.read()
  const [row] = await query<{ open: string }>(
    'SELECT count(*) AS open FROM ledger_damages WHERE id = $1 AND recovered_at IS NULL',
    [id],
  )
  t.equal(row?.open, '1')
  t.ok(guard.damage)
  await recover(id)
  await guard.read()
  t.equal(guard.damage, null)
})

t.test('work stands still while the ledger is damaged, and goes on afterwards', async (t) => {
  const { guard } = guardOf()
  await guard.read()
  const stop = new AbortController()
  let runs = 0
  const begun = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const working = guard.whileIntact(stop.signal, async (intact) => {
    begun[runs++]?.resolve()
    await new Promise((resolve) => intact.addEventListener('abort', resolve))
  })
  await begun[0]?.promise
  guard.signs().onDiverged(diverged())
  await guard.read()
  t.equal(runs, 1)
  await recover(guard.damage?.id ?? '')
  await guard.read()
  await begun[1]?.promise
  stop.abort()
  await working
  t.equal(runs, 2)
})

t.test('nothing about a shipment is asked of a courier while the ledger is damaged', async (t) => {
  const { guard } = guardOf()
  await guard.read()
  const couriers = stoppedWhileDamaged(deps.couriers, guard)
  const asked = couriers.courierFor({ livemode: false, providerCode: 'mock' })
  const look = {
    clientReference: 'shp_x',
    requestId: null,
    organizationId: 'org_0000000000000000000001',
    sandbox: null,
  } as const
  const call = { ...look, credentials: { username: 'a', password: 'b' } }
  await asked?.findGuides(call)
  t.equal(courier.found.length, 1)
  guard.signs().onDiverged(diverged())
  const answers = [
    await asked?.findGuides(call),
    await asked?.track({ ...call, guideNumber: 'G-1' }),
    await asked?.label({ ...call, guideNumber: 'G-1', size: 'a6' }),
  ]
  for (const answer of answers) t.match(answer, { kind: 'not_sent' })
  t.equal(courier.found.length + courier.tracked.length + courier.labelled.length, 1)
  t.ok(await asked?.describe(), 'calls that concern no shipment are still answered')
})
