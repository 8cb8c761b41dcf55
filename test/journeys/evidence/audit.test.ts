import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { byCli } from '../../../src/service/cli/acting.ts'
import { commands } from '../../../src/service/cli/commands.ts'
import { auditStream } from '../../../src/service/domain/ids.ts'
import {
  type AuditEventType,
  auditEventSchemas,
} from '../../../src/service/domain/ledger/audit-event.ts'
import { EventStoreUnavailable } from '../../../src/service/event-store/event-store.ts'
import { lastCheckpoint } from '../../../src/service/ledger/checkpoints.ts'
import { exportLedger } from '../../../src/service/ledger/export.ts'
import { registerCourier } from '../../../src/service/processes/connections/registered-couriers.ts'
import { projectionsReached } from '../../../src/service/projector/checkpoint.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { changingRoutes } from '../../support/declared-answers.ts'
import { eventually } from '../../support/eventually.ts'
import { commandServices, runCommand } from '../../support/run-command.ts'
import { service } from '../../support/service.ts'

/** The audit events that record an act, or why there are none. */
type OnRecord = readonly AuditEventType[] | { readonly not: string }

const inShipmentStream = { not: "it is an event in the shipment's own stream" }
const changesNothing = { not: 'it changes nothing that is administered' }

/** Every route that changes something. */
const routes: Readonly<Record<string, OnRecord>> = {
  'POST /v1/workspaces': ['WorkspaceCreated'],
  'PATCH /v1/workspaces/{id}': ['WorkspaceChanged'],
  'POST /v1/workspaces/{id}/hold': ['WorkspaceHoldPlaced'],
  'POST /v1/workspaces/{id}/release-hold': ['WorkspaceHoldLifted'],
  'POST /v1/courier-connections': ['CourierConnectionCreated'],
  'PATCH /v1/courier-connections/{id}': ['CourierConnectionChanged', 'CourierCredentialsReplaced'],
  'POST /v1/courier-connections/{id}/verify': ['CourierConnectionVerified'],
  'DELETE /v1/courier-connections/{id}': ['CourierConnectionDeleted'],
  'POST /v1/webhook-endpoints': ['WebhookEndpointCreated'],
  'PATCH /v1/webhook-endpoints/{id}': ['WebhookEndpointChanged'],
  'POST /v1/webhook-endpoints/{id}/rotate-secret': ['WebhookSecretRotated'],
  'POST /v1/webhook-endpoints/{id}/recover': ['WebhookPeriodRecovered'],
  'POST /v1/webhook-endpoints/{id}/test': { not: 'an example is sent, and is a delivery' },
  'POST /v1/webhook-deliveries/{id}/redeliver': ['WebhookRedelivered'],
  'DELETE /v1/webhook-endpoints/{id}': ['WebhookEndpointDeleted'],
  'POST /v1/keys': ['ApiKeyCreated'],
  'POST /v1/keys/{id}/roll': ['ApiKeyRolled', 'ApiKeyCreated'],
  'DELETE /v1/keys/{id}': ['ApiKeyRevoked'],
  'POST /v1/operators': ['OperatorCreated'],
  'PATCH /v1/operators/{id}': ['OperatorChanged', 'OperatorDisabled'],
  'POST /v1/batches': inShipmentStream,
  'POST /v1/batches/{id}/cancel': { not: 'its lines are left out, and nothing was done for them' },
  'POST /v1/quotes': changesNothing,
  'POST /v1/shipments': inShipmentStream,
  'POST /v1/shipments/{id}/cancel': inShipmentStream,
  'POST /v1/shipments/{id}/tracking/refresh': inShipmentStream,
  'POST /v1/shipments/{id}/tracking-link/roll': inShipmentStream,
  'POST /v1/shipments/{id}/erase-personal-data': inShipmentStream,
  'POST /v1/shipments/{id}/hold': inShipmentStream,
  'POST /v1/shipments/{id}/release-hold': inShipmentStream,
  'POST /v1/labels': changesNothing,
  'POST /v1/manifests': changesNothing,
  'POST /v1/operations/{id}/look': inShipmentStream,
  'POST /v1/operations/{id}/resolve': inShipmentStream,
  'POST /v1/operations/{id}/assign': inShipmentStream,
  'POST /v1/operations/{id}/comments': inShipmentStream,
  'POST /v1/operations/{id}/snooze': inShipmentStream,
  'POST /v1/courier-invoices': ['CourierInvoiceImported'],
  'POST /v1/courier-invoices/fetch': ['CourierInvoiceImported'],
  'POST /v1/courier-invoices/{id}/compare': changesNothing,
  'POST /v1/courier-invoices/{id}/lines/{line}/decision': ['CourierInvoiceLineDecided'],
  'POST /v1/courier-invoices/{id}/withdraw': ['CourierInvoiceWithdrawn'],
  'POST /v1/sandbox/clock/advance': { not: 'it moves the clock of a sandbox only' },
}

