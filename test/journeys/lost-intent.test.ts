import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import t from 'tap'
import { operations } from '../../src/service/couriers/protocol.ts'
import { shipmentIdOf, shipmentStream } from '../../src/service/domain/ids.ts'
import { eventually } from '../support/eventually.ts'
import { type Service, service } from '../support/service.ts'

/** Deletes a stream's events from a revision on, with what was stored beside them. */
async function forgetFrom(shop: Service, shipmentId: string, revision: number) {
  const admin = new pg.Client({ connectionString: shop.database.adminUrl })
  await admin.connect()
  try {
    await admin.query('ALTER TABLE ledger.event DISABLE TRIGGER ALL')
    await admin.query(
      `DELETE FROM ledger.event WHERE position >= (
         SELECT position FROM ledger.event WHERE stream_id = $1 AND revision = $2)`,
      [shipmentStream(shipmentId), revision],
    )
    await admin.query('ALTER TABLE ledger.event ENABLE ALWAYS TRIGGER event_never_changes')
  } finally {
    await admin.end()
  }
  if (revision === 0) await forgetPersonalData(shop, shipmentId)
}

/** Deletes a shipment's rows from the vault, and its quota reservation with them. */
async function forgetPersonalData({ database }: Service, shipmentId: string) {
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  try {
    await admin.query(
      'DELETE FROM vault_items WHERE vault_ref IN (SELECT ref FROM vault WHERE shipment_id = $1)',
      [shipmentId],
    )
    await admin.query('DELETE FROM vault WHERE shipment_id = $1', [shipmentId])
    await admin.query('DELETE FROM quota_reservations WHERE shipment_id = $1', [shipmentId])
  } finally {
    await admin.end()
  }
}

t.test('a call under way whose intent is lost is recorded again with its guide', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const { organizationId, workspaceId } = shop.seeded
  const key = 'in-flight'
  const shipmentId = shipmentIdOf({
    organizationId,
    workspaceId,
    livemode: false,
    idempotencyKey: key,
  })
  const answering = shop.create(key, { scenario: 'slow_success' })
  await eventually(
    async () => shop.record.guidesOf(shipmentId).length,
    (guides) => guides === 1,
  )
  await forgetFrom(shop, shipmentId, 0)
  const answer = await answering
  const [guide] = shop.record.guidesOf(shipmentId)
  t.match(answer, { status: 201, body: { guide_number: guide?.guideNumber } })
  t.ok(answer.body.recipient.first_name, 'the person is in the vault again')
  t.ok(answer.body.pickup_code, 'and the personal data of the guide')
  t.match(await shop.events(shipmentId), [
    { type: 'ShipmentRequested', data: { recovered: true } },
    { type: 'GuideRequested', data: { recovered: true } },
    { type: 'GuideIssued', data: { recovered: true, guide_number: guide?.guideNumber } },
  ])
  t.match(await shop.create(key, { scenario: 'slow_success' }), {
    status: 201,
    body: { guide_number: guide?.guideNumber },
  })
  t.equal(shop.record.guidesOf(shipmentId).length, 1)
})

/** A proxy to the courier that answers calls of one operation only after `before`. */
async function answeringAfter(
  simulatorUrl: string,
  { path }: { readonly path: string },
  before: () => Promise<void>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { method = 'GET', url = '/' } = request
    const { host: _, connection: __, 'content-length': ___, ...rest } = request.headers
    const headers = new Headers(Object.entries(rest) as [string, string][])
    const sent = { method, headers, ...(body.length === 0 ? {} : { body }) }
    const answer = await fetch(`${simulatorUrl}${url}`, sent)
    const content = Buffer.from(await answer.arrayBuffer())
    if (url.endsWith(path)) await before()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

t.test(
  'a cancellation under way whose shipment is lost is recorded again with its guide',
  async (t) => {
    let forget = async () => {}
    const courierUrl = (url: string) => answeringAfter(url, operations.cancelGuide, () => forget())
    const shop = await service(t, { roles: ['api'], courierUrl })
    const { body: shipment } = await shop.create('cancelled')
    forget = () => forgetFrom(shop, shipment.id, 0)
    const cancelled = await shop.call(`/v1/shipments/${shipment.id}/cancel`, {
      method: 'POST',
      headers: { 'idempotency-key': 'cancel-1' },
    })
    t.match(cancelled, { status: 200, body: { status: 'cancelled', recipient: null } })
    const events = await shop.events(shipment.id)
    t.match(events, [
      { type: 'ShipmentRequested', data: { recovered: true } },
      { type: 'GuideRequested' },
      { type: 'GuideFound', data: { guide_number: shipment.guide_number, evidence: 'recovery' } },
      { type: 'CancellationRequested', data: { recovered: true } },
      { type: 'GuideCancelled', data: { recovered: true } },
    ])
    t.equal(shop.record.callCount('cancelGuide'), 1)
  },
)

t.test(
  'a shipment that is lost before its cancellation is recorded is not cancelled',
  async (t) => {
    let forget = async () => {}
    const courierUrl = (url: string) => answeringAfter(url, operations.findGuides, () => forget())
    const shop = await service(t, { roles: ['api'], courierUrl })
    const { db, guard } = shop.parts
    const { body: shipment } = await shop.create('lost')
    await sql`
    INSERT INTO ledger_damages (id, source, recovered_at, find_first_until, proven_size)
    VALUES (${randomUUID()}, 'operator', now(), now() + interval '60 days', 0)`.execute(db)
    await guard.read()
    forget = () => forgetFrom(shop, shipment.id, 0)
    const answer = await shop.call(`/v1/shipments/${shipment.id}/cancel`, {
      method: 'POST',
      headers: { 'idempotency-key': 'cancel-1' },
    })
    t.match(answer, { status: 503, body: { reason: 'ledger_damaged', outcome: 'not_executed' } })
    t.equal(shop.record.callCount('cancelGuide'), 0)
  },
)

t.test('a key whose personal data is lost and whose call was not sent has ended', async (t) => {
  const shop = await service(t, { roles: ['api'] })
  const scenario = 'courier_unreachable'
  const { body: first } = await shop.create('forgotten', { scenario })
  t.match(first, { status: 503, reason: 'courier_unreachable' })
  await forgetPersonalData(shop, first.shipment_id)
  t.match(await shop.create('forgotten', { scenario }), {
    status: 409,
    body: { reason: 'nothing_created', retryable: false },
  })
  t.equal(shop.record.guidesOf(first.shipment_id).length, 0)
})
