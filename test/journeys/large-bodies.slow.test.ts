import { createHmac } from 'node:crypto'
import canonicalize from 'canonicalize'
import t from 'tap'
import { httpSecrets } from '../../src/service/http/http-secrets.ts'
import { createApiKey, scopes } from '../../src/service/security/api-keys.ts'
import type { Answer } from '../support/api-client.ts'
import { service } from '../support/service.ts'
import { bodyRoutes, uglyBodies } from '../support/ugly-bodies.ts'
import { countWork, mostInOneTurn, type Work } from '../support/work-in-turns.ts'

/** The answer comes before the work, which is not measured here. */
const shop = await service(t, { roles: ['api'] })
const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
const { organizationId, workspaceId, connectionId } = shop.seeded
const { key } = await createApiKey(
  shop.parts,
  { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null, operatorId: null },
  by,
)

type Sent = {
  readonly method?: string
  readonly path: string
  readonly type?: string
  readonly body: string | Buffer
  readonly idempotencyKey?: string
}

async function send({ method = 'POST', path, type, body, idempotencyKey }: Sent) {
  const reply = await fetch(shop.url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': type ?? 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const isJson = reply.headers.get('content-type')?.includes('json') === true
  return { status: reply.status, body: isJson ? await reply.json() : null } as Pick<
    Answer,
    'status' | 'body'
  >
}

/** About as much as the parts of a body contain that are handled in one go. */
const charactersMax = 200_000
/** A millisecond or two. */
const hashedBytesMax = 1024 * 1024

function isInSlices(t: { ok(is: boolean, what: string): unknown }, most: Work, what: string) {
  t.ok(most.parsed <= charactersMax, `${what}: ${most.parsed} characters parsed in a turn`)
  t.ok(most.written <= 4 * charactersMax, `${what}: ${most.written} characters written in a turn`)
  t.ok(most.hashedBytes <= hashedBytesMax, `${what}: ${most.hashedBytes} bytes hashed in a turn`)
}

const lineOf = (reference: string) => {
  const { workspace_id, courier_connection_id, ...line } = shop.bodyOf(reference)
  return line
}
const notes = Object.fromEntries(
  Array.from({ length: 3 }, (_, index) => [`note-${index}`, 'x'.repeat(450)]),
)
const batchOf = (reference: string, count: number) => ({
  external_reference: reference,
  workspace_id: workspaceId,
  courier_connection_id: connectionId,
  items: Array.from({ length: count }, (_, index) => ({
    ...lineOf(`${reference}-${index}`),
    metadata: notes,
  })),
})
const invoiceOf = (reference: string) => ({
  courier_connection_id: connectionId,
  reference,
  lines: Array.from({ length: 1_000 }, (_, index) => ({
    guide_number: `G${index}`,
    amount: 1_450,
    currency: 'PEN',
    client_reference: 'á'.repeat(250),
    weight_kg: 0.8,
    date: '2026-03-01',
  })),
})

t.test('the largest bodies are read, compared and stored in slices', async (t) => {
  const asLines = batchOf('lines', 1_500)
  const ndjson = asLines.items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const forAll = `external_reference=lines&workspace_id=${workspaceId}&courier_connection_id=${connectionId}`
  const csv = `guide_number,amount_minor,currency\n${'G1,1450,PEN\n'.repeat(20_000)}`
  const aboutInvoice = `reference=csv&courier_connection_id=${connectionId}`
  const bodies: readonly Sent[] = [
    { path: '/v1/batches', body: JSON.stringify(batchOf('json', 1_000)) },
    { path: '/v1/courier-invoices', body: JSON.stringify(invoiceOf('json')) },
    { path: `/v1/batches?${forAll}`, type: 'application/x-ndjson', body: ndjson },
    { path: `/v1/courier-invoices?${aboutInvoice}`, type: 'text/csv', body: csv },
  ]
  const work = countWork(t)
  for (const sent of bodies) {
    const what = `${sent.path.split('?')[0]} of ${sent.body.length}`
    const keyed = { ...sent, idempotencyKey: `large-${sent.body.length}` }
    const first = send(keyed)
    isInSlices(t, await mostInOneTurn(work, first), what)
    t.equal((await first).status, 202, what)
    const again = send(keyed)
    isInSlices(t, await mostInOneTurn(work, again), `${what} again`)
    t.equal((await again).body.id, (await first).body.id, what)
  }
})

t.test('every route refuses the ugliest bodies after little work', async (t) => {
  const work = countWork(t)
  for (const [index, route] of bodyRoutes.filter(({ lines }) => lines === null).entries()) {
    // Four routes together cover all of them.
    for (const { what, type, bytes } of uglyBodies(route).filter(
      (_, at) => (at + index) % 4 === 0,
    )) {
      const { method, path } = route
      const name = `${method} ${path} ${what}`
      const answered = send({ method, path, type, body: bytes, idempotencyKey: 'ugly' })
      const most = await mostInOneTurn(work, answered)
      const { status, body } = await answered
      if (what !== 'white space') t.ok(status >= 400 && status < 500, `${name}: ${status}`)
      t.ok((body?.errors ?? []).length <= 50, name)
      t.ok(most.parsed <= 3 * bytes.length, `${name}: ${most.parsed} characters parsed`)
      t.ok(most.written <= charactersMax, `${name}: ${most.written} characters written`)
    }
  }
})

t.test('the bounds of a batch as JSON, and of its lines', async (t) => {
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 0]))
  const refused = async (
    items: readonly unknown[],
    status: number,
    at: string | null,
    reason: string,
  ) => {
    const body = JSON.stringify({ ...batchOf('bounds', 0), items })
    const answer = await send({ path: '/v1/batches', body })
    t.match(answer, { status, body: { outcome: 'not_executed' } }, reason)
    if (at === null) t.equal(answer.body.reason, reason)
    else t.match(answer.body, { errors: [{ pointer: at, reason }] })
  }
  await refused([fields(600_000)], 413, null, 'body_too_large')
  await refused(['x'.repeat(2 * 1024 * 1024)], 413, null, 'body_too_large')
  await refused([1, { declared_content: 'x'.repeat(70_000) }], 422, '/items/1', 'too_large')
  await refused([1, 2, fields(201)], 422, '/items/2', 'too_many_fields')
  await refused(Array(1_001).fill(1), 422, '/items', 'too_big')
  const ndjson = `${JSON.stringify(fields(201))}\n${JSON.stringify(lineOf('sound'))}\n`
  const about = `external_reference=fields&workspace_id=${workspaceId}&courier_connection_id=${connectionId}`
  const kept = await send({
    path: `/v1/batches?${about}`,
    type: 'application/x-ndjson',
    body: ndjson,
  })
  t.match(kept, { status: 202, body: { total: 2, reasons: { validation_failed: 1 } } })
})

