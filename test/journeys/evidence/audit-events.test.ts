import t, { type Test } from 'tap'
import { projections } from '../../../projections/all.ts'
import { apiOf } from '../../../src/service/api.ts'
import { byCli } from '../../../src/service/cli/acting.ts'
import { auditStream } from '../../../src/service/domain/ids.ts'
import { encodeEvents } from '../../../src/service/event-store/codec.ts'
import { diff } from '../../../src/service/ledger/diff/diff.ts'
import { registerCourier } from '../../../src/service/processes/connections/registered-couriers.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { rebuildProjection } from '../../../src/service/projector/rebuild.ts'
import {
  createApiKey,
  defaultScopes,
  newApiKey,
  revokeApiKey,
} from '../../../src/service/security/api-keys.ts'
import {
  createOrganization,
  setPlan,
  suspend,
} from '../../../src/service/security/organizations.ts'
import { createPlan, updatePlan } from '../../../src/service/security/plans.ts'
import { runCommand } from '../../support/run-command.ts'
import { noLogger, service } from '../../support/service.ts'

const shop = await service(t, { roles: ['api', 'projector'] })
const { parts } = shop
const { store, db } = parts
const { organizationId, workspaceId } = shop.seeded

async function caughtUp(): Promise<void> {
  if (!(await projectionsReached(db, await store.head(), 60_000))) {
    throw new Error('the projections did not catch up')
  }
}

async function aKey(
  more: {
    organization?: string
    workspace?: string
    livemode?: boolean
    scopes?: typeof defaultScopes
  } = {},
) {
  const { organization = organizationId, workspace = null, livemode = false } = more
  const order = { organizationId: organization, workspaceId: workspace, livemode, expiresAt: null }
  return await createApiKey(parts, { ...order, scopes: more.scopes ?? defaultScopes }, byCli)
}

type Listed = { readonly id: string; readonly action: string; readonly [field: string]: unknown }

async function listed(query = '', key?: string): Promise<readonly Listed[]> {
  await caughtUp()
  const path = `/v1/audit-events?limit=100${query}`
  const { status, body } = await shop.call(path, key === undefined ? {} : { key })
  if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
  return body.data
}

const change = (path: string, body: object) => shop.call(path, { method: 'PATCH', body })

