import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import * as mupdf from 'mupdf'
import pg from 'pg'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { readVerifier } from '../../../src/service/ledger/signed-note.ts'
import { verifyFile } from '../../../src/service/ledger/verify-file.ts'
import { createApiKey, defaultScopes, type Scope } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type Answer, type ApiClient, apiClient, freshShop } from '../../support/api-client.ts'
import { canaryDocument, makeCanaries, searchForCanaries } from '../../support/canaries.ts'
import { eventually } from '../../support/eventually.ts'
import { runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const { store } = shop.parts
const operator = shop.seeded.operatorKey
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-evidence-test-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

type Files = Readonly<Record<string, Buffer>>

function filesOf(zip: Buffer): Files {
  const entries = Object.entries(unzipSync(zip))
  return Object.fromEntries(entries.map(([name, bytes]) => [name, Buffer.from(bytes)]))
}

async function bundleOf(id: string, query = ''): Promise<{ answer: Answer; files: Files }> {
  const answer = await shop.call(`/v1/shipments/${id}/evidence${query}`)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { answer, files: filesOf(answer.body) }
}

/** The text of a PDF with all whitespace collapsed to single spaces. */
function textOf(pdf: Buffer | undefined): string {
  const document = mupdf.Document.openDocument(pdf ?? Buffer.alloc(0), 'application/pdf')
  const pages = Array.from({ length: document.countPages() }, (_, page) =>
    document.loadPage(page).toStructuredText('').asText(),
  )
  return pages.join(' ').replaceAll('\u200b', '').replaceAll(/\s+/g, ' ')
}

/** The result of the bundle's own verify.mjs. */
async function verdictOf(files: Files): Promise<{ code: number; said: string }> {
  const place = mkdtempSync(join(folder, 'bundle-'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content)
  const run = promisify(execFile)(process.execPath, [join(place, 'verify.mjs')])
  return await run.then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: error.stdout + error.stderr,
    }),
  )
}

async function keyWith(
  scopes: readonly Scope[],
  organizationId = shop.seeded.organizationId,
): Promise<string> {
  const order = { organizationId, livemode: false, scopes, workspaceId: null, expiresAt: null }
  return (await createApiKey(shop.parts, order, byCli)).key
}

const made = makeCanaries(['first_name', 'last_name', 'content', 'metadata', 'note'])
const canaries: Readonly<Record<string, string>> = { ...made, document: canaryDocument() }
const personal = {
  declared_content: canaries.content,
  metadata: { order: canaries.metadata },
  recipient: {
    document_type: 'DNI',
    document: canaries.document,
    first_name: canaries.first_name,
    last_name: canaries.last_name,
  },
}

const resolve = (own: ApiClient, id: string, body: object) =>
  eventually(
    () => own.call(`/v1/operations/${id}/resolve`, { key: operator, body }),
    ({ status }) => status === 200,
  )

/** A shipment whose answer was lost and whose operation was resolved wrongly: the guide exists. */
async function contradicted(own: ApiClient): Promise<string> {
  const scenario = 'lost_response_human_review'
  const { body } = await own.create('contradicted', { scenario, body: personal })
  await own.advance('PT8H1M')
  const note = `They say that nothing was made. ${canaries.note}`
  await resolve(own, body.operation_id, { decision: 'nothing_created', note })
  await own.advance('PT16H')
  return body.shipment_id
}

/** The output of the command that writes a bundle with personal data. */
function writtenBy(flags: Readonly<Record<string, string>>) {
  const given = {
    'include-personal': '',
    'time-zone': 'Europe/Madrid',
    as: shop.seeded.operatorId,
    ...flags,
  }
  return runCommand('evidence', '', shop.parts, new Map(Object.entries(given)))
}

t.test('a bundle holds everything that its own program needs to find nothing wrong', async (t) => {
  const own = await freshShop(shop, 'plain')
  const { body } = await own.create('plain', { body: personal })
  const { answer, files } = await bundleOf(body.id)
  t.equal(answer.headers.get('content-type'), 'application/zip')
  t.equal(answer.headers.get('cache-control'), 'no-store')
  t.equal(
    answer.headers.get('content-disposition'),
    `attachment; filename=evidence-plain-${body.guide_number}.zip`,
  )
  t.same(Object.keys(files).toSorted(), [
    'README.md',
    'checkpoint.txt',
    'history.ndjson',
    'manifest.txt',
    'report.pdf',
    'verify.mjs',
  ])
  const verdict = await verdictOf(files)
  t.equal(verdict.code, 0, verdict.said)
  const lines = String(files['history.ndjson']).trimEnd().split('\n')
  const told = lines.flatMap((line) => JSON.parse(line).event?.id ?? [])
  const { body: page } = await own.call(`/v1/shipments/${body.id}/events?limit=100`)
  const ids = page.data.map(({ id }: { id: string }) => id)
  t.same(told, ids.slice(0, told.length), 'all events of the time, in their order')
  t.ok(told.length >= 3)
  t.match(JSON.parse(lines.at(-1) ?? ''), { events: told.length, not_sealed: 0 })
})

