import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Tables } from '../../../projections/tables.ts'
import { apiOf } from '../../../src/service/api.ts'
import { createApiKey, defaultScopes } from '../../../src/service/security/api-keys.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { explain } from '../../support/explained.ts'
import { noLogger, type Service } from '../../support/service.ts'
import { type Filled, manyId } from './list-rows.ts'

type Bounds = {
  /** Pages of 8 KiB that the queries of a request read, cached or not. */
  readonly buffersMax: number
  /** Rows read and discarded per page. */
  readonly removedMax: number
  /** A table small enough to be read completely. */
  readonly scanned?: string
}

/** A page shows 25 rows: reading an index, these rows and their joins fits in this. */
const listBounds: Bounds = { buffersMax: 400, removedMax: 500 }
/** A text without a known prefix is looked up in eleven indexes, in up to 64 ranges each. */
const searchBounds: Bounds = { buffersMax: 4_000, removedMax: 500 }
/** The request log has no index for its filters: it keeps at most 200,000 rows of an organization. */
const logBounds: Bounds = { buffersMax: 200_000, removedMax: 200_000, scanned: 'request_log' }

function boundsOf(request: string): Bounds {
  if (request.startsWith('/v1/search')) return searchBounds
  return request.startsWith('/v1/requests?status=4xx') ? logBounds : listBounds
}

export type ListPlan = {
  readonly request: string
  /** The problem; null if there is none. */
  readonly fault: string | null
  readonly ms: number
  readonly buffers: number
  readonly removed: number
  readonly indexes: readonly string[]
}

type Query = { readonly sql: string; readonly parameters: readonly unknown[] }
/** Tables as large as the lists' own, which no query may read completely. */
const large =
  /^(shipments|operations|audit_events)_g\d+$|^(workspaces|courier_connections|api_keys|webhook_\w+|request_log)$/

/**
 * Every list request with every filter, with values that are common, rare and absent; paired: each
 * also combined with a large and a small workspace.
 */
