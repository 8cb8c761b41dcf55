import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import t from 'tap'
import { projectionsReached } from '../../src/processes/checkpoint.ts'
import { type Service, service } from '../support/service.ts'

const waitMs = 20_000

async function caughtUp(shop: Service): Promise<void> {
  const { readModels, store } = shop.parts
  if (!(await projectionsReached(readModels, await store.head(), waitMs))) {
    throw new Error('the projections did not catch up')
  }
}

t.test('what was answered at a version is what as_of answers for it later', async (t) => {
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

t.test('the history pages, and each leaf is the digest of what is shown', async (t) => {
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

t.test('the list of shipments filters, pages and keeps its cursors to itself', async (t) => {
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
})

t.test('the list of operations holds unknown outcomes only, and filters', async (t) => {
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
