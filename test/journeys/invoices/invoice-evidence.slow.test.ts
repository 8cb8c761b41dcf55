import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { createApiKey, defaultScopes, type Scope } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { readZip } from '../../../src/verifier/verify.mjs'
import { type Answer, type ApiClient, apiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import { readPdf } from '../../support/read-pdf.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const path = '/v1/courier-invoices'
const operator = { key: shop.seeded.operatorKey }
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-invoice-evidence-test-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

type Files = ReadonlyMap<string, Buffer>

/** Sends an invoice and waits until it is compared. */
async function invoiced(own: ApiClient, reference: string, lines: readonly object[]) {
  const body = { courier_connection_id: own.seeded.connectionId, reference, lines }
  const sent = await own.call(path, { body, ...operator })
  t.equal(sent.status, 202, reference)
  const { body: invoice } = await eventually(
    () => own.call(`${path}/${sent.body.id}`, operator),
    (answer) => answer.body.status === 'compared',
  )
  return invoice.id as string
}

/** Retries while another test has a bundle made. */
async function evidenceOf(id: string, query = ''): Promise<{ answer: Answer; files: Files }> {
  const answer = await eventually(
    () => shop.call(`${path}/${id}/evidence${query}`, operator),
    ({ status }) => status !== 503,
  )
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { answer, files: await readZip(answer.body) }
}

const refusalOf = async (id: string, query: string) =>
  (await shop.call(`${path}/${id}/evidence${query}`, operator)).body

function foldersOf(files: Files): readonly string[] {
  return [...new Set([...files.keys()].filter((name) => name.includes('/')).map(dirname))]
}

/** The result of verify.mjs for each bundle in the unpacked file. */
async function verdictsOf(files: Files): Promise<readonly string[]> {
  const place = mkdtempSync(join(folder, 'file-'))
  for (const [name, content] of files) {
    mkdirSync(dirname(join(place, name)), { recursive: true })
    writeFileSync(join(place, name), content)
  }
  const verify = async (bundle: string) =>
    (await promisify(execFile)(process.execPath, [join(place, bundle, 'verify.mjs')])).stdout
  return await Promise.all(foldersOf(files).map(verify))
}

const textOf = (files: Files, name: string) => String(files.get(name))
const rowsOf = (files: Files) => textOf(files, 'lines.csv').trimEnd().split('\r\n')

async function keyWith(
  names: readonly Scope[],
  organizationId = shop.seeded.organizationId,
): Promise<string> {
  const order = {
    organizationId,
    livemode: false,
    scopes: names,
    workspaceId: null,
    expiresAt: null,
  }
  return (await createApiKey(shop.parts, order, byCli)).key
}

const bill = { amount: 1, currency: 'PEN' }

t.test('the lines, and a bundle that checks for each of their shipments', async (t) => {
  const own = await freshShop(shop, 'many')
  const created = await Promise.all(['a', 'b', 'c'].map((key) => own.create(key)))
  const guides = created.map(({ body }) => body)
  const id = await invoiced(own, 'many `lines`', [
    { ...bill, guide_number: guides[0].guide_number, client_reference: '=HYPERLINK("x")' },
    { ...bill, guide_number: guides[1].guide_number },
    { ...bill, guide_number: guides[0].guide_number },
    { guide_number: guides[2].guide_number, ...guides[2].price },
    { ...bill, guide_number: 'NOBODY`S' },
  ])
  const note = { decision: 'disputed', note: '@Ana: the price was 9.10' }
  for (const line of [1, 3]) {
    const asked = { body: note, ...operator }
    t.equal((await own.call(`${path}/${id}/lines/${line}/decision`, asked)).status, 200)
  }
  const handle = { ...note, decided_by: 'Zoraida Canaria' }
  const machine = await keyWith(['operations:review', 'operations:read', 'shipments:read'])
  const byMachine = { body: handle, key: machine }
  t.equal((await own.call(`${path}/${id}/lines/2/decision`, byMachine)).status, 200)

  const { answer, files } = await evidenceOf(id)
  t.equal(answer.headers.get('content-type'), 'application/zip')
  t.equal(answer.headers.get('content-disposition'), 'attachment; filename=evidence-many-lines.zip')
  t.strictSame(
    foldersOf(files),
    guides.map((guide) => guide.id),
    'once for each shipment, in the order of the lines',
  )
  t.strictSame([...files.keys()].slice(0, 3), ['claim.pdf', 'README.md', 'lines.csv'])
  for (const verdict of await verdictsOf(files)) t.match(verdict, /nothing is wrong/i)
  t.equal(rowsOf(files).length, 6)
  const readme = textOf(files, 'README.md')
  t.match(readme, "`many 'lines'`")
  t.match(readme, `\`${guides[0].id}\`: line 1, guide \`${guides[0].guide_number}\`; line 3`)
  t.match(readme, "line 5, guide `NOBODY'S`: No shipment of the connection has this guide.")
  const whole = [...files.values()].join('')
  for (const personal of ['HYPERLINK', '@Ana', 'Sandbox operator', 'Zoraida']) {
    t.notOk(whole.includes(personal), personal)
  }
  t.match(rowsOf(files)[1], `,disputed,${shop.seeded.operatorId},`)
  t.match(rowsOf(files)[2], /,disputed,,/)

  const sha256 = createHash('sha256').update(answer.body).digest('hex')
  for (const { id: shipmentId } of guides) {
    const { body: acts } = await shop.call(
      `/v1/audit-events?action=EvidenceExported&resource_id=${shipmentId}`,
    )
    t.match(acts.data, [{ data: { file_sha256: sha256, includes_personal: false } }])
  }

  const { files: disputed } = await evidenceOf(id, '?finding=amount_differs&decided=true')
  t.strictSame(foldersOf(disputed), [guides[1].id, guides[0].id])
  t.equal(rowsOf(disputed).length, 3)
  const { files: some } = await evidenceOf(id, '?first_line=2&last_line=3')
  t.strictSame(foldersOf(some), [guides[1].id, guides[0].id])
  const { files: none } = await evidenceOf(id, '?finding=unknown_guide&include_personal=true')
  t.strictSame(foldersOf(none), [])
  t.notOk(none.has('claim.pdf'), 'no line of it is disputed')
  t.match(textOf(none, 'README.md'), 'None of these lines is disputed.')
  const { files: personal } = await evidenceOf(id, '?last_line=1&include_personal=true')
  t.match(rowsOf(personal)[1], `"'=HYPERLINK(""x"")"`)
  t.match(rowsOf(personal)[1], "'@Ana: the price was 9.10")
  t.match(rowsOf(personal)[1], ',disputed,Sandbox operator,')
  t.ok(personal.has(`${guides[0].id}/personal.json`))
})

t.test('the claim says what is disputed, how much is claimed and why', async (t) => {
  const own = await freshShop(shop, 'claim')
  const created = await Promise.all(['order-a', 'order-b', 'order-c'].map((key) => own.create(key)))
  const [over, cancelled, right] = created.map(({ body }) => body)
  const cancellation = { method: 'POST', headers: { 'idempotency-key': 'cancel-it' } } as const
  t.equal((await own.call(`/v1/shipments/${cancelled.id}/cancel`, cancellation)).status, 200)
  const { amount } = over.price
  const lines = [
    { guide_number: over.guide_number, currency: 'PEN', amount: amount + 250 },
    { guide_number: cancelled.guide_number, ...cancelled.price },
    { guide_number: right.guide_number, ...right.price },
    { guide_number: right.guide_number, ...right.price },
    { guide_number: 'STRANGE-1', currency: 'PEN', amount: 100_000 },
    { guide_number: 'STRANGE-2', currency: 'PEN', amount: 7 },
  ]
  const id = await invoiced(own, 'F001-77', lines)
  for (const line of [1, 2, 4, 5]) {
    const body = { decision: 'disputed', note: 'Zoraida says so' }
    const decided = await own.call(`${path}/${id}/lines/${line}/decision`, { body, ...operator })
    t.equal(decided.status, 200)
  }
  const { files } = await evidenceOf(id)
  const pages = readPdf(files.get('claim.pdf') ?? Buffer.alloc(0))
  t.equal(pages.length, 1)
  const text = pages[0]?.text ?? ''
  const soles = (minor: number) => `${(minor / 100).toFixed(2)} PEN`
  const claimed = 250 + cancelled.price.amount + right.price.amount + 100_000
  t.match(text, 'Claim about an invoice Invoice F001-77')
  t.match(text, `Claimed in all ${soles(claimed)}`)
  t.match(text, '4 of 6 lines in this file')
  const row = (line: number, at: object & { guide_number: string }, order: string) =>
    `${line} ${at.guide_number} ${order} ${soles(Number(lines[line - 1]?.amount))}`
  t.match(text, `${row(1, over, 'order-a')} ${soles(amount)} 2.50 PEN The guide was issued on`)
  t.match(text, `for ${soles(amount)}.`)
  const whole = (minor: number) => `nothing ${soles(minor)}`
  t.match(
    text,
    `${row(2, cancelled, 'order-b')} ${whole(cancelled.price.amount)} The guide was canc`,
  )
  t.match(text, `${row(4, right, 'order-c')} ${whole(right.price.amount)} Line 3 of this invoice`)
  t.match(text, `5 STRANGE-1 — 1000.00 PEN nothing 1000.00 PEN No guide with this number`)
  t.match(text, `Total ${soles(claimed)}`)
  const { body: agencies } = await shop.call(
    `/v1/agencies?courier_connection_id=${shop.seeded.connectionId}&capability=drop_off&limit=5`,
  )
  const origin = agencies.data.find(({ id }: { id: string }) => id === shop.seeded.originId)
  t.match(text, `From ${origin.name} to `)
  t.notMatch(text, /STRANGE-2|shp_|inv_|opr_|ws_|Zoraida|Sandbox operator|Ana|Torres/)
  t.match(textOf(files, 'README.md'), '`claim.pdf`')
  await claimAlone(own, id, claimed)
  for (const verdict of await verdictsOf(files)) t.match(verdict, /nothing is wrong/i)
})

/** The same claim without the evidence. */
async function claimAlone(own: ApiClient, id: string, claimed: number) {
  const claimOf = (query: string) =>
    fetch(`${own.url}${path}/${id}/claim${query}`, {
      headers: { authorization: `Bearer ${operator.key}` },
    })
  const answer = await claimOf('?time_zone=America%2FLima')
  t.match(answer.headers.get('content-disposition'), 'inline; filename=claim-F001-77.pdf')
  const [page] = readPdf(Buffer.from(await answer.arrayBuffer()))
  t.match(page?.text, `Claimed in all ${(claimed / 100).toFixed(2)} PEN`)
  t.match(page?.text, 'Disputed 4 lines')
  t.match(page?.text, 'is available as a separate file')
  t.notMatch(page?.text, 'README.md')
  const { body } = await own.call(`${path}/${id}`, operator)
  t.equal(body.amounts[0].disputed.at_stake, claimed, 'the invoice has the same sum')
  const one = readPdf(Buffer.from(await (await claimOf('?last_line=1')).arrayBuffer()))
  t.match(one[0]?.text, 'Claimed in all 2.50 PEN')
  t.equal((await claimOf('?finding=matched')).status, 400)
}

t.test('too much for one file is refused, and the refusal says where to divide it', async (t) => {
  const own = await freshShop(shop, 'too much')
  const lines = Array.from({ length: 1_000 }, (_, at) => ({ ...bill, guide_number: `X${at}` }))
  const id = await invoiced(own, 'too much', lines)
  t.equal((await evidenceOf(id)).files.size, 2)
  await sql`
    INSERT INTO courier_invoice_lines (invoice_id, version, line, organization_id,
      courier_connection_id, guide_number, amount, currency, billed_at, finding)
    SELECT invoice_id, version, 1001, organization_id, courier_connection_id, guide_number, amount,
      currency, billed_at, finding
    FROM courier_invoice_lines WHERE invoice_id = ${id} AND line = 1`.execute(shop.parts.db)
  t.match(await refusalOf(id, ''), {
    reason: 'evidence_too_large',
    detail:
      'There are more than 1,000 lines. Ask with last_line=1000, and then with first_line=1001.',
  })
  t.equal(rowsOf((await evidenceOf(id, '?first_line=1001')).files).length, 2)

  // The first two lines belong to one shipment.
  await sql`
    UPDATE courier_invoice_lines SET shipment_id = 'shp_' || lpad(greatest(line, 2)::text, 22, '0')
    WHERE invoice_id = ${id} AND line <= 54`.execute(shop.parts.db)
  t.match(await refusalOf(id, ''), {
    reason: 'evidence_too_large',
    detail:
      'The lines are about more than 50 shipments. Ask with last_line=51, and then with first_line=52.',
  })
  t.match(await refusalOf(id, '?finding=matched'), { reason: 'invalid_filter' })
  t.match(await refusalOf(id, '?first_line=1002'), { reason: 'invalid_filter' })
  await sql`
    WITH lines AS (
      UPDATE courier_invoice_lines SET finding = NULL WHERE invoice_id = ${id} AND line = 1
    )
    UPDATE courier_invoices SET state = 'comparing', next_at = 'infinity' WHERE id = ${id}`.execute(
    shop.parts.db,
  )
  t.match(await refusalOf(id, '?last_line=1'), { reason: 'invoice_comparing' })
})

t.test('the key needs the scopes of evidence and of invoices, and their reach', async (t) => {
  const own = await freshShop(shop, 'scopes')
  const { body: guide } = await own.create('a')
  const id = await invoiced(own, 'scopes', [{ ...bill, guide_number: guide.guide_number }])
  const ask = async (key: string, query = '') => {
    const { status, body } = await eventually(
      () => shop.call(`${path}/${id}/evidence${query}`, { key }),
      (answer) => answer.status !== 503,
    )
    return [status, body.detail]
  }
  const needs = (scope: string) => [403, `This key does not have the ${scope} scope.`]
  t.strictSame(await ask(await keyWith(['operations:read'])), needs('ledger:read'))
  t.strictSame(await ask(await keyWith(['ledger:read'])), needs('operations:read'))
  const both = await keyWith(['ledger:read', 'operations:read'])
  t.strictSame(await ask(both, '?include_personal=true'), needs('shipments:read'))
  t.equal((await ask(both))[0], 200)
  const stranger = await createOrganization(
    shop.parts,
    { name: 'Strangers', type: 'external' },
    { actor: { type: 'system', keyId: null }, requestId: null },
  )
  t.equal((await ask(await keyWith(['ledger:read', 'operations:read'], stranger.id)))[0], 404)
})

t.test('an organization has one file made at a time, and others have theirs', async (t) => {
  const own = await freshShop(shop, 'busy')
  const created = await Promise.all(['a', 'b', 'c'].map((key) => own.create(key)))
  const lines = created.map(({ body }) => ({ ...bill, guide_number: body.guide_number }))
  const id = await invoiced(own, 'busy', lines)
  const stranger = await createOrganization(
    shop.parts,
    { name: 'Others', type: 'external' },
    { actor: { type: 'system', keyId: null }, requestId: null },
  )
  const shopKey = await keyWith(defaultScopes, stranger.id)
  const others = await freshShop(apiClient(shop.url, { ...shop.seeded, shopKey }), 'others')
  const { body: theirs } = await others.create('theirs')
  const theirLine = { ...bill, guide_number: theirs.guide_number }
  const sent = await others.call(path, {
    body: {
      courier_connection_id: others.seeded.connectionId,
      reference: 'theirs',
      lines: [theirLine],
    },
    key: await keyWith(['operations:review', 'shipments:read'], stranger.id),
  })
  const readKey = await keyWith(['ledger:read', 'operations:read'], stranger.id)
  await eventually(
    () => others.call(`${path}/${sent.body.id}`, { key: readKey }),
    (answer) => answer.body.status === 'compared',
  )
  const ask = () => shop.call(`${path}/${id}/evidence`, operator)
  const answers = Promise.all([ask(), ask(), ask()])
  const theirFile = others.call(`${path}/${sent.body.id}/evidence`, { key: readKey })
  const single = await others.call(`/v1/shipments/${theirs.id}/evidence`)
  t.equal(single.status, 200, 'another organization is not delayed')
  t.equal((await theirFile).status, 200, 'nor with a file of its own')
  const statuses = (await answers).map(({ status }) => status)
  t.strictSame(statuses.toSorted(), [200, 503, 503])
  const refused = (await answers).find(({ status }) => status === 503)
  t.match(refused?.body, { reason: 'overloaded' })
  t.ok(refused?.headers.get('retry-after'))
})
