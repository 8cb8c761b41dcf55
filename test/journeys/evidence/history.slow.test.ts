import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type * as Tap from 'tap'
import t from 'tap'
import type { ScenarioName } from '../../../src/service/couriers/scenarios/scenarios.ts'
import { auditStream, shipmentIdOf } from '../../../src/service/domain/ids.ts'
import { eventVersion } from '../../../src/service/event-store/upcasting.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey } from '../../../src/service/security/api-keys.ts'
import { random, seedOf } from '../../support/random.ts'
import { runCommand } from '../../support/run-command.ts'
import { type Service, service } from '../../support/service.ts'

const waitMs = 60_000
const historyShipments = 4
const historySteps = 8
const playedScenarios: readonly ScenarioName[] = [
  'happy_path',
  'courier_rejected',
  'courier_unreachable',
  'lost_response_guide_created',
  'lost_response_nothing_created',
  'cancel_response_lost',
  'delivery_exception',
  'noisy_tracking',
]

async function caughtUp(shop: Service): Promise<void> {
  const { db, store } = shop.parts
  if (!(await projectionsReached(db, await store.head(), waitMs))) {
    throw new Error('the projections did not catch up')
  }
}

t.test('reading a shipment as of a version or time returns what was answered then', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  const lost = await shop.create('order-1', { scenario: 'lost_response_guide_created' })
  const operator = { key: shop.seeded.operatorKey, body: {} }
  const id = `shp_${lost.body.operation_id.slice(3, 25)}`
  const answers = new Map<number, unknown>()
  const times = new Map<number, string>()
  const remember = async () => {
    const { body } = await shop.call(`/v1/shipments/${id}`)
    answers.set(body.version, body)
    times.set(body.version, body.updated_at)
  }
  await remember()
  t.equal((await shop.call(`/v1/operations/${lost.body.operation_id}/look`, operator)).status, 200)
  await remember()
  t.equal((await shop.call(`/v1/shipments/${id}/documents/label`)).status, 200)
  await remember()
  t.ok(answers.size === 3)
  for (const [version, answer] of answers) {
    t.same((await shop.call(`/v1/shipments/${id}?as_of=${version}`)).body, answer)
    const at = encodeURIComponent(times.get(version) ?? '')
    t.same((await shop.call(`/v1/shipments/${id}?as_of=${at}`)).body, answer)
  }
  const { version } = (await shop.call(`/v1/shipments/${id}`)).body
  for (let each = 1; each <= version; each++) {
    const answer = await shop.call(`/v1/shipments/${id}?as_of=${each}`)
    t.match(answer, { status: 200, body: { version: each } }, `version ${each}`)
  }
  for (const [asOf, status, reason] of [
    ['0', 400, 'invalid_filter'],
    ['99', 404, 'not_found'],
    ['2001-01-01T00:00:00Z', 404, 'not_found'],
    ['yesterday', 400, 'invalid_filter'],
  ] as const) {
    const answer = await shop.call(`/v1/shipments/${id}?as_of=${asOf}`)
    t.match(answer, { status, body: { reason } }, `as_of=${asOf}`)
  }
})