t.test('a request is remembered as it was before its body was read in slices', async (t) => {
  const { fingerprintKeys } = httpSecrets(shop.parts.pepper)
  const batch = batchOf('remembered', 40)
  const odd = { ...batchOf('odd', 0), items: [{ b: '\ud800', a: 1 }] }
  const invoice = invoiceOf('remembered')
  for (const [path, body, expected] of [
    ['/v1/batches', batch, canonicalize(batch)],
    ['/v1/batches', odd, JSON.stringify(odd)],
    ['/v1/courier-invoices', { ...invoice, period: null }, canonicalize(invoice)],
  ] as const) {
    const idempotencyKey = `remembered-${expected?.length}`
    const { status } = await send({ path, body: JSON.stringify(body), idempotencyKey })
    const mac = createHmac('sha256', fingerprintKeys[0] as Buffer)
    for (const part of [`POST ${path}`, expected ?? '']) {
      mac.update(`${Buffer.byteLength(part)}:${part}`)
    }
    const rows = await shop.parts.db
      .selectFrom('idempotent_answers')
      .select('fingerprint')
      .where('route', '=', `POST ${path}`)
      .execute()
    const digest = mac.digest('hex')
    t.equal(status, 202)
    t.ok(
      rows.some(({ fingerprint }) => fingerprint.toString('hex') === digest),
      path,
    )
  }
})