function listRequests(filled: Filled, paired: boolean): readonly string[] {
  const { workspaceId, smallWorkspaceId, connectionId, smallConnectionId } = filled
  const day = '2026-01-01T00:00:00Z'
  const shipments = [
    ...['created', 'unknown_outcome', 'cancelling'].map((value) => `status=${value}`),
    ...['delivered', 'lost', 'returned'].map((value) => `tracking_status=${value}`),
    ...['the%20same', 'order-77', 'none'].map((value) => `external_reference=${value}`),
    ...['key-77', 'none'].map((value) => `idempotency_key=${value}`),
    ...['G-99', 'none'].map((value) => `guide_number=${value}`),
    ...['true', 'false'].map((value) => `has_open_operation=${value}`),
    ...[connectionId, smallConnectionId].map((value) => `courier_connection_id=${value}`),
    ...['gte', 'gt', 'lte', 'lt'].map((name) => `created_at[${name}]=${day}`),
  ]
  const operations = [
    ...['needs_review', 'resolved', 'reconciling'].map((value) => `status=${value}`),
    ...['guide_exists', 'human_review', 'nothing_created'].map((value) => `result=${value}`),
    ...['response_lost', 'process_died', 'courier_error'].map((value) => `cause=${value}`),
    ...['the%20same', 'order-77', 'none'].map((value) => `external_reference=${value}`),
    ...['key-77', 'none'].map((value) => `idempotency_key=${value}`),
    ...['shipment_creation', 'shipment_cancellation'].map((value) => `type=${value}`),
    ...['contradicted', 'escalated', 'unconfirmed', 'surplus'].flatMap((name) =>
      ['true', 'false'].map((value) => `${name}=${value}`),
    ),
    ...['mock', 'rare', 'none'].map((value) => `provider_code=${value}`),
    ...['none', filled.operatorId].map((value) => `assignee=${value}`),
    ...['snoozed', 'open'].flatMap((name) => ['true', 'false'].map((value) => `${name}=${value}`)),
    ...['gte', 'gt', 'lte', 'lt'].map((name) => `created_at[${name}]=${day}`),
    ...['gte', 'lt'].map((name) => `order=oldest&created_at[${name}]=${day}`),
    'older_than_seconds=3600',
    'older_than_seconds=31536000',
    'order=oldest',
    'order=oldest&status=needs_review',
    'order=oldest&status=resolved',
    ...['3600', '31536000'].map((value) => `order=oldest&older_than_seconds=${value}`),
    'order=oldest&open=true&older_than_seconds=28800',
    'order=oldest&open=true&assignee=none',
    'order=oldest&surplus=true',
  ]
  const webhooks = [
    `shipment_id=${filled.shipmentId}`,
    ...['gte', 'lt'].map((name) => `created_at[${name}]=${day}`),
  ]
  const types = ['shipment.created', 'tracking.lost', 'tracking.returned']
  const deliveries = [
    ...webhooks,
    ...types.map((value) => `event_type=${value}`),
    ...['pending', 'delivered', 'dead', 'discarded'].map((value) => `state=${value}`),
    ...['dead', 'delivered'].map((value) => `endpoint_id=${filled.endpointId}&state=${value}`),
    `endpoint_id=${filled.endpointId}`,
    `event_id=${filled.eventId}`,
  ]
  const acts = [
    ...['WorkspaceChanged', 'ApiKeyRevoked', 'LedgerMoved', 'LedgerRecovered'].map(
      (value) => `action=${value}`,
    ),
    ...['workspace', 'api_key', 'ledger'].map((value) => `resource_type=${value}`),
    ...[workspaceId, smallWorkspaceId, 'none'].map((value) => `resource_id=${value}`),
    `key_id=key_${'0'.repeat(21)}1`,
    'operator_id=none',
    ...['gte', 'gt', 'lte', 'lt'].map((name) => `created_at[${name}]=${day}`),
  ]
  const requests = [
    `id=req_${'0'.repeat(20)}`,
    'id=req_nothing',
    ...['gte', 'gt', 'lte', 'lt'].map((name) => `created_at[${name}]=${day}`),
    ...['2xx', '4xx'].map((value) => `status=${value}`),
  ]
  const texts = [
    'order-77',
    'order-',
    'the',
    'G-99',
    'H-99',
    'none',
    filled.shipmentId,
    filled.shipmentId.slice(0, 10),
    filled.shipmentId.slice(4, 10),
    'shp_abcdef',
    'req_abcdef',
    'abcdef',
    'ABCdef12',
  ]
  const workspaces = [`workspace_id=${workspaceId}`, `workspace_id=${smallWorkspaceId}`]
  const withWorkspaces = (path: string, filters: readonly string[]) =>
    [
      '',
      ...workspaces,
      ...filters,
      ...(paired ? filters.flatMap((one) => workspaces.map((ws) => `${one}&${ws}`)) : []),
    ].map((query) => `${path}?${query}`)
  return [
    ...withWorkspaces('/v1/shipments', shipments),
    ...withWorkspaces('/v1/operations', operations),
    ...withWorkspaces('/v1/events', [...webhooks, ...types.map((value) => `type=${value}`)]),
    ...withWorkspaces('/v1/webhook-deliveries', deliveries),
    ...withWorkspaces('/v1/audit-events', acts),
    ...['', ...requests].map((query) => `/v1/requests?${query}`),
    ...texts.map((text) => `/v1/search?text=${text}`),
  ]
}

/** The lists of an organization with very many workspaces, connections and keys. */
const tenantRequests: readonly string[] = [
  '/v1/workspaces?',
  '/v1/workspaces?external_reference=shop-77',
  '/v1/webhook-endpoints?',
  '/v1/webhook-endpoints?status=disabled',
  '/v1/courier-connections?',
  '/v1/courier-connections?provider_code=rare',
  '/v1/courier-connections?provider_code=none',
  '/v1/courier-connections?status=active',
  '/v1/courier-connections?status=needs_reauth',
  '/v1/courier-connections?status=disabled',
  '/v1/keys?',
]