t.test('the history is paged, and each leaf is the digest of the event shown', async (t) => {
  const shop = await service(t)
  const made = await shop.create('order-1')
  await shop.advance('PT40H')
  const path = `/v1/shipments/${made.body.id}/events`
  const all = (await shop.call(`${path}?limit=100`)).body.data
  t.ok(all.length >= 10)
  const paged = []
  for (let cursor = ''; ; ) {
    const page = (await shop.call(`${path}?limit=3${cursor}`)).body
    t.ok(page.data.length <= 3)
    paged.push(...page.data)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  t.same(paged, all)
  for (const [index, { position: _position, leaf, ...event }] of all.entries()) {
    t.equal(event.revision, index)
    const digest = createHash('sha256')
      .update(canonicalize(event) ?? '')
      .digest('hex')
    t.equal(leaf, digest, `${event.type} is hashed as it is shown`)
  }
})

t.test('after any history, each version is still answered exactly as it was then', async (t) => {
  const seed = seedOf('HISTORY_SEED')
  const draw = random(seed)
  t.comment(`HISTORY_SEED=${seed}`)
  const pick = <T>(all: readonly T[]) => all[Math.floor(draw() * all.length)] as T
  const shop = await service(t)
  const answers = new Map<string, Map<number, { body: unknown; etag: string | null; at: string }>>()
  const remember = async (id: string) => {
    const { status, body, headers } = await shop.call(`/v1/shipments/${id}`)
    if (status !== 200) return
    const own = answers.get(id) ?? new Map()
    answers.set(id, own)
    const answer = { body, etag: headers.get('etag'), at: body.updated_at }
    t.same(own.get(body.version) ?? answer, answer, `one answer a version (seed ${seed})`)
    own.set(body.version, answer)
  }
  const { organizationId, workspaceId, operatorKey } = shop.seeded
  const ids: string[] = []
  for (let n = 0; n < historyShipments; n++) {
    const idempotencyKey = `order-${n}`
    const id = shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })
    ids.push(id)
    const scenario = pick(playedScenarios)
    const asked = shop.create(idempotencyKey, { scenario })
    await remember(id)
    const made = await asked
    await remember(id)
    if (made.body.retryable === true) await shop.create(idempotencyKey, { scenario })
    await remember(id)
  }
  const steps = {
    look: (id: string) =>
      shop.call(`/v1/operations/op_${id.slice(4)}01/look`, { key: operatorKey, body: {} }),
    cancel: (id: string) => {
      const headers = { 'idempotency-key': `cancel-${id}` }
      return shop.call(`/v1/shipments/${id}/cancel`, { method: 'POST', headers })
    },
    label: (id: string) => shop.call(`/v1/shipments/${id}/documents/label`),
    advance: () => shop.advance(pick(['PT5S', 'PT4M', 'PT2H', 'PT9H', 'P2D'])),
  }
  for (let step = 0; step < historySteps; step++) {
    const kind = step % 4 === 0 ? 'advance' : pick(['look', 'cancel', 'label'] as const)
    const under = steps[kind](pick(ids))
    await Promise.all([under, ...ids.map(remember)])
    await Promise.all(ids.map(remember))
  }
  let count = 0
  for (const [id, own] of answers) {
    const events = await shop.events(id)
    for (const [version, { body, etag, at }] of own) {
      count += 1
      const where = `${id} at ${version} (seed ${seed})`
      const then = await shop.call(`/v1/shipments/${id}?as_of=${version}`)
      t.same(then.body, body, where)
      t.equal(JSON.stringify(then.body), JSON.stringify(body), `${where}, to the byte`)
      t.equal(then.headers.get('etag'), etag, `${where}, its ETag`)
      const byTime = await shop.call(`/v1/shipments/${id}?as_of=${encodeURIComponent(at)}`)
      const last = events.findLastIndex((event) => event.recorded_at <= at) + 1
      const expected =
        own.get(last)?.body ?? (await shop.call(`/v1/shipments/${id}?as_of=${last}`)).body
      t.same(byTime.body, expected, `${where}, by time`)
    }
  }
  t.ok(count >= historyShipments, `${count} answers`)
  await replays(t, shop, ids[0] ?? '')
})

/** Asserts that the command shows the same states and that the owner's audit records the replay. */
async function replays(t: Tap.Test, shop: Service, id: string): Promise<void> {
  const replayed = await runCommand('replay', id, { store: shop.parts.store })
  t.equal(replayed.exit, 'fine')
  const events = replayed.json.events as unknown as { state: { shipment: object }; type: string }[]
  // The command has neither the vault nor the key of the links.
  const personal = { recipient: null, declared_content: null, metadata: null, pickup_code: null }
  const withoutKeys = { ...personal, tracking_url: null }
  for (const [index, event] of events.entries()) {
    const { body } = await shop.call(`/v1/shipments/${id}?as_of=${index + 1}`)
    const failure = body.failure === null ? null : { ...body.failure, detail: null }
    t.same(event.state.shipment, { ...body, ...withoutKeys, failure }, event.type)
    t.match(replayed.text, `${index + 1}  `)
  }
  t.match(replayed.text, /^1 {2}\S+Z {2}ShipmentRequested {2}by key_\w+\n( {4}\S+: .*\n)+2 {2}/)
  t.match(replayed.text, /\n {4}operations\[0\]\.id: op_/)
  t.notMatch(replayed.text + JSON.stringify(replayed.json), /Torres|45678912/)
  const acts = await shop.parts.store.readStream(auditStream(shop.seeded.organizationId))
  t.match(acts.at(-1), { type: 'ShipmentReplayed', data: { shipment_id: id } })
}

