import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { projections, shipmentProjection } from '../../projections/all.ts'
import { id, int, text } from '../../projections/columns.ts'
import { foldBatch } from '../../projections/fold-batch.ts'
import { createTables, type Projection, readModel, tableOf } from '../../projections/projection.ts'
import { actOf, decodeEvent } from '../../src/service/event-store/codec.ts'
import { diff } from '../../src/service/ledger/diff/diff.ts'
import { projectionStatuses, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../src/service/projector/follow.ts'
import { rebuildProjection } from '../../src/service/projector/rebuild.ts'
import { fillLedger } from '../support/bulk-ledger.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { type Service, service } from '../support/service.ts'

const waitMs = 60_000

function depsOf(shop: Service) {
  const { db, pool, store } = shop.parts
  return { db, pool, store, log: noLog }
}

async function rowsOf(shop: Service, view: string): Promise<string> {
  const { rows } = await sql<{ row: string }>`
    SELECT to_jsonb(v)::text AS row FROM ${sql.raw(`projections.${view}`)} v ORDER BY 1`.execute(
    shop.parts.db,
  )
  return rows.map(({ row }) => row).join('\n')
}

async function caughtUp(shop: Service): Promise<void> {
  const { db, store } = shop.parts
  if (!(await projectionsReached(db, await store.head(), waitMs))) {
    throw new Error('the projections did not catch up')
  }
}

t.test('a rebuilt projection equals the incremental one, while the API serves', async (t) => {
  const shop = await service(t)
  for (let i = 0; i < 10; i++) {
    const scenario = i % 3 === 0 ? 'lost_response_guide_created' : 'happy_path'
    await shop.create(`order-${i}`, { scenario })
  }
  // Beyond the hour in which guides are polled, so that nothing falls due during the rebuilds.
  await shop.advance('PT3H10M')
  await caughtUp(shop)
  const ids = (await shop.call('/v1/shipments?limit=100')).body.data.map(
    (one: { id: string }) => one.id,
  ) as string[]
  const sideEffects = async () => ({
    events: (await shop.call('/v1/events?limit=100')).body.data.length,
    delivered: (await shop.call('/v1/webhook-deliveries?limit=100')).body.data.length,
    calls: ids.map((id) => shop.record.callsOf(id).length),
  })
  const effects = await sideEffects()
  t.ok(effects.events > 0 && effects.calls.every((count) => count > 0))
  for (const projection of projections) {
    const { name } = projection
    const tables = Object.keys({ ...projection.tables, ...projection.rollups })
    const before = await Promise.all(tables.map((table) => rowsOf(shop, table)))
    const stop = new AbortController()
    const failures: string[] = []
    const reader = (async () => {
      while (!stop.signal.aborted) {
        for (const path of ['/v1/shipments', '/v1/operations']) {
          const list = await shop.call(path)
          if (list.status !== 200) failures.push(`status ${list.status}`)
          else if (list.body.data.length === 0) failures.push('an empty list')
        }
      }
    })()
    await rebuildProjection(depsOf(shop), projection, stop.signal)
    stop.abort()
    await reader
    t.same(failures, [], 'no read failed, no list was empty')
    t.same(await Promise.all(tables.map((table) => rowsOf(shop, table))), before)
    const statuses = (await projectionStatuses(shop.parts.db)).filter((s) => s.name === name)
    t.match(statuses, [{ generation: 2, active: true, stoppedBy: null }])
  }
  const deps = { db: shop.parts.db, store: shop.parts.store, projections }
  const found = await diff(deps, { folded: () => undefined, compared: () => undefined })
  t.same(found.differences, [], 'they are what the ledger makes')
  t.ok(found.tables.every(({ notCompared }) => notCompared === null))
  t.same(await sideEffects(), effects, 'no webhook, delivery or courier call was repeated')
  t.equal((await shop.create('order-after')).status, 201)
  await caughtUp(shop)
  const list = await shop.call('/v1/shipments?external_reference=order-after')
  t.equal(list.body.data.length, 1, 'the new generation is followed')
})

t.test('a stopped rebuild resumes where it was', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  for (let i = 0; i < 4; i++) await shop.create(`order-${i}`)
  await caughtUp(shop)
  const before = await rowsOf(shop, 'shipments')
  const stop = new AbortController()
  const applied: string[] = []
  const slow: Projection = {
    ...shipmentProjection,
    rows: async (folded) => {
      applied.push(...folded.steps.map(({ event }) => event.stored.position))
      if (applied.length > 0) stop.abort()
      return await shipmentProjection.rows(folded)
    },
  }
  await t.rejects(rebuildProjection(depsOf(shop), slow, stop.signal))
  t.ok(applied.length > 0)
  await rebuildProjection(depsOf(shop), slow, new AbortController().signal)
  t.equal(new Set(applied).size, applied.length, 'what was applied is not applied again')
  t.equal(await rowsOf(shop, 'shipments'), before)
})

