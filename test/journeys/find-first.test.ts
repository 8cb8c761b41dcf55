import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import t from 'tap'
import { deadlineIn } from '../../src/service/couriers/deadline.ts'
import { shipmentIdOf } from '../../src/service/domain/ids.ts'
import type { ShipmentPayload } from '../../src/service/domain/shipment/shipment-payload.ts'
import { service } from '../support/service.ts'

/** A shop whose ledger was recovered: for unknown keys, the courier is queried first. */
const shop = await service(t)
const { db, guard, couriers, catalogue } = shop.parts
const { organizationId, workspaceId, connectionId } = shop.seeded
const damageId = randomUUID()
await sql`
  INSERT INTO ledger_damages
    (id, source, recovered_at, find_first_until, proven_size)
  VALUES (${damageId}, 'operator', now(), now() + interval '60 days', 0)`.execute(db)
await guard.read()

const idOf = (idempotencyKey: string) =>
  shipmentIdOf({ organizationId, workspaceId, livemode: false, idempotencyKey })

/** Creates a guide at the courier, as a creation did that the ledger has lost. */
async function makeForgotten(key: string, scenario = 'happy_path'): Promise<string> {
  const courier = couriers.courierFor({ livemode: false, providerCode: 'mock' })
  const payload = shop.bodyOf(key) as unknown as ShipmentPayload
  const mode = { livemode: false, providerCode: 'mock' }
  const [origin, destination, product] = await Promise.all([
    catalogue.agency(mode, payload.origin.agency_id),
    catalogue.agency(mode, payload.destination.agency_id),
    catalogue.packageProduct(mode, payload.package.product_id),
  ])
  if (origin.kind !== 'found' || destination.kind !== 'found' || product.kind !== 'found') {
    throw new Error('the example uses an agency that the courier does not have')
  }
  const now = new Date()
  const made = await courier?.createGuide({
    clientReference: idOf(key),
    notAfter: deadlineIn(20_000),
    payload,
    quotedAmount: null,
    origin: { code: origin.item.code },
    destination: { code: destination.item.code },
    package: {
      productCode: product.item.code,
      quantity: 1,
      weightKg: payload.package.weight_kg,
      heightM: payload.package.height_m,
      lengthM: payload.package.length_m,
      widthM: payload.package.width_m,
    },
    requestId: null,
    organizationId: 'org_0000000000000000000001',
    credentials: { username: 'sandbox', password: 'any' },
    sandbox: { scenario, attempt: 1, attemptAt: now, now, account: connectionId },
  })
  if (made?.kind !== 'created') throw new Error(`the courier answered ${made?.kind}`)
  return made.guide.guideNumber
}

t.test(
  'a key whose guide the ledger has forgotten gets that guide, and no second one',
  async (t) => {
    const guideNumber = await makeForgotten('forgotten')
    const answer = await shop.create('forgotten')
    t.match(answer, { status: 201, body: { guide_number: guideNumber, status: 'created' } })
    t.equal(answer.headers.get('idempotent-replayed'), 'true')
    t.ok(answer.body.pickup_code, 'what came with it is in the vault')
    const again = await shop.create('forgotten')
    t.match(again, { status: 201, body: { guide_number: guideNumber } })
    t.equal(shop.record.guidesOf(idOf('forgotten')).length, 1)
    const events = await shop.events(answer.body.id)
    t.match(events.slice(0, 3), [
      { type: 'ShipmentRequested' },
      { type: 'GuideRequested' },
      { type: 'GuideFound', data: { guide_number: guideNumber, evidence: 'recovery' } },
    ])
    t.equal(events[2]?.data.exchanges.length, 1, 'with the requests to the courier')
    const webhooks = await shop.call(`/v1/events?shipment_id=${answer.body.id}`)
    const types = webhooks.body.data.map(({ type }: { type: string }) => type)
    t.notOk(types.some((type: string) => type.startsWith('operation.')))
  },
)

t.test('fifty requests at once with a forgotten key get the one guide', async (t) => {
  const guideNumber = await makeForgotten('fifty')
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.create('fifty')))
  for (const answer of answers) {
    t.match(answer, { status: 201, body: { guide_number: guideNumber } })
  }
  t.equal(shop.record.guidesOf(idOf('fifty')).length, 1)
})