t.test(
  'each event in the history has its actor, cause and position, but no personal data',
  async (t) => {
    const shop = await service(t)
    const scenario = 'lost_response_guide_created'
    const lost = await shop.create('order-1', { scenario })
    const requestId = lost.headers.get('x-request-id')
    await shop.advance('PT3H')
    const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const
    const { organizationId } = shop.seeded
    const order = { organizationId, livemode: false, workspaceId: null, expiresAt: null }
    const { key } = await createApiKey(shop.parts, { ...order, scopes: ['ledger:read'] }, by)
    const id = `shp_${lost.body.operation_id.slice(3, 25)}`
    t.equal((await shop.call(`/v1/shipments/${id}`, { key })).status, 403)
    const { status, body } = await shop.call(`/v1/shipments/${id}/events?limit=100`, { key })
    t.equal(status, 200)
    t.notMatch(JSON.stringify(body), /Torres|45678912|Books/)
    const seen = new Set<string>()
    for (const [index, event] of body.data.entries()) {
      seen.add(`${event.type} ${event.actor.type}`)
      const schema = eventVersion(event.type)
      t.match(event, { object: 'ledger_event', shipment_id: id, revision: index, schema })
      t.equal(event.correlation_id, body.data[0].id, 'the whole history has one correlation')
      const before = body.data.slice(0, index).map((one: { id: string }) => one.id)
      const isOfRequest = event.causation_id === null
      t.equal(isOfRequest, event.request_id === requestId && index < 2, event.type)
      if (!isOfRequest) t.ok(before.includes(event.causation_id), 'its cause came before')
      t.equal(event.actor.key_id !== null, event.actor.type === 'api_key')
      if (index > 0) t.ok(event.position > body.data[index - 1].position)
      t.match(event.leaf, /^[0-9a-f]{64}$/)
    }
    t.ok(seen.has('ShipmentRequested api_key'))
    t.ok(seen.has('GuideLookedUp reconciliation'))
    t.ok([...seen].some((one) => one.startsWith('TrackingObserved poller')))
    const page = (await shop.call(`/v1/shipments/${id}/events?limit=1`)).body
    const other = await shop.create('order-2')
    const elsewhere = `/v1/shipments/${other.body.id}/events?limit=1&cursor=${page.next_cursor}`
    t.match(await shop.call(elsewhere), { status: 400, body: { reason: 'invalid_cursor' } })
    const changed = `/v1/shipments/${id}/events?limit=1&cursor=${page.next_cursor}x`
    t.match(await shop.call(changed), { status: 400, body: { reason: 'invalid_cursor' } })
  },
)

