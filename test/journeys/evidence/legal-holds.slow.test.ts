import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { auditStream, shipmentStream } from '../../../src/service/domain/ids.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type ApiClient, type CallOptions, freshShop } from '../../support/api-client.ts'
import { runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const shop = await service(t)
const { parts } = shop
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-holds-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const note = 'Canary-note-of-a-claim'
const as = ['as', shop.seeded.operatorId] as const

type On = { readonly kind: 'shipments' | 'workspaces'; readonly id: string }
type Act = 'hold' | 'release-hold'

const act = (own: ApiClient, { kind, id }: On, what: Act, more: CallOptions = {}) =>
  own.call(`/v1/${kind}/${id}/${what}`, {
    body: { note },
    key: own.seeded.operatorKey,
    ...more,
  })
const erase = (own: ApiClient, id: string) =>
  own.call(`/v1/shipments/${id}/erase-personal-data`, { method: 'POST' })
const read = async (own: ApiClient, id: string) => (await own.call(`/v1/shipments/${id}`)).body
const typesOf = async (own: ApiClient, id: string) => (await own.events(id)).map(({ type }) => type)
const shownBy = (
  own: ApiClient,
  shipmentId: string,
): Readonly<Record<'shipment' | 'workspace', On>> => ({
  shipment: { kind: 'shipments', id: shipmentId },
  workspace: { kind: 'workspaces', id: own.seeded.workspaceId },
})
const caughtUp = async () =>
  t.ok(await projectionsReached(parts.db, await parts.store.head(), 60_000))

/** Every way to erase a shipment. Each returns its answer; null if it has none. */
const ways: Readonly<
  Record<string, (own: ApiClient, id: string) => Promise<{ refused: unknown } | 'done'>>
> = {
  'by the API': async (own, id) => {
    const { status, body } = await erase(own, id)
    return status === 200 ? 'done' : { refused: `${status} ${body.reason}` }
  },
  'by the command line': (_own, id) =>
    runCommand('erase', id, parts, new Map([as])).then(
      () => 'done' as const,
      (error: Error) => ({ refused: error.message }),
    ),
  'by a list of erasures': async (_own, id) => {
    const file = join(folder, 'erasures.ndjson')
    writeFileSync(file, JSON.stringify({ shipment_id: id }))
    const { json } = await runCommand('erase', '', parts, new Map([['from', file], as]))
    return json.erased === 1 ? 'done' : { refused: `held ${json.held}` }
  },
  'by retention': async (own, id) => {
    const path = `/v1/workspaces/${own.seeded.workspaceId}`
    const keep = (days: number | null) =>
      own.call(path, { method: 'PATCH', body: { personal_data_retention_days: days } })
    await keep(1)
    await own.advance('P2D')
    await keep(null)
    const isErased = (await read(own, id)).label.status === 'erased'
    return isErased ? 'done' : { refused: 'nothing erased' }
  },
}
const refusals: Readonly<Record<string, RegExp>> = {
  'by the API': /^409 legal_hold$/,
  'by the command line': /has a legal hold/,
  'by a list of erasures': /^held 1$/,
  'by retention': /^nothing erased$/,
}

for (const kind of ['shipment', 'workspace'] as const) {
  for (const [way, eraseBy] of Object.entries(ways)) {
    t.test(`a legal hold on a ${kind} refuses an erasure ${way} until it is lifted`, async (t) => {
      const own = await freshShop(shop, `held-${kind}-${way.replaceAll(' ', '-')}`)
      const { body: made } = await own.create('o')
      const on = shownBy(own, made.id)[kind]
      const placed = await act(own, on, 'hold')
      t.match(placed, { status: 200, body: { id: on.id, legal_hold: { since: String } } })
      t.ok(placed.headers.get('etag'))
      if (kind === 'shipment') await caughtUp()
      const { refused } = (await eraseBy(own, made.id)) as { refused: string }
      t.match(refused, refusals[way])
      t.not((await read(own, made.id)).recipient, null)
      t.notOk((await typesOf(own, made.id)).includes('PersonalDataErased'))
      const audited = await parts.store.readStream(auditStream(own.seeded.organizationId))
      t.notOk(
        audited.some(({ data }) => data.shipment_id === made.id),
        'a refused erasure was not ordered',
      )
      t.same(
        (await parts.pool.query('SELECT FROM erasures WHERE shipment_id = $1', [made.id])).rowCount,
        0,
      )
      t.match(await act(own, on, 'release-hold'), { status: 200, body: { legal_hold: null } })
      if (kind === 'shipment') await caughtUp()
      t.equal(await eraseBy(own, made.id), 'done')
      t.match(await read(own, made.id), { recipient: null, legal_hold: null })
    })
  }
}

t.test('a hold is an event with its note in the vault, and as_of shows it', async (t) => {
  const own = await freshShop(shop, 'held-history')
  const { body: made } = await own.create('o')
  const on = shownBy(own, made.id).shipment
  const before = made.version
  const first = await act(own, on, 'hold', { headers: { 'idempotency-key': 'k' } })
  t.equal(first.body.version, before + 1)
  t.same((await act(own, on, 'hold')).body, first.body, 'a repeat appends nothing')
  const repeat = await act(own, on, 'hold', { headers: { 'idempotency-key': 'k' } })
  t.equal(repeat.headers.get('idempotent-replayed'), 'true')
  const lifted = await act(own, on, 'release-hold')
  t.same((await act(own, on, 'release-hold')).body, lifted.body)
  const late = await act(own, on, 'hold', { headers: { 'idempotency-key': 'k' } })
  t.equal(late.body.legal_hold, null, 'a late repeat does not place it again')
  const events = (await own.events(made.id)).slice(before)
  t.match(events, [
    { type: 'LegalHoldPlaced', actor: { type: 'operator' } },
    { type: 'LegalHoldLifted', actor: { type: 'operator' } },
  ])
  for (const { data } of events) t.same(await parts.vault.openItem(data.note_ref), { note })
  const stored = await parts.store.readStream(shipmentStream(made.id))
  t.notMatch(JSON.stringify(stored), note)
  const asOf = async (version: number) =>
    (await own.call(`/v1/shipments/${made.id}?as_of=${version}`)).body.legal_hold
  t.equal(await asOf(before), null)
  t.same(await asOf(before + 1), first.body.legal_hold)
  t.equal(await asOf(before + 2), null)
  await act(own, on, 'hold')
  await caughtUp()
  const { body: page } = await own.call('/v1/shipments')
  t.match(page.data[0], { id: made.id, legal_hold: { since: String } })
  t.notMatch(shop.logged.join('\n'), note)
})

t.test("a workspace's hold is audited by ids, its note sealed, and If-Match heeded", async (t) => {
  const own = await freshShop(shop, 'held-workspace')
  const id = own.seeded.workspaceId
  const on = { kind: 'workspaces', id } as const
  const { body: workspace, headers } = await own.call(`/v1/workspaces/${id}`)
  t.equal(workspace.legal_hold, null)
  const etag = headers.get('etag') ?? ''
  const other = await act(own, on, 'hold', { headers: { 'if-match': '"other"' } })
  t.match(other, { status: 412, body: { reason: 'precondition_failed' } })
  const placed = await act(own, on, 'hold', { headers: { 'if-match': etag } })
  t.equal(placed.body.version, workspace.version + 1)
  t.same((await act(own, on, 'hold')).body, placed.body)
  t.same((await own.call(`/v1/workspaces/${id}`)).body, placed.body)
  const { body: later } = await own.create('later')
  t.match(await erase(own, later.id), { status: 409, body: { reason: 'legal_hold' } })
  t.equal(later.legal_hold, null, 'a shipment shows its own hold only')
  await act(own, on, 'release-hold')
  const audited = await parts.store.readStream(auditStream(own.seeded.organizationId))
  const holds = audited.filter(
    ({ type, data }) => type.startsWith('WorkspaceHold') && data.workspace_id === id,
  )
  t.same(
    holds.map(({ type }) => type),
    ['WorkspaceHoldPlaced', 'WorkspaceHoldLifted'],
  )
  for (const { data } of holds) {
    const ref = String(data.note_ref)
    t.match(data, { workspace_id: id, note_ref: ref, commitments: { [ref]: /^[0-9a-f]{64}$/ } })
    t.notMatch(JSON.stringify(data), note)
    t.same((await parts.vault.open(ref))?.payload, { note })
  }
})

t.test('a hold takes the scope of operators, and another key finds nothing to hold', async (t) => {
  const own = await freshShop(shop, 'held-scopes')
  const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
  const stranger = await createOrganization(parts, { name: 'Strangers', type: 'external' }, by)
  const order = {
    organizationId: stranger.id,
    workspaceId: null,
    expiresAt: null,
    livemode: false,
    scopes: [...scopes],
  }
  const { key: foreignKey } = await createApiKey(parts, order, by)
  const { body: made } = await own.create('o')
  for (const on of Object.values(shownBy(own, made.id))) {
    for (const what of ['hold', 'release-hold'] as const) {
      const without = await act(own, on, what, { key: own.seeded.shopKey })
      t.match(without, { status: 403, body: { reason: 'forbidden_scope' } })
      const foreign = await act(own, on, what, { key: foreignKey })
      t.match(foreign, { status: 404, body: { reason: 'not_found' } })
      const unsaid = await act(own, on, what, { body: {} })
      t.match(unsaid, { status: 422, body: { reason: 'validation_failed' } })
    }
  }
  t.equal((await erase(own, made.id)).status, 200)
  const gone = await act(own, shownBy(own, made.id).shipment, 'hold')
  t.match(gone, { status: 410, body: { reason: 'personal_data_erased' } })
  t.equal((await act(own, shownBy(own, made.id).shipment, 'release-hold')).status, 200)
})

t.test('the command line places, lists and lifts holds', async (t) => {
  const own = await freshShop(shop, 'held-by-cli')
  const { body: made } = await own.create('o')
  const flags = (kind: 'shipment' | 'workspace', id: string) =>
    new Map([[kind, id], ['note', note], as])
  const targets = [
    ['shipment', made.id],
    ['workspace', own.seeded.workspaceId],
  ] as const
  for (const [kind, id] of targets) {
    const { json } = await runCommand('hold place', '', parts, flags(kind, id))
    t.match(json, { id, object: kind, legal_hold: { since: String } })
  }
  await caughtUp()
  const mine = async () => {
    const ids = [made.id, own.seeded.workspaceId]
    const { json } = await runCommand('hold list', '', parts)
    const held = json.data as { readonly id: string }[]
    return held.filter(({ id }) => ids.includes(id))
  }
  t.same(
    (await mine()).map(({ id }) => id),
    targets.map(([, id]) => id),
  )
  t.match((await own.events(made.id)).at(-1), {
    type: 'LegalHoldPlaced',
    actor: { type: 'operator', operator_id: shop.seeded.operatorId },
  })
  for (const [kind, id] of targets) {
    const { json } = await runCommand('hold lift', '', parts, flags(kind, id))
    t.same(json, { id, object: kind, legal_hold: null })
  }
  await caughtUp()
  t.same(await mine(), [])
  for (const note of ['x'.repeat(2_001), ' ', 'a\u0007b']) {
    const given = new Map([['shipment', made.id], ['note', note], as])
    await t.rejects(runCommand('hold place', '', parts, given), /^--note must be 1 to 2000/)
  }
  const nothing = runCommand('hold place', '', parts, flags('shipment', `shp_${'0'.repeat(22)}`))
  await t.rejects(nothing, /There is no shipment/)
  await t.rejects(runCommand('hold place', '', parts, new Map([['note', note], as])), /either/)
})

/** Whether each shipment is erased. */
const erasedOf = (own: ApiClient, ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await typesOf(own, id)).includes('PersonalDataErased')))

