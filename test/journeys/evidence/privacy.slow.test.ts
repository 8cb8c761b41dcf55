import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import t from 'tap'
import { createServices } from '../../../src/service/app.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import { type Position, pageLimitMax } from '../../../src/service/event-store/event-store.ts'
import { exportLedger } from '../../../src/service/ledger/export.ts'
import { performErasure } from '../../../src/service/processes/erasure/erasure.ts'
import { erasureListName } from '../../../src/service/processes/erasure/erasure-list.ts'
import { createApiKey, scopes } from '../../../src/service/security/api-keys.ts'
import { freshShop } from '../../support/api-client.ts'
import {
  canaryDocument,
  filesBelow,
  finderOf,
  makeCanaries,
  searchForCanaries,
  tablesAsText,
} from '../../support/canaries.ts'
import { crashableServer } from '../../support/crashable-server.ts'
import { eventually } from '../../support/eventually.ts'
import { receiver } from '../../support/receiver.ts'
import { runCommand } from '../../support/run-command.ts'
import { noLogger, service } from '../../support/service.ts'

/** The simulated courier's own wording, none of which may be stored in clear. */
const courierTexts = {
  refusal: 'Destino suspendido temporalmente',
  scan: 'Recibido en agencia de origen',
  delivery: 'Entregado en agencia',
  capacity: 'Sin capacidad en esta ruta',
  price: 'El precio cotizado ya no rige',
}

const database = await crashableServer(t)
const shop = await service(t, { database })
const canaries = makeCanaries([
  'first_name',
  'last_name',
  'passport',
  'declared_content',
  'metadata_key',
  'metadata_value',
  'note',
  'decided_by',
  'username',
  'password',
  'rotated_password',
  'unknown_field',
  'query',
  'path',
  'scenario',
  'broken_json',
  'bad_document',
  'receiver',
  'email',
])
const document = canaryDocument()
const phoneDigits = canaryDocument()
const known = makeCanaries(['external_reference'])
const recipient = {
  document_type: 'DNI',
  document,
  first_name: canaries.first_name,
  last_name: canaries.last_name,
  phone: `+519${phoneDigits}`,
  email: `${canaries.email}@example.com`,
}
const body = {
  recipient,
  external_reference: known.external_reference,
  declared_content: canaries.declared_content,
  metadata: { [String(canaries.metadata_key)]: canaries.metadata_value },
}
const passport = String(canaries.passport).toUpperCase().slice(0, 12)
const keys = { shop_key: shop.seeded.shopKey, operator_key: shop.seeded.operatorKey }
const secret = { ...canaries, passport, document, phone: phoneDigits, ...courierTexts, ...keys }
const own = await freshShop(shop, 'private')
const admin = new pg.Client({ connectionString: database.adminUrl })
await admin.connect()
t.teardown(() => admin.end())

/** The files of the tables, and the log of changes to them. */
async function databaseFiles(): Promise<readonly [tables: string, log: string]> {
  await admin.query('CHECKPOINT')
  const { rows } = await admin.query(
    'SELECT oid::text FROM pg_database WHERE datname = current_database()',
  )
  return [join(database.folder, 'base', rows[0].oid), join(database.folder, 'pg_wal')]
}

/** All other files: the courier's record, its log, the list of erasures. */
function otherFiles(): readonly string[] {
  const files = [shop.recordFile, `${shop.recordFile}-wal`, shop.checkpointDir]
  return files.filter((file) => existsSync(file))
}

/** Every event as the store returns it: the ledger need not be in the database. */
async function ledgerAsText(): Promise<string> {
  const { store } = shop.parts
  const lines: string[] = []
  for (let after: Position | null = null; ; ) {
    const { events, last } = await store.readAll(after, { limit: pageLimitMax })
    if (last === after) return lines.join('\n')
    lines.push(...events.map((event) => JSON.stringify(event)))
    after = last
  }
}

