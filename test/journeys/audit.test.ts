import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { byCli } from '../../src/cli/administration.ts'
import { commands } from '../../src/cli/commands.ts'
import { operationsAdministration } from '../../src/cli/operations-administration.ts'
import { type AuditEventType, auditEventSchemas } from '../../src/domain/audit.ts'
import { auditStream } from '../../src/domain/ids.ts'
import { EventStoreUnavailable } from '../../src/event-store/event-store.ts'
import { projectionsReached } from '../../src/processes/checkpoint.ts'
import { runCommand } from '../support/run-command.ts'
import { service } from '../support/service.ts'
import { projectRoot } from '../support/source-files.ts'

/** Where an act is on record: as events of an audit stream, or for another reason in none. */
type OnRecord = readonly AuditEventType[] | { readonly not: string }

const inItsStream = { not: "it is an event in the shipment's own stream" }
const isNoAct = { not: 'it changes nothing that anybody administers' }

/** Every route that changes something. */
const routes: Readonly<Record<string, OnRecord>> = {
  'POST /v1/workspaces': ['WorkspaceCreated'],
  'PATCH /v1/workspaces/{id}': ['WorkspaceChanged'],
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
  'POST /v1/quotes': isNoAct,
  'POST /v1/shipments': inItsStream,
  'POST /v1/shipments/{id}/cancel': inItsStream,
  'POST /v1/shipments/{id}/tracking/refresh': inItsStream,
  'POST /v1/shipments/{id}/erase-personal-data': inItsStream,
  'POST /v1/operations/{id}/look': inItsStream,
  'POST /v1/operations/{id}/resolve': inItsStream,
  'POST /v1/sandbox/clock/advance': { not: 'time of a sandbox, which is nobody’s but its own' },
}

const ofTheRegister = { not: 'it shows what the platform itself has registered, nothing of a shop' }

/** Every command, reading ones included: across organizations reading is an act. */
const byCommand: Readonly<Record<string, OnRecord>> = {
  'org create': ['OrganizationCreated', 'ApiKeyCreated'],
  'org list': ofTheRegister,
  'org set-plan': ['OrganizationPlanChanged'],
  'org suspend': ['OrganizationSuspended', 'OrganizationResumed'],
  'plan list': ofTheRegister,
  'plan create': ['PlanCreated'],
  'plan update': ['PlanChanged'],
  'key create': ['ApiKeyCreated'],
  'key list': ofTheRegister,
  'key revoke': ['ApiKeyRevoked'],
  'operations list': ['OperationsSeenByPlatform'],
  'operations show': ['OperationsSeenByPlatform'],
  'operations look': inItsStream,
  'operations resolve': inItsStream,
  'deliveries list': ['WebhookDeliveriesSeen'],
  'deliveries redeliver': ['WebhookRedelivered'],
  'projections status': ofTheRegister,
  'projections rebuild': { not: 'read models are the same before and after' },
  replay: ['ShipmentReplayed'],
  diff: { not: 'it names ids and differences, and shows nothing that is equal' },
  verify: { not: 'it names positions and what is wrong there' },
  export: ['LedgerExported'],
  erase: ['PersonalDataErasureOrdered'],
  copy: ['LedgerMoved'],
  'secrets rotate': ['MasterKeyRotated'],
  'audit list': { not: 'it shows the audit itself' },
  'courier add': ['CourierRegistered', 'CourierReplaced'],
  'courier list': ofTheRegister,
  'courier check': { not: 'it asks a connector, and touches nothing of ours' },
}

const shop = await service(t, { roles: ['api', 'projector'] })
const { store } = shop.parts
const { organizationId, workspaceId } = shop.seeded
const acts = async () => await store.readStream(auditStream(organizationId))

t.test('every route that changes something says where that is on record', async (t) => {
  const document = JSON.parse(readFileSync(join(projectRoot, 'docs/openapi.json'), 'utf8'))
  const changing = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  t.same(changing.toSorted(), Object.keys(routes).toSorted())
})

t.test('every command says where it is on record, reading ones included', async (t) => {
  t.same(commands.map(({ name }) => name).toSorted(), Object.keys(byCommand).toSorted())
})