t.test(
  "the list of shipments is filtered and paged, and refuses other lists' cursors",
  async (t) => {
    const shop = await service(t)
    for (let i = 0; i < 7; i++) {
      await shop.create(`order-${i}`, { scenario: i === 3 ? 'courier_rejected' : 'happy_path' })
    }
    await shop.create('order-lost', { scenario: 'lost_response_human_review' })
    await caughtUp(shop)
    const list = (query: string) => shop.call(`/v1/shipments${query}`)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: { data: { external_reference: string }[]; next_cursor: string | null } = (
        await list(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`)
      ).body
      seen.push(...page.data.map((each) => each.external_reference))
      cursor = page.next_cursor
    } while (cursor !== null)
    t.same(seen, ['order-lost', ...[6, 5, 4, 3, 2, 1, 0].map((i) => `order-${i}`)])

    const count = async (query: string) => (await list(query)).body.data.length
    const one = (await list('?external_reference=order-2')).body.data[0]
    t.equal(await count('?status=rejected'), 1)
    t.equal(await count('?has_open_operation=true'), 1)
    t.equal(await count(`?guide_number=${one.guide_number}`), 1)
    t.equal(await count('?idempotency_key=order-2'), 1)
    const { workspaceId, connectionId } = shop.seeded
    t.equal(await count(`?workspace_id=${workspaceId}&idempotency_key=order-2`), 1)
    t.equal(await count(`?workspace_id=${workspaceId}&idempotency_key=order-2&status=rejected`), 0)
    t.equal(await count(`?courier_connection_id=${connectionId}`), 8)
    t.equal(await count(`?created_at[lt]=${encodeURIComponent(one.created_at)}`), 2)
    t.equal(await count(`?created_at[gte]=${encodeURIComponent(one.created_at)}`), 6)

    const page = (await list('?limit=3')).body
    const refused: readonly [string, string][] = [
      [`?limit=3&status=created&cursor=${page.next_cursor}`, 'invalid_cursor'],
      [`?limit=3&cursor=${page.next_cursor}x`, 'invalid_cursor'],
      ['?limit=0', 'invalid_filter'],
      ['?limit=101', 'invalid_filter'],
      ['?colour=red', 'invalid_filter'],
      ['?external_reference=%00', 'invalid_filter'],
      ['?status=lost', 'invalid_filter'],
      ['?created_at[gte]=soon', 'invalid_filter'],
    ]
    for (const [query, reason] of refused) {
      t.match(await list(query), { status: 400, body: { reason } }, query)
    }
    t.match(await shop.call(`/v1/operations?cursor=${page.next_cursor}`), {
      status: 400,
      body: { reason: 'invalid_cursor' },
    })
  },
)

t.test('the list of operations contains only unknown outcomes and can be filtered', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  await shop.create('order-fine')
  const lost = await shop.create('order-lost', { scenario: 'lost_response_human_review' })
  await caughtUp(shop)
  const ids = async (query: string) =>
    (await shop.call(`/v1/operations${query}`)).body.data.map((each: { id: string }) => each.id)
  const id = lost.body.operation_id
  t.same(await ids(''), [id])
  t.same(await ids('?status=reconciling&cause=response_lost&idempotency_key=order-lost'), [id])
  t.same(await ids(`?shipment_id=shp_${id.slice(3, 25)}`), [id])
  t.same(await ids('?older_than_seconds=3600'), [])
  t.same(await ids('?result=human_review'), [])
  const fine = `op_${(await shop.create('order-fine')).body.id.slice(4)}01`
  const operation = await shop.call(`/v1/operations/${fine}`)
  t.match(operation.body, { status: 'resolved', result: 'guide_exists', cause: null, looks: [] })
})

t.test('operations are paged oldest or newest first', async (t) => {
  const shop = await service(t, { roles: ['api', 'projector'] })
  const made: string[] = []
  for (const key of ['first', 'second', 'third', 'fourth', 'fifth']) {
    const lost = await shop.create(key, { scenario: 'lost_response_human_review' })
    made.push(lost.body.operation_id)
  }
  await caughtUp(shop)
  for (const [query, expected] of [
    ['order=oldest', made],
    ['order=newest', made.toReversed()],
    ['order=oldest&older_than_seconds=0&status=reconciling', made],
    ['order=oldest&older_than_seconds=3600', []],
  ] as const) {
    const ids: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`
      const { body } = await shop.call(`/v1/operations?limit=2&${query}${from}`)
      ids.push(...body.data.map((each: { id: string }) => each.id))
      cursor = body.next_cursor
    }
    t.same(ids, expected, query)
  }
  const { body } = await shop.call('/v1/operations?limit=2&order=oldest')
  t.match(await shop.call(`/v1/operations?limit=2&order=newest&cursor=${body.next_cursor}`), {
    status: 400,
    body: { reason: 'invalid_cursor' },
  })
})
