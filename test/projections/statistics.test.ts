import { sql } from 'kysely'
import t from 'tap'
import { projections, shipmentProjection } from '../../projections/all.ts'
import { foldBatch } from '../../projections/fold-batch.ts'
import { statistics } from '../../projections/statistics.ts'
import { decodeEvent } from '../../src/service/event-store/codec.ts'
import type { Place } from '../../src/service/event-store/event-store.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { tidyStatistics } from '../../src/service/processes/statistics/tidy-statistics.ts'
import { applyBatch } from '../../src/service/projector/batch.ts'
import { projectionStatuses, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { CheckpointConflict } from '../../src/service/projector/write.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const { db, store, pool } = shop.parts

type Row = {
  readonly provider_code: string
  readonly at: Date
  readonly is_hour: boolean
  readonly counts: Readonly<Record<string, number>>
}

async function rows(): Promise<readonly Row[]> {
  const { rows: found } = await sql<Row>`
    SELECT provider_code, at, is_hour, counts FROM projections.statistics
    ORDER BY at, provider_code, is_hour`.execute(db)
  return found
}

/** All sums of a table, regardless of their time. */
function summed(found: readonly Pick<Row, 'counts'>[]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const { counts } of found) {
    for (const [name, value] of Object.entries(counts)) total[name] = (total[name] ?? 0) + value
  }
  return total
}

async function caughtUp(): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), 60_000))) throw new Error('not caught up')
}

const noProgress = { folded: () => undefined, compared: () => undefined }

async function differences() {
  const found = await diff({ db, store, projections }, noProgress)
  return found.differences.filter(({ table }) => table === 'statistics')
}

/** The whole ledger of shipments, folded at once. */
async function folded() {
  const page = await store.readAll(null, { prefixes: ['shipment-'], limit: 2_000 })
  const events = page.events.map((event) => decodeEvent(event))
  return await foldBatch(store, events, new Map())
}

t.test('the sums that the follower writes are those of the whole ledger', async (t) => {
  for (const key of ['one', 'two', 'three']) await shop.create(key)
  await shop.create('lost', { scenario: 'lost_response_guide_created' })
  await shop.create('refused', { scenario: 'courier_rejected' })
  await shop.advance('PT1H')
  await caughtUp()
  const all = summed(await rows())
  const { steps } = await folded()
  t.same(all, summed(statistics.rows(steps, Date.now())))
  t.match(all, { 'creation.created': 3, 'creation.rejected': 1, 'creation.unknown_outcome': 1 })
  t.match(all, { 'operation.unknown': 1, 'concluded.guide_exists': 1 })
  t.same(await differences(), [])
})

t.test('a batch that is applied again with an old checkpoint adds nothing', async (t) => {
  await caughtUp()
  const before = await rows()
  const status = (await projectionStatuses(db)).find((one) => one.name === 'shipments')
  const page = await store.readAll(null, { prefixes: ['shipment-'], limit: 2_000 })
  const generation = status?.generation ?? 0
  const part = { projection: shipmentProjection, generation, active: true, place: null }
  const following = { parts: [part], kept: new Map() }
  const again = applyBatch({ pool, store }, following, status?.place as Place, page.events)
  await t.rejects(again, CheckpointConflict)
  const dropped = { ...part, generation: generation + 99 }
  const late = { parts: [dropped], kept: new Map() }
  const gone = applyBatch({ pool, store }, late, status?.place as Place, page.events)
  await t.rejects(gone, CheckpointConflict, 'a rebuild has dropped its tables')
  t.same(await rows(), before)
})

t.test('old minutes become hours with the same sums, once, and old hours go', async (t) => {
  await caughtUp()
  const before = await rows()
  t.equal(await tidyStatistics(db), 0, 'nothing is old')
  // Three days back, at half past an hour, so that they fall into one hour.
  await sql`UPDATE projections.statistics
    SET at = date_trunc('hour', now() - interval '3 days') + interval '30 minutes'
      + extract(epoch FROM at - (SELECT min(at) FROM projections.statistics)) / 600 * interval '1 second'`.execute(
    db,
  )
  const [first, second] = await Promise.all([tidyStatistics(db), tidyStatistics(db)])
  t.equal(first + second, before.length, 'two at once move each minute once')
  const merged = await rows()
  t.ok(merged.every(({ is_hour: isHour }) => isHour))
  t.same(
    merged.map(({ at }) => at.getUTCMinutes()),
    merged.map(() => 0),
  )
  t.same(summed(merged), summed(before))
  await sql`UPDATE projections.statistics SET at = at - interval '401 days'`.execute(db)
  t.equal(await tidyStatistics(db), merged.length)
  t.same(await rows(), [])
})

t.test('events that are folded when they are old are counted by the hour at once', async (t) => {
  const { steps } = await folded()
  const now = Date.now()
  const later = statistics.rows(steps, now + 30 * 86_400_000)
  t.ok(later.length > 0 && later.every(({ is_hour: isHour }) => isHour))
  t.same(summed(later), summed(statistics.rows(steps, now)))
})