t.test('a follower that dies early keeps its first small steps', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const { store, db } = shop.parts
  await fillLedger(store, 100, shop.seeded)
  const { events } = await store.readAll(null, { limit: 500, prefixes: ['shipment-'] })
  const stop = new AbortController()
  const steps: number[] = []
  const dying: Projection = {
    ...shipmentProjection,
    rows: async (folded) => {
      const batch = folded.steps
      // A store with foreign events may have pages without any of ours.
      if (batch.length > 0) steps.push(batch.length)
      if (steps.length === 3) {
        stop.abort()
        throw new Error('it dies here')
      }
      return await shipmentProjection.rows(folded)
    },
  }
  await runFollower(depsOf(shop), [dying], stop.signal)
  t.strictSame(
    steps.map((events, at) => events <= 32 * 2 ** at),
    [true, true, true],
    `${steps}`,
  )
  const [first = 0, second = 0] = steps
  const reached = (await projectionStatuses(db)).find(({ name }) => name === 'shipments')
  t.equal(reached?.position, events[first + second - 1]?.position)
})

t.test('two followers of one projection apply every event once', async (t) => {
  const shop = await service(t)
  const stop = new AbortController()
  const second = runFollower(depsOf(shop), [shipmentProjection], stop.signal)
  // As if one was paused past its lease: both believe that they hold it.
  const stealing = (async () => {
    while (!stop.signal.aborted) {
      await sql`
        UPDATE claims SET leased_until = now() - interval '1 second', owner = NULL
        WHERE work = 'follower'`.execute(shop.parts.db)
      await delay(20)
    }
  })()
  await Promise.all(Array.from({ length: 20 }, (_, i) => shop.create(`order-${i}`)))
  await caughtUp(shop)
  const { rows } = await sql<{ count: string }>`
    SELECT count(*) AS count FROM projections.shipments`.execute(shop.parts.db)
  t.equal(rows[0]?.count, '20')
  stop.abort()
  await Promise.all([second, stealing])
})

t.test('a follower leaves its turn to one whose version of a projection is in use', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const over = new AbortController()
  const newest = { ...shipmentProjection, version: shipmentProjection.version + 1 }
  const activeVersion = async () => {
    const statuses = await projectionStatuses(shop.parts.db)
    return statuses.find(({ name, active }) => name === 'shipments' && active)?.version
  }
  const first = new AbortController()
  const built = runFollower(depsOf(shop), [newest], first.signal)
  await eventually(activeVersion, (version) => version === newest.version)
  first.abort()
  await built

  const before = runFollower(depsOf(shop), [shipmentProjection], over.signal)
  await eventually(
    () => sql`SELECT FROM claims WHERE work = 'follower'`.execute(shop.parts.db),
    ({ rows }) => rows.length === 1,
  )
  const restarted = runFollower(depsOf(shop), [newest], over.signal)
  await shop.create('order-1')
  await eventually(
    () => sql`SELECT FROM projections.shipments`.execute(shop.parts.db),
    ({ rows }) => rows.length === 1,
  )
  t.equal(await activeVersion(), newest.version)
  over.abort()
  await Promise.all([before, restarted])
})

t.test('a projector stops at an event it cannot apply, and reports it', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const stop = new AbortController()
  let isBroken = true
  const picky: Projection = {
    ...shipmentProjection,
    rows: async (folded) => {
      if (isBroken) throw new Error('cannot be applied')
      return await shipmentProjection.rows(folded)
    },
  }
  const loop = runFollower(depsOf(shop), [picky], stop.signal)
  await shop.create('order-1')
  await eventually(
    () => projectionStatuses(shop.parts.db),
    (all) =>
      all.some((one) => one.name === 'shipments' && one.stoppedBy?.includes('be applied') === true),
  )
  const ready = await shop.call('/readyz')
  t.equal(ready.status, 503)
  t.match(JSON.stringify(ready.body), /shipments stopped/)
  isBroken = false
  await eventually(
    () => sql`SELECT FROM projections.shipments`.execute(shop.parts.db),
    ({ rows }) => rows.length === 1,
  )
  t.equal((await shop.call('/readyz')).status, 200)
  stop.abort()
  await loop
})

t.test('a batch may end anywhere, even between the events of one append', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  for (let i = 0; i < 3; i++) await shop.create(`order-${i}`)
  await caughtUp(shop)
  const generation = 99
  const { store } = shop.parts
  for (const projection of projections) {
    const { prefixes } = projection
    const page = await store.readAll(null, { prefixes, limit: 1_000 })
    t.ok(page.events.length > 4)
    await createTables(shop.parts.db, projection, generation)
    for (const event of page.events) {
      const isAct = event.stream.startsWith('audit-')
      const [events, acts] = isAct ? [[], [actOf(event)]] : [[decodeEvent(event)], []]
      const folded = await foldBatch(store, events, new Map(), acts)
      const rows = await projection.rows(folded)
      for (const [index, write] of projection.writes(tableOf(generation)).entries()) {
        await shop.parts.pool.query(write('$1::json'), [JSON.stringify(rows[index])])
      }
    }
    for (const table of Object.keys(projection.tables)) {
      t.equal(await rowsOf(shop, `${table}_g${generation}`), await rowsOf(shop, table), table)
    }
  }
})

