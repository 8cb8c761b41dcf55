import t from 'tap'
import { run } from '../../../src/service/cli/run-command.ts'
import { auditStream, shipmentIdOf, shipmentStream } from '../../../src/service/domain/ids.ts'
import { leafHolds } from '../../../src/service/event-store/codec.ts'
import { type ApiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { commandServices } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const erase = (own: ApiClient, id: string, headers = {}) =>
  own.call(`/v1/shipments/${id}/erase-personal-data`, { method: 'POST', headers })
const query = async (text: string, values: readonly unknown[]) =>
  (await shop.parts.pool.query(text, [...values])).rows
const kept = async (id: string) => {
  const [row] = await query(
    `SELECT (SELECT count(wrapped_key) FROM vault WHERE shipment_id = $1)::int AS keys,
       (SELECT count(*) FROM vault_items i JOIN vault v ON v.ref = i.vault_ref
        WHERE v.shipment_id = $1)::int AS items`,
    [id],
  )
  return row
}
const finished = (id: string) =>
  eventually(
    () => query('SELECT FROM erasures WHERE shipment_id = $1 AND ended_at IS NOT NULL', [id]),
    (rows) => rows.length === 1,
    15_000,
  )
const nothing = { recipient: null, declared_content: null, metadata: null, pickup_code: null }
const createCalls = (id: string) =>
  shop.record.callsOf(id).filter(({ route }) => route === 'createGuide').length

t.test(
  'no version of an erased shipment shows the person, and its history still verifies',
  async (t) => {
    const own = await freshShop(shop, 'erased')
    const receiving = await receiver(t, () => ({ status: 200, body: 'thank you' }))
    await own.call('/v1/webhook-endpoints', {
      body: {
        workspace_id: own.seeded.workspaceId,
        url: receiving.url,
        event_types: ['shipment.*'],
      },
    })
    const { body: created } = await own.create('a', { body: { metadata: { gift: 'yes' } } })
    await own.advance('PT33H')
    await eventually(
      async () => receiving.received,
      (all) => all.length > 0,
    )
    const deliveries = `/v1/webhook-deliveries?shipment_id=${created.id}`
    const delivered = await eventually(
      () => own.call(deliveries),
      ({ body }) => body.data[0]?.state === 'delivered',
    )
    const read = () => own.call(`/v1/webhook-deliveries/${delivered.body.data[0].id}`)
    t.equal((await read()).body.attempts[0].response_excerpt, 'thank you')

    const erased = await erase(own, created.id, { 'idempotency-key': 'forget-a' })
    t.equal(erased.status, 200)
    t.match(erased.body, { ...nothing, label: { status: 'erased' }, status: 'created' })
    const again = await erase(own, created.id, { 'idempotency-key': 'forget-a' })
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.same(again.body, erased.body)
    t.same((await erase(own, created.id)).body, erased.body)

    const events = await own.events(created.id)
    const last = events.at(-1)
    t.match(last, { type: 'PersonalDataErased', actor: { type: 'api_key' } })
    t.equal(last?.actor.key_id, (await own.call('/v1/key')).body.id)
    t.equal(events.filter(({ type }) => type === 'PersonalDataErased').length, 1)
    const stored = await shop.parts.store.readStream(shipmentStream(created.id))
    t.ok(stored.every((event) => leafHolds(event)))
    for (const version of [1, 2, erased.body.version - 1, erased.body.version]) {
      const { body } = await own.call(`/v1/shipments/${created.id}?as_of=${version}`)
      t.match(body, { ...nothing, version })
    }
    const label = await own.call(`/v1/shipments/${created.id}/documents/label`)
    t.match(label, { status: 410, body: { reason: 'personal_data_erased' } })
    const documents = await own.call(`/v1/shipments/${created.id}/documents`)
    t.match(documents.body.data, [{ status: 'erased', sha256: null }])
    t.match(await own.call(`/v1/shipments/${created.id}/tracking`), { status: 200 })

    const { body: delivery } = await read()
    t.equal(delivery.attempts[0].response_excerpt, null)
    const before = receiving.received.length
    await own.call(`/v1/webhook-deliveries/${delivery.id}/redeliver`, { method: 'POST' })
    await eventually(
      async () => receiving.received,
      (all) => all.length > before,
    )
    t.ok(receiving.received.at(-1)?.body.equals(receiving.received[0]?.body as Buffer))
    const redelivered = await eventually(read, ({ body }) => body.attempts.length === 2)
    t.equal(
      redelivered.body.attempts[1].response_excerpt,
      null,
      'a later answer is not stored either',
    )

    t.same(await kept(created.id), { keys: 0, items: 0 })
    await finished(created.id)
    t.equal(shop.record.personOf(created.id, created.guide_number), null)
  },
)

t.test(
  'the key of an erased shipment returns it without the person and calls no courier',
  async (t) => {
    const own = await freshShop(shop, 'erased-key')
    const { body: made } = await own.create('k')
    const answers = await Promise.all(Array.from({ length: 10 }, () => erase(own, made.id)))
    t.ok(
      answers.every(({ status }) => status === 200),
      'however many requests at once',
    )
    const recorded = (await own.events(made.id)).filter(({ type }) => type === 'PersonalDataErased')
    t.equal(recorded.length, 1)
    const same = await own.create('k')
    t.match(same, { status: 201, body: { id: made.id, ...nothing } })
    t.equal(same.headers.get('idempotent-replayed'), 'true')
    const person = { ...own.bodyOf('k'), declared_content: 'something else' }
    t.equal((await own.create('k', { body: person })).status, 201, 'the person cannot be compared')
    const other = await own.create('k', { body: { external_reference: 'another order' } })
    t.match(other, { status: 422, body: { reason: 'idempotency_key_reused' } })
    t.equal(createCalls(made.id), 1)

    const unreachable = await own.create('u', { scenario: 'courier_unreachable' })
    const { shipment_id: unsent } = unreachable.body
    t.match(unreachable, { status: 503, body: { reason: 'courier_unreachable' } })
    t.equal((await erase(own, unsent)).status, 200)
    const retried = await own.create('u', { scenario: 'courier_unreachable' })
    t.match(retried, { status: 409, body: { reason: 'nothing_created', outcome: 'not_executed' } })
    t.equal(createCalls(unsent), 0)

    const refused = await own.create('r', { scenario: 'courier_rejected' })
    t.ok(refused.body.detail.length > 0)
    const { shipment_id: rejected } = refused.body
    t.match((await erase(own, rejected)).body, { failure: { detail: null } })
    const replayed = await own.create('r', { scenario: 'courier_rejected' })
    t.match(replayed, { status: 422, body: { reason: 'courier_rejected' } })
    t.not(replayed.body.detail, refused.body.detail, "the courier's words are gone")
  },
)

t.test(
  'an erasure during a creation or cancellation is refused and names its operation',
  async (t) => {
    const own = await freshShop(shop, 'erased-busy')
    const { organizationId, workspaceId } = own.seeded
    const namespace = { organizationId, workspaceId, livemode: false }
    const id = shipmentIdOf({ ...namespace, idempotencyKey: 'slow' })
    const creating = own.create('slow', { scenario: 'slow_success' })
    const busy = await eventually(
      () => erase(own, id),
      ({ status }) => status !== 404,
    )
    t.match(busy, { status: 409, body: { reason: 'operation_open', retryable: true } })
    t.equal(busy.body.operation_id, `op_${id.slice(4)}01`)
    t.equal((await creating).status, 201)
    t.equal((await erase(own, id)).status, 200)

    const { body: cancelling } = await own.create('c', { scenario: 'cancel_response_lost' })
    const headers = { 'idempotency-key': 'cancel' }
    const cancel = { method: 'POST', headers }
    const lost = await own.call(`/v1/shipments/${cancelling.id}/cancel`, cancel)
    const during = await erase(own, cancelling.id)
    t.match(during, { status: 409, body: { operation_id: lost.body.operation_id } })
    await own.advance('PT1H')
    t.match((await erase(own, cancelling.id)).body, { status: 'cancelled', ...nothing })
  },
)

t.test('an unknown outcome is reconciled after an erasure, and no late data is kept', async (t) => {
  const own = await freshShop(shop, 'erased-unknown')
  const lost = await own.create('l', { scenario: 'lost_response_late_guide' })
  const { shipment_id: id } = lost.body
  t.equal(lost.body.reason, 'unknown_outcome')
  t.equal((await erase(own, id)).status, 200)
  t.match(await own.create('l', { scenario: 'lost_response_late_guide' }), { status: 409 })
  await own.advance('PT9H')
  const { body } = await own.call(`/v1/shipments/${id}`)
  t.match(body, { status: 'created', ...nothing, label: { status: 'erased' } })
  t.equal((await own.call(`/v1/shipments/${id}/tracking`)).body.status, 'in_transit')
  t.same(await kept(id), { keys: 0, items: 0 })
  await finished(id)
  t.equal(shop.record.personOf(id, body.guide_number), null)
  t.same(
    (await query('SELECT FROM due WHERE shipment_id = $1 AND label_at IS NOT NULL', [id])).length,
    0,
  )
})

t.test("retention erases by age on the workspace's clock, but no open shipment", async (t) => {
  const own = await freshShop(shop, 'retention')
  const path = `/v1/workspaces/${own.seeded.workspaceId}`
  const keep = (days: number | null) =>
    own.call(path, { method: 'PATCH', body: { personal_data_retention_days: days } })
  const { body: old } = await own.create('old')
  const open = await own.create('open', { scenario: 'duplicate_guides' })
  await keep(10)
  await own.advance('P6D')
  const { body: young } = await own.create('young')
  await own.advance('P5D')
  const read = async (id: string) => (await own.call(`/v1/shipments/${id}`)).body
  t.match(await read(old.id), nothing)
  t.match((await own.events(old.id)).at(-1), {
    type: 'PersonalDataErased',
    actor: { type: 'system', key_id: null },
  })
  const erasedAt = Date.parse((await own.events(old.id)).at(-1)?.recorded_at ?? '')
  t.equal((erasedAt - Date.parse(old.created_at)) / 86_400_000, 10, 'to the moment')
  t.not((await read(young.id)).recipient, null)
  t.match((await read(young.id)).label, { status: 'ready' })
  t.not(
    (await read(open.body.shipment_id)).recipient,
    null,
    "it may still need a person's decision",
  )

  const { body: review } = await own.call('/v1/operations?status=needs_review')
  const verdict = { decision: 'nothing_created', note: 'x' }
  await own.call(`/v1/operations/${review.data[0].id}/resolve`, {
    body: verdict,
    key: own.seeded.operatorKey,
  })
  await own.advance('P2D')
  t.match(await read(open.body.shipment_id), nothing)
  // The note is deleted after a month; an erased shipment must not become due again.
  await query('DELETE FROM erasures WHERE shipment_id = $1', [old.id])
  await own.advance('P1D')
  t.same(await query('SELECT FROM erasures WHERE shipment_id = $1', [old.id]), [])
  await keep(null)
  await own.advance('P4D')
  t.not(
    (await read(young.id)).recipient,
    null,
    'a workspace that keeps data forever erases nothing',
  )
})

/** The value of LEDGER_OPERATOR. */
let operator: string | undefined = shop.seeded.operatorId

async function ledger(...args: string[]) {
  const lines: string[] = []
  const code = await run([...args, '--json'], {
    open: async () => commandServices(shop),
    write: (line) => lines.push(line),
    writeError: (line) => lines.push(line),
    openLedgers: () => Promise.reject(new Error('no ledger is copied here')),
    pathOf: (name) => name,
    isWatched: false,
    operator: () => operator,
    systemUser: null,
  })
  return { code, json: lines[0]?.startsWith('{') ? JSON.parse(lines[0]) : lines[0] }
}

t.test('an erasure on the command line is recorded in the history and the audit', async (t) => {
  const own = await freshShop(shop, 'erased-by-cli')
  const { body: made } = await own.create('o')
  t.same(await ledger('erase', made.id), {
    code: 0,
    json: { shipment_id: made.id, answer: 'erased' },
  })
  t.match((await own.events(made.id)).at(-1), {
    type: 'PersonalDataErased',
    actor: { type: 'operator', operator_id: own.seeded.operatorId, key_id: null },
  })
  const audited = await shop.parts.store.readStream(auditStream(own.seeded.organizationId))
  t.match(audited.at(-1), {
    type: 'PersonalDataErasureOrdered',
    data: { shipment_id: made.id },
    metadata: { actor: { operator_id: own.seeded.operatorId } },
  })
  t.match((await ledger('erase', made.id)).json, { answer: 'was_erased' })
  t.match(await ledger('erase', `shp_${'0'.repeat(22)}`), { code: 1 })
  t.match(await ledger('erase'), { code: 64 })
  operator = undefined
  t.match(await ledger('erase', made.id), {
    code: 64,
    json: { error: { message: /^--as is missing/ } },
  })
  operator = shop.seeded.operatorId
  t.match(await ledger('erase', made.id, '--again'), { code: 64 })
  t.match(await ledger('erase', '--from', 'nowhere.ndjson'), {
    code: 2,
    json: { error: { message: /cannot be read/ } },
  })
})
