import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { catalogue } from '../../src/service/couriers/catalogue.ts'
import { connector } from '../../src/service/couriers/connector.ts'
import { couriers, type LiveCourier } from '../../src/service/couriers/couriers.ts'
import { database } from '../../src/service/database/database.ts'
import { pool } from '../../src/service/database/pool.ts'
import { memoryEventStore } from '../../src/service/event-store/memory.ts'
import { besideFirst } from '../../src/service/event-store/with-append.ts'
import { createKeyRoute } from '../../src/service/http/account/create-key.ts'
import { getKeyRoute } from '../../src/service/http/account/get-key.ts'
import { getKeyByIdRoute } from '../../src/service/http/account/get-key-by-id.ts'
import { getUsageRoute } from '../../src/service/http/account/get-usage.ts'
import { listKeysRoute } from '../../src/service/http/account/list-keys.ts'
import { revokeKeyRoute } from '../../src/service/http/account/revoke-key.ts'
import { rollKeyRoute } from '../../src/service/http/account/roll-key.ts'
import { getAgencyRoute } from '../../src/service/http/agencies/get-agency.ts'
import { listAgenciesRoute } from '../../src/service/http/agencies/list-agencies.ts'
import { listCouriersRoute } from '../../src/service/http/agencies/list-couriers.ts'
import { listPackageProductsRoute } from '../../src/service/http/agencies/list-package-products.ts'
import type { ApiServices, App, ServerDeps } from '../../src/service/http/api-services.ts'
import { createCourierConnectionRoute } from '../../src/service/http/connections/create-courier-connection.ts'
import { deleteCourierConnectionRoute } from '../../src/service/http/connections/delete-courier-connection.ts'
import { getCourierConnectionRoute } from '../../src/service/http/connections/get-courier-connection.ts'
import { listCourierConnectionsRoute } from '../../src/service/http/connections/list-courier-connections.ts'
import { updateCourierConnectionRoute } from '../../src/service/http/connections/update-courier-connection.ts'
import { verifyCourierConnectionRoute } from '../../src/service/http/connections/verify-courier-connection.ts'
import { httpSecrets } from '../../src/service/http/http-secrets.ts'
import { createOperatorRoute } from '../../src/service/http/operators/create-operator.ts'
import { getOperatorRoute } from '../../src/service/http/operators/get-operator.ts'
import { listOperatorsRoute } from '../../src/service/http/operators/list-operators.ts'
import { updateOperatorRoute } from '../../src/service/http/operators/update-operator.ts'
import { RecipientPages } from '../../src/service/http/recipient-page/recipient-pages.ts'
import { buildServer, type RegisterRoutes } from '../../src/service/http/server.ts'
import { serviceMetrics } from '../../src/service/http/service/metrics.ts'
import { shipmentOwners } from '../../src/service/http/shipments/shipment-owners.ts'
import { getWebhookDeliveryRoute } from '../../src/service/http/webhook-deliveries/get-webhook-delivery.ts'
import { getWebhookEventRoute } from '../../src/service/http/webhook-deliveries/get-webhook-event.ts'
import { listWebhookDeliveriesRoute } from '../../src/service/http/webhook-deliveries/list-webhook-deliveries.ts'
import { listWebhookEventsRoute } from '../../src/service/http/webhook-deliveries/list-webhook-events.ts'
import { redeliverWebhookDeliveryRoute } from '../../src/service/http/webhook-deliveries/redeliver-webhook-delivery.ts'
import { countRecoverableWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/count-recoverable-webhook-endpoint.ts'
import { createWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/create-webhook-endpoint.ts'
import { deleteWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/delete-webhook-endpoint.ts'
import { getWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/get-webhook-endpoint.ts'
import { listWebhookEndpointsRoute } from '../../src/service/http/webhook-endpoints/list-webhook-endpoints.ts'
import { recoverWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/recover-webhook-endpoint.ts'
import { rotateWebhookEndpointSecretRoute } from '../../src/service/http/webhook-endpoints/rotate-webhook-endpoint-secret.ts'
import { testWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/test-webhook-endpoint.ts'
import { updateWebhookEndpointRoute } from '../../src/service/http/webhook-endpoints/update-webhook-endpoint.ts'
import { createWorkspaceRoute } from '../../src/service/http/workspaces/create-workspace.ts'
import { getWorkspaceRoute } from '../../src/service/http/workspaces/get-workspace.ts'
import { liftWorkspaceHoldRoute } from '../../src/service/http/workspaces/lift-workspace-hold.ts'
import { listWorkspacesRoute } from '../../src/service/http/workspaces/list-workspaces.ts'
import { placeWorkspaceHoldRoute } from '../../src/service/http/workspaces/place-workspace-hold.ts'
import { updateWorkspaceRoute } from '../../src/service/http/workspaces/update-workspace.ts'
import { knownWorkspaces } from '../../src/service/http/workspaces/workspace-schema.ts'
import type { ProcessServices } from '../../src/service/processes/process-services.ts'
import {
  ApiKeys,
  createApiKey,
  defaultScopes,
  type OrganizationType,
  type Scope,
} from '../../src/service/security/api-keys.ts'
import {
  openCredentials,
  sealCredentials,
} from '../../src/service/security/encryption/credentials.ts'
import { masterKeys } from '../../src/service/security/encryption/master-keys.ts'
import { webhookSealer } from '../../src/service/security/encryption/webhook-secrets.ts'
import { logger } from '../../src/service/security/logger.ts'
import { RateLimit } from '../../src/service/security/rate-limit.ts'
import { trackingLinks } from '../../src/service/security/tracking-links/tracking-links.ts'
import { Vault } from '../../src/service/security/vault/vault.ts'
import { postgresVaultRows } from '../../src/service/security/vault/vault-statements.ts'
import { BatchedVaultWriter } from '../../src/service/security/vault/vault-writer.ts'
import { simulator } from '../../src/simulator/simulator.ts'
import { requireDeclared } from '../support/declared-answers.ts'
import { noLog } from '../support/no-log.ts'
import { testDatabase } from '../support/test-database.ts'

/** What the administered resources and the server need: few services of the processes. */
type HttpDeps = ServerDeps &
  Omit<ApiServices, keyof ProcessServices> &
  Pick<ApiServices, 'catalogue' | 'couriers' | 'db' | 'store' | 'vault'> & {
    readonly accounts: Pick<ApiServices['accounts'], 'forget'>
  }

export function administered(deps: ApiServices): readonly RegisterRoutes[] {
  const registering = [
    createWorkspaceRoute,
    listWorkspacesRoute,
    getWorkspaceRoute,
    updateWorkspaceRoute,
    placeWorkspaceHoldRoute,
    liftWorkspaceHoldRoute,
    createCourierConnectionRoute,
    listCourierConnectionsRoute,
    getCourierConnectionRoute,
    updateCourierConnectionRoute,
    deleteCourierConnectionRoute,
    verifyCourierConnectionRoute,
    listCouriersRoute,
    listAgenciesRoute,
    getAgencyRoute,
    listPackageProductsRoute,
    getKeyRoute,
    createKeyRoute,
    listKeysRoute,
    getKeyByIdRoute,
    rollKeyRoute,
    revokeKeyRoute,
    createOperatorRoute,
    listOperatorsRoute,
    getOperatorRoute,
    updateOperatorRoute,
    getUsageRoute,
    createWebhookEndpointRoute,
    listWebhookEndpointsRoute,
    getWebhookEndpointRoute,
    updateWebhookEndpointRoute,
    deleteWebhookEndpointRoute,
    rotateWebhookEndpointSecretRoute,
    testWebhookEndpointRoute,
    recoverWebhookEndpointRoute,
    countRecoverableWebhookEndpointRoute,
    listWebhookEventsRoute,
    getWebhookEventRoute,
    listWebhookDeliveriesRoute,
    getWebhookDeliveryRoute,
    redeliverWebhookDeliveryRoute,
  ]
  return registering.map((register) => (app) => register(app, deps))
}

type Test = { teardown(fn: () => Promise<void>): unknown }

export type ServerUnderTest = Awaited<ReturnType<typeof serverUnderTest>>

/** The HTTP server with a real database and the simulated courier, and what its tests inspect. */
export async function serverUnderTest(
  test: Test,
  options: {
    readonly more?: RegisterRoutes[]
    /** The clock by which requests are counted. */
    readonly rateClock?: () => number
    /** Reports how late the event loop is. */
    readonly lateness?: ServerDeps['lateness']
    readonly pagesFolder?: ServerDeps['pagesFolder']
    /** How much of a request is read after its answer. */
    readonly discard?: ServerDeps['discard']
  } = {},
) {
  const { url, adminUrl } = await testDatabase(test)
  const connections = pool({ connectionString: url, log: noLog, max: 10 })
  const db = database(connections)
  const directory = mkdtempSync(join(tmpdir(), 'http-test-'))
  const courierServer = await simulator({
    file: join(directory, 'simulator.db'),
    key: randomBytes(32),
    host: '127.0.0.1',
  })
  const simulated = connector({ baseUrl: courierServer.url })
  const live = new Map<string, LiveCourier>()
  const registry = couriers({ simulator: simulated, live })
  const pepper = { current: { version: 1, key: randomBytes(32) }, previous: [] }
  const master = masterKeys(randomBytes(32).toString('base64'))
  const rows = postgresVaultRows(connections)
  const vault = new Vault(rows, master)
  const store = besideFirst(memoryEventStore(), new BatchedVaultWriter(rows))
  const keys = new ApiKeys({ db, pepper })
  const counting = { shared: null, log: noLog, now: options.rateClock ?? Date.now }
  const lines: string[] = []
  const inUse = new Set<string>()
  const metrics = serviceMetrics({
    isReady: async () => true,
    disks: async () => [],
    unwritableFiles: async () => [],
    projections: async () => [],
    operations: async () => [],
    attention: async () => [],
    webhooks: async () => ({ pending: 0, dead: 0, discarded: 0, failing: 0, oldestAgeSeconds: 0 }),
    erasures: async () => ({ pending: 0, oldestAgeSeconds: 0 }),
    unsealedSeconds: async () => 0,
    ledger: async () => ({
      isDamaged: false,
      findFirst: { asked: 0, found: 0, created: 0 },
    }),
    witnesses: async () => [],
  })
  const some: HttpDeps = {
    db,
    store,
    keys,
    failures: { count: () => undefined },
    rates: {
      requests: new RateLimit(counting),
      failures: new RateLimit(counting),
    },
    secrets: httpSecrets(pepper),
    pepper,
    sealer: {
      seal: (at) => sealCredentials(master, at),
      open: (at) => openCredentials(master, at),
    },
    vault,
    links: trackingLinks(db, pepper.current.key, () => 'https://shipping.example'),
    webhookSealer: webhookSealer(master),
    allowPrivateWebhooks: true,
    accounts: { forget: () => undefined },
    couriers: registry,
    catalogue: catalogue((mode) => registry.courierFor(mode)),
    sandboxContext: async ({ scenario }) => {
      const now = new Date()
      return { scenario, attempt: 1, attemptAt: now, now }
    },
    hasUnresolvedOperations: async ({ connectionId }) => inUse.has(connectionId),
    workspaces: knownWorkspaces(db),
    owners: shipmentOwners(db),
    readiness: { database: async () => null },
    witnesses: [],
    evidence: {
      make: async () => Promise.reject(new Error('nothing is sealed here')),
      print: async () => Promise.reject(new Error('nothing is printed here')),
      makeEach: () => {
        throw new Error('nothing is sealed here')
      },
    },
    documents: {
      label: async () => Promise.reject(new Error('nothing is printed here')),
      labels: async () => Promise.reject(new Error('nothing is printed here')),
      manifest: async () => Promise.reject(new Error('nothing is printed here')),
    },
    sheets: { read: async () => Promise.reject(new Error('no sheet is read here')) },
    publicTree: {
      db: new Kysely({ dialect: new PostgresDialect({ pool: connections }) }),
      rate: new RateLimit(counting),
    },
    recipientPage: {
      pages: new RecipientPages({
        db,
        store,
        couriers: registry,
        links: trackingLinks(db, pepper.current.key),
        catalogue: catalogue((mode) => registry.courierFor(mode)),
      }),
      rates: { network: new RateLimit(counting), every: new RateLimit(counting) },
    },
    clock: { now: () => new Date() },
    log: logger({
      level: 'info',
      pretty: false,
      destination: { write: (line: string) => void lines.push(line) },
    }),
    metrics,
    pagesFolder: options.pagesFolder,
    ...(options.lateness === undefined ? {} : { lateness: options.lateness }),
    ...(options.discard === undefined ? {} : { discard: options.discard }),
  }
  // Their routes call no other service.
  const deps = some as unknown as ApiServices & ServerDeps
  const app = buildServer(deps, [...administered(deps), ...(options.more ?? [])])
  test.teardown(async () => {
    await app.close()
    await keys.close()
    await simulated.close()
    await courierServer.close()
    await store.close()
    await db.destroy()
    rmSync(directory, { recursive: true, force: true })
  })
  await app.ready()
  return {
    app,
    deps,
    db,
    store,
    keys,
    pepper,
    live,
    simulated,
    inUse,
    lines,
    metrics,
    url,
    adminUrl,
    courierServer,
  }
}

let organizations = 0

export async function anOrganization(
  server: ServerUnderTest,
  type: OrganizationType = 'external',
): Promise<string> {
  organizations++
  const id = `org_${String(organizations).padStart(22, '0')}`
  await server.db
    .insertInto('organizations')
    .values({ id, name: `Organization ${organizations}`, type, created_at: new Date() })
    .execute()
  return id
}

export type KeyOrder = {
  readonly livemode?: boolean
  readonly workspaceId?: string | null
  readonly scopes?: readonly Scope[]
  readonly expiresAt?: Date | null
  readonly operatorId?: string | null
  readonly fromSignIn?: boolean
}

export async function aKey(
  server: ServerUnderTest,
  organizationId: string,
  order: KeyOrder = {},
): Promise<{ readonly id: string; readonly key: string }> {
  return createApiKey(
    server,
    {
      organizationId,
      workspaceId: order.workspaceId ?? null,
      livemode: order.livemode ?? false,
      scopes: order.scopes ?? defaultScopes,
      expiresAt: order.expiresAt ?? null,
      operatorId: order.operatorId ?? null,
      fromSignIn: order.fromSignIn ?? false,
    },
    { actor: { type: 'cli', keyId: null }, requestId: null },
  )
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
}

/** A client with one key. An object body is sent as JSON, a text as it is. */
export function client(app: App, key: string) {
  return async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS',
    url: string,
    body?: object | string | Buffer,
    headers: Record<string, string | string[]> = {},
  ): Promise<Answer> => {
    const reply = await app.inject({
      method,
      url,
      headers: {
        authorization: `Bearer ${key}`,
        ...(typeof body === 'string' || Buffer.isBuffer(body)
          ? { 'content-type': 'application/json' }
          : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: body }),
    })
    const isJson = String(reply.headers['content-type'] ?? '').includes('json')
    const { statusCode: status } = reply
    const answer = isJson && reply.body !== '' ? JSON.parse(reply.body) : reply.body
    const replyHeaders = { get: (name: string) => reply.headers[name]?.toString() ?? null }
    requireDeclared({ method, path: url, status, headers: replyHeaders, body: answer })
    return { status, headers: reply.headers, body: answer }
  }
}
export type Client = ReturnType<typeof client>

export async function aWorkspace(call: Client, reference: string): Promise<string> {
  const made = await call('POST', '/v1/workspaces', { name: 'Shop', external_reference: reference })
  return made.body.id
}

export async function aConnection(call: Client, workspaceId: string): Promise<string> {
  const made = await call('POST', '/v1/courier-connections', {
    workspace_id: workspaceId,
    provider_code: 'mock',
    display_name: 'Simulated account',
    credentials: { username: 'shop', password: 'canary-password' },
  })
  return made.body.id
}