const platformDataOnly = {
  not: 'it shows what the platform itself has registered, nothing of a shop',
}

/** Every command, including those that only read: reads across organizations are audited too. */
const byCommand: Readonly<Record<string, OnRecord>> = {
  'org create': ['OrganizationCreated', 'ApiKeyCreated'],
  'org list': platformDataOnly,
  'org set-plan': ['OrganizationPlanChanged'],
  'org suspend': ['OrganizationSuspended', 'OrganizationResumed'],
  'plan list': platformDataOnly,
  'plan create': ['PlanCreated'],
  'plan update': ['PlanChanged'],
  'key create': ['ApiKeyCreated'],
  'key list': platformDataOnly,
  'key roll': ['ApiKeyRolled', 'ApiKeyCreated'],
  'key revoke': ['ApiKeyRevoked'],
  'operator create': ['OperatorCreated'],
  'operator list': platformDataOnly,
  'operator disable': ['OperatorDisabled'],
  'operations list': ['OperationsSeenByPlatform'],
  'operations show': ['OperationsSeenByPlatform'],
  'operations look': inShipmentStream,
  'operations resolve': inShipmentStream,
  'operations assign': inShipmentStream,
  'operations comment': inShipmentStream,
  'operations snooze': inShipmentStream,
  'deliveries list': ['WebhookDeliveriesSeen'],
  'deliveries redeliver': ['WebhookRedelivered'],
  'projections status': platformDataOnly,
  'projections rebuild': { not: 'read models are the same before and after' },
  replay: ['ShipmentReplayed'],
  diff: { not: 'it names ids and differences, and shows nothing that is equal' },
  verify: { not: 'it names positions and what is wrong there' },
  export: ['LedgerExported'],
  evidence: ['EvidenceExported'],
  witness: { not: 'it is a server of someone else, without a database' },
  erase: ['PersonalDataErasureOrdered'],
  'hold place': ['WorkspaceHoldPlaced'],
  'hold lift': ['WorkspaceHoldLifted'],
  'hold list': { not: 'it names ids and times, and nothing of what is held' },
  'database migrate': {
    not: 'it brings the tables up to date, as every start with that role does',
  },
  'event-store user create': {
    not: 'the ledger need not be there yet; the server keeps its users',
  },
  copy: ['LedgerMoved'],
  recover: ['LedgerRecovered'],
  'secrets rotate': ['MasterKeyRotated'],
  'audit list': ['AuditEventsSeen'],
  'courier add': ['CourierRegistered', 'CourierReplaced'],
  'courier list': platformDataOnly,
  'courier check': { not: 'it asks a connector, and touches nothing of ours' },
}

const shop = await service(t, { roles: ['api', 'projector'] })
const { store } = shop.parts
const { organizationId, workspaceId } = shop.seeded
const acts = async () => await store.readStream(auditStream(organizationId))

t.test('the list of audited routes covers every route that changes something', async (t) => {
  t.same(changingRoutes.toSorted(), Object.keys(routes).toSorted())
})

t.test(
  'the list of audited commands covers every command, including those that only read',
  async (t) => {
    t.same(commands.map(({ name }) => name).toSorted(), Object.keys(byCommand).toSorted())
  },
)

/** What the service records on its own. */
const byItself: OnRecord = ['AuthenticationsFailed', 'OperatorSignedIn', 'SignInRefused']

t.test('every type of audit event is written by a route, a command or the service', async (t) => {
  const all = [...Object.values(routes), ...Object.values(byCommand), byItself]
  const written = all.flatMap((one) => ('not' in one ? [] : one))
  t.same([...new Set(written)].toSorted(), Object.keys(auditEventSchemas).toSorted())
})

