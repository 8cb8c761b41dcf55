import t from 'tap'
import { EventStoreUnavailable } from '../../src/service/event-store/event-store.ts'
import { cooldownMs, type JobResult } from '../../src/service/processes/due/claims.ts'
import { performJobs } from '../../src/service/processes/due/job-kinds.ts'
import { claimTimes } from '../../src/service/queue/claim.ts'
import { processParts } from '../support/process-parts.ts'

const { deps, query } = await processParts(t)
const claimMax = 4

/** Work that throws for each shipment whose id begins with `bad`. */
function duty(error: Error) {
  const performed: string[] = []
  const perform = async (_: unknown, shipmentId: string): Promise<JobResult> => {
    performed.push(shipmentId)
    if (shipmentId.startsWith('bad')) throw error
    await query('UPDATE due SET erase_at = NULL WHERE shipment_id = $1', [shipmentId])
    return 'done'
  }
  return { performed, work: { name: 'erase', claimMax, perform } as const }
}

async function owe(shipmentIds: readonly string[], ago: string): Promise<void> {
  await query('DELETE FROM due WHERE shipment_id = ANY ($1)', [shipmentIds])
  await query(
    `INSERT INTO due (shipment_id, workspace_id, livemode, erase_at)
     SELECT id, 'ws_a', true, now() - $2::interval FROM unnest($1::text[]) id`,
    [shipmentIds, ago],
  )
}

async function pass(ms: number): Promise<void> {
  await query(`UPDATE due SET leased_until = leased_until - $1 * interval '1 millisecond'`, [ms])
}

const bad = Array.from({ length: claimMax }, (_, n) => `bad_${n}`)

t.test('work that throws lets the work of other shipments have its turn', async (t) => {
  await owe(bad, '2 hours')
  await owe(['good'], '1 hour')
  const { performed, work } = duty(new Error('a bug'))
  for (let round = 0; round < 8; round++) {
    await performJobs(deps, work)
    await pass(claimTimes.failedMs + 100)
  }
  t.equal(performed.filter((id) => id === 'good').length, 1)
  const tries = performed.filter((id) => id === 'bad_0').length
  t.ok(tries >= 3 && tries < 6, `it is tried again, ${tries} times in 8 rounds`)
  await pass(claimTimes.failedMsMax)
  const before = performed.length
  await performJobs(deps, work)
  t.same(performed.slice(before).sort(), bad, 'and never given up')
})

t.test(
  'work that an unreachable store prevents goes on as soon as the store is back',
  async (t) => {
    await owe(bad, '2 hours')
    const { performed, work } = duty(new EventStoreUnavailable('gone'))
    for (let round = 0; round < 8; round++) {
      await performJobs(deps, work)
      await pass(cooldownMs.idle + 100)
    }
    t.equal(performed.length, 8 * claimMax)
  },
)
