import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import type { Tables } from '../../projections/tables.ts'
import { pool } from '../../src/service/database/pool.ts'
import { deliveryRules } from '../../src/service/domain/webhooks/webhook-delivery.ts'
import {
  type ConnectionQueue,
  releaseQueue,
} from '../../src/service/processes/batches/connection-queues.ts'
import { jobNames } from '../../src/service/processes/due/claims.ts'
import { dueAt, postgresClaims } from '../../src/service/processes/due/claims-postgres.ts'
import type { InvoiceRow } from '../../src/service/processes/invoices/store-invoice.ts'
import {
  claimByTurns,
  claimTimes,
  deadWorkerMs,
  queueTables,
  releaseDeadWorkers,
  releaseRows,
  renewClaim,
} from '../../src/service/queue/claim.ts'
import { takeLease } from '../../src/service/queue/lease.ts'
import {
  claimDeliveries,
  endDeadLeases,
  release,
  renewDelivery,
} from '../../src/service/webhooks/claim-deliveries.ts'
import { pendingDeliveries, webhookTenants } from '../prove/webhooks/webhook-tenants.ts'
import { noLog } from '../support/no-log.ts'
import { testSecrets } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'

// The promises of the queue, for every kind of work whose rows are claimed in their tables.

const { url, adminUrl } = await testDatabase(t)
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()

function opened(name: string, max: number) {
  const connections = pool({ connectionString: url, max, name, log: noLog })
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
}
const db = opened('living', 6)
await admin.query(
  `INSERT INTO organizations VALUES ('org', 'Test', 'external', now());
   INSERT INTO workspaces (id, organization_id, livemode, name, external_reference, created_at, updated_at)
   VALUES ('ws_ahead', 'org', false, 'Shop', 'shop', now(), now())`,
)
/** Its one session is the process: when it is terminated, the process is dead. */
const dying = opened('dying', 1)
t.teardown(() => Promise.all([db.destroy(), dying.destroy(), admin.end()]))

/** Rows that a worker has claimed. */
type Claimed = {
  readonly keys: readonly string[]
  readonly renew: () => Promise<boolean>
  /** The rows are due at once again, after what the kind has for a cool-down. */
  readonly release: () => Promise<void>
}

type KindOfWork = {
  readonly name: string
  readonly table: string
  /** The column of a row's due time. */
  readonly at: string
  readonly add: (key: string, organization: string, inMs: number) => Promise<unknown>
  /** Claims what is due: one row, or some. */
  readonly claim: (from: Kysely<Tables>, slot: string) => Promise<Claimed | null>
}

const jobs = jobNames.map((job): KindOfWork => {
  const { sql: column } = dueAt[job].compile(db)
  const at = column.replace('d.', '')
  return {
    name: job,
    table: queueTables.due.name,
    at,
    add: (key, organization, inMs) =>
      admin.query(
        `INSERT INTO due (shipment_id, workspace_id, livemode, ${at})
         VALUES ($1, $2, false, now() + $3 * interval '1 millisecond')`,
        [key, `ws_${organization}`, inMs],
      ),
    claim: async (from, slot) => {
      const claims = postgresClaims(from)
      const claimed = await claims.claim(job, slot, 3)
      const keys = claimed.map(({ shipmentId }) => shipmentId)
      if (keys.length === 0) return null
      const released = keys.map((shipmentId) => ({ shipmentId, performed: 'done' as const }))
      return {
        keys,
        renew: () => claims.renew(slot),
        release: () => claims.release(slot, released),
      }
    },
  }
})

const connections: KindOfWork = {
  name: 'lines of batches',
  table: queueTables.connections.name,
  at: 'next_at',
  add: (key, organization, inMs) =>
    admin.query(
      `INSERT INTO batch_lanes (connection_id, organization_id, next_at)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond')`,
      [key, organization, inMs],
    ),
  claim: async (from, slot) => {
    const queue = await claimByTurns<ConnectionQueue>(from, queueTables.connections, slot)
    if (queue === null) return null
    return {
      keys: [queue.connection_id],
      renew: () => renewClaim(from, queueTables.connections, queue),
      // As if lines had been added meanwhile.
      release: () => releaseQueue(from, { ...queue, version: '0' }),
    }
  },
}

const invoices: KindOfWork = {
  name: 'comparisons',
  table: queueTables.invoices.name,
  at: 'next_at',
  add: (key, organization, inMs) =>
    admin.query(
      `INSERT INTO courier_invoices (id, organization_id, workspace_id, livemode,
         courier_connection_id, reference, version, state, next_at)
       VALUES ($1, $2, 'ws', false, 'con', $1, 1, 'comparing', now() + $3 * interval '1 millisecond')`,
      [key, organization, inMs],
    ),
  claim: async (from, slot) => {
    const leased = await claimByTurns<InvoiceRow>(from, queueTables.invoices, slot)
    if (leased === null) return null
    return {
      keys: [leased.id],
      renew: () => renewClaim(from, queueTables.invoices, leased),
      release: () =>
        releaseRows(from, queueTables.invoices, leased.owner, {
          released: [{ key: leased.id, waitMs: 0 }],
        }),
    }
  },
}