/** Ids that some of the calls below create and later ones use. */
const made = {
  workspace: '',
  connection: '',
  endpoint: '',
  delivery: '',
  key: '',
  operator: '',
  invoice: '',
  month: '',
}
const day = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
const credentials = { username: 'another', password: 'another' }

/** One call of each audited route, in an order in which each can succeed. */
function calls(): Readonly<Record<string, { path: string; body?: object; key?: string }>> {
  const endpoint = `/v1/webhook-endpoints/${made.endpoint}`
  const connection = `/v1/courier-connections/${made.connection}`
  return {
    'POST /v1/workspaces': {
      path: '/v1/workspaces',
      body: { name: 'Audited', external_reference: 'audited' },
    },
    'PATCH /v1/workspaces/{id}': {
      path: `/v1/workspaces/${made.workspace}`,
      body: { name: 'Changed' },
    },
    'POST /v1/workspaces/{id}/hold': {
      path: `/v1/workspaces/${made.workspace}/hold`,
      body: { note: 'x' },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/workspaces/{id}/release-hold': {
      path: `/v1/workspaces/${made.workspace}/release-hold`,
      body: { note: 'x' },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/courier-connections': {
      path: '/v1/courier-connections',
      body: { workspace_id: workspaceId, provider_code: 'mock', display_name: 'M', credentials },
    },
    'PATCH /v1/courier-connections/{id}': {
      path: connection,
      body: { display_name: 'N', credentials },
    },
    'POST /v1/courier-connections/{id}/verify': { path: `${connection}/verify`, body: {} },
    'DELETE /v1/courier-connections/{id}': { path: connection },
    'POST /v1/webhook-endpoints': {
      path: '/v1/webhook-endpoints',
      body: {
        workspace_id: workspaceId,
        url: 'https://receiver.example/hooks',
        event_types: ['label.ready'],
      },
    },
    'PATCH /v1/webhook-endpoints/{id}': { path: endpoint, body: { description: 'mine' } },
    'POST /v1/webhook-endpoints/{id}/rotate-secret': { path: `${endpoint}/rotate-secret` },
    'POST /v1/webhook-endpoints/{id}/recover': { path: `${endpoint}/recover`, body: day },
    'POST /v1/webhook-deliveries/{id}/redeliver': {
      path: `/v1/webhook-deliveries/${made.delivery}/redeliver`,
    },
    'DELETE /v1/webhook-endpoints/{id}': { path: endpoint },
    'POST /v1/keys': {
      path: '/v1/keys',
      body: { scopes: ['shipments:read'] },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/keys/{id}/roll': {
      path: `/v1/keys/${made.key}/roll`,
      body: {},
      key: shop.seeded.operatorKey,
    },
    'DELETE /v1/keys/{id}': { path: `/v1/keys/${made.key}`, key: shop.seeded.operatorKey },
    'POST /v1/operators': {
      path: '/v1/operators',
      body: { name: 'Eva', email: 'eva@shop.example' },
      key: shop.seeded.operatorKey,
    },
    'PATCH /v1/operators/{id}': {
      path: `/v1/operators/${made.operator}`,
      body: { name: 'Eva Luna', status: 'disabled', revoke_created_keys: true },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/courier-invoices': {
      path: '/v1/courier-invoices',
      body: {
        courier_connection_id: shop.seeded.connectionId,
        reference: 'audited',
        lines: [{ guide_number: 'AUDITED', amount: 1, currency: 'PEN' }],
      },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/courier-invoices/fetch': {
      path: '/v1/courier-invoices/fetch',
      body: { courier_connection_id: shop.seeded.connectionId, month: made.month },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/courier-invoices/{id}/lines/{line}/decision': {
      path: `/v1/courier-invoices/${made.invoice}/lines/1/decision`,
      body: { decision: 'disputed', note: 'x' },
      key: shop.seeded.operatorKey,
    },
    'POST /v1/courier-invoices/{id}/withdraw': {
      path: `/v1/courier-invoices/${made.invoice}/withdraw`,
      key: shop.seeded.operatorKey,
    },
  }
}

