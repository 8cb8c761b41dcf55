import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import t from 'tap'
import { projections } from '../../../projections/all.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import { commands } from '../../../src/service/cli/commands.ts'
import { ledgerEventObject, metadataOf } from '../../../src/service/event-store/codec.ts'
import type { StoredEvent } from '../../../src/service/event-store/event-store.ts'
import { checkedEvent, eventChecker } from '../../../src/service/ledger/check/check-event.ts'
import { diff } from '../../../src/service/ledger/diff/diff.ts'
import { verifyLedger } from '../../../src/service/ledger/verify.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createApiKey, type NewKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { freshShop } from '../../support/api-client.ts'
import { changingRoutes } from '../../support/declared-answers.ts'
import { eventually } from '../../support/eventually.ts'
import { commandServices, runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

const home = await service(t)
const { parts, seeded } = home
const { store } = parts
const { operatorId, operatorKey, organizationId, workspaceId } = seeded
const person = { name: 'Sandbox operator', email: 'operator@sandbox.example' }
const { id: keyId } = (await home.call('/v1/key', { key: operatorKey })).body
const byOperator = { type: 'operator', operator_id: operatorId, key_id: keyId }
const byOperatorsCommand = { ...byOperator, key_id: null }
const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-operators-'))
t.teardown(async () => rmSync(folder, { recursive: true, force: true }))

const services = commandServices(home)

function aKey(order: Partial<NewKey>) {
  const all = { organizationId, workspaceId: null, livemode: false, scopes, expiresAt: null }
  return createApiKey(parts, { ...all, ...order }, byCli)
}

function anOperator(order: { readonly organizationId: string; readonly name?: string }) {
  return createOperator(parts, { name: 'Eva', email: 'eva@shop.example', ...order }, byCli)
}

const anOrganization = (type: 'external' | 'platform') =>
  createOrganization(parts, { name: 'Another', type }, byCli)

let orders = 0

/** An operation that needs review, in a workspace of its own. */
async function inReview() {
  orders += 1
  const shop = await freshShop(home, `operators-${orders}`)
  const { body } = await shop.create(`o-${orders}`, { scenario: 'lost_response_human_review' })
  const { operation_id: id, shipment_id: shipmentId } = body
  await shop.advance('PT8H1M')
  return { shop, id: String(id), shipmentId: String(shipmentId) }
}

type Head = Awaited<ReturnType<typeof store.head>>

/** The events since a position that were caused by a person, key or command. */
async function causedSince(head: Head) {
  const { events } = await store.readAll(head, { prefixes: ['shipment-', 'audit-'], limit: 1_000 })
  const itself: ReadonlySet<string> = new Set(['reconciliation', 'poller', 'system'])
  return events.filter((event) => !itself.has(metadataOf(event).actor.type))
}

/** Waits for an event that is expected: it is read only when older transactions have ended. */
async function someCausedSince(head: Head) {
  return await eventually(
    () => causedSince(head),
    ({ length }) => length > 0,
  )
}

const note = 'Called the courier.'
const nothing = { decision: 'nothing_created', note }

/** Routes that record no act of the caller: what a refresh finds is an event of the poller. */
const withoutEvent = [
  'POST /v1/batches',
  'POST /v1/batches/{id}/cancel',
  'POST /v1/courier-invoices/{id}/compare',
  'POST /v1/labels',
  'POST /v1/manifests',
  'POST /v1/quotes',
  'POST /v1/sandbox/clock/advance',
  'POST /v1/shipments/{id}/tracking/refresh',
  'POST /v1/webhook-endpoints/{id}/test',
]

type Act = {
  readonly route: string
  /** The value for {id}. */
  readonly id?: () => string
  readonly body?: object
  /** Stores the id in the answer for later acts. */
  readonly keep?: (id: string) => void
}

/** At least one act for each route that changes something, in an order in which each succeeds. */
async function actsByRoute() {
  const [decided, insisted, looked] = [await inReview(), await inReview(), await inReview()]
  const [erased, cancelled] = [await home.create('erased'), await home.create('cancelled')]
  const made = { workspace: '', connection: '', endpoint: '', delivery: '', key: '', operator: '' }
  const more = { batch: '', invoice: '' }
  const keep = (name: keyof typeof made) => (id: string) => {
    made[name] = id
  }
  const keepMore = (name: keyof typeof more) => (id: string) => {
    more[name] = id
  }
  const day = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
  const hooks = { url: 'https://receiver.example/h', event_types: ['label.ready'] }
  const account = { username: 'another', password: 'another' }
  const confirmed = {
    decision: 'guide_exists',
    guide_number: 'G-1',
    accept_unconfirmed: true,
    note,
  }
  const mine = { workspace_id: workspaceId }
  const acts: readonly Act[] = [
    {
      route: 'POST /v1/operations/{id}/assign',
      id: () => decided.id,
      body: { operator_id: operatorId },
    },
    { route: 'POST /v1/operations/{id}/comments', id: () => decided.id, body: { text: 'Called.' } },
    {
      route: 'POST /v1/operations/{id}/snooze',
      id: () => decided.id,
      body: { until: new Date(Date.now() + 86_400_000).toISOString() },
    },
    { route: 'POST /v1/operations/{id}/resolve', id: () => decided.id, body: nothing },
    { route: 'POST /v1/operations/{id}/resolve', id: () => insisted.id, body: confirmed },
    { route: 'POST /v1/operations/{id}/look', id: () => looked.id },
    { route: 'POST /v1/shipments/{id}/hold', id: () => erased.body.id, body: { note } },
    { route: 'POST /v1/shipments/{id}/release-hold', id: () => erased.body.id, body: { note } },
    { route: 'POST /v1/shipments/{id}/tracking-link/roll', id: () => erased.body.id },
    { route: 'POST /v1/shipments/{id}/erase-personal-data', id: () => erased.body.id },
    { route: 'POST /v1/shipments/{id}/cancel', id: () => cancelled.body.id },
    { route: 'POST /v1/shipments', body: home.bodyOf('by-an-operator') },
    {
      route: 'POST /v1/workspaces',
      body: { name: 'W', external_reference: 'by-an-operator' },
      keep: keep('workspace'),
    },
    { route: 'PATCH /v1/workspaces/{id}', id: () => made.workspace, body: { name: 'V' } },
    { route: 'POST /v1/workspaces/{id}/hold', id: () => made.workspace, body: { note } },
    { route: 'POST /v1/workspaces/{id}/release-hold', id: () => made.workspace, body: { note } },
    {
      route: 'POST /v1/courier-connections',
      body: { ...mine, provider_code: 'mock', display_name: 'M', credentials: account },
      keep: keep('connection'),
    },
    { route: 'POST /v1/courier-connections/{id}/verify', id: () => made.connection, body: {} },
    {
      route: 'PATCH /v1/courier-connections/{id}',
      id: () => made.connection,
      body: { status: 'disabled' },
    },
    { route: 'DELETE /v1/courier-connections/{id}', id: () => made.connection },
    {
      // Its line is refused at once. Events of other lines name the operator as those of a creation
      // do.
      route: 'POST /v1/batches',
      body: { external_reference: 'by-an-operator', ...mine, items: [{}] },
      keep: keepMore('batch'),
    },
    { route: 'POST /v1/batches/{id}/cancel', id: () => more.batch },
    {
      route: 'POST /v1/courier-invoices',
      body: {
        courier_connection_id: home.seeded.connectionId,
        reference: 'by-an-operator',
        lines: [{ guide_number: 'G-0', amount: 100, currency: 'PEN' }],
      },
      keep: keepMore('invoice'),
    },
    {
      route: 'POST /v1/courier-invoices/fetch',
      body: {
        courier_connection_id: home.seeded.connectionId,
        month: erased.body.created_at.slice(0, 7),
      },
    },
    {
      route: 'POST /v1/courier-invoices/{id}/lines/{line}/decision',
      id: () => more.invoice,
      body: { decision: 'disputed', note },
    },
    { route: 'POST /v1/courier-invoices/{id}/compare', id: () => more.invoice },
    { route: 'POST /v1/courier-invoices/{id}/withdraw', id: () => more.invoice },
    { route: 'POST /v1/webhook-endpoints', body: { ...mine, ...hooks }, keep: keep('endpoint') },
    { route: 'POST /v1/webhook-endpoints/{id}/rotate-secret', id: () => made.endpoint },
    {
      route: 'POST /v1/webhook-endpoints/{id}/test',
      id: () => made.endpoint,
      body: { type: 'label.ready' },
      keep: keep('delivery'),
    },
    { route: 'POST /v1/webhook-deliveries/{id}/redeliver', id: () => made.delivery },
    { route: 'POST /v1/webhook-endpoints/{id}/recover', id: () => made.endpoint, body: day },
    {
      route: 'PATCH /v1/webhook-endpoints/{id}',
      id: () => made.endpoint,
      body: { status: 'disabled' },
    },
    { route: 'DELETE /v1/webhook-endpoints/{id}', id: () => made.endpoint },
    { route: 'POST /v1/keys', body: { scopes: ['shipments:read'] }, keep: keep('key') },
    { route: 'POST /v1/keys/{id}/roll', id: () => made.key, body: {} },
    { route: 'DELETE /v1/keys/{id}', id: () => made.key },
    {
      route: 'POST /v1/operators',
      body: { name: 'Eva', email: 'eva@shop.example' },
      keep: keep('operator'),
    },
    {
      route: 'PATCH /v1/operators/{id}',
      id: () => made.operator,
      body: { status: 'disabled', revoke_created_keys: true },
    },
  ]
  return { acts, insisted }
}

t.test('whatever is done with the key of an operator names the operator', async (t) => {
  const { acts, insisted } = await actsByRoute()
  const done = [...acts.map(({ route }) => route), ...withoutEvent]
  t.same([...new Set(done)].toSorted(), changingRoutes.toSorted(), 'every route that changes')
  for (const { route, id, body, keep } of acts) {
    const [method = '', pattern = ''] = route.split(' ')
    const head = await store.head()
    const path = pattern.replace('{id}', id?.() ?? '').replace('{line}', '1')
    const ask = () =>
      home.call(path, {
        method,
        key: operatorKey,
        ...(body === undefined ? {} : { body }),
        headers: { 'idempotency-key': 'by-an-operator' },
      })
    const answer = await eventually(ask, ({ body: said }) => said.reason !== 'invoice_comparing')
    t.ok(answer.status < 300, `${route} answers ${answer.status}`)
    const isEvent = !withoutEvent.includes(route)
    const caused = await (isEvent ? someCausedSince(head) : causedSince(head))
    t.equal(caused.length > 0, isEvent, `${route} is an event`)
    for (const event of caused) {
      t.same(metadataOf(event).actor, byOperator, `${route}: ${event.type}`)
      t.same(eventChecker(false).contentProblemOf(checked(event)), null, 'which verifies')
    }
    keep?.(answer.body.id)
  }
  const shown = await home.call(`/v1/shipments/${insisted.shipmentId}/events`)
  t.match(
    shown.body.data.slice(-2).map(({ type }: { type: string }) => type),
    ['GuideLookedUp', 'OperationResolved'],
  )
  for (const { position: _position, leaf, ...event } of shown.body.data) {
    t.equal(
      createHash('sha256')
        .update(canonicalize(event) ?? '')
        .digest('hex'),
      leaf,
      event.type,
    )
  }
})

function checked(event: StoredEvent) {
  const found = checkedEvent(event)
  if (typeof found === 'string') throw new Error(found)
  return found
}

t.test('whatever a command does names the operator of --as, else the system user', async (t) => {
  const decided = await inReview()
  const looked = await inReview()
  const erased = await home.create('erased-by-command')
  const endpoint = await home.call('/v1/webhook-endpoints', {
    body: {
      workspace_id: workspaceId,
      url: 'https://receiver.example/c',
      event_types: ['label.ready'],
    },
  })
  const sent = await home.call(`/v1/webhook-endpoints/${endpoint.body.id}/test`, {
    body: { type: 'label.ready' },
  })
  t.ok(await projectionsReached(parts.db, await store.head(), 60_000))
  const org = { org: organizationId }
  const revoked = await aKey({})
  const disabled = await anOperator({ organizationId })
  await runCommand('plan create', '', services, new Map([['name', 'pilot']]))
  const held = (await freshShop(home, 'held')).seeded.workspaceId
  await runCommand(
    'hold place',
    '',
    services,
    new Map(Object.entries({ workspace: held, note: 'claim', as: operatorId })),
  )
  type Command = readonly [
    command: string,
    subject: string,
    flags: Readonly<Record<string, string>>,
  ]
  const later = new Date(Date.now() + 86_400_000).toISOString()
  const decisions: readonly Command[] = [
    ['operations assign', looked.id, { to: operatorId }],
    ['operations comment', looked.id, { text: note }],
    ['operations snooze', looked.id, { until: later }],
    ['operations look', looked.id, {}],
    ['operations resolve', decided.id, nothing],
    ['hold place', '', { shipment: looked.shipmentId, note: 'claim' }],
    ['hold lift', '', { workspace: held, note: 'settled' }],
    ['erase', erased.body.id, {}],
  ]
  const others: readonly Command[] = [
    ['operations list', '', org],
    ['operations show', looked.id, {}],
    ['deliveries list', '', org],
    ['deliveries redeliver', sent.body.id, {}],
    ['replay', looked.shipmentId, {}],
    ['export', '', { ...org, out: 'FILE' }],
    ['evidence', '', { shipment: looked.shipmentId, out: 'FILE' }],
    ['audit list', '', org],
    ['org set-plan', '', { ...org, plan: 'pilot' }],
    ['key create', '', { ...org, mode: 'test' }],
    ['key roll', revoked.id, {}],
    ['key revoke', revoked.id, {}],
    ['operator create', '', { ...org, name: 'N', email: 'n@shop.example' }],
    ['operator disable', disabled.id, { 'revoke-created-keys': 'true' }],
    ['org suspend', '', org],
    ['org suspend', '', { ...org, end: '' }],
  ]
  const tried = new Set([...decisions, ...others].map(([command]) => command))
  const untried = commands.filter(({ name, flags }) => 'as' in flags && !tried.has(name))
  t.same(
    untried.map(({ name }) => name).toSorted(),
    [
      // They affect the whole installation.
      'copy',
      'courier add',
      'org create',
      'plan create',
      'plan update',
      'recover',
      'secrets rotate',
    ],
    'every other command that names who acts',
  )
  const run = async ([command, subject, flags]: Command, as: object, n: number) => {
    const head = await store.head()
    const given = { ...flags, ...as, ...(flags.out && { out: join(folder, `${n}.ndjson`) }) }
    const ana = { ...services, systemUser: 'ana' }
    await runCommand(command, subject, ana, new Map(Object.entries(given)))
    return (await someCausedSince(head)).map((event) => metadataOf(event).actor)
  }
  const as = { as: operatorId }
  for (const [n, act] of [...decisions, ...others].entries()) {
    const actors = await run(act, as, n)
    t.ok(actors.length > 0, `${act[0]} is an event`)
    for (const actor of actors) t.same(actor, byOperatorsCommand, act[0])
  }
  const again = others.filter(([command]) => !/roll|revoke|disable|set-plan/.test(command))
  for (const [n, act] of again.entries()) {
    const [actor] = await run(act, {}, 100 + n)
    t.same(actor, { type: 'cli', key_id: null, system_user: 'ana' }, act[0])
  }
  const [first = decisions[0] as Command] = others
  const named = { ...services, operator: () => operatorId }
  const head = await store.head()
  await runCommand(first[0], first[1], named, new Map(Object.entries(first[2])))
  const [event] = await someCausedSince(head)
  t.same(event && metadataOf(event).actor, byOperatorsCommand, 'LEDGER_OPERATOR')
  for (const act of decisions) {
    await t.rejects(run(act, {}, 0), { name: 'UsageError', message: /^--as is missing/ }, act[0])
  }
})

t.test(
  'a decision shows the name of its operator, to its owner and after an erasure',
  async (t) => {
    const { shop, id, shipmentId } = await inReview()
    const read = async () => (await shop.call(`/v1/operations/${id}`)).body.resolution
    const resolve = (key: string, body: object) =>
      shop.call(`/v1/operations/${id}/resolve`, { key, body })
    const nobodys = (await aKey({})).key
    const refused = (detail: RegExp) => ({
      status: 422,
      body: { reason: 'validation_failed', errors: [{ pointer: '/decided_by', detail }] },
    })
    t.match(await resolve(nobodys, nothing), refused(/required/))
    t.match(
      await resolve(operatorKey, { ...nothing, decided_by: 'ana' }),
      refused(/operator decides/),
    )
    t.equal(await read(), null, 'nothing was decided')
    const decided = await resolve(operatorKey, nothing)
    const shown = { decided_by: person.name, operator_id: operatorId, note }
    t.match(decided, { status: 200, body: { resolution: shown, resolutions: [shown] } })
    const eva = await anOperator({ organizationId })
    const another = await resolve((await aKey({ operatorId: eva.id })).key, nothing)
    t.match(another, { status: 200, body: { resolution: shown } }, 'repeated by another person')
    const kept = await parts.vault.open(
      String((await shop.events(shipmentId)).at(-1)?.data.resolution_ref),
    )
    t.same(kept?.payload, { note }, 'the vault holds only the note')
    const told = await eventually(
      () => shop.call(`/v1/events?shipment_id=${shipmentId}&type=operation.resolved`),
      ({ body }) => body.data.length === 1,
    )
    const { resolution } = told.body.data[0].data.object
    t.match(resolution, { decided_by: null, operator_id: operatorId, note: null }, 'the webhook')
    await shop.call(`/v1/shipments/${shipmentId}/erase-personal-data`, { method: 'POST' })
    t.match(await read(), shown, 'the note outlives the person')
    const history = await shop.events(shipmentId)
    t.notMatch(JSON.stringify(history), new RegExp(`${person.name}|${person.email}`))
  },
)

t.test("the platform's operator is shown to the owner by id and name only", async (t) => {
  const { shop, id } = await inReview()
  const platform = await anOrganization('platform')
  const pia = await anOperator({ organizationId: platform.id, name: 'Pia' })
  const { key } = await aKey({ organizationId: platform.id, operatorId: pia.id })
  await eventually(
    () => shop.call(`/v1/operations/${id}`, { key }),
    ({ status }) => status === 200,
  )
  const decided = await shop.call(`/v1/operations/${id}/resolve`, { key, body: nothing })
  const shown = { decided_by: 'Pia', operator_id: pia.id }
  t.match(decided.body.resolution, { ...shown, note: null }, 'to the platform, masked')
  t.match((await shop.call(`/v1/operations/${id}`)).body.resolution, { ...shown, note })
  t.ok(await projectionsReached(parts.db, await store.head(), 60_000))
  const { body } = await shop.call('/v1/operations?status=resolved&limit=100')
  const listed = body.data.find((one: { id: string }) => one.id === id)
  t.match(listed.resolution, { ...shown, note })
  t.equal((await shop.call(`/v1/operators/${pia.id}`)).status, 404)
  const seen = (await store.readStream(`audit-${organizationId.slice(4)}`)).filter(
    ({ type }) => type === 'OperationsSeenByPlatform',
  )
  t.match(seen.at(-1)?.metadata, { actor: { type: 'operator', operator_id: pia.id } })
})

t.test('operators are read in both modes, and only those of the own organization', async (t) => {
  const { body } = await home.call(`/v1/operators/${operatorId}`)
  t.match(body, {
    ...{ id: operatorId, object: 'operator', organization_id: organizationId, ...person },
    ...{ status: 'active', version: 1 },
  })
  const live = (await aKey({ livemode: true })).key
  t.same((await home.call(`/v1/operators/${operatorId}`, { key: live })).body, body)
  const ofWorkspace = (await aKey({ workspaceId })).key
  const restricted = await home.call(`/v1/operators/${operatorId}`, { key: ofWorkspace })
  t.same(restricted.body, { ...body, email: null })
  const other = await anOrganization('external')
  const stranger = await anOperator({ organizationId: other.id })
  const never = `opr_${'0'.repeat(22)}`
  const asked = { headers: { 'x-request-id': 'req_000000000000000000same' } }
  const foreign = await home.call(`/v1/operators/${stranger.id}`, asked)
  t.equal(foreign.status, 404)
  t.same(foreign.body, (await home.call(`/v1/operators/${never}`, asked)).body)
  const ids = async (query: string) =>
    (await home.call(`/v1/operators?${query}`)).body.data.map(({ id }: { id: string }) => id)
  const all = await ids('limit=100')
  t.ok(all.includes(operatorId) && !all.includes(stranger.id))
  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const page = (await home.call(`/v1/operators?limit=1${cursor}`)).body
    walked.push(...page.data.map(({ id }: { id: string }) => id))
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  t.same(walked, all, 'page by page')
  const active: string[] = await ids('status=active')
  t.same([...active, ...(await ids('status=disabled'))].toSorted(), all.toSorted())
  const without = (await aKey({ scopes: ['shipments:read'] })).key
  t.equal((await home.call('/v1/operators', { key: without })).status, 403)
  const keys = (await home.call('/v1/keys?limit=100', { key: operatorKey })).body.data
  const operatorOf = (id: string) => keys.find((one: { id: string }) => one.id === id).operator_id
  t.equal(operatorOf(keyId), operatorId)
  t.equal(
    (await home.call('/v1/key')).body.operator_id,
    null,
    "the shop's key belongs to no operator",
  )
})

t.test(
  "a disabled operator's keys answer 401 within 5 s, and the operator cannot act",
  async (t) => {
    const eva = await anOperator({ organizationId })
    const { key } = await aKey({ operatorId: eva.id })
    t.equal((await home.call('/v1/key', { key })).status, 200)
    const revoking = new Map([['revoke-created-keys', 'true']])
    const disable = () => runCommand('operator disable', eva.id, services, revoking)
    t.match((await disable()).json, { status: 'disabled' })
    const head = await store.head()
    await disable()
    t.same(await causedSince(head), [], 'again changes nothing')
    const since = Date.now()
    const refused = await eventually(
      () => home.call('/v1/key', { key }),
      ({ status }) => status === 401,
    )
    t.ok(Date.now() - since < 5_000)
    t.equal(refused.body.reason, 'unauthenticated')
    const create = new Map([
      ...Object.entries({ org: organizationId, mode: 'test', operator: eva.id }),
    ])
    await t.rejects(runCommand('key create', '', services, create), {
      message: /is disabled/,
    })
    const as = new Map([['as', eva.id]])
    await t.rejects(runCommand('erase', `shp_${'0'.repeat(22)}`, services, as), {
      name: 'CommandFailed',
    })
    const { body } = await home.create('not-erased-by-disabled')
    await t.rejects(runCommand('erase', body.id, services, as), {
      name: 'CommandFailed',
      message: `The operator ${eva.id} is disabled.`,
    })
  },
)

t.test('an operator of another organization can neither act here nor get a key', async (t) => {
  const other = await anOrganization('external')
  const stranger = await anOperator({ organizationId: other.id })
  // A guide would get its label meanwhile, which is recorded.
  const refused = { scenario: 'courier_rejected' }
  const { body } = await home.create('not-erased-by-stranger', refused)
  const as = new Map([['as', stranger.id]])
  const head = await store.head()
  await t.rejects(runCommand('erase', body.shipment_id, services, as), {
    name: 'CommandFailed',
    message: /belongs to another organization/,
  })
  const key = { org: organizationId, mode: 'test', operator: stranger.id }
  await t.rejects(runCommand('key create', '', services, new Map(Object.entries(key))), {
    name: 'CommandFailed',
    message: `The organization has no operator ${stranger.id}.`,
  })
  const plan = new Map(Object.entries({ name: 'mine', as: operatorId }))
  await t.rejects(runCommand('plan create', '', services, plan), {
    message: /Only an operator of the platform may do this\.$/,
  })
  t.equal(await store.head(), head, 'nothing is recorded')
  await t.rejects(
    parts.db
      .updateTable('api_keys')
      .set({ operator_id: stranger.id })
      .where('id', '=', keyId)
      .execute(),
    { code: '23503' },
    'the database refuses it too',
  )
  const platform = await anOrganization('platform')
  const pia = await anOperator({ organizationId: platform.id })
  await runCommand('erase', body.shipment_id, services, new Map([['as', pia.id]]))
  const ofPlatform: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ['plan create', { name: 'by-pia' }],
    ['org create', { name: 'Made by Pia' }],
    ['org set-plan', { org: organizationId, plan: 'by-pia' }],
    ['org set-plan', { org: organizationId, plan: 'default' }],
  ]
  for (const [command, flags] of ofPlatform) {
    const from = await store.head()
    const given = new Map(Object.entries({ ...flags, as: pia.id }))
    await runCommand(command, '', services, given)
    const caused = await someCausedSince(from)
    t.ok(caused.length > 0, command)
    for (const event of caused) t.equal(metadataOf(event).actor.operator_id, pia.id, event.type)
  }
  const [last] = (await home.events(body.shipment_id)).slice(-1)
  t.same(last?.actor, { type: 'operator', operator_id: pia.id, key_id: null })
})

