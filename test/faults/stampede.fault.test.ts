import pg from 'pg'
import t, { type Test } from 'tap'
import { byCli } from '../../src/service/cli/acting.ts'
import { setPlan, suspend } from '../../src/service/security/organizations.ts'
import { createPlan, updatePlan } from '../../src/service/security/plans.ts'
import { askUntilServed, keyStampede } from '../prove/stampede/key-stampede.ts'
import type { Answer, ApiClient } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { type Fleet, fleet } from '../support/processes.ts'

/** Concurrent requests with one key, as in the specification. */
const atOnce = 50
/** Duplicates waiting for one slow attempt: far more than the connections of both processes. */
const waiting = 200
/** Sessions busy with background work; each waiting request would add one. */
const busyMax = 8
/** A slow attempt takes three seconds; a machine too busy for that gets another try. */
const triesMax = 4

const all: Fleet = await fleet(t)
const [first, second] = await Promise.all([all.start(), all.start()])

const created = (shop: ApiClient, key: string, scenario: string): Promise<Answer> =>
  askUntilServed(() => shop.create(key, { scenario }))

function oneGuide(t: Test, answers: readonly Answer[]): void {
  t.strictSame([...new Set(answers.map(({ status }) => status))], [201])
  const [id, ...others] = new Set(answers.map(({ body }) => body.id))
  t.strictSame(others, [])
  t.equal(new Set(answers.map(({ body }) => body.guide_number)).size, 1)
  const made = answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)
  t.equal(made.length, 1, 'one created it, the others are marked as replays')
  const creations = all.record.callsOf(id).filter(({ route }) => route === 'createGuide')
  t.equal(creations.length, 1, "one call in the courier's own record")
  t.equal(all.record.guidesOf(id).length, 1)
}

for (const [title, shops] of [
  ['one process', [first]],
  ['two processes on one database', [first, second]],
] as const) {
  for (const scenario of ['happy_path', 'slow_success']) {
    t.test(`fifty requests at once over ${title} make one call: ${scenario}`, async (t) => {
      const key = `stampede-${shops.length}-${scenario}`
      const answers = await Promise.all(
        Array.from({ length: atOnce }, (_, index) => {
          const shop: ApiClient = shops[index % shops.length] ?? first
          return created(shop, key, scenario)
        }),
      )
      oneGuide(t, answers)
    })
  }
}

t.test('ten keys with fifty callers each over two processes make ten guides', async (t) => {
  const found = await keyStampede(all, [first, second], {
    keys: 10,
    callers: atOnce,
    say: () => undefined,
  })
  t.strictSame(found.violations, [])
  t.strictSame([found.guides, found.calls, found.made], [10, 10, 10])
})

/** Sessions of the database that are active or hold a transaction open. */
async function busySessions(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS busy FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'`,
  )
  return rows[0].busy
}

/** Whether another request was served, and few sessions were busy, while all duplicates waited. */
async function serveWhileWaiting(t: Test, client: pg.Client, key: string): Promise<boolean> {
  const create = (shop: ApiClient) => created(shop, key, 'slow_success')
  const slow = create(first)
  const query = `workspace_id=${all.seeded.workspaceId}&idempotency_key=${key}`
  await eventually(
    () => first.call(`/v1/shipments?${query}`),
    ({ body }) => body.data[0]?.status === 'creating',
  )
  let answered = 0
  const duplicates = Array.from({ length: waiting }, async (_, index) => {
    const answer = await create(index % 2 === 0 ? first : second)
    answered += 1
    return answer
  })
  await eventually(
    () => busySessions(client),
    (busy) => busy <= busyMax || answered > 0,
  )
  const others = await Promise.all(
    [first, second].map((shop) => created(shop, `${key}-${shop.pid}`, 'happy_path')),
  )
  const busy = await busySessions(client)
  const wasInTime = answered === 0
  t.strictSame(
    others.map(({ status }) => status),
    [201, 201],
  )
  if (wasInTime) t.ok(busy <= busyMax, `${busy} sessions at work`)
  oneGuide(t, await Promise.all([slow, ...duplicates]))
  return wasInTime
}

t.test('requests that wait for another hold no database connection', async (t) => {
  const client = new pg.Client({ connectionString: all.database.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  let wasSeen = false
  for (let tries = 1; !wasSeen && tries <= triesMax; tries++) {
    wasSeen = await serveWhileWaiting(t, client, `waiting-${tries}`)
  }
  t.ok(wasSeen, 'others were served while two hundred waited')
})

/** Shipments that the plan still allows, and how many are requested at once. */
const room = 100
const asking = 200

t.test('200 concurrent creations against a quota of 100 make exactly 100', async (t) => {
  const { parts, seeded } = all
  const { organizationId } = seeded
  const used = async () => (await first.call('/v1/usage')).body.shipments.used
  const before = await used()
  const unlimited = { workspaces: null, courier_connections: null, webhook_endpoints: null }
  const shipments_per_month = before + room
  const limits = { ...unlimited, requests_per_minute: null, shipments_per_month }
  await createPlan(parts, { name: 'race', ...limits }, byCli)
  await setPlan(parts, organizationId, 'race', byCli)
  const shops = [first, second]
  const answers = await Promise.all(
    Array.from({ length: asking }, (_, index) =>
      (shops[index % 2] ?? first).create(`quota-${index}`),
    ),
  )
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status === 429)
  t.strictSame([made.length, refused.length], [room, asking - room])
  for (const { body } of refused) {
    t.match(body, { reason: 'quota_exceeded', outcome: 'not_executed', retryable: false })
  }
  t.equal(await used(), before + room)
  const key = `quota-${answers.findIndex(({ status }) => status === 201)}`
  t.equal((await second.create(key)).status, 201, 'a key that was used answers its own result')

  await updatePlan(parts, 'race', { shipments_per_month: shipments_per_month + 1 }, byCli)
  const rejected = await second.create('quota-rejected', { scenario: 'courier_rejected' })
  t.equal(rejected.status, 422)
  await eventually(used, (count) => count === before + room)
  t.equal((await second.create('quota-last')).status, 201, 'its place was given back')

  await suspend(parts, organizationId, true, byCli)
  t.match((await first.create('quota-new')).body, {
    reason: 'organization_suspended',
    status: 403,
  })
  t.equal((await second.create(key)).status, 201)
  await suspend(parts, organizationId, false, byCli)
})