/** All rows that the routes below could have changed. */
async function rows(): Promise<string> {
  const paths = ['workspaces', 'courier-connections', 'webhook-endpoints', 'webhook-deliveries']
  const all = await Promise.all(paths.map((path) => shop.call(`/v1/${path}?limit=100`)))
  const refused = all.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`a list was refused: ${JSON.stringify(refused.body)}`)
  const keys = await shop.parts.db
    .selectFrom('api_keys')
    .select(['id', 'revoked_at'])
    .orderBy('id')
    .execute()
  const operators = await shop.parts.db.selectFrom('operators').selectAll().orderBy('id').execute()
  const secrets = await shop.parts.db
    .selectFrom('webhook_endpoints')
    .select(['id', 'secret', 'version'])
    .orderBy('id')
    .execute()
  const invoices = await shop.parts.db
    .selectFrom('courier_invoices')
    .select(['id', 'state'])
    .execute()
  const lines = await shop.parts.db.selectFrom('courier_invoice_lines').selectAll().execute()
  return JSON.stringify([all.map(({ body }) => body), secrets, keys, operators, invoices, lines])
}

const append = store.append.bind(store)
/** Makes every append to an audit stream fail, as if the event store were unreachable. */
function refuseAudit(): void {
  store.append = async (stream, ...rest) => {
    if (stream.startsWith('audit-')) throw new EventStoreUnavailable('refused by the test')
    return await append(stream, ...rest)
  }
}

t.test('no audited route takes effect unless its audit event is recorded first', async (t) => {
  made.month = (await shop.create('billed')).body.created_at.slice(0, 7)
  const audited = Object.entries(routes).filter(([, where]) => !('not' in where))
  for (const [route, where] of audited) {
    if (route === 'POST /v1/webhook-deliveries/{id}/redeliver') {
      const example = { body: { type: 'label.ready' } }
      const sent = await shop.call(`/v1/webhook-endpoints/${made.endpoint}/test`, example)
      made.delivery = sent.body.id
    }
    const method = route.split(' ')[0] ?? ''
    const found = calls()[route]
    if (found === undefined) throw new Error(`no call of ${route}`)
    const { path, ...options } = found
    const before = await rows()
    refuseAudit()
    const refused = await shop.call(path, { method, ...options })
    store.append = append
    t.match(refused, { status: 503, body: { outcome: 'not_executed' } }, `${route} without audit`)
    t.same(JSON.parse(await rows()), JSON.parse(before), `${route} changes nothing then`)
    const count = (await acts()).length
    const done = await shop.call(path, { method, ...options })
    t.ok(done.status < 300, `${route} answers ${done.status}`)
    const fresh = (await acts()).slice(count)
    t.same(
      fresh.map(({ type }) => type).toSorted(),
      [...(where as readonly string[])].toSorted(),
      route,
    )
    for (const { metadata } of fresh) {
      t.match(metadata, { actor: { type: /^(api_key|operator)$/ } })
      t.equal(metadata.organization_id, organizationId)
      t.equal(metadata.request_id, done.headers.get('x-request-id'))
    }
    if (route === 'POST /v1/workspaces') made.workspace = done.body.id
    if (route === 'POST /v1/courier-connections') made.connection = done.body.id
    if (route === 'POST /v1/webhook-endpoints') made.endpoint = done.body.id
    if (route === 'POST /v1/keys') made.key = done.body.id
    if (route === 'POST /v1/operators') made.operator = done.body.id
    if (route === 'POST /v1/courier-invoices') {
      made.invoice = done.body.id
      // No worker compares it.
      const finding = { finding: 'unknown_guide' } as const
      await shop.parts.db.updateTable('courier_invoice_lines').set(finding).execute()
    }
  }
})

