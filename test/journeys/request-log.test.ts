import t from 'tap'
import { RequestLog } from '../../src/service/http/requests/request-log.ts'
import { forgetRequests } from '../../src/service/processes/forget-requests.ts'
import { createApiKey, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { eventually } from '../support/eventually.ts'
import { noLog } from '../support/no-log.ts'
import { service } from '../support/service.ts'

const shop = await service(t, { roles: ['api', 'projector'] })
const { organizationId, workspaceId } = shop.seeded
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
const aKey = (more: object = {}) => createApiKey(shop.parts, { ...order, ...more }, by)
const keyId: string = (await shop.call('/v1/key')).body.id

const listed = (query: string, key = shop.seeded.shopKey) =>
  shop.call(`/v1/requests?${query}`, { key })

/** Waits until the request is logged, without making requests that would be logged too. */
async function noted(id: string) {
  await eventually(
    () => shop.parts.pool.query('SELECT FROM request_log WHERE id = $1', [id]),
    ({ rowCount }) => rowCount === 1,
  )
  return (await shop.call(`/v1/requests/${id}`)).body
}

const idOf = (answer: { headers: Headers }) => answer.headers.get('x-request-id') ?? ''

t.test('a request is noted with its route, status, reason and time, and no value', async (t) => {
  const lost = await shop.create('canary-order', { scenario: 'lost_response_guide_created' })
  t.equal(lost.status, 409)
  const request = await noted(idOf(lost))
  t.match(request, {
    object: 'request',
    livemode: false,
    workspace_id: null,
    key_id: keyId,
    method: 'POST',
    route: '/v1/shipments',
    status: 409,
    reason: 'unknown_outcome',
    outcome: 'unknown',
    represents: 1,
    created_at: /Z$/,
  })
  t.ok(request.duration_ms > 0)
  const read = await shop.call(`/v1/shipments/${lost.body.shipment_id}?as_of=1`)
  t.match(await noted(idOf(read)), {
    method: 'GET',
    route: '/v1/shipments/{id}',
    status: 200,
    reason: null,
    outcome: null,
  })
  const { rows } = await shop.parts.pool.query('SELECT * FROM request_log')
  t.notMatch(JSON.stringify(rows), /canary-order|as_of|shp_/, 'nothing of path, query and body')
})

t.test(
  'a request is found by the beginning of its id in any case, and by what it was',
  async (t) => {
    const id = idOf(await shop.call('/v1/shipments/shp_unknown'))
    await noted(id)
    const finds = async (query: string) =>
      (await listed(query)).body.data.map((row: { id: string }) => row.id).includes(id)
    for (const query of [
      `id=${id}`,
      `id=${id.slice(0, 10)}`,
      `id=${id.slice(4, 10)}`,
      `id=${id.slice(0, 12).toUpperCase()}`,
      `id=${id.toLowerCase()}`,
      `key_id=${keyId}&status=4xx&reason=not_found`,
      'method=GET&route=/v1/shipments/{id}&status=4xx',
      'min_duration_ms=0&status=4xx',
    ]) {
      t.ok(await finds(query), query)
    }
    const head = idOf(await shop.call('/v1/usage', { method: 'HEAD' }))
    await noted(head)
    const { body: heads } = await listed('method=HEAD')
    t.match(heads.data, [{ id: head }])
    for (const query of [
      'status=2xx',
      'status=5xx',
      'reason=rate_limited',
      'outcome=unknown',
      'method=POST',
      'route=/v1/keys',
      'min_duration_ms=999999',
      'created_at[lt]=2020-01-01T00:00:00Z',
      `key_id=key_${'0'.repeat(22)}`,
    ]) {
      t.notOk(await finds(query), query)
    }
    for (const query of [
      'id=req_12345',
      'id=12345',
      'id=req_%25%25',
      'status=404',
      'reason=no',
      'order=oldest',
    ]) {
      t.equal((await listed(query)).status, 400, query)
    }
  },
)

t.test('requests are shown within the reach of a key only', async (t) => {
  const stranger = await createOrganization(shop.parts, { name: 'Other', type: 'external' }, by)
  const theirs = (await aKey({ organizationId: stranger.id })).key
  const live = (await aKey({ livemode: true })).key
  const restricted = (await aKey({ workspaceId })).key
  const id = idOf(await shop.call('/v1/usage'))
  await noted(id)
  const own = idOf(await shop.call('/v1/usage', { key: restricted }))
  t.match(await noted(own), { workspace_id: workspaceId }, 'a key of all workspaces sees both')
  for (const key of [theirs, live, restricted]) {
    t.equal((await shop.call(`/v1/requests/${id}`, { key })).status, 404)
    const { body } = await listed(`id=${id}`, key)
    t.same(body.data, [])
  }
  t.equal((await shop.call(`/v1/requests/${own}`, { key: restricted })).status, 200)
  const blind = (await aKey({ scopes: ['shipments:read'] })).key
  t.equal((await listed('', blind)).status, 403)
  t.equal((await shop.call(`/v1/requests/${id}`, { key: blind })).status, 403)
  const failed = await shop.call('/v1/key', { key: `svc_test_${'0'.repeat(49)}` })
  t.equal(failed.status, 401)
  t.equal(
    (await shop.call(`/v1/requests/${idOf(failed)}`)).status,
    404,
    'it belongs to no organization',
  )
})

/** Makes no requests of its own. */
const quiet = await createOrganization(shop.parts, { name: 'Quiet', type: 'external' }, by)
const caller = { keyId, organizationId: quiet.id, workspaceId: null, livemode: true }
const one = {
  id: `req_${'1'.repeat(22)}`,
  method: 'GET',
  route: '/v1/usage',
  status: 200,
  durationMs: 1,
  reason: null,
  outcome: null,
}
const failure = { ...one, status: 404, reason: 'not_found' } as const
const limited = { ...one, status: 429, reason: 'rate_limited' } as const
const storedSql = `SELECT status, count(*)::int AS rows, sum(represents)::float AS represents
  FROM request_log WHERE livemode AND organization_id = $1 GROUP BY 1 ORDER BY 1`

t.test('of a second, twenty of each kind are noted, in one statement', async (t) => {
  const log = new RequestLog({ db: shop.parts.db, log: noLog, dropped: () => t.fail() })
  for (let n = 0; n < 300; n++) {
    log.note(one, caller)
    log.note(limited, caller)
    if (n < 20) log.note(failure, caller)
  }
  const { rows: before } = await shop.parts.pool.query(storedSql, [quiet.id])
  t.same(before, [], 'nothing is written in the path of a request')
  await log.close()
  const { rows } = await shop.parts.pool.query(storedSql, [quiet.id])
  t.same(rows, [
    { status: 200, rows: 20, represents: 300 },
    { status: 404, rows: 20, represents: 20 },
    { status: 429, rows: 20, represents: 300 },
  ])
})

t.test('when memory is full, busy organizations make room for quiet ones', async (t) => {
  await shop.parts.pool.query('DELETE FROM request_log WHERE organization_id = $1', [quiet.id])
  const log = new RequestLog({ db: shop.parts.db, log: noLog, dropped: () => t.fail() })
  for (let n = 0; n < 40; n++) {
    const busy = { ...caller, organizationId: `org_busy${n}` }
    for (const request of [one, limited, failure]) {
      for (let m = 0; m < 100; m++) log.note(request, busy)
    }
  }
  for (let m = 0; m < 5; m++) log.note(failure, caller)
  await log.close()
  const { rows } = await shop.parts.pool.query(storedSql, [quiet.id])
  t.same(rows, [{ status: 404, rows: 5, represents: 5 }])
  const { rows: all } = await shop.parts.pool.query(
    `SELECT count(*)::int AS rows, round(sum(represents)::numeric)::int AS represents
     FROM request_log WHERE organization_id LIKE 'org_busy%'`,
  )
  t.same(all, [{ rows: 1_995, represents: 12_000 }], 'and each row stands for more')
})

t.test('what does not fit into memory or the database is dropped and counted', async (t) => {
  let dropped = 0
  const db = shop.parts.db.withPlugin({
    transformQuery: () => {
      throw new Error('the database is away')
    },
    transformResult: async ({ result }) => result,
  })
  const count = (rows: number) => {
    dropped += rows
  }
  const log = new RequestLog({ db, log: noLog, dropped: count })
  for (let n = 0; n < 2_500; n++) log.note(failure, { ...caller, organizationId: `org_${n}` })
  t.equal(dropped, 500, 'memory is bounded')
  await log.close()
  t.equal(dropped, 2_500)
})

t.test('requests are forgotten after seven days, and beyond a number of the newest', async (t) => {
  const { pool, db } = shop.parts
  await pool.query('DELETE FROM request_log WHERE organization_id = $1', [quiet.id])
  await pool.query(
    `INSERT INTO request_log SELECT 'req_' || lpad(n::text, 22, '0'), $1, true, NULL, $2, 'GET', '/v1/usage',
       200, NULL, NULL, 1, 1, now() - n * interval '1 day' FROM generate_series(0, 9) n`,
    [quiet.id, keyId],
  )
  const left = async () => {
    const sql = 'SELECT id FROM request_log WHERE organization_id = $1 ORDER BY id'
    const { rows } = await pool.query(sql, [quiet.id])
    return rows.map(({ id }) => Number(id.slice(4)))
  }
  t.equal(await forgetRequests(db), 3)
  t.same(await left(), [0, 1, 2, 3, 4, 5, 6])
  await forgetRequests(db, { rows: 2 })
  t.same(await left(), [0, 1])
})
