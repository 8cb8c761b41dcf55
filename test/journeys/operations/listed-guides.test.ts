import t from 'tap'
import { createApiKey, type NewKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { service } from '../../support/service.ts'

const home = await service(t)
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const

t.test('every guide that the courier listed is shown with its price, until erasure', async (t) => {
  const shop = await freshShop(home, 'listed-guides')
  const { body } = await shop.create('two-guides', { scenario: 'duplicate_guides' })
  const path = `/v1/operations/${body.operation_id}`
  t.same((await shop.call(`${path}/guides`)).body, { data: [] }, 'no look has found any so far')
  await shop.advance('PT1M')
  const { looks } = (await shop.call(path)).body
  const numbers: readonly string[] = looks[0].guide_numbers
  const { status, body: guides } = await shop.call(`${path}/guides`)
  t.equal(status, 200)
  const price = { amount: Number, currency: 'PEN' }
  const at = { first_listed_at: looks[0].at, last_listed_at: looks.at(-1).at }
  t.match(
    guides.data,
    numbers.map((guide_number) => ({ guide_number, listed: true, price, ...at })),
  )
  t.equal(numbers.length, 2)
  t.notMatch(JSON.stringify(guides), /pickup/, 'a secret of the recipient')

  const [ours] = numbers
  const decision = { decision: 'guide_exists', guide_number: ours, note: 'The agency has it.' }
  await shop.call(`${path}/resolve`, { body: decision, key: shop.seeded.operatorKey })
  t.match((await shop.call(`${path}/guides`)).body.data, [{ listed: true }, { listed: true }])

  await shop.call(`/v1/shipments/${body.shipment_id}/erase-personal-data`, { method: 'POST' })
  const erased = (await shop.call(`${path}/guides`)).body.data
  t.match(erased, [{ guide_number: ours, price: null }, { price: null }])
})

t.test('the courier is asked for the scans of a listed guide, and nothing is stored', async (t) => {
  const shop = await freshShop(home, 'guide-scans')
  const { body } = await shop.create('two-guides', { scenario: 'duplicate_guides' })
  const path = `/v1/operations/${body.operation_id}`
  const scansOf = (number: string) => shop.call(`${path}/guides/${number}/scans`)
  await shop.advance('PT1M')
  const [ours, other] = (await shop.call(path)).body.looks[0].guide_numbers
  const before = await shop.events(body.shipment_id)
  t.match((await scansOf(ours)).body, { data: [{ code: 'registered' }] })
  const again = await scansOf(ours)
  t.same([again.status, again.body.reason], [429, 'rate_limited'])
  t.equal(again.headers.get('retry-after'), '10')
  await shop.advance('P1D')
  const { status, body: scans } = await scansOf(other)
  t.equal(status, 200)
  const [first] = scans.data
  t.match(first, {
    id: /^tev_/,
    object: 'tracking_event',
    code: 'registered',
    status: 'registered',
    mapped: true,
    occurred_at: String,
    description: 'The guide was registered',
  })
  t.ok(scans.data.length > 1)
  const times = scans.data.map((scan: { occurred_at: string }) => scan.occurred_at)
  t.same(times, times.toSorted(), 'oldest first')
  t.notMatch(JSON.stringify(scans), /\btext\b|pickup_code/)
  const grown = (await shop.events(body.shipment_id)).slice(before.length)
  t.notOk(grown.some(({ type }) => type === 'TrackingObserved'))
  t.equal((await shop.call(`/v1/shipments/${body.shipment_id}/tracking`)).body.status, null)
})

t.test('scans are only of listed guides, and only for keys that reach the operation', async (t) => {
  const [shop, other] = [await freshShop(home, 'scanned'), await freshShop(home, 'not-scanned')]
  const lostIn = async (own: ApiClient) => {
    const { body } = await own.create('two-guides', { scenario: 'duplicate_guides' })
    await own.advance('PT1M')
    const { looks } = (await own.call(`/v1/operations/${body.operation_id}`)).body
    return { id: body.operation_id, number: looks[0].guide_numbers[0] }
  }
  const [ours, theirs] = [await lostIn(shop), await lostIn(other)]
  const scansOf = (id: string, number: string, key = shop.seeded.shopKey) =>
    shop.call(`/v1/operations/${id}/guides/${number}/scans`, { key })
  for (const number of ['SG00000000000000', theirs.number]) {
    t.match(await scansOf(ours.id, number), { status: 404, body: { reason: 'not_found' } })
  }
  const stranger = await createOrganization(home.parts, { name: 'Other', type: 'external' }, by)
  const order = { livemode: false, expiresAt: null, scopes: [...scopes] }
  const keyOf = async (more: Partial<NewKey>) => {
    const organizationId = stranger.id
    return (
      await createApiKey(home.parts, { ...order, organizationId, workspaceId: null, ...more }, by)
    ).key
  }
  const own = { organizationId: (await home.client.keys.get()).organization_id }
  const refused = [
    [await keyOf({}), 404],
    [await keyOf({ ...own, workspaceId: other.seeded.workspaceId }), 404],
    [await keyOf({ ...own, livemode: true }), 404],
    [await keyOf({ ...own, scopes: ['shipments:read'] }), 403],
  ] as const
  for (const [key, status] of refused) {
    t.equal((await scansOf(ours.id, ours.number, key)).status, status)
  }
  const { status } = await scansOf(ours.id, ours.number)
  t.equal(status, 200, 'a refused key uses no turn')
})

t.test('an operation whose guide was issued at once lists no guide of a look', async (t) => {
  const shop = await freshShop(home, 'issued')
  const { body } = await shop.create('issued', { scenario: 'happy_path' })
  const requested = (await shop.events(body.id)).find(({ type }) => type === 'GuideRequested')
  const id = requested?.data.operation_id
  t.same((await shop.call(`/v1/operations/${id}/guides`)).body, { data: [] })
})

t.test('scans are refused while the courier is away', async (t) => {
  const shop = await freshShop(home, 'scans-away')
  const { body } = await shop.create('two-guides', { scenario: 'duplicate_guides' })
  await shop.advance('PT1M')
  const path = `/v1/operations/${body.operation_id}`
  const [number] = (await shop.call(path)).body.looks[0].guide_numbers
  await home.simulator.close()
  const { status, body: problem, headers } = await shop.call(`${path}/guides/${number}/scans`)
  t.same([status, problem.reason], [503, 'courier_unreachable'])
  t.ok(headers.has('retry-after'))
  t.equal((await shop.call(path)).body.looks.length, 1, 'nothing was recorded')
})