t.test('a key without a guide is created as ever, after the courier was asked', async (t) => {
  const calls = shop.record.callCount('findGuides')
  const answer = await shop.create('new')
  t.equal(answer.status, 201)
  t.equal(answer.headers.get('idempotent-replayed'), null)
  t.equal(shop.record.callCount('findGuides'), calls + 1)
  const [, , third] = await shop.events(answer.body.id)
  t.equal(third?.type, 'GuideIssued')
})

t.test(
  'a cancellation that the ledger has forgotten is found, and not asked for again',
  async (t) => {
    const { body } = await shop.create('cancelled')
    const courier = couriers.courierFor({ livemode: false, providerCode: 'mock' })
    const now = new Date()
    await courier?.cancelGuide({
      clientReference: body.id,
      guideNumber: body.guide_number,
      notAfter: deadlineIn(20_000),
      requestId: null,
      organizationId: 'org_0000000000000000000001',
      credentials: { username: 'sandbox', password: 'any' },
      sandbox: { scenario: 'happy_path', attempt: 1, attemptAt: now, now, account: connectionId },
    })
    const calls = shop.record.callCount('cancelGuide')
    const headers = { 'idempotency-key': 'cancel-1' }
    const cancelled = await shop.call(`/v1/shipments/${body.id}/cancel`, {
      method: 'POST',
      headers,
    })
    t.match(cancelled, { status: 200, body: { status: 'cancelled' } })
    t.equal(shop.record.callCount('cancelGuide'), calls)
    const events = await shop.events(body.id)
    t.match(events.at(-1), { type: 'CancellationFound', data: { evidence: 'recovery' } })
  },
)

t.test(
  'a key whose call was not sent is tried again, with its place in the quota lost',
  async (t) => {
    const scenario = 'courier_unreachable'
    const { body: first } = await shop.create('not-sent', { scenario })
    t.match(first, { reason: 'courier_unreachable' })
    const attempts = async () =>
      (await shop.events(idOf('not-sent'))).filter(({ type }) => type === 'GuideRequested').length
    t.equal(await attempts(), 1)
    await sql`DELETE FROM quota_reservations WHERE shipment_id = ${idOf('not-sent')}`.execute(db)
    await shop.create('not-sent', { scenario })
    t.equal(await attempts(), 2)
  },
)

t.test('a key whose call was not sent gets the guide of a call that is forgotten', async (t) => {
  const scenario = 'courier_unreachable'
  const key = 'not-sent-but-made'
  t.match(await shop.create(key, { scenario }), { status: 503 })
  const guideNumber = await makeForgotten(key)
  await sql`DELETE FROM quota_reservations WHERE shipment_id = ${idOf(key)}`.execute(db)
  const answer = await shop.create(key, { scenario })
  t.match(answer, { status: 201, body: { guide_number: guideNumber } })
})

t.test('a shipment that a damaged ledger has lost is not said to be unknown', async (t) => {
  const cancel = () =>
    shop.call(`/v1/shipments/${idOf('lost')}/cancel`, {
      method: 'POST',
      headers: { 'idempotency-key': 'cancel-lost' },
    })
  t.equal((await cancel()).status, 404)
  const id = randomUUID()
  await sql`INSERT INTO ledger_damages (id, source) VALUES (${id}, 'operator')`.execute(db)
  await guard.read()
  t.match(await cancel(), {
    status: 503,
    body: { reason: 'ledger_damaged', outcome: 'not_executed', retryable: true },
  })
  await sql`
    UPDATE ledger_damages SET recovered_at = now(), find_first_until = now() + interval '60 days',
      proven_size = 0
    WHERE id = ${id}`.execute(db)
  await guard.read()
  t.equal((await cancel()).status, 404)
})

t.test('while the courier cannot be asked, nothing is created', async (t) => {
  const calls = shop.record.callCount('createGuide')
  await shop.simulator.close()
  const answer = await shop.create('unreachable')
  t.match(answer, {
    status: 503,
    body: { reason: 'courier_unreachable', outcome: 'not_executed', retryable: true },
  })
  t.equal(shop.record.callCount('createGuide'), calls)
  const found = await shop.call(`/v1/shipments/${idOf('unreachable')}`)
  t.equal(found.status, 404, 'nothing is recorded either')
})
