import t from 'tap'
import { type Scope, scopes } from '../../src/service/security/api-keys.ts'
import {
  aConnection,
  aKey,
  anOrganization,
  aWorkspace,
  type Client,
  client,
  serverUnderTest,
} from './server-under-test.ts'

const server = await serverUnderTest(t)
const nowhere = '0000000000000000000000'

type World = { readonly workspace: string; readonly connection: string }

const home = await anOrganization(server)
const foreign = await anOrganization(server)
const homeCall = client(server.app, (await aKey(server, home)).key)
const foreignCall = client(server.app, (await aKey(server, foreign)).key)
const liveCall = client(server.app, (await aKey(server, home, { livemode: true })).key)
server.live.set('elsewhere', { displayName: 'Elsewhere', courier: server.simulated })

const own: World = await aWorld(homeCall, 'own')
const sibling: World = await aWorld(homeCall, 'sibling')
const strangers: World = await aWorld(foreignCall, 'own')
const live: World = await aWorld(liveCall, 'own', 'elsewhere')

async function aWorld(call: Client, reference: string, provider = 'mock'): Promise<World> {
  const workspace = await aWorkspace(call, reference)
  if (provider === 'mock') return { workspace, connection: await aConnection(call, workspace) }
  const made = await call('POST', '/v1/courier-connections', {
    workspace_id: workspace,
    provider_code: provider,
    display_name: 'Live',
    credentials: { username: 'a', password: 'b' },
  })
  return { workspace, connection: made.body.id }
}

/** Without a scope, any key may make the request. */
type Asked = { readonly scope: Scope | null; readonly ask: Parameters<Client> }

/** Every way to name another caller's workspace or connection, with the required scope. */
function requestsNaming(world: World): readonly Asked[] {
  const request = { 'x-request-id': 'req_000000000000000000same' }
  const asked = (
    scope: Scope | null,
    method: Parameters<Client>[0],
    url: string,
    body?: object,
  ): Asked => ({
    scope,
    ask: [method, url, body, request],
  })
  const connection = {
    workspace_id: world.workspace,
    provider_code: 'mock',
    display_name: 'Intruder',
    credentials: { username: 'a', password: 'b' },
  }
  const workspaceUrl = `/v1/workspaces/${world.workspace}`
  const connectionUrl = `/v1/courier-connections/${world.connection}`
  return [
    asked('workspaces:read', 'GET', workspaceUrl),
    asked('workspaces:write', 'PATCH', workspaceUrl, { name: 'Intruder' }),
    asked('operations:review', 'POST', `${workspaceUrl}/hold`, { note: 'x' }),
    asked('operations:review', 'POST', `${workspaceUrl}/release-hold`, { note: 'x' }),
    asked('connections:read', 'GET', connectionUrl),
    asked('connections:write', 'PATCH', connectionUrl, { display_name: 'x' }),
    asked('connections:write', 'DELETE', connectionUrl),
    asked('connections:write', 'POST', `${connectionUrl}/verify`),
    asked('connections:write', 'POST', '/v1/courier-connections', connection),
    asked('connections:read', 'GET', `/v1/courier-connections?workspace_id=${world.workspace}`),
    asked(null, 'GET', `/v1/agencies?courier_connection_id=${world.connection}`),
    asked(null, 'GET', `/v1/package-products?courier_connection_id=${world.connection}`),
  ]
}

const absent: World = { workspace: `ws_${nowhere}`, connection: `ccn_${nowhere}` }

async function rows() {
  return {
    workspaces: await server.db.selectFrom('workspaces').selectAll().orderBy('id').execute(),
    connections: await server.db
      .selectFrom('courier_connections')
      .selectAll()
      .orderBy('id')
      .execute(),
  }
}

const restricted = client(
  server.app,
  (await aKey(server, home, { workspaceId: own.workspace })).key,
)

for (const [whose, world, call] of [
  ['another organization', strangers, homeCall],
  ['the other mode', live, homeCall],
  ['a live workspace with a test resource', own, liveCall],
  ['another workspace, for a key of one', sibling, restricted],
] as const) {
  t.test(`${whose}: every request is answered as if the id had never existed`, async (t) => {
    const before = await rows()
    const absentRequests = requestsNaming(absent)
    for (const [n, { ask }] of requestsNaming(world).entries()) {
      const [method, url] = ask
      const answer = await call(...ask)
      const never = await call(...absentRequests[n]!.ask)
      t.equal(answer.status, 404, `${method} ${url}`)
      t.strictSame(answer.body, never.body, `${method} ${url} tells nothing`)
    }
    t.strictSame(await rows(), before, 'and nothing changed')
  })
}

t.test('a key without scopes gets the same answer for foreign and unknown ids', async (t) => {
  const bare = client(server.app, (await aKey(server, home, { scopes: [] })).key)
  const absentRequests = requestsNaming(absent)
  for (const [n, { ask }] of requestsNaming(strangers).entries()) {
    const answer = await bare(...ask)
    const never = await bare(...absentRequests[n]!.ask)
    t.equal(answer.status, never.status, `${ask[0]} ${ask[1]}`)
    t.strictSame(answer.body, never.body, `${ask[0]} ${ask[1]}`)
  }
  for (const { scope, ask } of requestsNaming(own)) {
    if (scope === null) continue
    const answer = await bare(...ask)
    t.equal(answer.status, 403, `${ask[0]} ${ask[1]}`)
    t.equal(answer.body.reason, 'forbidden_scope')
  }
})

t.test('lists contain only what the key can reach', async (t) => {
  const names = async (call: Client) => {
    const workspaces = await call('GET', '/v1/workspaces?limit=100')
    const connections = await call('GET', '/v1/courier-connections?limit=100')
    return [...workspaces.body.data, ...connections.body.data].map(({ id }) => id).toSorted()
  }
  const of = (...worlds: World[]) =>
    worlds.flatMap(({ workspace, connection }) => [workspace, connection]).toSorted()
  t.same(await names(homeCall), of(own, sibling))
  t.same(await names(restricted), of(own))
  t.same(await names(foreignCall), of(strangers))
  t.same(await names(liveCall), of(live))
})

t.test('a workspace key creates no other workspace and finds none by its reference', async (t) => {
  for (const reference of ['sibling', 'never-existed']) {
    const answer = await restricted('POST', '/v1/workspaces', {
      name: 'x',
      external_reference: reference,
    })
    t.equal(answer.status, 404, reference)
  }
  const again = await restricted('POST', '/v1/workspaces', { name: 'x', external_reference: 'own' })
  t.equal(again.status, 200)
  t.equal(again.body.id, own.workspace)
})

t.test(
  'the same reference names different workspaces in other organizations and modes',
  async (t) => {
    t.equal(new Set([own, strangers, live].map(({ workspace }) => workspace)).size, 3)
  },
)

t.test('each route needs exactly its own scope', async (t) => {
  for (const { scope, ask } of requestsNaming(own)) {
    const [method, url, body, headers] = ask
    if (scope === null || method === 'DELETE') continue
    const others = scopes.filter((one) => one !== scope)
    const without = client(server.app, (await aKey(server, home, { scopes: others })).key)
    const refused = await without(method, url, body, headers)
    t.equal(refused.status, 403, `${method} ${url} without ${scope}`)
    t.match(refused.body.detail, scope)
    const only = client(server.app, (await aKey(server, home, { scopes: [scope] })).key)
    const allowed = await only(method, url, body, headers)
    t.ok(allowed.status < 300, `${method} ${url} with ${scope} alone`)
  }
})