async function allTexts(): Promise<Readonly<Record<string, string>>> {
  const metrics = await shop.parts.metrics.registry.metrics()
  const tables = await tablesAsText(database.adminUrl)
  return { ...tables, ledger: await ledgerAsText(), log: shop.logged.join('\n'), metrics }
}

t.test('no person, free text, courier text or credential is readable anywhere', async (t) => {
  const credentials = { username: canaries.username, password: canaries.password }
  const connection = `/v1/courier-connections/${own.seeded.connectionId}`
  await own.call(connection, { method: 'PATCH', body: { credentials } })
  const answers: string[] = []
  const note = (answer: { readonly body: unknown }) => answers.push(JSON.stringify(answer.body))
  const receiving = await receiver(t, () => ({ status: 200, body: String(canaries.receiver) }))
  await own.call('/v1/webhook-endpoints', {
    body: {
      workspace_id: own.seeded.workspaceId,
      url: receiving.url,
      event_types: ['shipment.*', 'tracking.*', 'label.*'],
    },
  })

  const created = await own.create('created', { body })
  t.match(created.body.recipient, recipient, 'its owner reads it')
  t.match(created.body.metadata, body.metadata)
  const traveller = { ...recipient, document_type: 'PASSPORT', document: passport }
  for (const scenario of [
    'courier_rejected',
    'courier_unreachable',
    'malformed_success',
    'noisy_tracking',
    'lost_response_nothing_created',
    'duplicate_guides',
    'lost_response_human_review',
  ]) {
    const answer = await own.create(scenario, { scenario, body: { ...body, recipient: traveller } })
    if (answer.status >= 400 && scenario !== 'courier_rejected') note(answer)
  }
  const raised = { 'sandbox-scenario': 'quote_partial' }
  const quoted = await own.call('/v1/quotes', { body: own.quoteBody(), headers: raised })
  note(quoted)
  const bound = { body: { ...body, quote_id: quoted.body.id }, headers: raised }
  const refused = await own.create('quoted', bound)
  t.equal(refused.body.reason, 'quote_price_changed')
  note(refused)
  await own.create('slow', { scenario: 'slow_success', body })
  note(await own.create('created', { body: { ...body, declared_content: 'another' } }))

  const cancel = (id: string) => {
    const headers = { 'idempotency-key': 'cancellation' }
    return own.call(`/v1/shipments/${id}/cancel`, { method: 'POST', headers })
  }
  const doubtful = await own.create('doubtful', { scenario: 'cancel_response_lost', body })
  t.equal((await cancel(doubtful.body.id)).body.reason, 'unknown_outcome')

  // Nothing of a refused request may be stored either.
  note(
    await own.create('x', { body: { [String(canaries.unknown_field)]: canaries.unknown_field } }),
  )
  note(
    await own.create('y', {
      body: { recipient: { ...recipient, document: canaries.bad_document } },
    }),
  )
  note(await own.create('z', { body, scenario: String(canaries.scenario) }))
  const headers = {
    authorization: `Bearer ${own.seeded.shopKey}`,
    'content-type': 'application/json',
  }
  const broken = { method: 'POST', headers, body: `{"x": "${canaries.broken_json}` }
  t.equal((await fetch(`${own.url}/v1/shipments`, broken)).status, 400)
  note(await own.call(`/v1/shipments?${canaries.query}=${canaries.query}`))
  note(await own.call(`/v1/shipments/${canaries.path}`))
  note(await own.call(`/v1/${canaries.path}`))

  await own.advance('PT33H')
  const label = await own.call(`/v1/shipments/${created.body.id}/documents/label`)
  t.equal(label.status, 200)
  const tracking = await own.call(`/v1/shipments/${created.body.id}/tracking`)
  t.equal(tracking.body.status, 'delivered')
  note(tracking)
  const late = await cancel(created.body.id)
  t.equal(late.body.reason, 'shipment_not_cancellable')
  note(late)
  const { body: review } = await own.call('/v1/operations?status=needs_review')
  t.ok(review.data.length > 0)
  // With a key that belongs to no operator, the request names the person.
  const nobodys = await createApiKey(
    shop.parts,
    {
      organizationId: own.seeded.organizationId,
      workspaceId: null,
      livemode: false,
      scopes,
      expiresAt: null,
    },
    byCli,
  )
  for (const operation of review.data) {
    const decided = await own.call(`/v1/operations/${operation.id}/resolve`, {
      body: { decision: 'nothing_created', note: canaries.note, decided_by: canaries.decided_by },
      key: nobodys.key,
    })
    t.match(decided.body.resolution, { note: canaries.note, decided_by: canaries.decided_by })
  }
  note({ body: await own.events(created.body.id) })
  const rotated = { ...credentials, password: canaries.rotated_password }
  note(await own.call(connection, { method: 'PATCH', body: { credentials: rotated } }))
  note(await own.call(`${connection}/verify`, { method: 'POST' }))
  note(await own.call(connection))

  await eventually(
    () => own.call('/v1/webhook-deliveries?state=delivered'),
    (page) => page.body.data.length > 0,
  )
  // From here on an auditor's export is beside the checkpoints.
  const { db, store } = shop.parts
  const everything = { organization_id: null, shipment_id: null, from: null, to: null }
  await eventually(
    () => exportLedger({ db, store }, join(shop.checkpointDir, 'export.ndjson'), everything),
    (exported) => exported.events > 50 && exported.not_sealed === 0,
  )
  const files = await databaseFiles()
  const texts = await allTexts()
  t.strictSame(searchForCanaries([...files, ...otherFiles()], secret, texts), [])

  // An error repeats the name of an unknown field or parameter, and nothing else of the request.
  const named = new Set(['unknown_field', 'query'])
  const notRepeated = Object.fromEntries(
    Object.entries(secret).filter(([name]) => !named.has(name)),
  )
  const answered = { 'answers to the owner': answers.join('\n') }
  t.strictSame(
    searchForCanaries([], notRepeated, answered),
    [],
    'nor in answers that do not need it',
  )

  // The search itself works: it finds the external reference, which is stored in clear by design.
  const seen = searchForCanaries([...files, ...otherFiles()], known, texts).map(
    ({ where }) => where,
  )
  t.ok(seen.some((where) => where.endsWith('export.ndjson')))
  t.ok(seen.includes('ledger'))
  t.equal(seen.includes('ledger.event'), shop.ledger.eventStoreUrl === undefined)
  t.ok(seen.some((where) => where.includes('pg_wal')))
})