t.test(
  'acts are listed with who did what to which resource, and values before and after',
  async (t) => {
    const body = {
      name: 'Canary Name',
      external_reference: 'shown',
      personal_data_retention_days: 30,
    }
    const made = await shop.call('/v1/workspaces', { body })
    const id = made.body.id
    const changed = await change(`/v1/workspaces/${id}`, {
      name: 'Canary Name 2',
      personal_data_retention_days: null,
    })
    const [last, first] = await listed(`&resource_id=${id}`)
    const key = (await shop.call('/v1/key')).body.id
    t.match(first, {
      object: 'audit_event',
      action: 'WorkspaceCreated',
      before: {},
      after: { personal_data_retention_days: 30 },
    })
    const { id: eventId, created_at: at, position, ...rest } = last as Listed
    t.same(rest, {
      object: 'audit_event',
      livemode: false,
      workspace_id: id,
      action: 'WorkspaceChanged',
      actor: { type: 'api_key', key_id: key, operator_id: null },
      resource: { type: 'workspace', id },
      changed_fields: ['name', 'personal_data_retention_days'],
      before: { personal_data_retention_days: 30 },
      after: { personal_data_retention_days: null },
      data: {
        workspace_id: id,
        fields: ['name', 'personal_data_retention_days'],
        changes: { personal_data_retention_days: { before: 30, after: null } },
      },
      request_id: changed.headers.get('x-request-id'),
    })
    t.match(at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const single = await shop.call(`/v1/audit-events/${eventId}`)
    t.same(single.body, last)
    t.ok(single.headers.get('etag'))
    const [stored] = await store
      .readAll(null, { prefixes: ['audit-'], limit: 500 })
      .then(({ events }) => events.filter((event) => event.id === eventId))
    t.equal(stored?.position, position, 'it is the event of the ledger, with the same id')
  },
)

t.test('what changed is complete, but for names, texts, secrets and URLs', async (t) => {
  const endpoint = await shop.call('/v1/webhook-endpoints', {
    body: {
      workspace_id: workspaceId,
      url: 'https://one.example/canary-path?token=canary-token',
      event_types: ['label.ready'],
      description: 'Canary description',
    },
  })
  const at = `/v1/webhook-endpoints/${endpoint.body.id}`
  await change(at, { url: 'https://one.example/canary-path-2' })
  await change(at, { url: 'https://two.example:8443/canary-path-2', description: 'Canary 2' })
  await change(at, { event_types: ['shipment.*'], status: 'disabled' })
  await change(at, { status: 'enabled' })
  await shop.call(`${at}/rotate-secret`, { method: 'POST' })
  await shop.call(at, { method: 'DELETE' })
  const acts = (await listed(`&resource_id=${endpoint.body.id}`)).toReversed()
  t.same(
    acts.map(({ action, changed_fields, before, after }) => [
      action,
      changed_fields,
      before,
      after,
    ]),
    [
      ['WebhookEndpointCreated', ['event_types'], {}, { event_types: ['label.ready'] }],
      ['WebhookEndpointChanged', ['url'], {}, {}],
      ['WebhookEndpointChanged', ['url', 'description'], {}, {}],
      [
        'WebhookEndpointChanged',
        ['event_types', 'status', 'disabled_reason'],
        { event_types: ['label.ready'], status: 'enabled', disabled_reason: null },
        { event_types: ['shipment.*'], status: 'disabled', disabled_reason: 'by_owner' },
      ],
      [
        'WebhookEndpointChanged',
        ['status', 'disabled_reason'],
        { status: 'disabled', disabled_reason: 'by_owner' },
        { status: 'enabled', disabled_reason: null },
      ],
      ['WebhookSecretRotated', ['secret'], {}, {}],
      ['WebhookEndpointDeleted', [], {}, {}],
    ],
  )
  const key = await aKey({ scopes: ['ledger:read'] })
  await revokeApiKey(parts, key.id, byCli)
  t.match(await listed(`&resource_id=${key.id}&resource_type=api_key`), [
    { action: 'ApiKeyRevoked', before: { revoked: false }, after: { revoked: true } },
    {
      action: 'ApiKeyCreated',
      actor: { type: 'cli', key_id: null },
      after: { scopes: ['ledger:read'], expires_at: null, livemode: false, workspace_id: null },
    },
  ])
  t.notMatch(JSON.stringify(await listed()), /canary|one\.example|two\.example/i)
})

t.test('a change of an organization has its plan before and after', async (t) => {
  const limits = {
    shipments_per_month: 5,
    requests_per_minute: null,
    workspaces: 2,
    courier_connections: 2,
    webhook_endpoints: 2,
  }
  await createPlan(parts, { name: 'small', ...limits }, byCli)
  await updatePlan(parts, 'small', { workspaces: 100, webhook_endpoints: 100 }, byCli)
  const plans = await store.readStream(auditStream('platform'))
  t.same(plans.at(-1)?.data, {
    plan: 'small',
    ...limits,
    workspaces: 100,
    webhook_endpoints: 100,
    before: limits,
  })
  const other = await createOrganization(parts, { name: 'Canary', type: 'external' }, byCli)
  const { key } = await aKey({ organization: other.id })
  await setPlan(parts, other.id, 'small', byCli)
  await suspend(parts, other.id, true, byCli)
  await suspend(parts, other.id, false, byCli)
  const acts = await listed('&resource_type=organization', key)
  t.same(
    acts.map(({ action, before, after }) => [action, before, after]),
    [
      ['OrganizationResumed', { suspended: true }, { suspended: false }],
      ['OrganizationSuspended', { suspended: false }, { suspended: true }],
      ['OrganizationPlanChanged', { plan: 'default' }, { plan: 'small' }],
      ['OrganizationCreated', {}, { type: 'external', plan: 'default' }],
    ],
  )
})

async function refused(t: Test, path: string, key: string): Promise<void> {
  const answer = await shop.call(path, { key })
  t.match(answer, { status: 404, body: { reason: 'not_found' } }, path)
}

t.test(
  "another organization's acts are not found, and the platform's stream is no shop's",
  async (t) => {
    const other = await createOrganization(parts, { name: 'Other', type: 'platform' }, byCli)
    const { key } = await aKey({ organization: other.id })
    const own = await listed()
    await registerCourier(
      { ...parts },
      {
        providerCode: 'audited',
        displayName: 'A',
        baseUrl: 'https://connector.example',
        token: null,
        capabilities: {
          find: true,
          cancel: false,
          tracking: true,
          label: true,
          quote: false,
          invoices: false,
          cash_on_delivery: false,
          declared_value: false,
          recipient_phone: false,
        },
      },
      { replace: false, actor: byCli.actor },
    )
    const theirs = await listed('', key)
    t.same(
      theirs.map(({ action }) => action),
      ['ApiKeyCreated', 'OrganizationCreated'],
    )
    const [event] = (await store.readStream(auditStream('platform'))).slice(-1)
    for (const id of [own[0]?.id, event?.id, '00000000-0000-4000-8000-000000000000', 'no-uuid']) {
      await refused(t, `/v1/audit-events/${id}`, key)
    }
    await refused(t, `/v1/audit-events?workspace_id=${workspaceId}`, key)
    const shopKey = (await shop.call('/v1/key')).body.id
    for (const filter of [`key_id=${shopKey}`, `resource_id=${workspaceId}`, 'operator_id=opr_x']) {
      t.same(await listed(`&${filter}`, key), [], filter)
    }
    const bare = await aKey({ scopes: ['shipments:read'] })
    t.equal((await shop.call('/v1/audit-events', { key: bare.key })).status, 403)
    t.equal((await shop.call(`/v1/audit-events/${own[0]?.id}`, { key: bare.key })).status, 403)
  },
)

t.test(
  'a key sees the acts of its mode and workspace, and of both modes on the whole',
  async (t) => {
    const live = await aKey({ livemode: true })
    const body = { name: 'L', external_reference: 'live' }
    const made = await shop.call('/v1/workspaces', { key: live.key, body })
    const inLive = await listed('', live.key)
    const inTest = await listed()
    const testIds = new Set(inTest.map(({ id }) => id))
    const both = new Set(inLive.map(({ id }) => id).filter((id) => testIds.has(id)))
    t.same(
      inLive.filter(({ id }) => both.has(id)).map(({ action, livemode }) => [action, livemode]),
      [
        ['OperatorCreated', false],
        ['OrganizationCreated', false],
      ],
    )
    t.same(
      inLive.filter(({ id }) => !both.has(id)).map(({ action }) => action),
      ['WorkspaceCreated', 'ApiKeyCreated'],
    )
    t.ok(inLive.filter(({ id }) => !both.has(id)).every(({ livemode }) => livemode === true))
    t.same(await listed(`&resource_id=${made.body.id}`), [])

    const one = await aKey({ workspace: workspaceId })
    const ofOne = await listed('', one.key)
    t.ok(ofOne.length > 2)
    t.ok(ofOne.every((act) => act.workspace_id === workspaceId))
    const foreign = inTest.find((act) => act.workspace_id === null)
    await refused(t, `/v1/audit-events/${foreign?.id}`, one.key)
  },
)

t.test('filters, pages and cursors', async (t) => {
  const all = await listed()
  const ids = (acts: readonly Listed[]) => acts.map(({ id }) => id)
  const key = (await shop.call('/v1/key')).body.id
  const by = all.filter(({ actor }) => (actor as { key_id: string }).key_id === key)
  t.ok(by.length > 5)
  t.same(ids(await listed(`&key_id=${key}`)), ids(by))
  const created = all.filter(({ action }) => action === 'WorkspaceCreated')
  t.same(ids(await listed('&action=WorkspaceCreated')), ids(created))
  t.same(
    ids(await listed(`&workspace_id=${workspaceId}`)),
    ids(all.filter((a) => a.workspace_id === workspaceId)),
  )
  const middle = all[4]
  const older = await listed(`&created_at[lt]=${middle?.created_at}`)
  t.same(ids(older), ids(all.filter((a) => String(a.created_at) < String(middle?.created_at))))
  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await shop.call(`/v1/audit-events?limit=3${cursor}`)
    walked.push(...ids(body.data))
    if (!body.has_more) break
    cursor = `&cursor=${body.next_cursor}`
  }
  t.same(walked, ids(all))
  t.equal((await shop.call('/v1/audit-events?action=Nothing')).status, 400)
})