const turns = [connections, invoices]
const kinds = [...jobs, ...turns]

async function forget(): Promise<void> {
  await admin.query('DELETE FROM claims; DELETE FROM due; DELETE FROM batch_lanes')
  await admin.query('DELETE FROM courier_invoices')
}

/** Lets time pass for leases, and enough of it for the next request of a label. */
async function pass({ table }: KindOfWork, ms: number): Promise<void> {
  await admin.query('UPDATE due SET label_requested_at = NULL')
  for (const each of ['claims', table]) {
    await admin.query(
      `UPDATE ${each} SET leased_until = leased_until - $1 * interval '1 millisecond'`,
      [ms],
    )
  }
}

/** As if claims had been renewed just now, for the rest of the test. */
const holdTime = (kind: KindOfWork) => pass(kind, -heldMs)
const heldMs = 3_600_000

/** Milliseconds until the queue releases a dead worker; null if it knows of none. */
async function deadInMs(): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`SELECT (${deadWorkerMs}) AS ms`.execute(db)
  return rows[0]?.ms ?? null
}

async function keysOf(kind: KindOfWork, from = db): Promise<readonly string[]> {
  return (await kind.claim(from, randomUUID()))?.keys ?? []
}

/** Claims until nothing is due. */
async function allKeys(kind: KindOfWork): Promise<readonly string[]> {
  const all: string[] = []
  for (;;) {
    const keys = await keysOf(kind)
    if (keys.length === 0) return all.sort()
    all.push(...keys)
  }
}