t.test('of fifty erasures and a hold on their workspace, none is recorded after it', async (t) => {
  const own = await freshShop(shop, 'held-race-workspace')
  const made = await Promise.all(Array.from({ length: 10 }, (_, n) => own.create(`o-${n}`)))
  const ids = made.map(({ body }) => body.id as string)
  const asked = Array.from({ length: 50 }, (_, n) => erase(own, String(ids[n % ids.length])))
  const placed = await act(own, { kind: 'workspaces', id: own.seeded.workspaceId }, 'hold')
  t.equal(placed.status, 200)
  const whenPlaced = await erasedOf(own, ids)
  const answers = await Promise.all(asked)
  t.ok(answers.every(({ status }) => status === 200 || status === 409))
  t.same(await erasedOf(own, ids), whenPlaced)
  const people = await Promise.all(ids.map(async (id) => (await read(own, id)).recipient === null))
  t.same(people, whenPlaced)
  t.comment(`${whenPlaced.filter(Boolean).length} of ${ids.length} erasures were faster`)
})

t.test('of fifty erasures and holds of the same shipments, each loses or wins whole', async (t) => {
  const own = await freshShop(shop, 'held-race-shipments')
  const made = await Promise.all(Array.from({ length: 10 }, (_, n) => own.create(`o-${n}`)))
  const outcomes = await Promise.all(
    made.map(async ({ body: { id } }, n) => {
      const asks = Array.from({ length: 5 }, () => () => erase(own, id))
      const hold = () => act(own, { kind: 'shipments', id }, 'hold')
      // The hold is requested first, last, or in between.
      const answers = await Promise.all(asks.toSpliced(n % 6, 0, hold).map((ask) => ask()))
      const [placed] = answers.splice(n % 6, 1)
      const isErased = placed?.status === 410
      t.equal(placed?.status, isErased ? 410 : 200)
      t.ok(answers.every(({ status }) => status === (isErased ? 200 : 409)))
      t.equal((await read(own, id)).recipient === null, isErased)
      const ends = isErased ? 'PersonalDataErased' : 'LegalHoldPlaced'
      t.equal((await typesOf(own, id)).filter((type) => type === ends).length, 1)
      return isErased
    }),
  )
  t.comment(`${outcomes.filter(Boolean).length} of ${outcomes.length} erasures were faster`)
})
