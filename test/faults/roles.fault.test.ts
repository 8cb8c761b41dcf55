import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import t from 'tap'
import { createApiKey, defaultScopes, revokeApiKey } from '../../src/service/security/api-keys.ts'
import type { Answer, ApiClient } from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { fleet, type ServiceProcess } from '../support/processes.ts'

/** The longest time for which a role may have no process after one of several was killed. */
const failoverMs = 5_000
const revokedMs = 5_000

const all = await fleet(t)
const apis = await Promise.all([1, 2, 3].map(() => all.start({ roles: 'api' })))
const [api] = apis as [ServiceProcess, ...ServiceProcess[]]
const behind = 'projector,worker'
const first = await Promise.all([1, 2].map(() => all.start({ roles: behind })))
/** The newest projector and worker; another one is always running. */
let [third] = first as [ServiceProcess, ...ServiceProcess[]]

async function listed(shop: ApiClient, reference: string): Promise<number> {
  const { body } = await shop.call(`/v1/shipments?external_reference=${reference}`)
  return body.data.length
}

/** Repeats the request after a 503, as a shop does: nothing was executed. */
async function insist(shop: ApiClient, key: string): Promise<Answer> {
  return await eventually(
    () => shop.create(key),
    ({ status }) => status !== 503,
  )
}

/** The follower and the sealer of the ledger, one row each, with the owner. */
async function runners(): Promise<readonly { work: string; owner: string }[]> {
  const { rows } = await sql<{ work: string; owner: string }>`
    SELECT work, owner FROM claims
    WHERE work IN ('follower', 'sealer') AND leased_until > now() ORDER BY work`.execute(
    all.parts.db,
  )
  return rows
}

t.test('duplicates of one key over three API processes make one guide', async (t) => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => insist(apis[n % 3] ?? api, 'three-ways')),
  )
  t.strictSame([...new Set(answers.map(({ status }) => status))], [201])
  const [id, ...others] = new Set(answers.map(({ body }) => body.id))
  t.strictSame(others, [])
  t.equal(all.record.guidesOf(id).length, 1)
  const calls = all.record.callsOf(id).filter(({ route }) => route === 'createGuide')
  t.equal(calls.length, 1)
})

t.test(
  'the follower and the sealer each run once, and fail over within five seconds',
  async (t) => {
    const names = ['follower', 'sealer']
    const before = await eventually(runners, (rows) => rows.length === names.length)
    t.strictSame(
      before.map(({ work }) => work),
      names,
    )
    await delay(1_500)
    t.strictSame(await runners(), before, 'no process takes a held lease')
    // One after the other, so that every earlier runner is killed once.
    for (const [index, projector] of first.entries()) {
      third = await all.start({ roles: behind })
      projector.signal('SIGKILL')
      await projector.ended
      const reference = `after-projector-${index}`
      t.equal((await api.create(reference)).status, 201)
      await eventually(
        () => listed(api, reference),
        (count) => count === 1,
        failoverMs,
      )
      t.pass(`what was committed after the kill of projector ${index} is in the list`)
    }
    const isNew = (owner: string) => before.every((old) => old.owner !== owner)
    const after = await eventually(
      runners,
      (rows) => rows.length === names.length && rows.every(({ owner }) => isNew(owner)),
    )
    t.equal(after.length, names.length)
  },
)

t.test('another worker finishes the work of a killed one', async (t) => {
  const order = { scenario: 'lost_response_guide_created' }
  const keys = ['lost-0', 'lost-1', 'lost-2', 'lost-3']
  for (const { status } of await Promise.all(keys.map((key) => api.create(key, order)))) {
    t.equal(status, 409)
  }
  // In the middle of the first looks, which are due two seconds after the answers were lost.
  await delay(2_000)
  third.signal('SIGKILL')
  await third.ended
  for (const key of keys) {
    const found = await eventually(
      () => api.create(key, order),
      ({ status }) => status === 201,
    )
    t.equal(all.record.guidesOf(found.body.id).length, 1)
  }
})

t.test('a key revoked in one process stops working in the others', async (t) => {
  const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
  const { id, key } = await createApiKey(
    all.parts,
    {
      organizationId: all.seeded.organizationId,
      livemode: false,
      workspaceId: null,
      scopes: defaultScopes,
      expiresAt: null,
    },
    by,
  )
  const statuses = () =>
    Promise.all(apis.map(async (shop) => (await shop.call('/v1/key', { key })).status))
  t.strictSame(await statuses(), [200, 200, 200])
  t.equal(await revokeApiKey(all.parts, id, by), true)
  await eventually(statuses, (seen) => seen.every((status) => status === 401), revokedMs)
  t.strictSame(await statuses(), [401, 401, 401])
})