async function kill(): Promise<void> {
  await admin.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'dying'`,
  )
}

for (const kind of kinds) {
  t.test(`${kind.name}: racing workers claim each due row once, and no other`, async (t) => {
    await forget()
    const due = Array.from({ length: 9 }, (_, n) => `due_${n}`)
    for (const key of due) await kind.add(key, 'a', -1_000)
    await kind.add('later', 'a', 60_000)
    const racing = await Promise.all(Array.from({ length: 6 }, () => keysOf(kind)))
    const claimed = racing.flat()
    t.equal(new Set(claimed).size, claimed.length)
    t.same([...claimed, ...(await allKeys(kind))].sort(), due)
  })

  t.test(
    `${kind.name}: a claim that is not renewed is taken over, and its owner fenced`,
    async (t) => {
      await forget()
      await kind.add('row', 'a', -1_000)
      const first = await kind.claim(db, randomUUID())
      if (first === null) throw new Error('nothing was due')
      await pass(kind, claimTimes.leaseMs - 1_000)
      t.equal(await first.renew(), true)
      await pass(kind, claimTimes.leaseMs - 1_000)
      t.same(await keysOf(kind), [], 'it was renewed')
      await pass(kind, 2_000)
      const second = await kind.claim(db, randomUUID())
      t.same(second?.keys, ['row'])
      t.equal(await first.renew(), false)
      await first.release()
      t.same(await keysOf(kind), [], 'what another owner holds is not given back')
      await second?.release()
      await pass(kind, 1_000)
      t.same(await keysOf(kind), ['row'])
    },
  )

  t.test(
    `${kind.name}: what a dead worker held is released, and nothing of the living`,
    async (t) => {
      await forget()
      await kind.add('living', 'a', -1_000)
      const living = await kind.claim(db, randomUUID())
      await kind.add('dead', 'b', -1_000)
      t.same(await keysOf(kind, dying), ['dead'])
      await pass(kind, claimTimes.deadMs + 1)
      t.equal(await releaseDeadWorkers(db), 0, 'its session is there')
      await kill()
      t.same(await keysOf(kind), [], 'its time is not over')
      t.equal(await releaseDeadWorkers(db), 1)
      t.same(await keysOf(kind), ['dead'])
      t.equal(await living?.renew(), true)
    },
  )

  t.test(`${kind.name}: a worker that lost its session and renews is not dead`, async (t) => {
    await forget()
    await kind.add('row', 'a', -1_000)
    const claimed = await kind.claim(dying, randomUUID())
    await holdTime(kind)
    await kill()
    t.equal(await releaseDeadWorkers(db), 0)
    t.equal(await claimed?.renew(), true)
    await pass(kind, claimTimes.deadMs + 1)
    t.equal(await releaseDeadWorkers(db), 0, 'a renewal names its session')
  })
}

for (const kind of turns) {
  t.test(`${kind.name}: organizations take turns under a flood of one of them`, async (t) => {
    await forget()
    for (let n = 0; n < 50; n++) await kind.add(`flood_${n}`, 'a', -60_000)
    await kind.add('calm_0', 'b', -1_000)
    await kind.add('calm_1', 'c', -1_000)
    const served: string[] = []
    for (let turn = 0; turn < 9; turn++) {
      const claimed = await kind.claim(db, randomUUID())
      served.push(...(claimed?.keys ?? []))
      await claimed?.release()
    }
    t.equal(served.filter((key) => key.startsWith('flood')).length, 3, served.join())
    t.equal(served.filter((key) => key === 'calm_0').length, 3)
  })
}

t.test('a dead worker is noticed at once, and released within a second', async (t) => {
  await forget()
  const [job] = jobs
  if (job === undefined) throw new Error('no job')
  await job.add('row', 'a', -1_000)
  t.same(await keysOf(job, dying), ['row'])
  await holdTime(job)
  t.equal(await deadInMs(), null, 'its session is there')
  await kill()
  const ms = (await deadInMs()) ?? 0
  t.ok(ms > heldMs - 60_000 && ms <= heldMs + claimTimes.deadMs, `${ms} ms`)
  t.ok(claimTimes.renewEveryMs * 2 < claimTimes.deadMs, 'the living have renewed twice')
  t.ok(claimTimes.deadMs < 1_000)
  await pass(job, heldMs + claimTimes.deadMs)
  t.ok(((await deadInMs()) ?? 1) <= 0)
  t.equal(await releaseDeadWorkers(db), 1)
  t.equal(await deadInMs(), null)
})

t.test('an advance is released when its worker is dead', async (t) => {
  await forget()
  const lease = { name: 'advance:ws', leaseMs: claimTimes.leaseMs }
  const [dead, next] = [randomUUID(), randomUUID()]
  t.ok(await takeLease(dying, { ...lease, owner: dead }, 'session'))
  t.notOk(await takeLease(db, { ...lease, owner: next }, 'time'))
  await admin.query(
    "UPDATE claims SET leased_until = leased_until - $1 * interval '1 millisecond'",
    [claimTimes.deadMs],
  )
  t.equal(await releaseDeadWorkers(db), 0, 'its session is there')
  await kill()
  t.ok(((await deadInMs()) ?? 1) <= 0)
  t.equal(await releaseDeadWorkers(db), 1)
  t.ok(await takeLease(db, { ...lease, owner: next }, 'session'))
})

t.test("a dead worker's cool-downs stay", async (t) => {
  await forget()
  const claims = postgresClaims(dying)
  const slot = randomUUID()
  const [job] = jobs
  if (job === undefined) throw new Error('no job')
  for (const key of ['held', 'deferred']) await job.add(key, 'a', -1_000)
  t.equal((await claims.claim('reconcile', slot, 10)).length, 2)
  await claims.release(slot, [{ shipmentId: 'deferred', performed: 'deferred' }])
  await pass(job, claimTimes.deadMs + 1)
  await kill()
  t.equal(await releaseDeadWorkers(db), 1)
  t.same(await allKeys(job), ['held'])
})

for (const kind of jobs) {
  t.test(`${kind.name}: a row falls due on the clock of its workspace`, async (t) => {
    await forget()
    await admin.query(
      `UPDATE sandbox_clocks SET offset_ms = 3600000, advancing_to = NULL, advancing_since = NULL`,
    )
    await kind.add('ahead', 'ahead', 60_000)
    await kind.add('wall', 'wall', 60_000)
    t.same(await allKeys(kind), ['ahead'])
    await sql`UPDATE sandbox_clocks SET advancing_to = now() + interval '1 day',
      advancing_since = now()`.execute(db)
    await kind.add('advanced', 'ahead', -60_000)
    t.same(await allKeys(kind), [], 'an advance performs it')
  })
}

const { leaseMs } = deliveryRules

async function tenants(count: number) {
  await admin.query('DELETE FROM webhook_leases; DELETE FROM webhook_deliveries')
  const urls = Array.from({ length: count }, () => 'http://127.0.0.1:1/')
  return await webhookTenants({ url, adminUrl }, testSecrets().secretsKey, urls)
}

async function claimedDeliveries(endpoints: number, organizationMax = 128, from = db) {
  const room = { endpoints, organizationMax, busy: new Map<string, number>() }
  const { lease, deliveries } = await claimDeliveries(from, deliveryRules, room)
  return { lease, ids: deliveries.map(({ id }) => id), deliveries }
}

t.test('deliveries: racing workers claim each once, at most eight of an endpoint', async (t) => {
  const [one, other] = await tenants(2)
  if (one === undefined || other === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, one, 20)
  await pendingDeliveries({ url, adminUrl }, other, 3)
  const racing = await Promise.all(Array.from({ length: 6 }, () => claimedDeliveries(64)))
  const claimed = [...racing, await claimedDeliveries(64)].flatMap(({ deliveries }) => deliveries)
  t.equal(new Set(claimed.map(({ id }) => id)).size, claimed.length)
  t.equal(claimed.filter((each) => each.endpoint_id === one.endpointId).length, 8)
  t.equal(claimed.filter((each) => each.endpoint_id === other.endpointId).length, 3)
})

t.test('deliveries: an expired claim is taken over, and its owner fenced', async (t) => {
  const [tenant] = await tenants(1)
  if (tenant === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, tenant, 1)
  const first = await claimedDeliveries(1)
  const [id] = first.ids
  if (id === undefined) throw new Error('nothing was due')
  t.same((await claimedDeliveries(1)).ids, [])
  await sql`UPDATE webhook_leases
    SET leased_until = leased_until - ${leaseMs} * interval '1 millisecond'`.execute(db)
  const second = await claimedDeliveries(1)
  t.same(second.ids, [id])
  await release(db, first.lease, id)
  t.same((await claimedDeliveries(1)).ids, [], 'what another owner holds is not given back')
  await release(db, second.lease, id)
  t.same((await claimedDeliveries(1)).ids, [id])
})

t.test('deliveries: organizations take turns under a flood of one of them', async (t) => {
  const [flood, ...calm] = await tenants(3)
  if (flood === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, flood, 200)
  for (const each of calm) await pendingDeliveries({ url, adminUrl }, each, 1)
  const served: string[] = []
  for (let turn = 0; turn < 3; turn++) {
    const { lease, deliveries } = await claimedDeliveries(1)
    served.push(...new Set(deliveries.map((each) => each.organization_id)))
    for (const { id } of deliveries) await release(db, lease, id)
  }
  t.equal(new Set(served).size, 3, served.join())
})

t.test('deliveries: they fall due on the clock of their workspace', async (t) => {
  const [tenant] = await tenants(1)
  if (tenant === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, tenant, 1)
  await admin.query(`UPDATE webhook_deliveries SET next_attempt_at = now() + interval '1 minute'`)
  t.same((await claimedDeliveries(1)).ids, [])
  const clock =
    'UPDATE sandbox_clocks SET offset_ms = 3600000, advancing_to = $2 WHERE workspace_id = $1'
  await admin.query(clock, [tenant.workspaceId, new Date()])
  t.same((await claimedDeliveries(1)).ids, [], 'an advance performs it')
  await admin.query(clock, [tenant.workspaceId, null])
  t.equal((await claimedDeliveries(1)).ids.length, 1)
})

/** Lets time pass for the leases of deliveries. */
async function passLeases(ms: number): Promise<void> {
  await sql`UPDATE webhook_leases
    SET leased_until = leased_until - ${ms} * interval '1 millisecond'`.execute(db)
}

t.test('deliveries: what a dead worker held is released, and nothing of the living', async (t) => {
  const [one, other] = await tenants(2)
  if (one === undefined || other === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, one, 1)
  const living = await claimedDeliveries(1)
  t.equal(living.ids.length, 1)
  await pendingDeliveries({ url, adminUrl }, other, 1)
  const dead = await claimedDeliveries(1, 128, dying)
  t.equal(dead.ids.length, 1)
  await endDeadLeases(db)
  await passLeases(claimTimes.deadMs + 1)
  t.same((await claimedDeliveries(9)).ids, [], 'its session is there')
  await kill()
  await endDeadLeases(db)
  t.same((await claimedDeliveries(9)).ids, [], 'its time is not over')
  await passLeases(claimTimes.deadMs + 1)
  t.same((await claimedDeliveries(9)).ids, dead.ids)
})

t.test('deliveries: a sender that lost its session and renews is not dead', async (t) => {
  const [tenant] = await tenants(1)
  if (tenant === undefined) throw new Error('no tenant')
  await pendingDeliveries({ url, adminUrl }, tenant, 1)
  const { lease, ids } = await claimedDeliveries(1, 128, dying)
  const [deliveryId] = ids
  if (deliveryId === undefined) throw new Error('nothing was due')
  await kill()
  await endDeadLeases(db)
  t.equal(await renewDelivery(db, { lease, deliveryId, leaseMs }), true)
  await endDeadLeases(db)
  await passLeases(claimTimes.deadMs + 1)
  t.same((await claimedDeliveries(1)).ids, [], 'a renewal names its session')
  await release(db, lease, deliveryId)
  t.equal(await renewDelivery(db, { lease, deliveryId, leaseMs }), false)
})