t.test("a command that reads a shop's data is audited before it shows anything", async (t) => {
  const lost = await shop.create('order-1', { scenario: 'lost_response_human_review' })
  const { operation_id: operation, shipment_id: shipment } = lost.body
  const { parts } = shop
  t.ok(await projectionsReached(parts.db, await store.head(), 60_000))
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-audit-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const flags = new Map([
    ['org', organizationId],
    ['out', join(folder, 'out.ndjson')],
  ])
  const flagsOf = (name: string) => {
    if (name === 'export') return flags
    return new Map(name === 'audit list' ? [['org', organizationId]] : [])
  }
  const run = (name: string, subject: string) =>
    runCommand(name, subject, commandServices(shop), flagsOf(name))
  const reads = {
    'operations list': { subject: '', data: { operation_ids: [operation] } },
    'operations show': { subject: operation, data: { operation_ids: [operation] } },
    'deliveries list': { subject: '', data: { webhook_delivery_ids: [made.delivery] } },
    export: { subject: '', data: { organization_id: organizationId, shipment_id: null } },
    replay: { subject: shipment, data: { shipment_id: shipment } },
    'audit list': { subject: '', data: { organization_id: organizationId, first: 0 } },
  }
  for (const [name, { subject, data }] of Object.entries(reads)) {
    refuseAudit()
    await t.rejects(run(name, subject), EventStoreUnavailable, `${name} without audit`)
    store.append = append
    const count = (await acts()).length
    await run(name, subject)
    const fresh = (await acts()).slice(count)
    t.same(
      fresh.map(({ type }) => type),
      byCommand[name],
    )
    t.match(fresh[0], { data, metadata: { actor: byCli.actor } })
  }
})

t.test('a refused command leaves no event, no stream and no file', async (t) => {
  const made = await shop.create('refused-1')
  const open = await shop.create('refused-2', { scenario: 'lost_response_human_review' })
  const shipment = String(made.body.id)
  const value = 'z'.repeat(22)
  const other = await createOrganization(
    shop.parts,
    { name: 'Other', type: 'external' },
    { ...byCli },
  )
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-refused-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const out = join(folder, 'out.ndjson')
  const [org, shp] = [`org_${value}`, `shp_${value}`]
  const as = shop.seeded.operatorId
  const noOrganization = /^There is no organization org_z+\.$/
  const refused: readonly (readonly [string, string, object, RegExp])[] = [
    ['export', '', { out, org }, noOrganization],
    ['export', '', { out, shipment: shp }, /^There is no shipment shp_z+\.$/],
    [
      'export',
      '',
      { out, shipment, org: other.id },
      /^The organization org_\w+ has no shipment shp_\w+\.$/,
    ],
    ['audit list', '', { org }, noOrganization],
    ['operations list', '', { org }, noOrganization],
    ['deliveries list', '', { org }, noOrganization],
    [
      'deliveries list',
      '',
      { endpoint: `whe_${value}` },
      /^There is no webhook endpoint whe_z+\.$/,
    ],
    ['deliveries list', '', { shipment: shp }, /^There is no shipment shp_z+\.$/],
    ['key list', '', { org }, noOrganization],
    ['key create', '', { org, mode: 'test' }, noOrganization],
    [
      'key create',
      '',
      { org: organizationId, mode: 'test', workspace: `ws_${value}` },
      /^The organization has no test workspace ws_z+\.$/,
    ],
    ['key roll', `key_${value}`, {}, /^There is no key key_z+\.$/],
    ['key revoke', `key_${value}`, {}, /^There is no key key_z+\.$/],
    ['org set-plan', '', { org, plan: 'default' }, noOrganization],
    ['org set-plan', '', { org: organizationId, plan: 'none' }, /^There is no plan none\.$/],
    ['org suspend', '', { org }, noOrganization],
    ['operations show', `op_${value}00`, {}, /^There is no operation op_z+00\.$/],
    ['operations look', `op_${value}00`, { as }, /^There is no operation op_z+00\.$/],
    ['deliveries redeliver', `dlv_${value}`, {}, /^There is no delivery dlv_z+\.$/],
    ['replay', shp, {}, /^There is no shipment shp_z+\.$/],
    ['replay', shipment, { 'as-of': '999' }, /^The shipment has \d versions\.$/],
    ['replay', shipment, { 'as-of': '2000-01-01' }, /had no event yet\.$/],
    ['erase', shp, { as }, /^There is no shipment shp_z+\.$/],
  ]
  const before = readdirSync(folder)
  for (const [name, subject, flags, message] of refused) {
    const head = await store.head()
    const given = new Map(Object.entries(flags))
    const what = `${name} ${subject} ${[...given.keys()]}`
    await t.rejects(
      runCommand(name, subject, commandServices(shop), given),
      { name: 'CommandFailed', message },
      what,
    )
    t.equal(await store.head(), head, `${what}: no event`)
    t.same(readdirSync(folder), before, `${what}: no file`)
  }
  for (const owner of [org, shp]) t.same(await store.readStream(auditStream(owner)), [])
  t.ok(open.body.operation_id)
})