t.test("an operator's act is found by the operator", async (t) => {
  const stream = auditStream(organizationId)
  const past = await store.readStream(stream)
  const [event] = encodeEvents(
    [{ type: 'WorkspaceCreated', data: { workspace_id: workspaceId } }],
    past.length,
    {
      organizationId,
      workspaceId,
      shipmentId: null,
      livemode: false,
      actor: { type: 'api_key', keyId: 'key_1' },
      requestId: null,
      causationId: null,
      correlationId: past[0]?.id ?? null,
      recordedAt: Date.now(),
    },
  )
  if (event === undefined) throw new Error('no event')
  const actor = { ...(event.metadata.actor as object), operator_id: 'opr_1' }
  await store.append(stream, past.length - 1, [
    { ...event, metadata: { ...event.metadata, actor } },
  ])
  t.match(await listed('&operator_id=opr_1'), [
    { id: event.id, actor: { operator_id: 'opr_1', key_id: 'key_1' } },
  ])
})

t.test("the platform's reading of a shop's audit is recorded, the shop's own is not", async (t) => {
  const count = async (owner: string) => (await store.readStream(auditStream(owner))).length
  const [ours, platforms] = [await count(organizationId), await count('platform')]
  await listed()
  t.same([await count(organizationId), await count('platform')], [ours, platforms])
  const administration = { db: parts.db, store }
  await runCommand('audit list', '', administration, new Map([['platform', '']]))
  t.same([await count(organizationId), await count('platform')], [ours, platforms])
  const flags = new Map(Object.entries({ org: organizationId, from: '2', limit: '3' }))
  await runCommand('audit list', '', administration, flags)
  t.same([await count(organizationId), await count('platform')], [ours + 1, platforms])
  const [read] = await listed('&action=AuditEventsSeen')
  t.match(read, {
    actor: { type: 'cli' },
    resource: { type: 'audit_log', id: organizationId },
    data: { organization_id: organizationId, first: 2, events: 3 },
  })
})