/** Every value in the vault and the deliveries that the master key can open. */
const openable = async (client: pg.Client) => {
  const { rows } = await client.query<{ sealed: Buffer }>(`
    SELECT wrapped_key AS sealed FROM vault WHERE wrapped_key IS NOT NULL
    UNION ALL SELECT payload FROM vault WHERE payload IS NOT NULL
    UNION ALL SELECT payload FROM vault_items
    UNION ALL SELECT decode(one->>'excerpt', 'base64')
      FROM webhook_deliveries, jsonb_array_elements(attempts) AS one
      WHERE shipment_id IS NOT NULL AND one->>'excerpt' IS NOT NULL`)
  return rows.map(({ sealed }) => sealed)
}
let backup: Awaited<ReturnType<typeof database.backUp>> | undefined

t.test('nothing of an erased person is left in any table, file, log or dump', async (t) => {
  // As autovacuum does once enough rows have changed: statistics must not keep samples of them.
  await admin.query('ANALYZE')
  backup = await database.backUp()
  const before = await openable(admin)
  t.ok(before.length > 20, 'there is personal data to erase')
  const people = await peopleIn(shop.recordFile)
  t.ok(people.length > 5)
  const [full] = await databaseFiles()
  const dumped = Buffer.from(JSON.stringify(await allTexts()))
  t.ok(countOccurrences(before, [full], dumped) > before.length, 'the search would find it')
  t.ok(countOccurrences(people, otherFiles(), dumped) > 0)
  const { body: shipments } = await own.call('/v1/shipments?limit=100')
  t.ok(shipments.data.length > 5)
  for (const { id } of shipments.data) {
    const path = `/v1/shipments/${id}/erase-personal-data`
    const key = shop.seeded.operatorKey
    const body = { include_notes: true }
    t.equal((await own.call(path, { method: 'POST', key, body })).status, 200)
  }
  await eventually(
    () => admin.query('SELECT FROM erasures WHERE ended_at IS NULL'),
    ({ rowCount }) => rowCount === 0,
    15_000,
  )
  t.same(await openable(admin), [])
  t.same(await peopleIn(shop.recordFile), [])

  // PostgreSQL keeps overwritten rows until they are vacuumed; then they are gone from the files
  // too.
  await admin.query('VACUUM FULL vault, vault_items, webhook_deliveries')
  const [tables, log] = await databaseFiles()
  const texts = await allTexts()
  t.strictSame(searchForCanaries([tables, log, ...otherFiles()], secret, texts), [])
  const dump = Buffer.from(JSON.stringify(texts))
  t.same(countOccurrences(before, [tables], dump), 0, 'nor what a master key would open')
  t.same(countOccurrences(people, otherFiles(), dump), 0)

  for (const { id, version } of shipments.data) {
    for (const asOf of ['', `?as_of=${version}`, '?as_of=1']) {
      const { body: shown } = await own.call(`/v1/shipments/${id}${asOf}`)
      t.match(shown, {
        recipient: null,
        declared_content: null,
        metadata: null,
        pickup_code: null,
      })
    }
  }
})

