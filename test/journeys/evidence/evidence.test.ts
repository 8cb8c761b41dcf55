import pg from 'pg'
import t from 'tap'
import type { JsonObject } from '../../../src/service/domain/decider.ts'
import { shipmentStream } from '../../../src/service/domain/ids.ts'
import { verifyVault } from '../../../src/service/ledger/verify-vault.ts'
import { seal, unwrapKey } from '../../../src/service/security/encryption/encryption.ts'
import { masterKeys } from '../../../src/service/security/encryption/master-keys.ts'
import { bodyDigest, commitmentKeyOf } from '../../../src/service/security/vault/commitment.ts'
import { ownerParts } from '../../../src/service/security/vault/vault.ts'
import { freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const { store, pool, vault } = shop.parts
const keys = masterKeys(shop.secrets.secretsKey, shop.secrets.secretsKeyPrevious)
const verify = () => verifyVault({ store, vault, db: shop.parts.db })

type Told = {
  readonly type: string
  readonly data: JsonObject & {
    readonly exchanges?: readonly JsonObject[]
    readonly exchanges_ref?: string
    readonly commitments?: { readonly [ref: string]: string }
  }
}
const eventsOf = async (id: string) =>
  (await store.readStream(shipmentStream(id))) as unknown as readonly Told[]
const eventIn = (events: readonly Told[], type: string) => {
  const found = events.find((event) => event.type === type)
  if (found === undefined) throw new Error(`there is no ${type}`)
  return found
}

type VaultRow = {
  readonly ref: string
  readonly organizationId: string
  readonly shipmentId: string
  readonly masterKeyId: string
  readonly wrappedKey: Buffer
}

async function vaultRowOf(id: string) {
  const { rows } = await pool.query<VaultRow>(
    `SELECT ref, organization_id AS "organizationId", shipment_id AS "shipmentId",
       master_key_id AS "masterKeyId", wrapped_key AS "wrappedKey" FROM vault WHERE shipment_id = $1`,
    [id],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`${id} has no row in the vault`)
  return { ref: row.ref, dataKey: unwrapKey(keys, row, ownerParts(row, row.ref)) }
}

t.test('an issued guide records what was sent, which was committed to before', async (t) => {
  const own = await freshShop(shop, 'said')
  const { body } = await own.create('a', { body: { declared_content: 'CanaryContent' } })
  const events = await eventsOf(body.id)
  const requested = eventIn(events, 'GuideRequested').data
  const issued = eventIn(events, 'GuideIssued').data
  t.equal(issued.client_reference, body.id)
  t.equal(issued.exchanges?.length, 1)
  const [exchange] = issued.exchanges ?? []
  t.match(exchange, {
    call: 'create',
    attempt: 1,
    sent: 'yes',
    status_code: 200,
    failure: null,
    latency_ms: Number,
    courier_request_id: /^sim_[0-9a-f-]{36}$/,
    request_digest: requested.request_digest as string,
  })
  const kept = (await vault.openItem(String(issued.exchanges_ref))) as JsonObject
  const [said] = kept.exchanges as unknown as readonly { request: string; response: JsonObject }[]
  const sent = JSON.parse(said?.request ?? '')
  t.match(sent, { client_reference: body.id, declared_content: 'CanaryContent' })
  t.notOk('credentials' in sent || 'sandbox' in sent)
  t.match(JSON.parse(String(said?.response.text)), { guide: { guide_number: body.guide_number } })
  const key = commitmentKeyOf((await vaultRowOf(body.id)).dataKey)
  t.equal(bodyDigest(key, Buffer.from(said?.request ?? '')), requested.request_digest)
  t.equal(bodyDigest(key, Buffer.from(String(said?.response.text))), exchange?.response_digest)
})

t.test('safe retries leave a trace', async (t) => {
  const own = await freshShop(shop, 'throttled')
  const { body } = await own.create('a', { scenario: 'courier_throttled' })
  const { exchanges } = eventIn(await eventsOf(body.id), 'GuideIssued').data
  t.match(exchanges, [
    { attempt: 1, status_code: 429, failure: 'courier_throttled', sent: 'yes' },
    { attempt: 2, status_code: 429, failure: 'courier_throttled', sent: 'yes' },
    { attempt: 3, status_code: 200, failure: null, sent: 'yes' },
  ])
})

t.test('a lost answer and the look that finds the guide are both on record', async (t) => {
  const own = await freshShop(shop, 'lost')
  const created = await own.create('a', { scenario: 'lost_response_guide_created' })
  const id = created.body.shipment_id
  await own.advance('PT1H')
  const events = await eventually(
    () => eventsOf(id),
    (all) => all.some(({ type }) => type === 'GuideFound'),
  )
  t.match(eventIn(events, 'GuideOutcomeUnknown').data.exchanges, [
    { call: 'create', sent: 'unknown', status_code: null, response_digest: null },
  ])
  const looked = events.filter(({ type }) => type === 'GuideLookedUp')
  for (const { data } of looked) t.match(data.exchanges, [{ call: 'look', sent: 'yes' }])
  t.equal(eventIn(events, 'GuideFound').data.client_reference, id)
})

t.test('a refused and an accepted cancellation record their calls', async (t) => {
  const own = await freshShop(shop, 'cancels')
  const { body } = await own.create('a')
  await own.call(`/v1/shipments/${body.id}/cancel`, {
    method: 'POST',
    headers: { 'idempotency-key': 'c' },
  })
  t.match(eventIn(await eventsOf(body.id), 'GuideCancelled').data.exchanges, [
    { call: 'cancel', attempt: 1, sent: 'yes', failure: null },
  ])
})

t.test('what is missing, swapped or altered in the vault is found, and where', async (t) => {
  const owner = new pg.Client({ connectionString: shop.database.adminUrl })
  await owner.connect()
  t.teardown(() => owner.end())
  const own = await freshShop(shop, 'tampered')
  const ids: string[] = []
  for (const key of ['a', 'b', 'c', 'd', 'e']) ids.push((await own.create(key)).body.id)
  const [deleted = '', swapped = '', other = '', altered = '', erased = ''] = ids
  const before = await verify()
  t.same(before.findings, [])
  t.equal(before.matching, before.references)
  await own.call(`/v1/shipments/${erased}/erase-personal-data`, { method: 'POST' })

  const itemsOf = async (id: string) =>
    (
      await pool.query(
        `SELECT i.ref, i.payload FROM vault_items i JOIN vault v ON v.ref = i.vault_ref
       WHERE v.shipment_id = $1 ORDER BY i.ref`,
        [id],
      )
    ).rows as readonly { ref: string; payload: Buffer }[]
  const problemsOf = async (id: string) =>
    (await verify()).findings.filter(({ shipment_id }) => shipment_id === id)

  const [item] = await itemsOf(deleted)
  await owner.query('DELETE FROM vault_items WHERE ref = $1', [item?.ref])
  t.match(await problemsOf(deleted), [{ problem: /has nothing under/ }])

  const [first, second] = await itemsOf(swapped)
  await owner.query('UPDATE vault_items SET payload = $2 WHERE ref = $1', [
    first?.ref,
    second?.payload,
  ])
  t.match(await problemsOf(swapped), [{ problem: /cannot be decrypted there/ }])

  await owner.query(
    `UPDATE vault v SET wrapped_key = o.wrapped_key, payload = o.payload
     FROM vault o WHERE v.shipment_id = $1 AND o.shipment_id = $2`,
    [other, deleted],
  )
  t.ok((await problemsOf(other)).length > 0)

  // With the master key itself: another text under the same reference.
  const [note] = await itemsOf(altered)
  const { ref, dataKey } = await vaultRowOf(altered)
  const content = Buffer.concat([Buffer.of(0), Buffer.from('{"pickup_code":"0000"}')])
  const forged = seal(dataKey, content, ['vault item v1', ref, String(note?.ref)])
  await owner.query('UPDATE vault_items SET payload = $2 WHERE ref = $1', [note?.ref, forged])
  t.match(await problemsOf(altered), [{ problem: /holds something else under/ }])

  t.same(await problemsOf(erased), [])
  t.ok((await verify()).erased > 0)
})

t.test('an erasure keeps the notes of decisions, unless an operator asks for them', async (t) => {
  const own = await freshShop(shop, 'decided')
  const created = await own.create('a', { scenario: 'lost_response_human_review' })
  const { shipment_id: id, operation_id: operationId } = created.body
  await own.advance('PT21H')
  const key = shop.seeded.operatorKey
  const path = `/v1/operations/${operationId}`
  const note = 'CanaryNote: the courier says that nothing was made.'
  const decision = { decision: 'nothing_created', note }
  const decided = await eventually(
    () => own.call(`${path}/resolve`, { key, body: decision }),
    ({ status }) => status === 200,
  )
  t.match(decided.body.resolution, { note, decided_by: 'Sandbox operator' })
  const erase = (body?: object, by = own.seeded.shopKey) =>
    own.call(`/v1/shipments/${id}/erase-personal-data`, {
      method: 'POST',
      key: by,
      ...(body === undefined ? {} : { body }),
    })
  const resolution = async () => (await own.call(path)).body.resolution
  const clean = async () => (await verify()).findings.filter((one) => one.shipment_id === id)

  t.match(await erase(), { status: 200, body: { recipient: null } })
  t.match(await resolution(), { note, decided_by: 'Sandbox operator' })
  t.same(await clean(), [])

  const withNotes = { include_notes: true }
  t.match(await erase(withNotes), { status: 403, body: { reason: 'forbidden_scope' } })
  t.match(await resolution(), { note })
  t.match(await erase({ include_notes: 'yes' }), { status: 422 })
  const before = (await own.call(`/v1/shipments/${id}`)).body.version
  t.match(await erase(withNotes, key), { status: 200, body: { version: before + 1 } })
  t.match(await erase(withNotes, key), { status: 200, body: { version: before + 1 } })
  t.match(await resolution(), { note: null, decided_by: 'Sandbox operator' })
  t.same(await clean(), [])
  t.match((await eventsOf(id)).at(-1), {
    type: 'PersonalDataErased',
    data: { includes_notes: true },
    metadata: { actor: { type: 'operator', operator_id: shop.seeded.operatorId } },
  })
})

t.test('a decision after the notes were erased is recorded and keeps no note', async (t) => {
  const own = await freshShop(shop, 'decided-late')
  const created = await own.create('a', { scenario: 'lost_response_human_review' })
  const { shipment_id: id, operation_id: operationId } = created.body
  await own.advance('PT21H')
  const key = shop.seeded.operatorKey
  const path = `/v1/operations/${operationId}`
  await eventually(
    () => own.call(path),
    ({ body }) => body.status === 'needs_review',
  )
  const erase = () =>
    own.call(`/v1/shipments/${id}/erase-personal-data`, {
      method: 'POST',
      key,
      body: { include_notes: true },
    })
  t.equal((await erase()).status, 200)
  const body = { decision: 'nothing_created', note: 'Called them.' }
  const decided = await own.call(`${path}/resolve`, { key, body })
  t.match(decided, {
    status: 200,
    body: { resolution: { note: null, decided_by: 'Sandbox operator' } },
  })
  t.equal((await own.call(`${path}/resolve`, { key, body })).status, 200)
  t.equal(eventIn(await eventsOf(id), 'OperationResolved').data.resolution_ref, null)
  const { rowCount } = await pool.query('SELECT FROM vault WHERE shipment_id = $1', [operationId])
  t.equal(rowCount, 0)
  t.equal((await erase()).status, 200)
  t.same(
    (await verify()).findings.filter((one) => one.shipment_id === id),
    [],
  )
})

t.test('a note that was deleted is found, also after the person was erased', async (t) => {
  const own = await freshShop(shop, 'note-deleted')
  const created = await own.create('a', { scenario: 'lost_response_human_review' })
  const { shipment_id: id, operation_id: operationId } = created.body
  await own.advance('PT21H')
  const body = { decision: 'nothing_created', note: 'Called them.' }
  await eventually(
    () => own.call(`/v1/operations/${operationId}/resolve`, { key: shop.seeded.operatorKey, body }),
    ({ status }) => status === 200,
  )
  await own.call(`/v1/shipments/${id}/erase-personal-data`, { method: 'POST' })
  const owner = new pg.Client({ connectionString: shop.database.adminUrl })
  await owner.connect()
  t.teardown(() => owner.end())
  await owner.query('DELETE FROM vault WHERE shipment_id = $1', [operationId])
  const found = (await verify()).findings.filter((one) => one.shipment_id === id)
  t.match(found, [{ type: 'OperationResolved', problem: /has nothing under/ }])
})
