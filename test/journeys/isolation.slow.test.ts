import t from 'tap'
import { auditStream } from '../../src/service/domain/ids.ts'
import { ledgerEventObject } from '../../src/service/event-store/codec.ts'
import { createApiKey, type Scope, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { proveIsolation } from '../prove/isolation/isolation-proof.ts'
import {
  type Answer,
  type ApiClient,
  apiClient,
  type CallOptions,
  freshShop,
} from '../support/api-client.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'
import { testDatabase } from '../support/test-database.ts'

const shop = await service(t)
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

type Reach = {
  readonly organizationId: string
  readonly workspaceId?: string
  readonly livemode?: boolean
  readonly scopes?: readonly Scope[]
}

async function aKey({ workspaceId, livemode, ...reach }: Reach): Promise<string> {
  const order = {
    scopes,
    expiresAt: null,
    ...reach,
    workspaceId: workspaceId ?? null,
    livemode: livemode ?? false,
  }
  return (await createApiKey(shop.parts, order, by)).key
}

/** Everything of one organization that a request can name. */
type World = {
  readonly workspace: string
  readonly connection: string
  readonly shipment: string
  readonly operation: string
  readonly quote: string
  readonly guide: string
  readonly reference: string
}

async function aWorld(client: ApiClient): Promise<World> {
  const reference = `order of ${client.seeded.workspaceId}`
  const body = { external_reference: reference }
  const { body: lost } = await client.create('theirs', { scenario: 'duplicate_guides', body })
  const { body: created } = await client.create('made', { body })
  const { body: quote } = await client.call('/v1/quotes', { body: client.quoteBody() })
  return {
    workspace: client.seeded.workspaceId,
    connection: client.seeded.connectionId,
    shipment: created.id,
    operation: lost.operation_id,
    quote: quote.id,
    guide: created.guide_number,
    reference,
  }
}

const value = '0'.repeat(22)
const absent: World = {
  workspace: `ws_${value}`,
  connection: `ccn_${value}`,
  shipment: `shp_${value}`,
  quote: `quo_${value}`,
  operation: `op_${value}01`,
  guide: 'SG00000000000000',
  reference: 'order of nobody',
}

type Ask = readonly [path: string, body?: object]

function singleAsks(world: World): readonly Ask[] {
  const { shipment, operation, quote } = world
  const verdict = { decision: 'nothing_created', note: 'x' }
  return [
    [`/v1/shipments/${shipment}`],
    [`/v1/shipments/${shipment}?as_of=1`],
    [`/v1/shipments/${shipment}/tracking`],
    [`/v1/shipments/${shipment}/documents`],
    [`/v1/shipments/${shipment}/documents/label`],
    [`/v1/shipments/${shipment}/events`],
    [`/v1/shipments/${shipment}/erase-personal-data`, {}],
    [`/v1/shipments/${shipment}/hold`, { note: 'x' }],
    [`/v1/shipments/${shipment}/release-hold`, { note: 'x' }],
    [`/v1/quotes/${quote}`],
    [`/v1/operations/${operation}`],
    [`/v1/operations/${operation}/look`, {}],
    [`/v1/operations/${operation}/resolve`, verdict],
  ]
}

function collectionAsks(world: World, own: ApiClient): readonly Ask[] {
  const { workspace, connection, shipment, guide } = world
  const reference = encodeURIComponent(world.reference)
  return [
    [`/v1/shipments?workspace_id=${workspace}`],
    [`/v1/shipments?workspace_id=${workspace}&idempotency_key=made`],
    [`/v1/shipments?courier_connection_id=${connection}`],
    [`/v1/shipments?guide_number=${guide}`],
    [`/v1/shipments?external_reference=${reference}`],
    [`/v1/operations?workspace_id=${workspace}`],
    [`/v1/operations?shipment_id=${shipment}`],
    [`/v1/operations?external_reference=${reference}`],
    [`/v1/sandbox/clock?workspace_id=${workspace}`],
    ['/v1/labels', { shipment_ids: [shipment] }],
    ['/v1/manifests', { shipment_ids: [shipment] }],
    ['/v1/sandbox/clock/advance', { workspace_id: workspace, by: 'PT1H' }],
    ['/v1/quotes', { ...own.quoteBody(), workspace_id: workspace }],
    ['/v1/quotes', { ...own.quoteBody(), courier_connection_id: connection }],
    ['/v1/shipments', { ...own.bodyOf('a'), workspace_id: workspace }],
    ['/v1/shipments', { ...own.bodyOf('b'), courier_connection_id: connection }],
    [
      '/v1/shipments',
      { ...own.bodyOf('c'), workspace_id: workspace, courier_connection_id: connection },
    ],
  ]
}

/** Always sends the same request id, so that two answers can be equal in every respect. */
function ask(key: string, [path, body]: Ask): Promise<Answer> {
  const isLook = path.endsWith('/look')
  const options: CallOptions = {
    key,
    headers: { 'x-request-id': 'req_000000000000000000same', 'idempotency-key': 'intruder' },
    ...(isLook ? { method: 'POST' } : body === undefined ? {} : { body }),
  }
  return shop.call(path, options)
}

function shown({ status, headers, body }: Answer) {
  // The number of requests left in the minute changes with each request.
  const passing = /^(date|content-length|ratelimit.*)$/
  const kept = [...headers].filter(([name]) => !passing.test(name))
  return { status, headers: kept, body }
}

const { organizationId } = shop.seeded
const mine = await aWorld(shop)
const sibling = await freshShop(shop, 'sibling')
const siblings = await aWorld(sibling)
const stranger = await createOrganization(shop.parts, { name: 'Strangers', type: 'external' }, by)
const strangerKey = await aKey({ organizationId: stranger.id })
const strangerShop = await freshShop(
  apiClient(shop.url, { ...shop.seeded, shopKey: strangerKey }),
  'strangers',
)
await eventually(
  () => shop.call('/v1/shipments?has_open_operation=false'),
  ({ body }) => body.data.length === 2,
)

for (const [whose, world, own, reach] of [
  ["another organization's", mine, strangerShop, { organizationId: stranger.id }],
  ["the other mode's", mine, shop, { organizationId, livemode: true }],
  ["another workspace's", siblings, shop, { organizationId, workspaceId: mine.workspace }],
] as const) {
  t.test(`${whose} resources are answered as if they had never existed`, async (t) => {
    const key = await aKey(reach)
    const head = await shop.parts.store.head()
    const asks = [...singleAsks(world), ...collectionAsks(world, own)]
    const never = [...singleAsks(absent), ...collectionAsks(absent, own)]
    for (const [index, each] of asks.entries()) {
      const answer = shown(await ask(key, each))
      const other = shown(await ask(key, never[index] as Ask))
      t.strictSame(answer, other, each[0])
      const isFilter = /guide_number|external_reference/.test(each[0])
      if (isFilter) t.strictSame(answer.body.data, [], each[0])
      else
        t.equal(answer.status, each[0].startsWith('/v1/sandbox') && 'livemode' in reach ? 400 : 404)
    }
    const named = ({ quote }: World): Ask => [
      '/v1/shipments',
      { ...own.bodyOf('d'), quote_id: quote },
    ]
    const bound = shown(await ask(key, named(world)))
    t.strictSame(
      bound,
      shown(await ask(key, named(absent))),
      'their quote like one that does not exist',
    )
    t.match(bound, { status: 'livemode' in reach ? 404 : 422 })
    const { events } = await shop.parts.store.readAll(head, { limit: 1_000 })
    const theirs = events.map(ledgerEventObject).filter(({ actor }) => actor.type === 'api_key')
    t.strictSame(theirs, [], 'and nothing was appended for them')
  })
}

t.test('a key without scopes learns nothing about foreign resources', async (t) => {
  const bareStranger = await aKey({ organizationId: stranger.id, scopes: [] })
  const bare = await aKey({ organizationId, scopes: [] })
  for (const [index, each] of singleAsks(mine).entries()) {
    const answer = shown(await ask(bareStranger, each))
    t.equal(answer.status, 404, each[0])
    t.strictSame(answer, shown(await ask(bareStranger, singleAsks(absent)[index] as Ask)))
    t.match(await ask(bare, each), { status: 403, body: { reason: 'forbidden_scope' } }, each[0])
  }
  for (const [index, each] of collectionAsks(mine, strangerShop).entries()) {
    const never = collectionAsks(absent, strangerShop)[index] as Ask
    const answer = shown(await ask(bareStranger, each))
    t.strictSame(answer, shown(await ask(bareStranger, never)), each[0])
    // Any key may read the clock; a collection needs its scope.
    t.equal(answer.status, each[0].startsWith('/v1/sandbox/clock?') ? 404 : 403, each[0])
  }
})

t.test("a creation cannot use another workspace's connection", async (t) => {
  const body = { courier_connection_id: siblings.connection }
  t.match(await shop.create('mixed', { body }), { status: 404, body: { reason: 'not_found' } })
})

t.test('a cursor of another organization or workspace is refused', async (t) => {
  const page = await shop.call('/v1/shipments?limit=1')
  t.ok(page.body.has_more)
  const path = `/v1/shipments?limit=1&cursor=${encodeURIComponent(page.body.next_cursor)}`
  t.equal((await shop.call(path)).status, 200)
  const restricted = await aKey({ organizationId, workspaceId: mine.workspace })
  for (const key of [strangerKey, restricted]) {
    t.match(await shop.call(path, { key }), { status: 400, body: { reason: 'invalid_cursor' } })
  }
})

t.test(
  'the same Idempotency-Key names different shipments in different organizations',
  async (t) => {
    const answer = await shop.call('/v1/shipments', {
      key: strangerKey,
      headers: { 'idempotency-key': 'made' },
      body: strangerShop.bodyOf('made'),
    })
    t.equal(answer.status, 201)
    t.not(answer.body.id, mine.shipment)
  },
)

t.test(
  'the platform sees escalated open operations, masked, and its reads are audited',
  async (t) => {
    const platform = await createOrganization(
      shop.parts,
      { name: 'Platform', type: 'platform' },
      by,
    )
    const key = await aKey({ organizationId: platform.id })
    const { body: calm } = await shop.create('calm', { scenario: 'lost_response_nothing_created' })
    t.equal((await shop.call(`/v1/operations/${calm.operation_id}`, { key })).status, 404)

    const path = `/v1/operations/${mine.operation}`
    const looksOfPlatform = async () => {
      const audited = await shop.parts.store.readStream(auditStream(organizationId))
      return audited.filter(({ type }) => type === 'OperationsSeenByPlatform')
    }
    const seen = await eventually(
      () => shop.call(path, { key }),
      ({ status }) => status === 200,
    )
    t.match(seen.body, { escalated: true, status: 'needs_review', result: 'human_review' })
    const listed = await eventually(
      () => shop.call('/v1/operations', { key }),
      ({ body }) => body.data.length === 2,
    )
    const ids = listed.body.data.map(({ id }: { id: string }) => id)
    t.strictSame(ids.toSorted(), [mine.operation, siblings.operation].toSorted())
    for (const narrow of [
      { workspaceId: mine.workspace, organizationId },
      { organizationId, livemode: true },
    ]) {
      const other = await aKey(narrow)
      t.equal((await shop.call(`/v1/operations/${siblings.operation}`, { key: other })).status, 404)
    }
    t.equal((await shop.call(`/v1/shipments/${seen.body.shipment_id}`, { key })).status, 404)
    const before = (await looksOfPlatform()).length
    const reader = await aKey({ organizationId: platform.id, scopes: ['operations:read'] })
    const refused = await shop.call(`${path}/look`, { key: reader, method: 'POST' })
    t.match(refused, { status: 403, body: { reason: 'forbidden_scope' } })
    t.equal((await looksOfPlatform()).length, before, 'a refused request reveals nothing')
    t.equal((await shop.call(`/v1/shipments/${mine.shipment}`, { key })).status, 404)

    const verdict = { decision: 'guide_exists', note: 'Called them.', decided_by: 'platform-ines' }
    const [guide_number] = seen.body.looks.at(-1).guide_numbers
    const decided = await shop.call(`${path}/resolve`, { key, body: { ...verdict, guide_number } })
    t.match(decided.body, { status: 'resolved', resolution: { decided_by: null, note: null } })
    t.equal((await shop.call(path, { key })).status, 404, 'no longer once it is resolved')
    const theirs = await shop.call(path)
    t.match(theirs.body.resolution, { note: 'Called them.', decided_by: 'platform-ines' })

    const looks = await looksOfPlatform()
    t.ok(looks.some(({ data }) => JSON.stringify(data).includes(mine.operation)))
    t.ok(looks.length >= 3, 'read, listed and decided')
  },
)

t.test(
  'every operation keeps organizations apart, even with one isolating layer removed',
  async (t) => {
    const database = await testDatabase(t)
    const proved = await proveIsolation({
      service: (options = {}) => service(t, { database, ...options }),
      every: 37,
    })
    t.same(proved.violations, [])
    t.ok(proved.requests > 400)
    t.ok(proved.tables > 15)
    const { mutants } = proved
    t.equal(mutants['without conditions'], 0, 'the fence holds alone')
    t.equal(mutants['without fence'], 0, 'the conditions hold alone')
    t.ok(Number(mutants['without both']) > 10, 'without both the leak is found')
    t.equal(mutants['without owners in the vault'], 0, 'the streams name their owners too')
    t.equal(mutants['without owners of streams'], 0, 'the vault names the owners alone')
    t.ok(Number(mutants['without any owners']) > 5, 'without either the leak is found')
  },
)