t.test('a restored backup is erased again from the list kept outside the database', async (t) => {
  if (backup === undefined) throw new Error('there is no backup')
  const restored = await backup.restore()
  const client = new pg.Client({ connectionString: restored.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  t.ok((await openable(client)).length > 20, 'everybody is back')
  const parts = createServices({
    ...shop.ledger,
    databaseUrl: restored.url,
    secrets: shop.secrets,
    log: noLogger(),
    simulatorUrl: shop.simulator.url,
    checkpointDir: shop.checkpointDir,
  })
  t.teardown(() => parts.close())
  const list = join(shop.checkpointDir, erasureListName)
  const erase = async (...flags: [string, string][]) => {
    const given = new Map([['as', shop.seeded.operatorId], ...flags])
    const { json } = await runCommand('erase', '', parts, given)
    return Object.entries(json).flatMap(([answer, count]) => (count === 0 ? [] : [answer]))
  }
  // If the ledger is not in the restored database, it still has the event.
  t.same(await erase(['from', list]), [
    shop.ledger.eventStoreUrl === undefined ? 'erased' : 'was_erased',
  ])
  t.same(await openable(client), [])
  const { rows } = await client.query('SELECT shipment_id FROM erasures WHERE ended_at IS NULL')
  t.ok(rows.length > 5, 'the courier is notified again')
  for (const { shipment_id: id } of rows) {
    t.equal(await performErasure(parts, id, Date.now()), 'done')
  }
  t.same(await erase(['again', '']), ['was_erased'])
  t.same(await openable(client), [])
})

/** The sealed personal data in the simulated courier's record. */
async function peopleIn(file: string): Promise<readonly Buffer[]> {
  const record = new DatabaseSync(file, { readOnly: true })
  try {
    const rows = record.prepare('SELECT person FROM guides WHERE person IS NOT NULL').all()
    return rows.map(({ person }) => Buffer.from(person as Uint8Array))
  } finally {
    record.close()
  }
}

/** How often these values occur in the files as they are, or in a dump as hex or base64. */
function countOccurrences(
  sealed: readonly Buffer[],
  paths: readonly string[],
  dump: Buffer,
): number {
  const written = (encoding: 'hex' | 'base64') =>
    sealed.map((bytes) => Buffer.from(bytes.toString(encoding)))
  const inFiles = finderOf(sealed)
  const inDump = finderOf([...written('hex'), ...written('base64')])
  const files = paths.flatMap(filesBelow).map((file) => inFiles(readFileSync(file)).size)
  return files.reduce((sum, found) => sum + found, inDump(dump).size)
}