t.test(
  'any text is written unchanged, and an earlier version does not replace a later one',
  async (t) => {
    const { parts } = await service(t, { roles: ['api'] })
    const texts = ['', '\u001e', 'a"b\\c\n\u0001', 'ñ 😀 \u2028', '[{},"\\u001e"]']
    const client = await parts.pool.connect()
    t.teardown(() => client.release())
    await client.query(
      'CREATE TEMPORARY TABLE apart_g1 (id text PRIMARY KEY, version int, said text)',
    )
    const columns = { id, version: int, said: text }
    const none = { madeOf: 'shipments' as const, indexes: () => [], rows: () => [] }
    const { writes } = readModel({
      name: 'apart',
      version: 1,
      prefixes: [],
      tables: { apart: { key: 'id', columns, ...none } },
    })
    const [write] = writes((base) => `${base}_g1`)
    const put = async (rows: readonly object[]) => {
      await client.query(write?.('$1::json') ?? '', [JSON.stringify(rows)])
    }
    const all = async () => (await client.query('SELECT * FROM apart_g1 ORDER BY id')).rows
    const rows = texts.map((said, n) => ({ id: String(n), version: 2, said }))
    await put(rows)
    t.same(await all(), rows)
    await put(rows.map((row) => ({ ...row, version: 1, said: 'earlier' })))
    t.same(await all(), rows, 'an earlier version changes nothing')
    const later = rows.map((row) => ({ ...row, version: 3, said: `${row.said}!` }))
    await put(later.slice(1))
    t.same(await all(), [rows[0], ...later.slice(1)])
  },
)

t.test('a rebuild during a diff swaps its tables after the diff', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  for (let i = 0; i < 3; i++) await shop.create(`order-${i}`)
  await caughtUp(shop)
  const deps = depsOf(shop)
  const order: string[] = []
  const rebuild = async () => {
    await rebuildProjection(deps, shipmentProjection, new AbortController().signal)
    order.push('swapped')
  }
  let rebuilding: Promise<void> | null = null
  const found = await diff(
    { ...deps, projections },
    {
      folded: () => {
        rebuilding ??= rebuild()
      },
      compared: () => void order.push('compared'),
    },
  )
  t.same(found.differences, [])
  await rebuilding
  t.same(order, ['compared', 'swapped'])
  t.equal((await shop.call('/v1/shipments')).body.data.length, 3)
})

t.test('a rebuild that ends in a deadlock swaps its tables at the next try', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  await shop.create('order-1')
  await caughtUp(shop)
  const { name } = shipmentProjection
  const statuses = await projectionStatuses(shop.parts.db)
  const old = statuses.find((one) => one.name === name && one.active)?.generation ?? 0
  const other = new pg.Client({ connectionString: shop.database.adminUrl })
  await other.connect()
  await other.query('BEGIN')
  // The rebuild checks for the deadlock first, so it is the one that fails.
  await other.query(`SET LOCAL deadlock_timeout = '60s'`)
  await other.query(`LOCK TABLE ${tableOf(old)('shipments')} IN ROW EXCLUSIVE MODE`)
  const rebuilding = rebuildProjection(
    depsOf(shop),
    shipmentProjection,
    new AbortController().signal,
  )
  const waiting = async () => {
    const { rows } = await sql`
      SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'
        AND relation = ${tableOf(old)('shipments')}::regclass`.execute(shop.parts.db)
    return rows.length
  }
  await eventually(waiting, (found) => found > 0)
  await other.query('UPDATE projections SET updated_at = now() WHERE name = $1 AND active', [name])
  await other.query('COMMIT')
  await other.end()
  await rebuilding
  t.equal((await shop.call('/v1/shipments')).body.data.length, 1)
  const active = (await projectionStatuses(shop.parts.db)).filter(
    (one) => one.name === name && one.active,
  )
  t.ok(active.length === 1 && (active[0]?.generation ?? 0) > old)
})

t.test('concurrent rebuilds leave one generation in use', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  for (let i = 0; i < 3; i++) await shop.create(`order-${i}`)
  await caughtUp(shop)
  const before = await rowsOf(shop, 'operations')
  const rebuild = () =>
    rebuildProjection(depsOf(shop), shipmentProjection, new AbortController().signal)
  const ended = await Promise.allSettled([rebuild(), rebuild(), rebuild()])
  t.ok(ended.some(({ status }) => status === 'fulfilled'))
  t.equal(await rowsOf(shop, 'operations'), before)
  const active = (await projectionStatuses(shop.parts.db)).filter((one) => one.active)
  t.equal(active.length, projections.length + 2, 'and the outbox, and what is due')
  t.equal((await shop.call('/v1/operations')).status, 200)
  t.equal((await shop.call('/readyz')).status, 200)
})
