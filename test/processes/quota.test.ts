import t from 'tap'
import { shipmentProjection } from '../../projections/all.ts'
import { pool as openPool } from '../../src/service/database/pool.ts'
import { operationIdOf } from '../../src/service/domain/ids.ts'
import type { CallOutcome } from '../../src/service/domain/operation/kind.ts'
import type { Command } from '../../src/service/domain/shipment/shipment-decisions.ts'
import {
  correctQuotas,
  sweepReservations,
} from '../../src/service/processes/quota/quota-correction.ts'
import { ensureProjection, projectionsReached } from '../../src/service/projector/checkpoint.ts'
import { runFollower } from '../../src/service/projector/follow.ts'
import { rebuildProjection } from '../../src/service/projector/rebuild.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { minutes, request, seconds, start } from '../support/given.ts'
import { noLog } from '../support/no-log.ts'
import { type Made, processParts } from '../support/process-parts.ts'

const parts = await processParts(t)
const { deps, query } = parts
const organizationId = request.organization_id
// As on a database of an earlier version, whose read models are not rebuilt yet.
const withoutList = [await correctQuotas(deps), await sweepReservations(deps)]
await ensureProjection(deps.db, shipmentProjection)
const stop = new AbortController()
const following = runFollower({ ...deps, pool: parts.pool }, [shipmentProjection], stop.signal)
t.teardown(async () => {
  stop.abort()
  await following
})

const guide = { guideNumber: 'G-1', price: null, pickupCodeRef: null }
const issued: CallOutcome = { kind: 'issued', guide }
const rejected: CallOutcome = { kind: 'rejected', detailRef: null }
const lost: CallOutcome = { kind: 'unknown', cause: 'response_lost', courierCanBeAsked: true }
const notSent: CallOutcome = {
  kind: 'not_sent',
  reason: 'courier_unreachable',
  retryAfterSeconds: null,
}

const rows = postgresVaultRows(parts.pool)

function placeOf(shipmentId: string, version: number, owner: string, livemode = false) {
  const reservation = { livemode, isUnread: false }
  const attempt = {
    organizationId: owner,
    workspaceId: request.workspace_id,
    shipmentId,
    reservation,
    clock: null,
  }
  return { attempt, version, isIntent: true }
}

type Order = { readonly organizationId: string; readonly livemode?: boolean }

async function reserve(
  shipmentId: string,
  version: number,
  { organizationId: owner, livemode = false }: Order = { organizationId },
) {
  const [withheld] = await rows.storeFirst([placeOf(shipmentId, version, owner, livemode)])
  return withheld?.kind ?? 'held'
}

async function usedOf(owner: string, livemode = false): Promise<readonly number[]> {
  const rows = await query<{ used: number }>(
    'SELECT used FROM quota_months WHERE organization_id = $1 AND livemode = $2 ORDER BY month',
    [owner, livemode],
  )
  return rows.map(({ used }) => used)
}

async function correct(): Promise<void> {
  t.ok(await projectionsReached(deps.db, await deps.store.head(), 60_000))
  while ((await correctQuotas(deps)) > 0);
}

let organizations = 0

async function anOrganization(quota: number | null): Promise<string> {
  const id = `org_${String(++organizations).padStart(22, 'q')}`
  await query('INSERT INTO plans (name, shipments_per_month) VALUES ($1, $2)', [id, quota])
  await query(
    `INSERT INTO organizations (id, name, type, created_at, plan)
     VALUES ($1, 'Shop', 'external', now(), $1)`,
    [id],
  )
  return id
}

const outcome = ({ shipmentId }: Made, attempt: number, one: CallOutcome): Command => ({
  do: 'record_outcome',
  operationId: operationIdOf(shipmentId, attempt),
  outcome: one,
})
const review = ({ operationId }: Made): Command => ({
  do: 'require_review',
  operationId,
  now: start + minutes(481),
})
const decideNothing = ({ operationId }: Made): Command => ({
  do: 'resolve',
  operationId,
  now: start + minutes(10),
  decision: 'nothing_created',
  guide: null,
  resolutionRef: null,
})
/** The next attempt as a request with the same key makes it, which reserves its place first. */
const again = async (made: Made): Promise<Command> => {
  const { version, attempts } = await parts.state(made)
  t.equal(await reserve(made.shipmentId, version), 'held')
  return {
    do: 'request_guide',
    now: start + seconds(60),
    callDeadline: start + seconds(80),
    operationId: `${made.operationId.slice(0, -1)}${attempts.length + 1}`,
    credentialsVersion: 1,
  }
}