/**
 * Makes the requests, each with its second page, on an API that records its queries, and explains
 * every query with its parameters.
 */
export async function listPlans(
  shop: Service,
  filled: Filled,
  { paired }: { readonly paired: boolean },
): Promise<readonly ListPlan[]> {
  const api = notingApi(shop)
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  const explained = async (key: string, urls: readonly string[]) => {
    const plans: ListPlan[] = []
    for (const url of urls) plans.push(...(await plansOf(api, client, key, url)))
    return plans
  }
  try {
    const many = await keyOf(shop, manyId)
    const platform = await createOrganization(shop.parts, { name: 'P', type: 'platform' }, by)
    const theirs = await keyOf(shop, platform.id)
    return [
      ...(await explained(shop.seeded.shopKey, listRequests(filled, paired))),
      ...(await explained(many, tenantRequests)),
      ...(await explained(theirs, ['/v1/operations?', '/v1/operations?status=needs_review'])),
      ...(await explained(shop.seeded.shopKey, ['/v1/health'])),
    ]
  } finally {
    await client.end()
    await api.app.close()
    await api.keys.close()
  }
}

const by = { actor: { type: 'cli', keyId: null }, requestId: null } as const

async function keyOf(shop: Service, organizationId: string): Promise<string> {
  await shop.parts.db
    .insertInto('organizations')
    .values({ id: organizationId, name: 'Many', type: 'external', created_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const order = { organizationId, workspaceId: null, livemode: false, expiresAt: null }
  return (await createApiKey(shop.parts, { ...order, scopes: defaultScopes }, by)).key
}

/** The API with a record of its queries. */
function notingApi(shop: Service) {
  const noted: Query[] = []
  const { parts } = shop
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: parts.pool }),
    log: ({ query }) => void noted.push({ sql: query.sql, parameters: query.parameters }),
  })
  return { ...apiOf({ ...parts, db }, noLogger()), noted }
}

async function plansOf(
  { app, noted }: ReturnType<typeof notingApi>,
  client: pg.Client,
  key: string,
  url: string,
): Promise<readonly ListPlan[]> {
  const plans: ListPlan[] = []
  let address = url
  for (const page of ['', ' (page 2)']) {
    noted.length = 0
    const headers = { authorization: `Bearer ${key}` }
    const answer = await app.inject({ url: address, headers })
    if (answer.statusCode !== 200) throw new Error(`${address}: ${answer.body}`)
    const queries = noted.filter(({ sql }) => /^\s*select/i.test(sql))
    plans.push(await planOf(client, url + page, queries))
    const { next_cursor: cursor } = answer.json() as { next_cursor?: string | null }
    if (cursor == null) break
    address = `${url}&cursor=${encodeURIComponent(cursor)}`
  }
  return plans
}

async function planOf(
  client: pg.Client,
  request: string,
  queries: readonly Query[],
): Promise<ListPlan> {
  const faults: string[] = []
  const indexes = new Set<string>()
  const { buffersMax, removedMax, scanned } = boundsOf(request)
  let [ms, buffers, removed] = [0, 0, 0]
  for (const { sql, parameters } of queries) {
    const explained = await explain(client, sql, parameters)
    ms += explained.ms
    buffers += explained.buffers
    for (const node of explained.nodes) {
      removed += (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
      const table = node['Relation Name'] ?? ''
      if (node['Node Type'] === 'Seq Scan' && large.test(table) && table !== scanned) {
        faults.push(`scans ${table}`)
      }
      if (node['Index Name'] !== undefined) indexes.add(node['Index Name'])
    }
  }
  if (buffers > buffersMax) faults.push(`reads ${buffers} buffers`)
  if (removed > removedMax) faults.push(`leaves out ${removed} rows`)
  const fault = faults.length === 0 ? null : faults.join(', ')
  return { request, fault, ms, buffers, removed, indexes: [...indexes] }
}