t.test(
  'the manifest lists every other file with its digest, and the ledger signed it',
  async (t) => {
    const own = await freshShop(shop, 'manifest')
    const { body } = await own.create('manifest')
    const { files } = await bundleOf(body.id)
    const [text = '', signature] = String(files['manifest.txt']).split('\n\n')
    const [origin, size, root] = String(files['checkpoint.txt']).split('\n')
    const digest = (name: string) =>
      createHash('sha256')
        .update(files[name] ?? '')
        .digest('base64')
    const names = ['README.md', 'checkpoint.txt', 'history.ndjson', 'report.pdf', 'verify.mjs']
    const lines = text.split('\n')
    t.match(lines.pop(), /^time \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.same(lines, [
      `${origin}/evidence`,
      `shipment ${body.id}`,
      `checkpoint ${size} ${root}`,
      ...names.map((name) => `file ${digest(name)} ${name}`),
    ])
    t.match(signature, new RegExp(`^— ${origin} [A-Za-z0-9+/=]+\n$`))
  },
)

t.test('the history of a bundle is an export that the auditor can check on its own', async (t) => {
  const own = await freshShop(shop, 'history')
  const { body } = await own.create('history')
  const { files } = await bundleOf(body.id)
  const file = join(folder, 'history.ndjson')
  writeFileSync(file, files['history.ndjson'] ?? '')
  const { body: keys } = await shop.call('/v1/ledger/keys')
  const verified = await verifyFile(file, readVerifier(keys.data[0].verifier))
  t.match(verified, { problems: 0, isComplete: true, notSealed: 0 })
  const { checkpoint } = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '')
  t.equal(String(files['checkpoint.txt']), checkpoint)
})

