import t from 'tap'
import { byCli } from '../../src/service/cli/acting.ts'
import { createApiKey, type Scope, scopes } from '../../src/service/security/api-keys.ts'
import { createOrganization } from '../../src/service/security/organizations.ts'
import { eventually } from '../support/eventually.ts'
import { service } from '../support/service.ts'

const shop = await service(t)
const { organizationId, workspaceId, operatorKey, operatorId } = shop.seeded

type More = { organizationId?: string; workspaceId?: string; scopes?: readonly Scope[] }
async function aKey(more: More = {}) {
  const order = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
  return (await createApiKey(shop.parts, { ...order, ...more }, byCli)).key
}

const found = (text: string, key = operatorKey) =>
  shop.call(`/v1/search?text=${encodeURIComponent(text)}`, { key })
const idsOf = async (text: string, key?: string): Promise<readonly string[]> =>
  (await found(text, key)).body.data.map(({ id }: { id: string }) => id)

const swapped = (text: string) =>
  [...text]
    .map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase()))
    .join('')

const created = await shop.create('Ref-1')
const requestId = created.headers.get('x-request-id') ?? ''
// Before other requests are logged: only some of each second are.
await eventually(
  () => shop.parts.pool.query('SELECT FROM request_log WHERE id = $1', [requestId]),
  ({ rowCount }) => rowCount === 1,
)
const lost = await shop.create('lost-1', { scenario: 'duplicate_guides' })
const endpoint = await shop.client.webhookEndpoints.create({
  workspace_id: workspaceId,
  url: 'http://127.0.0.1:9/search',
  description: 'For searching',
  event_types: ['label.ready'],
})
const delivery = await shop.client.webhookEndpoints.test({ id: endpoint.id, type: 'label.ready' })
const { workspace_id, courier_connection_id, ...line } = shop.bodyOf('batch-line')
const { body: batch } = await shop.call('/v1/batches', {
  body: { external_reference: 'Night-1', workspace_id, courier_connection_id, items: [line] },
})
const { body: key } = await shop.call('/v1/key')
await eventually(
  () => idsOf(lost.body.operation_id),
  (ids) => ids.length === 1,
)

t.test(
  'each kind of id is found by its beginning, in any case, with its prefix or not',
  async (t) => {
    const cases = {
      shipment: created.body.id,
      operation: lost.body.operation_id,
      batch: batch.id,
      request: requestId,
      webhook_event: delivery.event_id,
      webhook_delivery: delivery.id,
      webhook_endpoint: endpoint.id,
      workspace: workspaceId,
      courier_connection: created.body.courier_connection_id,
      api_key: key.id,
      operator: operatorId,
    }
    for (const [type, id] of Object.entries(cases)) {
      const [prefix = '', value = ''] = id.split('_')
      const typed = [
        id,
        id.slice(0, prefix.length + 7),
        value.slice(0, 8),
        swapped(id),
        swapped(value),
      ]
      for (const text of typed) {
        const { status, body } = await found(text)
        t.equal(status, 200)
        const one = body.data.find((each: { id: string }) => each.id === id)
        t.match(
          one,
          { type, matched: 'id', livemode: false },
          `${type} by ${text.length} characters`,
        )
      }
      const tooShort = await found(id.slice(0, prefix.length + 6))
      t.same(tooShort.body.data, [], `${type}: five characters find nothing`)
    }
  },
)

t.test('references are found by their beginning, keys and guide numbers whole', async (t) => {
  const { body } = await found('Ref-1')
  t.match(body, { object: 'search', has_more: false })
  t.match(body.data, [
    {
      id: created.body.id,
      matched: 'external_reference',
      title: 'Ref-1',
      status: 'created',
      workspace_id: workspaceId,
    },
  ])
  t.same(await idsOf(created.body.guide_number), [created.body.id])
  t.same(await idsOf('ref-1'), [], 'in another case')
  t.same(await idsOf('Ref-'), [created.body.id], 'its beginning')
  t.same(await idsOf('ef-1'), [], 'its end')
  t.same(await idsOf(String(created.body.guide_number).slice(0, -1)), [], 'a guide cut short')
  t.same(await idsOf('lost-1'), [lost.body.shipment_id, lost.body.operation_id])
  t.match((await found('Nigh')).body.data, [
    { id: batch.id, type: 'batch', matched: 'external_reference', title: 'Night-1', status: null },
  ])
})

t.test('a guide that the shipment does not use leads to its operation', async (t) => {
  const { looks } = await eventually(
    () => shop.client.operations.get({ id: lost.body.operation_id }),
    (operation) => operation.looks.some((look) => look.guide_numbers.length > 1),
  )
  const guides = new Set(looks.flatMap((look) => look.guide_numbers))
  t.equal(guides.size, 2)
  for (const guide of guides) {
    const { body } = await eventually(
      () => found(guide),
      (answer) => answer.body.data.length > 0,
    )
    t.match(body.data, [{ id: lost.body.operation_id, matched: 'guide_number' }])
  }
})

t.test('a whole reference comes before those that it begins', async (t) => {
  await shop.create('first-10')
  await shop.create('first-1')
  await eventually(
    () => found('first-1'),
    (answer) => answer.body.data.length === 2,
  )
  const { body } = await found('first-1')
  t.same(
    body.data.map(({ title }: { title: string }) => title),
    ['first-1', 'first-10'],
  )
})

t.test('at most ten of a kind are found, and has_more says that there are others', async (t) => {
  for (let index = 0; index < 11; index++) {
    await shop.create(`same-${index}`, { body: { external_reference: 'same' } })
  }
  const { body } = await eventually(
    () => found('same'),
    ({ body }) => body.has_more,
  )
  t.equal(body.data.length, 10)
})

t.test('a search reaches no further than the key and its scopes', async (t) => {
  const other = await createOrganization(shop.parts, { name: 'Other', type: 'external' }, byCli)
  const foreign = await aKey({ organizationId: other.id })
  const narrow = await aKey({ scopes: ['webhooks:read'] })
  const texts = [created.body.id, lost.body.operation_id, workspaceId, endpoint.id, 'Ref-1']
  for (const text of [...texts, batch.id, 'Night-1']) {
    t.same(await idsOf(text, foreign), [], 'another organization finds nothing')
  }
  t.same(await idsOf(created.body.id, narrow), [])
  t.same(await idsOf(endpoint.id, narrow), [endpoint.id])
  const elsewhere = await shop.client.workspaces.create({
    name: 'S',
    external_reference: 'sibling',
  })
  const sibling = await aKey({ workspaceId: elsewhere.id })
  for (const text of [...texts, batch.id, 'Night-1']) {
    t.same(await idsOf(text, sibling), [], 'a key of another workspace finds nothing')
  }
  t.same(await idsOf(elsewhere.id, sibling), [elsewhere.id])
  const live = (
    await createApiKey(
      shop.parts,
      { organizationId, workspaceId: null, livemode: true, scopes, expiresAt: null },
      byCli,
    )
  ).key
  t.same(await idsOf(created.body.id, live), [], 'the other mode finds nothing')
})

t.test('a text that nothing can match is refused or finds nothing', async (t) => {
  for (const text of ['%%%%%%', "' OR 1=1 --", 'shp_', 'xyz_0aB1cD2e', 'é'.repeat(20)]) {
    t.same(await idsOf(text), [], text)
  }
  for (const query of ['', 'text=', `text=${'a'.repeat(256)}`, 'text=a%00b', 'text=a&more=1']) {
    const { status, body } = await shop.call(`/v1/search?${query}`)
    t.match({ status, reason: body.reason }, { status: 400 }, query)
  }
})