t.test('every type of audit event is written by a route, a command or the service', async (t) => {
  const written = [...Object.values(routes), ...Object.values(byCommand)].flatMap((one) =>
    'not' in one ? [] : one,
  )
  t.same([...new Set(written)].toSorted(), Object.keys(auditEventSchemas).toSorted())
})

/** Ids that the calls below make for each other. */
const made = { workspace: '', connection: '', endpoint: '', delivery: '' }
const day = { since: '2026-01-01T00:00:00Z', until: '2026-01-02T00:00:00Z' }
const credentials = { username: 'another', password: 'another' }

/** One call of each audited route, in an order in which each can be made. */
function calls(): Readonly<Record<string, { path: string; body?: object }>> {
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
  }
}

/** Everything that the routes below could have changed. */
async function rows(): Promise<string> {
  const paths = ['workspaces', 'courier-connections', 'webhook-endpoints', 'webhook-deliveries']
  const all = await Promise.all(paths.map((path) => shop.call(`/v1/${path}?limit=100`)))
  const refused = all.find(({ status }) => status !== 200)
  if (refused !== undefined) throw new Error(`a list was refused: ${JSON.stringify(refused.body)}`)
  const secrets = await shop.parts.db
    .selectFrom('webhook_endpoints')
    .select(['id', 'secret', 'version'])
    .orderBy('id')
    .execute()
  return JSON.stringify([all.map(({ body }) => body), secrets])
}

const append = store.append.bind(store)
/** As when the event store is away for audit streams. */
function refuseAudit(): void {
  store.append = async (stream, ...rest) => {
    if (stream.startsWith('audit-')) throw new EventStoreUnavailable('refused by the test')
    return await append(stream, ...rest)
  }
}

t.test('each act is in the audit before it takes effect, or does not happen', async (t) => {
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
    const { path, body } = found
    const before = await rows()
    refuseAudit()
    const refused = await shop.call(path, { method, ...(body === undefined ? {} : { body }) })
    store.append = append
    t.match(refused, { status: 503, body: { outcome: 'not_executed' } }, `${route} without audit`)
    t.same(JSON.parse(await rows()), JSON.parse(before), `${route} changes nothing then`)
    const count = (await acts()).length
    const done = await shop.call(path, { method, ...(body === undefined ? {} : { body }) })
    t.ok(done.status < 300, `${route} answers ${done.status}`)
    const fresh = (await acts()).slice(count)
    t.same(
      fresh.map(({ type }) => type).toSorted(),
      [...(where as readonly string[])].toSorted(),
      route,
    )
    for (const { metadata } of fresh) {
      t.match(metadata, { actor: { type: 'api_key' }, organization_id: organizationId })
      t.equal(metadata.request_id, done.headers.get('x-request-id'))
    }
    if (route === 'POST /v1/workspaces') made.workspace = done.body.id
    if (route === 'POST /v1/courier-connections') made.connection = done.body.id
    if (route === 'POST /v1/webhook-endpoints') made.endpoint = done.body.id
  }
})

t.test(
  'what the platform reads of a shop by a command is in the audit before it is shown',
  async (t) => {
    const lost = await shop.create('order-1', { scenario: 'lost_response_human_review' })
    const { operation_id: operation, shipment_id: shipment } = lost.body
    const { parts } = shop
    t.ok(await projectionsReached(parts.readModels, await store.head(), 20_000))
    const administration = {
      ...{ db: parts.db, readModels: parts.readModels, store },
      operations: operationsAdministration(parts.processes, true),
    }
    const folder = mkdtempSync(join(tmpdir(), 'shipping-ledger-audit-'))
    t.teardown(async () => rmSync(folder, { recursive: true, force: true }))
    const flags = new Map([
      ['org', organizationId],
      ['out', join(folder, 'out.ndjson')],
    ])
    const run = (name: string, subject: string) =>
      runCommand(name, subject, administration, name === 'export' ? flags : new Map())
    const reads = {
      'operations list': { subject: '', data: { operation_ids: [operation] } },
      'operations show': { subject: operation, data: { operation_ids: [operation] } },
      'deliveries list': { subject: '', data: { webhook_delivery_ids: [made.delivery] } },
      export: { subject: '', data: { organization_id: organizationId, shipment_id: null } },
      replay: { subject: shipment, data: { shipment_id: shipment } },
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
  },
)