t.test('a command that names an operator creates no key of a colleague', async (t) => {
  const eva = await anOperator({ organizationId })
  const create = (operator: string, as: string | null) =>
    runCommand(
      'key create',
      '',
      services,
      new Map(Object.entries({ org: organizationId, mode: 'test', operator, ...(as && { as }) })),
    )
  const head = await store.head()
  await t.rejects(create(eva.id, operatorId), {
    name: 'CommandFailed',
    message: /^opr_\w+ cannot create a key of opr_/,
  })
  t.equal(await store.head(), head, 'nothing is recorded')
  t.match((await create(eva.id, null)).json, { operator_id: eva.id }, "the installation's user")
  t.match((await create(eva.id, eva.id)).json, { operator_id: eva.id })
  const platform = await anOrganization('platform')
  const pia = await anOperator({ organizationId: platform.id })
  t.match((await create(eva.id, pia.id)).json, { operator_id: eva.id })
})

t.test('a disabled operator leaves no key behind unless the command says so', async (t) => {
  const eva = await anOperator({ organizationId })
  const created = await runCommand(
    'key create',
    '',
    services,
    new Map(Object.entries({ org: organizationId, mode: 'live', as: eva.id })),
  )
  const { id } = created.json as { readonly id: string }
  const disable = (revoke: 'true' | 'false') =>
    runCommand('operator disable', eva.id, services, new Map([['revoke-created-keys', revoke]]))
  const kept = await disable('false')
  t.match(kept.json, { created_keys: [{ id, livemode: true, revoked_at: null }] })
  t.match(kept.text, new RegExp(`${id} .*still works`))
  const head = await store.head()
  const ended = await disable('true')
  t.match(ended.json, { created_keys: [{ id, revoked_at: /Z$/ }] })
  t.match(ended.text, new RegExp(`${id} .*revoked`))
  t.same(
    (await someCausedSince(head)).map(({ type, data }) => [type, data]),
    [['ApiKeyRevoked', { key_id: id }]],
  )
  t.same((await disable('true')).json, ended.json, 'a repeat changes nothing')
})