type Step = CallOutcome | ((made: Made) => Command | Promise<Command>)
const rules: readonly (readonly [what: string, counted: number, steps: readonly Step[]])[] = [
  ['a guide that was issued', 1, [issued]],
  ['a refusal', 0, [rejected]],
  ['a call that was not sent', 0, [notSent]],
  ['an outcome that is unknown', 1, [lost]],
  ['an outcome under review', 1, [lost, review]],
  ['nothing created', 0, [lost, rejected]],
  ['a person who decides that nothing was created', 0, [lost, decideNothing]],
  ['a retry that got its guide', 1, [notSent, again, (made: Made) => outcome(made, 2, issued)]],
  ['a retry that was refused', 0, [notSent, again, (made: Made) => outcome(made, 2, rejected)]],
  ['a refusal that the guide contradicts', 1, [rejected, issued]],
  ['a contradiction decided as nothing created', 0, [rejected, issued, decideNothing]],
  [
    'a first attempt whose guide turns up beside the second',
    1,
    [
      ...([
        notSent,
        again,
        (made: Made) => outcome(made, 2, rejected),
        (made: Made) => outcome(made, 1, issued),
      ] as const),
    ],
  ],
]

for (const [what, counted, steps] of rules) {
  t.test(`after ${what} a shipment holds ${counted} places in the quota`, async (t) => {
    const [before = 0] = await usedOf(organizationId)
    const rounds = ['after each event', 'after all of them']
    for (const round of rounds) {
      const made = await parts.shipment()
      t.equal(await reserve(made.shipmentId, 0), 'held')
      for (const [index, step] of steps.entries()) {
        if (round === rounds[0]) await correct()
        const command = typeof step === 'function' ? await step(made) : outcome(made, 1, step)
        const done = await parts.decide(made, command, start + minutes(11 + index))
        t.match(done, { kind: 'done', appended: true })
      }
      await correct()
    }
    t.same(await usedOf(organizationId), [before + 2 * counted])
  })
}

t.test(
  'until there is a list of what to correct, nothing is corrected and nothing fails',
  async (t) => {
    t.strictSame(withoutList, [0, 0])
  },
)

t.test('correcting everything again, also from a rebuilt list, changes nothing', async (t) => {
  const all = 'SELECT * FROM quota_reservations ORDER BY shipment_id'
  const before = [await query(all), await usedOf(organizationId)]
  t.ok((await query(`${all} LIMIT 5`)).length === 5)
  await rebuildProjection({ ...deps, pool: parts.pool }, shipmentProjection, stop.signal)
  await correct()
  t.same([await query(all), await usedOf(organizationId)], before)
  await query(`UPDATE quota_progress SET settled_to = ''`)
  await Promise.all([correct(), correct()])
  t.same([await query(all), await usedOf(organizationId)], before)
})

t.test(
  'a place is returned to its own month, and a retry takes one in the current month',
  async (t) => {
    const owner = await anOrganization(5)
    const made = await parts.shipment()
    t.equal(await reserve(made.shipmentId, 0, { organizationId: owner }), 'held')
    for (const table of ['quota_months', 'quota_reservations']) {
      await query(
        `UPDATE ${table} SET month = (month - interval '1 month')::date WHERE organization_id = $1`,
        [owner],
      )
    }
    await parts.decide(made, outcome(made, 1, notSent), start + seconds(1))
    await correct()
    t.same(await usedOf(owner), [0])
    t.equal(await reserve(made.shipmentId, 3, { organizationId: owner }), 'held')
    t.same(await usedOf(owner), [0, 1])
  },
)

t.test('a contradiction takes a place even if the quota is used up', async (t) => {
  const owner = await anOrganization(1)
  const made = await parts.shipment()
  await reserve(made.shipmentId, 0, { organizationId: owner })
  await parts.decide(made, outcome(made, 1, rejected), start + seconds(1))
  await correct()
  t.equal(await reserve('shp_other', 0, { organizationId: owner }), 'held')
  t.equal(await reserve('shp_third', 0, { organizationId: owner }), 'exceeded')
  await parts.decide(made, outcome(made, 1, issued), start + seconds(2))
  await correct()
  t.same(await usedOf(owner), [2])
})