t.test('an erasure refused during a cancellation is not recorded in the audit', async (t) => {
  const { body } = await shop.create('being-cancelled', { scenario: 'cancel_response_lost' })
  const headers = { 'idempotency-key': 'cancel-it' }
  const lost = await shop.call(`/v1/shipments/${body.id}/cancel`, { method: 'POST', headers })
  t.match(lost, { status: 409, body: { reason: 'unknown_outcome' } })
  const count = (await acts()).length
  const as = new Map([['as', shop.seeded.operatorId]])
  await t.rejects(runCommand('erase', body.id, commandServices(shop), as), {
    name: 'CommandFailed',
    message: /is being created or cancelled/,
  })
  t.equal((await acts()).length, count, 'no event')
})

t.test('a change is audited with its values before and after, but without names', async (t) => {
  const names = ['Canary Shop Before', 'Canary Shop After', 'Canary Account', 'Canary Account 2']
  const [name = '', renamed, account, renamedAccount] = names
  const from = (await acts()).length
  const workspace = await shop.call('/v1/workspaces', {
    body: { name, external_reference: 'changed', personal_data_retention_days: 30 },
  })
  const path = `/v1/workspaces/${workspace.body.id}`
  const change = (body: object, at: string) => shop.call(at, { method: 'PATCH', body })
  t.equal((await change({ name: renamed, personal_data_retention_days: null }, path)).status, 200)
  t.equal((await change({ name }, path)).status, 200)
  const connection = await shop.call('/v1/courier-connections', {
    body: { workspace_id: workspaceId, provider_code: 'mock', display_name: account, credentials },
  })
  const at = `/v1/courier-connections/${connection.body.id}`
  t.equal((await change({ display_name: renamedAccount, status: 'disabled' }, at)).status, 200)
  const fresh = (await acts()).slice(from)
  const changed = fresh.filter(({ type }) => type.endsWith('Changed')).map(({ data }) => data)
  t.same(changed, [
    {
      workspace_id: workspace.body.id,
      fields: ['name', 'personal_data_retention_days'],
      changes: { personal_data_retention_days: { before: 30, after: null } },
    },
    { workspace_id: workspace.body.id, fields: ['name'] },
    {
      courier_connection_id: connection.body.id,
      fields: ['display_name', 'status'],
      changes: { status: { before: 'active', after: 'disabled' } },
    },
  ])
  const output = JSON.stringify(fresh)
  for (const word of [...names, credentials.password]) t.notOk(output.includes(word), word)
})

t.test('parking a connection is audited once, with its status before and after', async (t) => {
  const connection = await shop.call('/v1/courier-connections', {
    body: { workspace_id: workspaceId, provider_code: 'mock', display_name: 'P', credentials },
  })
  const id = String(connection.body.id)
  const account = await shop.parts.accounts.load({
    connectionId: id,
    organizationId,
    workspaceId,
  })
  if (account === null) throw new Error('no account')
  await shop.parts.accounts.park(account)
  await shop.parts.accounts.park(account)
  const parked = (await acts()).filter(({ data }) => data.courier_connection_id === id).slice(1)
  t.match(parked, [{ type: 'CourierConnectionChanged', metadata: { actor: { type: 'system' } } }])
  t.same(
    parked.map(({ data }) => data),
    [
      {
        courier_connection_id: id,
        fields: ['status'],
        changes: { status: { before: 'active', after: 'needs_reauth' } },
      },
    ],
  )
})