t.test('the report tells how a lost answer was found, with what was sent and when', async (t) => {
  const own = await freshShop(shop, 'lost')
  const { body } = await own.create('lost', { scenario: 'lost_response_guide_created' })
  await own.advance('PT1H')
  const { body: found } = await own.call(`/v1/shipments/${body.shipment_id}`)
  const { files } = await bundleOf(body.shipment_id, '?time_zone=America/Lima')
  const text = textOf(files['report.pdf'])
  t.match(text, /The courier's answer was lost \(.+\), so it was unknown whether a guide existed/)
  t.match(text, /The service did not order again\./)
  t.match(text, new RegExp(`A look at the courier found guide ${found.guide_number}`))
  t.match(text, /\d\d:\d\d:\d\d\.\d{3} UTC-05:00 .*\d\d:\d\d:\d\d\.\d{3} UTC/)
  t.match(text, /Create a guide unknown No answer/)
  t.match(text, /Nothing is wrong: every event is in the signed tree/)
  t.match(text, /made without personal data/)
  t.match(text, new RegExp(`Shipment ${body.shipment_id} · made .* Page 1 of \\d+`))
})

t.test('a bundle without personal data shows none of it, and with it all of it', async (t) => {
  const own = await freshShop(shop, 'personal')
  const id = await contradicted(own)
  const { files } = await bundleOf(id)
  const texts = (of: Files) => ({
    report: textOf(of['report.pdf']),
    ...Object.fromEntries(Object.entries(of).map(([name, bytes]) => [name, String(bytes)])),
  })
  const people = { ...canaries, operator: 'Sandbox operator' }
  t.same(searchForCanaries([], people, texts(files)), [])
  t.match(texts(files).report, shop.seeded.operatorId, 'the operator who decided has an id')
  const { files: all } = await bundleOf(id, '?include_personal=true')
  const verdict = await verdictOf(all)
  t.equal(verdict.code, 0, verdict.said)
  const report = textOf(all['report.pdf'])
  const kept = JSON.parse(String(all['personal.json']))
  for (const [name, canary] of Object.entries(canaries)) {
    t.ok(report.includes(canary), `${name} is in the report`)
    t.ok(JSON.stringify(kept).includes(canary), `${name} is in personal.json`)
  }
  const items = kept.rows.flatMap((row: { items: { kind: string }[] }) => row.items)
  const kinds = new Set(items.map(({ kind }: { kind: string }) => kind))
  for (const kind of ['request', 'exchanges', 'decision_note']) t.ok(kinds.has(kind), kind)
  t.same([kept.erased, kept.missing], [[], []])
  t.match(report, /Sandbox operator \(opr_\w+\) decided: nothing was created/)
  t.match(report, /Contradicted by event \d+\./)
  t.match(report, /each as the events committed to it/)
})

t.test(
  'after an erasure a bundle says what is gone, and keeps the notes of decisions',
  async (t) => {
    const own = await freshShop(shop, 'erased')
    const id = await contradicted(own)
    const { body: shipment } = await own.call(`/v1/shipments/${id}`)
    await resolve(own, shipment.operation_id, { decision: 'nothing_created', note: 'Closed.' })
    const erased = await own.call(`/v1/shipments/${id}/erase-personal-data`, { method: 'POST' })
    t.equal(erased.status, 200)
    const { files } = await bundleOf(id, '?include_personal=true')
    const verdict = await verdictOf(files)
    t.equal(verdict.code, 0, verdict.said)
    const kept = JSON.parse(String(files['personal.json']))
    t.ok(kept.erased.length > 0)
    t.same(kept.missing, [])
    const { note = '', ...person } = canaries
    const report = textOf(files['report.pdf'])
    const texts = { report, personal: String(files['personal.json']) }
    t.same(searchForCanaries([], person, texts), [])
    t.ok(report.includes(note))
    t.match(report, /The personal data of this shipment was erased from the vault/)
  },
)

t.test('a bundle never says that missing data was erased', async (t) => {
  const own = await freshShop(shop, 'missing')
  const { body } = await own.create('missing', { body: personal })
  const owner = new pg.Client({ connectionString: shop.database.adminUrl })
  await owner.connect()
  t.teardown(() => owner.end())
  await owner.query(
    'DELETE FROM vault_items USING vault v WHERE v.ref = vault_ref AND v.shipment_id = $1',
    [body.id],
  )
  await owner.query('DELETE FROM vault WHERE shipment_id = $1', [body.id])
  const out = join(folder, 'missing.zip')
  const result = await writtenBy({ shipment: body.id, out })
  t.match(result.text, /It contains no personal data\. PROBLEM: the vault lacks \d+ entries/)
  t.notMatch(result.text, /was erased/)
  const files = filesOf(readFileSync(out))
  const report = textOf(files['report.pdf'])
  t.match(report, /personal data of this shipment is missing from the vault, and no erasure/)
  t.notMatch(report, /was erased/)
  t.ok(JSON.parse(String(files['personal.json'])).missing.length > 0)
})

t.test('who may have a bundle, and what is refused', async (t) => {
  const own = await freshShop(shop, 'refused')
  const { body } = await own.create('refused')
  const path = `/v1/shipments/${body.id}/evidence`
  const other = await createOrganization(shop.parts, { name: 'Other', type: 'external' }, byCli)
  const foreign = await keyWith(defaultScopes, other.id)
  const never = `/v1/shipments/shp_${'0'.repeat(22)}/evidence`
  const [hidden, unknown] = [
    await shop.call(path, { key: foreign }),
    await shop.call(never, { key: foreign }),
  ]
  t.match([hidden, unknown], [{ status: 404 }, { status: 404 }])
  const shown = ({ body: { request_id: _, instance: __, ...rest } }: Answer) => rest
  t.same(shown(hidden), shown(unknown))
  const reader = await keyWith(['shipments:read'])
  t.match(await shop.call(path, { key: reader }), {
    status: 403,
    body: { reason: 'forbidden_scope' },
  })
  const auditor = await keyWith(['ledger:read'])
  t.match(await shop.call(`${path}?include_personal=true`, { key: auditor }), {
    status: 403,
    body: { reason: 'forbidden_scope', detail: /shipments:read/ },
  })
  const withoutOperations = await keyWith(['ledger:read', 'shipments:read'])
  t.match(await shop.call(`${path}?include_personal=true`, { key: withoutOperations }), {
    status: 403,
    body: { reason: 'forbidden_scope', detail: /operations:read/ },
  })
  for (const query of [
    'time_zone=Mars/Base',
    'time_zone=%2B02:00',
    'include_personal=yes',
    'x=1',
  ]) {
    const refused = await shop.call(`${path}?${query}`)
    t.match(refused, { status: 400, body: { reason: 'invalid_filter' } }, query)
  }
  const head = await shop.call(path, { method: 'HEAD' })
  t.equal(head.status, 405)
  t.equal(head.headers.get('allow'), 'GET')
})

/** A shop of another organization, with its own key. */
async function anotherShop(reference: string): Promise<ApiClient> {
  const order = { name: reference, type: 'external' } as const
  const { id } = await createOrganization(shop.parts, order, byCli)
  const shopKey = await keyWith(defaultScopes, id)
  return await freshShop(apiClient(shop.url, { ...shop.seeded, shopKey }), reference)
}

t.test('an organization has one bundle made at once, and is told to come back', async (t) => {
  const own = await freshShop(shop, 'at-once')
  const { body } = await own.create('at-once')
  const path = `/v1/shipments/${body.id}/evidence`
  const other = await anotherShop('beside-it')
  const { body: theirs } = await other.create('beside-it')
  const theirPath = `/v1/shipments/${theirs.id}/evidence`
  for (const [client, at] of [[shop, path] as const, [other, theirPath] as const]) {
    t.equal((await client.call(at)).status, 200)
  }
  const busy = Array.from({ length: 12 }, () => shop.call(path))
  const beside = await other.call(theirPath)
  t.equal(beside.status, 200, 'a busy organization does not delay another')
  const answers = await Promise.all(busy)
  const made = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  t.ok(made.length >= 1)
  t.ok(refused.length > 0)
  for (const answer of refused) {
    t.match(answer, { status: 503, body: { reason: 'overloaded' } })
    t.ok(Number(answer.headers.get('retry-after')) > 0)
  }
  const again = await shop.call(path)
  t.equal(again.status, 200, 'the places are free again')
})

t.test('a bundle is on record in the audit before it is answered', async (t) => {
  const own = await freshShop(shop, 'audited')
  const { body } = await own.create('audited')
  const { answer } = await bundleOf(body.id, '?include_personal=true')
  const acts = await eventually(
    () => shop.call(`/v1/audit-events?action=EvidenceExported&resource_id=${body.id}`),
    ({ body: page }) => page.data.length > 0,
  )
  t.match(acts.body.data[0], { resource: { type: 'shipment', id: body.id } })
  const stream = await store.readStream(`audit-${shop.seeded.organizationId.slice(4)}`)
  t.match(stream.findLast(({ type }) => type === 'EvidenceExported')?.data, {
    shipment_id: body.id,
    includes_personal: true,
    file_sha256: createHash('sha256').update(answer.body).digest('hex'),
  })
})

t.test('the command writes the same kind of bundle, and records who had it written', async (t) => {
  const own = await freshShop(shop, 'command')
  const id = await contradicted(own)
  const out = join(folder, 'command.zip')
  const run = (more: Record<string, string> = {}) => writtenBy({ shipment: id, out, ...more })
  const result = await run()
  const bytes = readFileSync(out)
  t.match(result.json, { sha256: createHash('sha256').update(bytes).digest('hex') })
  const files = filesOf(bytes)
  t.equal((await verdictOf(files)).code, 0)
  t.ok(textOf(files['report.pdf']).includes(String(canaries.note)))
  const stream = await store.readStream(`audit-${shop.seeded.organizationId.slice(4)}`)
  t.match(
    stream.findLast(({ type }) => type === 'EvidenceExported'),
    {
      data: { shipment_id: id, includes_personal: true },
      metadata: { actor: { type: 'operator', operator_id: shop.seeded.operatorId, key_id: null } },
    },
  )
  await t.rejects(run(), { name: 'CommandFailed', message: /exists: choose another name/ })
  await t.rejects(run({ 'time-zone': 'Mars/Base' }), { name: 'UsageError' })
  await t.rejects(run({ lang: 'fr' }), { name: 'UsageError', message: /one of: en, es/ })
  const spanish = join(folder, 'spanish.zip')
  await run({ lang: 'es', out: spanish })
  const translated = filesOf(readFileSync(spanish))
  t.equal((await verdictOf(translated)).code, 0)
  t.match(textOf(translated['report.pdf']), 'Contradicha por el evento')
  t.match(String(translated['README.md']), /^# Evidencia sobre el envío/)
  const nowhere = `shp_${'0'.repeat(22)}`
  await t.rejects(run({ shipment: nowhere, out: join(folder, 'none.zip') }), {
    name: 'CommandFailed',
    message: /There is no shipment/,
  })
})