t.test('200 shipments competing for 100 places in three processes get exactly 100', async (t) => {
  const owner = await anOrganization(150)
  const more = openPool({ connectionString: parts.url, max: 4, log: noLog })
  t.teardown(() => more.end())
  const writers = [more, more, parts.pool].map(
    (pool) => new BatchedVaultWriter(postgresVaultRows(pool)),
  )
  for (let index = 0; index < 50; index++) {
    await reserve(`shp_before${index}`, 0, { organizationId: owner })
  }
  const put = async (index: number, writer: BatchedVaultWriter) => {
    const place = placeOf(`shp_race${index}`, 0, owner)
    const { row } = deps.vault.prepare(place.attempt, {})
    return (await writer.storeFirst({ ...place, row }))?.kind ?? 'held'
  }
  const answers = await Promise.all(
    // Each key comes twice: concurrent requests for one shipment share its place.
    Array.from({ length: 400 }, (_, index) =>
      put(index % 200, writers[index % 3] as BatchedVaultWriter),
    ),
  )
  t.same(
    ['held', 'exceeded'].map((one) => answers.filter((answer) => answer === one).length),
    [200, 200],
  )
  t.same(await usedOf(owner), [150])
  const [rows] = await query<{ count: string }>(
    'SELECT count(DISTINCT shipment_id) FROM vault WHERE organization_id = $1',
    [owner],
  )
  t.equal(rows?.count, '100', 'nothing is written without a place')
})

t.test('a request with an outdated version takes no place', async (t) => {
  const made = await parts.shipment()
  await reserve(made.shipmentId, 0)
  await parts.decide(made, outcome(made, 1, rejected), start + seconds(1))
  await correct()
  const before = await usedOf(organizationId)
  t.equal(await reserve(made.shipmentId, 0), 'held')
  t.same(await usedOf(organizationId), before)
})

t.test('quota thresholds of 80 and 100 percent are noted once per month and mode', async (t) => {
  const owner = await anOrganization(10)
  const noted = async () =>
    await query(
      `SELECT livemode, percent, used, quota FROM quota_thresholds WHERE organization_id = $1
       ORDER BY reached_at, percent`,
      [owner],
    )
  const take = async (count: number, livemode: boolean, prefix: string) => {
    for (let index = 0; index < count; index++) {
      await reserve(`shp_${prefix}${index}`, 0, { organizationId: owner, livemode })
    }
  }
  await take(7, false, 'test')
  t.same(await noted(), [])
  await take(9, false, 'test')
  const eighty = { livemode: false, percent: 80, used: 8, quota: 10 }
  t.same(await noted(), [eighty])
  await take(11, false, 'test')
  const all = [eighty, { livemode: false, percent: 100, used: 10, quota: 10 }]
  t.same(await noted(), all)
  await query(
    `SELECT quota_settle(ARRAY['shp_test1'], ARRAY[3], ARRAY[false], ARRAY[NULL]::timestamptz[])`,
  )
  await take(12, false, 'more')
  t.same(await noted(), all)
  await take(8, true, 'live')
  t.same(await noted(), [...all, { ...eighty, livemode: true }])
})

t.test('a suspended organization gets no place until it is resumed', async (t) => {
  const owner = await anOrganization(null)
  const suspend = (at: string) =>
    query(`UPDATE organizations SET suspended_at = ${at} WHERE id = $1`, [owner])
  await suspend('now()')
  t.equal(await reserve('shp_suspended', 0, { organizationId: owner }), 'suspended')
  t.same(await usedOf(owner), [])
  await suspend('NULL')
  t.equal(await reserve('shp_suspended', 0, { organizationId: owner }), 'held')
  t.same(await usedOf(owner), [1])
})

t.test('the sweeper gives back only places held for a day without a guide', async (t) => {
  const owner = { organizationId: await anOrganization(100) }
  const [kept, retried] = [await parts.shipment(issued), await parts.shipment(notSent)]
  await reserve(kept.shipmentId, 0, owner)
  await reserve(retried.shipmentId, 3, owner)
  await reserve('shp_orphan', 0, owner)
  await reserve('shp_young', 0, owner)
  t.same(await usedOf(owner.organizationId), [4])
  await query(
    `UPDATE quota_reservations SET reserved_at = reserved_at - interval '25 hours'
     WHERE shipment_id = ANY ($1)`,
    [[kept.shipmentId, retried.shipmentId, 'shp_orphan']],
  )
  t.ok(await projectionsReached(deps.db, await deps.store.head(), 60_000))
  t.equal(await sweepReservations(deps), 3)
  t.same(
    await query(
      `SELECT shipment_id FROM quota_reservations
       WHERE organization_id = $1 AND NOT is_held ORDER BY shipment_id`,
      [owner.organizationId],
    ),
    [retried.shipmentId, 'shp_orphan'].sort().map((shipment_id) => ({ shipment_id })),
  )
  t.same(await usedOf(owner.organizationId), [2])
  t.equal(await sweepReservations(deps), 0)
})
