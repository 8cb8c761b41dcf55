import { randomBytes, randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import t, { type Test } from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { cancelBatch, storeBatch } from '../../src/service/processes/batches/batch-rows.ts'
import {
  type ConnectionQueue,
  endLines,
  postponeLines,
  releaseQueue,
} from '../../src/service/processes/batches/connection-queues.ts'
import { takeLines } from '../../src/service/processes/batches/take-lines.ts'
import { claimByTurns, queueTables, renewClaim } from '../../src/service/queue/claim.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { batchSealer } from '../../src/service/security/encryption/own-key.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

const sealer = batchSealer(masterKeys(randomBytes(32).toString('base64')))

async function lanes(t: Test) {
  const { url } = await testDatabase(t)
  const connections = pool({ connectionString: url, max: 4, name: 'lanes', log: noLog })
  const tables = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
  const db = tables as unknown as Kysely<Tables>
  t.teardown(() => db.destroy())
  let batches = 0
  const store = async (organizationId: string, connectionId: string, count: number) => {
    batches += 1
    const id = `bat_${batches}`
    const { wrapped, ...lines } = sealer.begin({ organizationId, batchId: id })
    const actor = { type: 'system', keyId: null } as const
    await storeBatch(
      db,
      {
        id,
        organizationId,
        workspaceId: 'ws_1',
        livemode: false,
        externalReference: id,
        actor,
        requestId: 'req_1',
        wrapped,
      },
      Array.from({ length: count }, (_, n) => ({
        line: n + 1,
        connectionId,
        idempotencyKey: `${id}-${n}`,
        shipmentId: `shp_${id}-${n}`,
        orderKey: null,
        scenario: null,
        body: lines.seal({ line: n + 1, what: 'body' }, { order: n }),
        refused: null,
      })),
    )
    return id
  }
  const hold = () => claimByTurns<ConnectionQueue>(db, queueTables.connections, randomUUID())
  const take = (queue: ConnectionQueue, limit = 10) => takeLines(db, sealer, queue, limit)
  const pass = (seconds: number) =>
    tables
      .updateTable('batch_lanes')
      .set({
        leased_until: sql`leased_until - ${seconds} * interval '1 second'`,
      })
      .execute()
  const batch = (id: string) =>
    tables.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const open = async () =>
    (await tables.selectFrom('batch_lanes').select('version').execute()).length
  return { db, open, store, hold, take, pass, batch }
}

const answered = { state: 'answered', status: 'created', reason: null, refusal: null } as const

t.test('a lane has one holder, until its lease runs out', async (t) => {
  const { db, store, hold, take, pass } = await lanes(t)
  await store('org_a', 'a1', 5)
  const first = await hold()
  if (first === null) throw new Error('no lane is free')
  t.equal(await hold(), null)
  t.same(
    (await take(first, 3)).map(({ line, body }) => [line, body]),
    [1, 2, 3].map((line) => [line, { order: line - 1 }]),
  )
  t.equal((await take(first, 10)).length, 2, 'each line is taken once')
  t.equal(await renewClaim(db, queueTables.connections, first), true)
  await pass(11)
  t.same(await take(first, 10), [], 'not without a lease')
  const second = await hold()
  if (second === null) throw new Error('the lease did not run out')
  t.equal(await renewClaim(db, queueTables.connections, first), false)
  t.equal((await take(second)).length, 5, 'what the first had begun is begun again')
})

t.test('a line ends once, and the last one ends the batch', async (t) => {
  const { db, store, hold, take, batch } = await lanes(t)
  const id = await store('org_a', 'a1', 2)
  const queue = await hold()
  if (queue === null) throw new Error('no lane is free')
  const [one, two] = await take(queue)
  const endOf = (line: number) => ({ batchId: id, line, ...answered })
  await endLines(db, [endOf(Number(one?.line))])
  await endLines(db, [endOf(Number(one?.line))])
  t.match(await batch(id), { ended: 1, ended_at: null })
  await postponeLines(db, [{ batchId: id, line: Number(two?.line), waitMs: 60_000, counts: true }])
  t.same(await take(queue), [], 'it waits')
  await releaseQueue(db, queue)
  t.equal(await hold(), null, 'and its lane with it')
  await cancelBatch(db, id)
  const cancelled = await batch(id)
  t.equal(cancelled.ended, 2)
  t.ok(cancelled.ended_at)
  await cancelBatch(db, id)
  t.same(await batch(id), cancelled)
})

t.test('lines that are added while a lane is being closed keep it open', async (t) => {
  const { db, open, store, hold, take } = await lanes(t)
  const id = await store('org_a', 'a1', 1)
  const queue = await hold()
  if (queue === null) throw new Error('no lane is free')
  await cancelBatch(db, id)
  t.same(await take(queue), [])
  await store('org_a', 'a1', 1)
  await releaseQueue(db, queue)
  const next = await hold()
  if (next === null) throw new Error('the lane was closed')
  t.equal((await take(next)).length, 1)
  await releaseQueue(db, next)
  t.equal(await open(), 1, 'a line that has begun keeps it open too')
})