t.test('an operator is never believed from a request', async (t) => {
  const { shop, id } = await inReview()
  const forged = `opr_${'1'.repeat(22)}`
  const headers = { 'operator-id': forged, 'x-operator-id': forged, 'ledger-operator': forged }
  for (const path of ['look', 'resolve', 'resolve?operator_id=x']) {
    const body = { ...(path === 'look' ? {} : nothing), operator_id: forged, actor: forged }
    const answer = await shop.call(`/v1/operations/${id}/${path}`, { key: operatorKey, body })
    t.ok([400, 422].includes(answer.status), `${path}: ${answer.status}`)
  }
  const order = { ...shop.bodyOf('forged'), operator_id: forged }
  const refused = await shop.call('/v1/shipments', {
    body: order,
    headers: { 'idempotency-key': 'forged' },
  })
  t.match(refused, { status: 422, body: { errors: [{ pointer: '/operator_id' }] } })
  const head = await store.head()
  const decided = { body: { ...nothing, decided_by: 'ana' }, headers }
  const { key } = await aKey({})
  t.equal((await shop.call(`/v1/operations/${id}/resolve`, { key, ...decided })).status, 200)
  for (const event of await someCausedSince(head)) {
    t.same(Object.keys(metadataOf(event).actor), ['type', 'key_id'], 'as before operators existed')
    t.notOk(JSON.stringify(ledgerEventObject(event)).includes('operator_id'))
  }
  t.match((await shop.call(`/v1/operations/${id}`)).body.resolution, {
    operator_id: null,
    decided_by: 'ana',
  })
})

t.test('a ledger with operators verifies, and its read models equal it', async (t) => {
  const { db } = parts
  t.ok(await projectionsReached(db, await store.head(), 60_000))
  const { checkpointKey } = home.secrets
  const found = await eventually(
    () =>
      verifyLedger({
        db,
        store,
        isContiguous: false,
        checkpointKey,
        checkpointDir: home.checkpointDir,
      }),
    ({ unsealed }) => unsealed === 0,
  )
  t.match(found, { problems: 0 })
  const progress = { folded: () => undefined, compared: () => undefined }
  const { differences } = await diff({ db, store, projections }, progress)
  t.same(differences, [])
})

t.test(
  'no event and no line of the log holds the name or the address of an operator',
  async (t) => {
    const { events } = await store.readAll(null, {
      prefixes: ['shipment-', 'audit-'],
      limit: 5_000,
    })
    const words = [person.name, person.email, 'eva@shop.example', 'n@shop.example']
    const texts = [...events.map((event) => JSON.stringify(event)), ...home.logged]
    for (const word of words) {
      t.same(
        texts.filter((text) => text.includes(word)),
        [],
        word,
      )
    }
  },
)