t.test('failed authentications are counted by key and network, one event a minute', async (t) => {
  const other = await createOrganization(parts, { name: 'Refused', type: 'external' }, byCli)
  const reader = await aKey({ organization: other.id })
  const expiresAt = new Date(Date.now() - 1)
  const order = { organizationId: other.id, livemode: false, scopes: defaultScopes }
  const expired = await createApiKey(parts, { ...order, workspaceId: null, expiresAt }, byCli)
  const revoked = await aKey({ organization: other.id })
  t.equal((await shop.call('/v1/key', { key: revoked.key })).status, 200)
  await revokeApiKey(parts, revoked.id, byCli)
  const { app, keys } = apiOf(parts, noLogger())
  const ask = (headers: Readonly<Record<string, string>>) =>
    app.inject({ url: '/v1/key', headers: { host: 'localhost', ...headers } })
  const platforms = async () => await store.readStream(auditStream('platform'))
  const before = (await platforms()).length
  for (let n = 0; n < 30; n++) {
    for (const { key } of [expired, revoked]) {
      const { statusCode } = await ask({ authorization: `Bearer ${key}` })
      t.ok(statusCode === 401 || statusCode === 429)
    }
    await ask({ authorization: `Bearer ${newApiKey(false)}` })
    await ask({ authorization: 'Bearer canary-nonsense' })
    await ask({})
  }
  t.equal((await ask({ authorization: `Bearer ${reader.key}` })).statusCode, 200)
  const early = await listed('&action=AuthenticationsFailed', reader.key)
  t.ok(early.length <= 1, 'no event a request')
  await app.close()
  await keys.close()

  // The failures may have begun in the previous minute.
  const found = await listed('&action=AuthenticationsFailed', reader.key)
  t.ok(found.length === 1 || found.length === 2)
  const counts = found.flatMap(({ data }) => (data as { counts: Count[] }).counts)
  const sumOf = (keyId: string | null, all: readonly Count[]) =>
    all.reduce((sum, { key_id, count }) => sum + (key_id === keyId ? count : 0), 0)
  t.equal(sumOf(expired.id, counts), 30)
  t.equal(sumOf(revoked.id, counts), 30)
  t.same([...new Set(counts.map(({ address_prefix }) => address_prefix))], ['127.0.0.0/24'])
  const unknown = (await platforms()).slice(before)
  t.ok(unknown.every(({ type }) => type === 'AuthenticationsFailed'))
  const ofNone = unknown.flatMap(({ data }) => data.counts as unknown as Count[])
  t.equal(sumOf(null, ofNone), 90)
  t.notMatch(JSON.stringify([found, unknown]), /canary|127\.0\.0\.1/)
})

type Count = { readonly key_id: string | null; readonly address_prefix: string; count: number }

t.test('the audit events are rebuilt as they were, and match the ledger', async (t) => {
  const before = await listed()
  const deps = { db, pool: parts.pool, store }
  for (const projection of projections) {
    await rebuildProjection(deps, projection, new AbortController().signal)
  }
  t.same(await listed(), before)
  const progress = { folded: () => undefined, compared: () => undefined }
  const found = await diff({ db, store, projections }, progress)
  t.same(found.differences, [])
  t.ok(found.tables.some(({ table, rows }) => table === 'audit_events' && rows > before.length))
})
