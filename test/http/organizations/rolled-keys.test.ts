import t from 'tap'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { revokeApiKey, type Scope, scopes } from '../../../src/service/security/api-keys.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { scopesOfRole } from '../../../src/service/security/scopes.ts'
import { eventually } from '../../support/eventually.ts'
import {
  aKey,
  anOrganization,
  aWorkspace,
  client,
  type KeyOrder,
  serverUnderTest,
} from '../server-under-test.ts'

const server = await serverUnderTest(t)
const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
const home = await anOrganization(server)
const hourMs = 3_600_000

async function caller(order: KeyOrder = {}) {
  const made = await aKey(server, home, { scopes, ...order })
  return { ...made, call: client(server.app, made.key) }
}

const admin = await caller()
const roll = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  admin.call('POST', `/v1/keys/${id}/roll`, body, headers)
const read = async (id: string) => (await admin.call('GET', `/v1/keys/${id}`)).body

t.test('the next key has everything of the old one, which lives on for the overlap', async (t) => {
  const workspaceId = await aWorkspace(admin.call, 'rolled')
  const old = await admin.call('POST', '/v1/keys', {
    name: 'Web shop',
    role: 'integration',
    workspace_id: workspaceId,
  })
  const startedMs = Date.now()
  const next = await roll(old.body.id, { overlap_hours: 2 })
  t.equal(next.status, 201)
  t.equal(next.headers.location, `/v1/keys/${next.body.id}`)
  t.match(next.body, {
    name: 'Web shop',
    role: 'integration',
    scopes: scopesOfRole('integration'),
    workspace_id: workspaceId,
    expires_at: null,
    replaced_by_key_id: null,
    created_by_key_id: admin.id,
  })
  t.not(next.body.id, old.body.id)
  for (const { body } of [old, next]) {
    t.equal((await client(server.app, body.key)('GET', '/v1/key')).body.id, body.id)
  }
  const after = await read(old.body.id)
  t.equal(after.replaced_by_key_id, next.body.id)
  const endsMs = Date.parse(after.expires_at)
  t.ok(endsMs >= startedMs + 2 * hourMs && endsMs <= Date.now() + 2 * hourMs)

  const events = await server.store.readStream(auditStream(home))
  const [rolled] = events.filter(({ type }) => type === 'ApiKeyRolled')
  t.match(rolled, {
    data: {
      key_id: old.body.id,
      replaced_by_key_id: next.body.id,
      expires_at: after.expires_at,
      previous_expires_at: null,
    },
    metadata: { actor: { type: 'api_key', key_id: admin.id } },
  })
  t.notMatch(JSON.stringify([events, server.lines]), next.body.key.slice(9, -4))
})

t.test('without an overlap the old key stops within five seconds', async (t) => {
  const old = await caller()
  t.equal((await old.call('GET', '/v1/key')).status, 200)
  const startedMs = Date.now()
  t.equal((await roll(old.id, { overlap_hours: 0 })).status, 201)
  await eventually(
    () => old.call('GET', '/v1/key'),
    ({ status }) => status === 401,
  )
  t.ok(Date.now() - startedMs <= 5_000)
})

t.test('an overlap is 24 hours at first, and a week or the own end at most', async (t) => {
  const lifeMs = 3 * hourMs
  const brief = await caller({ expiresAt: new Date(Date.now() + lifeMs) })
  const before = await read(brief.id)
  const next = await roll(brief.id)
  t.equal((await read(brief.id)).expires_at, before.expires_at, 'it does not live longer')
  const wantedMs = Date.parse(before.expires_at) - Date.parse(before.created_at)
  const gotMs = Date.parse(next.body.expires_at) - Date.parse(next.body.created_at)
  t.ok(Math.abs(gotMs - wantedMs) < 5_000, 'the next key has as long a life')

  const lasting = await caller()
  t.equal((await roll(lasting.id, { overlap_hours: 169 })).body.reason, 'validation_failed')
  t.equal((await roll(lasting.id, { overlap_hours: -1 })).body.reason, 'validation_failed')
  const endsAt = new Date(Date.now() + hourMs).toISOString()
  const chosen = await roll(lasting.id, { expires_at: endsAt })
  t.equal(chosen.body.expires_at, endsAt)
  const leftMs = Date.parse((await read(lasting.id)).expires_at) - Date.now()
  t.ok(Math.abs(leftMs - 24 * hourMs) < 60_000)
})

t.test('a repeated Idempotency-Key rolls once, and a rolled key is not rolled again', async (t) => {
  const old = await caller()
  const headers = { 'idempotency-key': 'roll-once' }
  const many = await Promise.all(Array.from({ length: 5 }, () => roll(old.id, {}, headers)))
  t.same([...new Set(many.map(({ status }) => status))], [201])
  t.equal(new Set(many.map(({ body }) => body.id)).size, 1)
  t.equal(many.filter(({ body }) => body.key !== null).length, 1)
  t.match(await roll(old.id), { status: 409, body: { reason: 'key_not_rollable' } })
  t.equal((await roll(many[0]?.body.id)).status, 201, 'the next key is')

  const raced = await caller()
  const answers = await Promise.all([roll(raced.id), roll(raced.id)])
  t.same(answers.map(({ status }) => status).toSorted(), [201, 409])
})

t.test('a key that has ended is not rolled', async (t) => {
  const revoked = await caller()
  await revokeApiKey(server, revoked.id, by)
  const expired = await caller({ expiresAt: new Date(Date.now() - 1) })
  for (const { id } of [revoked, expired]) {
    t.match(await roll(id), { status: 409, body: { reason: 'key_not_rollable' } })
  }
})

t.test('a key rolls only keys that it could create', async (t) => {
  const keyScopes: readonly Scope[] = ['keys:write', 'shipments:read']
  const weak = await caller({ scopes: keyScopes })
  const before = await read(admin.id)
  t.match(await weak.call('POST', `/v1/keys/${admin.id}/roll`, {}), {
    status: 403,
    body: { reason: 'forbidden_scope' },
  })
  t.same((await read(admin.id)).replaced_by_key_id, before.replaced_by_key_id)
  t.equal((await weak.call('POST', `/v1/keys/${weak.id}/roll`, {})).status, 201, 'also itself')

  const person = { organizationId: home, name: 'Eva', email: 'eva@shop.example' }
  const operator = await createOperator(server, person, by)
  const hers = await caller({ operatorId: operator.id })
  t.equal((await roll(hers.id)).body.reason, 'operator_not_yours')
  const own = await hers.call('POST', `/v1/keys/${hers.id}/roll`, {})
  t.match(own, { status: 201, body: { operator_id: operator.id } })

  const brief = await caller({ expiresAt: new Date(Date.now() + hourMs) })
  const lasting = await caller()
  const asked = await brief.call('POST', `/v1/keys/${lasting.id}/roll`, { expires_at: null })
  t.same(asked.body.errors[0].reason, 'beyond_own_end')
  const limited = await brief.call('POST', `/v1/keys/${lasting.id}/roll`, {})
  t.equal(limited.body.expires_at, (await read(brief.id)).expires_at)

  const foreign = await aKey(server, await anOrganization(server), { scopes })
  t.equal(
    (await client(server.app, foreign.key)('POST', `/v1/keys/${hers.id}/roll`, {})).status,
    404,
  )
})