t.test(
  'replacing a courier is audited with what changed, but without its token or name',
  async (t) => {
    const platformActs = () => store.readStream(auditStream('platform'))
    const deps = { db: shop.parts.db, store, tokens: shop.parts.tokens }
    const can = {
      find: true,
      cancel: false,
      tracking: true,
      label: true,
      quote: false,
      invoices: false,
      cash_on_delivery: false,
      declared_value: false,
      recipient_phone: false,
    }
    const order = {
      providerCode: 'replaced',
      displayName: 'Canary Name',
      token: 'canary-token-1',
      baseUrl: 'https://connector.example/one',
      capabilities: can,
    }
    t.equal(await registerCourier(deps, order, { replace: false, actor: byCli.actor }), 'added')
    const other = {
      ...order,
      displayName: 'Canary Name 2',
      token: 'canary-token-2',
      baseUrl: 'https://connector.example/two',
      capabilities: { ...can, cancel: true },
    }
    const from = (await platformActs()).length
    t.equal(await registerCourier(deps, other, { replace: true, actor: byCli.actor }), 'replaced')
    t.equal(await registerCourier(deps, other, { replace: true, actor: byCli.actor }), 'replaced')
    t.equal(
      await registerCourier(deps, { ...other, token: null }, { replace: true, actor: byCli.actor }),
      'replaced',
    )
    const fresh = (await platformActs()).slice(from)
    t.same(
      fresh.map(({ data }) => data),
      [
        {
          provider_code: 'replaced',
          fields: ['display_name', 'url', 'token', 'capabilities'],
          changes: {
            url: { before: order.baseUrl, after: other.baseUrl },
            capabilities: { before: can, after: other.capabilities },
          },
        },
        {
          provider_code: 'replaced',
          fields: ['token'],
          changes: { has_token: { before: true, after: false } },
        },
      ],
      'a repeat changes nothing',
    )
    t.notMatch(JSON.stringify(fresh), /canary/i)
  },
)

function exportOf(more: Readonly<Record<string, string>>) {
  return runCommand('export', '', commandServices(shop), new Map(Object.entries(more)))
}

t.test('an export is audited with its period, its number of events and its digest', async (t) => {
  await waitUntilSealed()
  const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-exported-'))
  t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
  const out = join(folder, 'out.ndjson')
  const output = await exportOf({ out, org: organizationId, from: '2001-01-01', to: '2999-01-01' })
  const bytes = readFileSync(out)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const lines = bytes
    .toString()
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes('"leaf":')).length
  t.ok(lines > 10)
  const exported = (await acts()).filter(({ type }) => type === 'LedgerExported').at(-1)
  t.same(exported?.data, {
    organization_id: organizationId,
    shipment_id: null,
    from: '2001-01-01T00:00:00.000Z',
    to: '2999-01-01T00:00:00.000Z',
    events: lines,
    not_sealed: output.json.not_sealed,
    tree_size: output.json.tree_size,
    file_sha256: sha256,
  })
  t.equal(output.json.sha256, sha256)
  t.ok(output.text.includes(`SHA-256 ${sha256}`))
})

t.test(
  'a failed export leaves no file and no event, and no export exists unrecorded',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-unexported-'))
    t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
    const out = join(folder, 'out.ndjson')
    const count = (await acts()).length
    refuseAudit()
    await t.rejects(exportOf({ out, org: organizationId }), EventStoreUnavailable)
    store.append = append
    t.same(readdirSync(folder), [], 'without its event there is no file')

    const tooLong = join(folder, 'a'.repeat(250))
    await t.rejects(exportOf({ out: tooLong, org: organizationId }), {
      name: 'Undecided',
      message: /cannot be written \(ENAMETOOLONG\)\.$/,
    })
    t.same(readdirSync(folder), [])

    const scope = { organization_id: organizationId, shipment_id: null, from: null, to: null }
    const stop = new AbortController()
    const interrupted = exportLedger({ db: shop.parts.db, store }, out, scope, {
      progress: () => stop.abort(),
      signal: stop.signal,
      record: async () => {
        t.fail('it was recorded')
      },
    })
    await t.rejects(interrupted, { name: 'AbortError' })
    t.same(readdirSync(folder), [], 'an interrupted export leaves no file')

    let seen: readonly string[] = []
    store.append = async (...args) => {
      seen = readdirSync(folder)
      return await append(...args)
    }
    await exportOf({ out, org: organizationId })
    store.append = append
    t.match(
      seen,
      [/^out\.ndjson\.\d+\.unfinished$/],
      'when the event is recorded, the file is complete and not yet renamed',
    )
    t.same(readdirSync(folder), ['out.ndjson'])
    t.equal((await acts()).length, count + 1)
  },
)

async function waitUntilSealed(): Promise<void> {
  const head = await store.head()
  await eventually(
    () => lastCheckpoint(shop.parts.db),
    (last) => (last?.position ?? '') >= (head ?? ''),
  )
}
