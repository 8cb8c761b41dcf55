import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { freshShop } from '../support/api-client.ts'
import {
  canaryDocument,
  makeCanaries,
  searchForCanaries,
  tablesAsText,
} from '../support/canaries.ts'
import { crashableServer } from '../support/crashable-server.ts'
import { service } from '../support/service.ts'

/** What the simulated courier says in its own words; none of it may stand anywhere in clear. */
const courierTexts = {
  refusal: 'Destino suspendido temporalmente',
  scan: 'Recibido en agencia de origen',
  delivery: 'Entregado en agencia',
  capacity: 'Sin capacidad en esta ruta',
  price: 'El precio cotizado ya no rige',
}

t.test('no person, free text, courier text or credential is readable anywhere', async (t) => {
  const database = await crashableServer(t)
  const shop = await service(t, { database })
  const canaries = makeCanaries([
    ...['first_name', 'last_name', 'passport', 'declared_content', 'metadata_key'],
    ...['metadata_value', 'note', 'decided_by', 'username', 'password', 'rotated_password'],
    ...['unknown_field', 'query', 'path', 'scenario', 'broken_json', 'bad_document'],
  ])
  const document = canaryDocument()
  const known = makeCanaries(['external_reference'])
  const recipient = {
    ...{ document_type: 'DNI', document },
    ...{ first_name: canaries.first_name, last_name: canaries.last_name },
  }
  const body = {
    recipient,
    external_reference: known.external_reference,
    declared_content: canaries.declared_content,
    metadata: { [String(canaries.metadata_key)]: canaries.metadata_value },
  }
  const passport = String(canaries.passport).toUpperCase().slice(0, 12)
  const own = await freshShop(shop, 'private')
  const credentials = { username: canaries.username, password: canaries.password }
  const connection = `/v1/courier-connections/${own.seeded.connectionId}`
  await own.call(connection, { method: 'PATCH', body: { credentials } })
  const answers: string[] = []
  const note = (answer: { readonly body: unknown }) => answers.push(JSON.stringify(answer.body))

  const created = await own.create('created', { body })
  t.match(created.body.recipient, recipient, 'its owner reads it')
  t.match(created.body.metadata, body.metadata)
  const traveller = { ...recipient, document_type: 'PASSPORT', document: passport }
  for (const scenario of [
    ...['courier_rejected', 'courier_unreachable', 'malformed_success', 'noisy_tracking'],
    ...['lost_response_nothing_created', 'duplicate_guides', 'lost_response_human_review'],
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

  // What is refused is not remembered either.
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
  const { body: review } = await own.call('/v1/operations?status=needs_review')
  t.ok(review.data.length > 0)
  for (const operation of review.data) {
    const decided = await own.call(`/v1/operations/${operation.id}/resolve`, {
      body: { decision: 'nothing_created', note: canaries.note, decided_by: canaries.decided_by },
      key: own.seeded.operatorKey,
    })
    t.match(decided.body.resolution, { note: canaries.note, decided_by: canaries.decided_by })
  }
  note({ body: await own.events(created.body.id) })
  const rotated = { ...credentials, password: canaries.rotated_password }
  note(await own.call(connection, { method: 'PATCH', body: { credentials: rotated } }))
  note(await own.call(`${connection}/verify`, { method: 'POST' }))
  note(await own.call(connection))

  const client = new pg.Client({ connectionString: database.adminUrl })
  await client.connect()
  t.teardown(() => client.end())
  await client.query('CHECKPOINT')
  const { rows } = await client.query(
    'SELECT oid::text FROM pg_database WHERE datname = current_database()',
  )
  const files = [join(database.folder, 'base', rows[0].oid), join(database.folder, 'pg_wal')]
  const record = [shop.recordFile, `${shop.recordFile}-wal`]
  const tables = await tablesAsText(database.adminUrl)
  const texts = { ...tables, log: shop.logged.join('\n') }
  const secret = { ...canaries, passport, document, ...courierTexts }
  t.strictSame(searchForCanaries([...files, ...record], secret, texts), [])

  // An error names an unknown field or parameter as it was sent; nothing else comes back.
  const named = new Set(['unknown_field', 'query'])
  const untold = Object.fromEntries(Object.entries(secret).filter(([name]) => !named.has(name)))
  const told = { 'answers to the owner': answers.join('\n') }
  t.strictSame(searchForCanaries([], untold, told), [], 'nor in answers that need not say it')

  // The search would see it: what is documented as no place for personal data is in clear.
  const seen = searchForCanaries(files, known, tables).map(({ where }) => where)
  t.ok(seen.includes('ledger.event'))
  t.ok(seen.some((where) => where.includes('pg_wal')))
})
