import { randomBytes } from 'node:crypto'
import t from 'tap'
import {
  ApiKeys,
  defaultScopes,
  isApiKey,
  newApiKey,
  revokeApiKey,
  scopes,
} from '../../../src/service/security/api-keys.ts'
import { aKey, anOrganization, aWorkspace, client, serverUnderTest } from '../server-under-test.ts'

const server = await serverUnderTest(t)
const organizationId = await anOrganization(server, 'internal')
const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const

t.test('an API key has a prefix, 256 bits and a checksum', async (t) => {
  for (const [livemode, prefix] of [
    [false, 'svc_test_'],
    [true, 'svc_live_'],
  ] as const) {
    const key = newApiKey(livemode)
    t.match(key, new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
    t.ok(isApiKey(key))
    const changed = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    t.notOk(isApiKey(changed), 'one character changed')
    t.notOk(isApiKey(key.replace(prefix, livemode ? 'svc_test_' : 'svc_live_')), 'mode changed')
  }
})

t.test('the database never holds an API key in clear', async (t) => {
  const { id, key } = await aKey(server, organizationId)
  const row = await server.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  t.equal(row.last4, key.slice(-4))
  t.equal(row.digest.length, 32)
  t.notMatch(JSON.stringify(row), key.slice(9, 40))
})

t.test('missing, malformed, unknown, expired and revoked keys get the same 401', async (t) => {
  const expired = await aKey(server, organizationId, { expiresAt: new Date(Date.now() - 1) })
  const revoked = await aKey(server, organizationId)
  t.equal(await revokeApiKey(server, revoked.id, by), true)
  t.equal(await revokeApiKey(server, revoked.id, by), true, 'a repeat changes nothing')
  t.equal(await revokeApiKey(server, 'key_absent', by), false)
  const { key } = await aKey(server, organizationId)
  const headers: (Record<string, string> | undefined)[] = [
    {},
    { authorization: '' },
    { authorization: key },
    { authorization: `Basic ${key}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${newApiKey(false)}` },
    { authorization: `Bearer ${expired.key}` },
    { authorization: `Bearer ${revoked.key}` },
    { authorization: `Bearer ${'x'.repeat(10_000)}` },
  ]
  const bodies = new Set<string>()
  for (const header of headers) {
    const answer = await server.app.inject({
      url: '/v1/key',
      headers: { ...header, 'x-request-id': 'req_000000000000000000same' },
    })
    t.equal(answer.statusCode, 401, JSON.stringify(header).slice(0, 60))
    t.match(answer.headers['www-authenticate'], /^Bearer/)
    bodies.add(answer.body)
  }
  t.equal(bodies.size, 1)
  t.match(JSON.parse([...bodies][0] ?? ''), { reason: 'unauthenticated' })
  const good = await server.app.inject({
    url: '/v1/key',
    headers: { authorization: `bearer  ${key}` },
  })
  t.equal(good.statusCode, 200)
})

t.test(
  'a malformed key costs no query, and simultaneous requests with one key cost one',
  async (t) => {
    const { key } = await aKey(server, organizationId)
    let queries = 0
    const { db } = server
    const counting = db.withPlugin({
      transformQuery: ({ node }) => {
        if (node.kind === 'SelectQueryNode') queries++
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const keys = new ApiKeys({ db: counting, pepper: server.pepper })
    t.equal(await keys.authenticate(`Bearer svc_test_${'0'.repeat(49)}`), null)
    t.equal(queries, 0)
    const all = await Promise.all(
      Array.from({ length: 50 }, () => keys.authenticate(`Bearer ${key}`)),
    )
    t.ok(all.every((principal) => principal?.organizationId === organizationId))
    t.equal(queries, 1)
    await keys.close()
  },
)

t.test('a revoked key stops working within five seconds', async (t) => {
  const { id, key } = await aKey(server, organizationId)
  const call = client(server.app, key)
  t.equal((await call('GET', '/v1/key')).status, 200)
  await revokeApiKey(server, id, by)
  const revokedAtMs = Date.now()
  while ((await call('GET', '/v1/key')).status === 200) {
    if (Date.now() - revokedAtMs > 5_000) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  t.ok(Date.now() - revokedAtMs < 5_000)
  t.equal((await call('GET', '/v1/key')).status, 401)
})

t.test('a key hashed with an earlier pepper still works', async (t) => {
  const { key } = await aKey(server, organizationId)
  const current = { version: 2, key: randomBytes(32) }
  const rotated = new ApiKeys({
    db: server.db,
    pepper: { current, previous: [server.pepper.current] },
  })
  t.equal((await rotated.authenticate(`Bearer ${key}`))?.organizationId, organizationId)
  const without = new ApiKeys({ db: server.db, pepper: { current, previous: [] } })
  t.equal(await without.authenticate(`Bearer ${key}`), null)
  await rotated.close()
})

t.test('GET /v1/key shows what the key is and when it was last used', async (t) => {
  const { id, key } = await aKey(server, organizationId)
  const call = client(server.app, key)
  await call('GET', '/v1/key')
  await server.keys.close()
  const { body } = await call('GET', '/v1/key')
  t.match(body, {
    id,
    object: 'api_key',
    livemode: false,
    organization_id: organizationId,
    organization_type: 'internal',
    workspace_id: null,
    scopes: [...defaultScopes],
    last4: key.slice(-4),
    expires_at: null,
    last_used_at: /Z$/,
    created_at: /Z$/,
  })
  t.same(
    scopes.filter((scope) => !defaultScopes.includes(scope)),
    ['keys:write', 'operators:write', 'operations:review'],
  )
})

t.test(
  "the list of keys has no secrets and only keys of the caller's mode and reach",
  async (t) => {
    const organizationId = await anOrganization(server)
    const mine = await aKey(server, organizationId)
    const call = client(server.app, mine.key)
    const workspaceId = await aWorkspace(call, 'keys')
    const restricted = await aKey(server, organizationId, { workspaceId })
    const revoked = await aKey(server, organizationId)
    await revokeApiKey(server, revoked.id, { actor: { type: 'cli', keyId: null }, requestId: null })
    const live = await aKey(server, organizationId, { livemode: true })
    const stranger = await aKey(server, await anOrganization(server))
    const seen: { id: string; revoked_at: string | null }[] = []
    let cursor = ''
    for (let more = true; more; ) {
      const { body } = await call('GET', `/v1/keys?limit=1${cursor}`)
      seen.push(...body.data)
      more = body.has_more
      cursor = `&cursor=${body.next_cursor}`
    }
    t.same(
      seen.map(({ id }) => id),
      [revoked.id, restricted.id, mine.id],
    )
    t.match(seen[0]?.revoked_at, /Z$/)
    const all = await call('GET', '/v1/keys')
    for (const { key } of [mine, restricted, revoked, live, stranger]) {
      t.notMatch(JSON.stringify(all.body), key.slice(9, -4))
    }
    t.notMatch(JSON.stringify(all.body), /digest|pepper/)
    const theirs = await client(server.app, restricted.key)('GET', '/v1/keys')
    t.same(
      theirs.body.data.map((one: { id: string }) => one.id),
      [restricted.id],
    )
    t.equal((await call('GET', '/v1/keys?mode=live')).body.reason, 'invalid_filter')
    const blind = await aKey(server, organizationId, { scopes: ['shipments:read'] })
    t.equal((await client(server.app, blind.key)('GET', '/v1/keys')).status, 403)
  },
)

t.test('the list of keys can leave out those of sign-ins, or show only these', async (t) => {
  const calling = await aKey(server, organizationId, { scopes: ['workspaces:read'] })
  const signIn = await aKey(server, organizationId, { scopes: [], fromSignIn: true })
  const listed = async (query: string) => {
    const { body } = await client(server.app, calling.key)('GET', `/v1/keys?limit=100&${query}`)
    return body.data.map(({ id }: { id: string }) => id)
  }
  t.ok((await listed('')).includes(signIn.id))
  t.same(await listed('from_sign_in=true'), [signIn.id])
  const others = await listed('from_sign_in=false')
  t.ok(others.includes(calling.id))
  t.notOk(others.includes(signIn.id))
})

t.test('an unreachable database is an error, not a refusal of the key', async (t) => {
  const { key } = await aKey(server, organizationId)
  const broken = new ApiKeys({
    db: server.db.withPlugin({
      transformQuery: () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      },
      transformResult: async ({ result }) => result,
    }),
    pepper: server.pepper,
  })
  await t.rejects(broken.authenticate(`Bearer ${key}`), { code: 'ECONNREFUSED' })
})
