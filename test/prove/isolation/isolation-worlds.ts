import { randomUUID } from 'node:crypto'
import { createApiKey, revokeApiKey, scopes } from '../../../src/service/security/api-keys.ts'
import { createOperator } from '../../../src/service/security/operators.ts'
import { createOrganization } from '../../../src/service/security/organizations.ts'
import { type ApiClient, apiClient, freshShop } from '../../support/api-client.ts'
import { eventually } from '../../support/eventually.ts'
import type { Service } from '../../support/service.ts'

/** All resources of a workspace that can be named, by kind. */
export type World = Readonly<Record<Kind, string>> & {
  /** Secrets in its rows that are never shown again: passwords and keys. */
  readonly secrets: readonly string[]
}
export const kinds = [
  ...(['workspace', 'connection', 'shipment', 'operation', 'quote', 'endpoint'] as const),
  ...(['event', 'delivery', 'guide', 'reference', 'key', 'tag', 'request', 'person'] as const),
  ...(['position', 'act', 'operator', 'credential', 'noted', 'batch', 'invoice'] as const),
] as const
export type Kind = (typeof kinds)[number]

/** A caller, its own resources, and whose resources it tries to name. */
export type Reach = {
  readonly name: ReachName
  readonly apiKey: string
  readonly own: World
  readonly victims: readonly World[]
  /** Cursors of lists of the victims' owner. */
  readonly cursors: readonly string[]
  /** The owners of the rows that must not change. */
  readonly guarded: { readonly organizationId: string | null; readonly workspaceIds: string[] }
}
type ReachName =
  | 'foreign'
  | 'foreign without scopes'
  | 'sibling'
  | 'mode'
  | 'revoked'
  | 'expired'
  | 'own without scopes'

/** The value of an id that does not exist. */
export const noValue = '0'.repeat(22)
/** Ids that never existed. */
export const nobody: World = {
  workspace: `ws_${noValue}`,
  connection: `ccn_${noValue}`,
  shipment: `shp_${noValue}`,
  quote: `quo_${noValue}`,
  operation: `op_${noValue}01`,
  endpoint: `whe_${noValue}`,
  event: `evt_${noValue}`,
  delivery: `dlv_${noValue}`,
  guide: 'SG00000000000000',
  reference: 'order of nobody',
  key: 'key of nobody'.replaceAll(' ', '-'),
  tag: '"99999"',
  request: `req_${noValue}`,
  person: 'Nadie',
  position: '9'.repeat(20),
  act: '00000000-0000-4000-8000-000000000000',
  operator: `opr_${noValue}`,
  credential: `key_${noValue}`,
  invoice: `inv_${noValue}`,
  // Callers send `request` themselves, so this is a different one.
  noted: `req_${'9'.repeat(22)}`,
  batch: `bat_${noValue}`,
  secrets: [],
}

const by = { actor: { type: 'system', keyId: null }, requestId: null } as const
/** Names that occur nowhere else: wherever one shows up, it has leaked. */
const familyName = 'Canariensis'

async function keyOf(
  shop: Service,
  organizationId: string,
  more: {
    workspaceId?: string
    livemode?: boolean
    scopes?: readonly []
    expiresAt?: Date
  } = {},
) {
  return await createApiKey(
    shop.parts,
    {
      organizationId,
      workspaceId: more.workspaceId ?? null,
      livemode: more.livemode ?? false,
      scopes: more.scopes ?? scopes,
      expiresAt: more.expiresAt ?? null,
    },
    by,
  )
}

async function anOperator(shop: Service, organizationId: string): Promise<string> {
  const order = { organizationId, name: 'Olga', email: 'olga@shop.example' }
  return (await createOperator(shop.parts, order, by)).id
}

type WithKey = { readonly operator: string; readonly credential: string }

async function aWorld(client: ApiClient, name: string, ids: WithKey): Promise<World> {
  // Also valid in URLs.
  const reference = `canary-reference-${name}-${randomUUID()}`
  const key = `canary-key-${name}-${randomUUID()}`
  const person = `${familyName}${name}`
  const names = { first_name: 'Zoraida', last_name: person }
  const recipient = { document_type: 'DNI', document: '40506070', ...names }
  const body = { external_reference: reference, recipient }
  const { workspaceId: workspace_id, connectionId: connection } = client.seeded
  const credentials = { username: `canary-user-${name}`, password: `canary-${randomUUID()}` }
  await client.call(`/v1/courier-connections/${connection}`, {
    method: 'PATCH',
    body: { credentials },
  })
  const { body: endpoint } = await client.call('/v1/webhook-endpoints', {
    body: { workspace_id, url: 'http://127.0.0.1:9/', event_types: ['shipment.*', 'operation.*'] },
  })
  await client.call('/v1/webhook-endpoints', {
    body: { workspace_id, url: 'http://127.0.0.1:9/2', event_types: ['quota.*'] },
  })
  const unknown = await client.create(`lost-${key}`, { scenario: 'duplicate_guides', body })
  const { body: lost } = unknown
  // Only then does the guide in a decision matter.
  await eventually(
    () => client.call(`/v1/operations/${lost.operation_id}`),
    ({ body: operation }) => operation.status === 'needs_review',
  )
  const created = await client.create(key, { body })
  const quote = await client.call('/v1/quotes', { body: client.quoteBody() })
  const batch = await client.call('/v1/batches', {
    body: {
      external_reference: reference,
      items: [{ ...client.bodyOf(`batched-${reference}`), recipient }, { recipient }],
    },
  })
  await eventually(
    () => client.call(`/v1/batches/${batch.body.id}`),
    ({ body: shown }) => shown.ended_at !== null,
  )
  const shipment: string = created.body.id
  const { body: deliveries } = await eventually(
    () =>
      client.call(`/v1/webhook-deliveries?workspace_id=${workspace_id}&shipment_id=${shipment}`),
    ({ body: page }) => page.data.length > 0,
  )
  const [delivery] = deliveries.data
  const { body: history } = await client.call(`/v1/shipments/${shipment}/events`)
  const [{ position }] = history.data
  await eventually(
    () => client.call(`/v1/ledger/proof/${position}`),
    ({ status }) => status === 200,
  )
  const { body: acts } = await eventually(
    () => client.call(`/v1/audit-events?resource_id=${endpoint.id}`),
    ({ body: page }) => page.data.length > 0,
  )
  // In a busy second only some successful requests are logged, but all errors.
  const noted = unknown.headers.get('x-request-id') ?? ''
  await eventually(
    () => client.call(`/v1/requests/${noted}`),
    ({ status }) => status === 200,
  )
  return {
    workspace: workspace_id,
    connection,
    shipment,
    operation: lost.operation_id,
    quote: quote.body.id,
    batch: batch.body.id,
    endpoint: endpoint.id,
    event: delivery.event_id,
    delivery: delivery.id,
    guide: created.body.guide_number,
    reference,
    key,
    person,
    tag: created.headers.get('etag') ?? '"1"',
    request: created.headers.get('x-request-id') ?? '',
    position,
    act: acts.data[0].id,
    noted,
    invoice: await anInvoice(client, created.body),
    ...ids,
    secrets: [...Object.values(credentials), endpoint.secret, client.seeded.shopKey],
  }
}

/** Its reference contains the person's name. */
async function anInvoice(client: ApiClient, { id, guide_number }: Shipped): Promise<string> {
  const { body: own } = await client.call('/v1/key')
  const isAllowed = own.scopes.includes('operations:review')
  const line = { guide_number, amount: 1_450, currency: 'PEN', client_reference: familyName + id }
  const body = {
    courier_connection_id: client.seeded.connectionId,
    reference: `canary-${id}`,
    lines: [line],
  }
  const key = isAllowed ? client.seeded.shopKey : client.seeded.operatorKey
  return (await client.call('/v1/courier-invoices', { body, key })).body.id
}
type Shipped = { readonly id: string; readonly guide_number: string }

const lists = [
  '/v1/workspaces',
  '/v1/keys',
  '/v1/courier-connections',
  '/v1/webhook-endpoints',
  '/v1/events',
  '/v1/webhook-deliveries',
  '/v1/shipments',
  '/v1/operations',
  '/v1/audit-events',
  '/v1/operators',
  '/v1/courier-invoices',
  '/v1/requests',
]

async function cursorsOf(client: ApiClient): Promise<readonly string[]> {
  const pages = await Promise.all(lists.map((path) => client.call(`${path}?limit=1`)))
  return pages.flatMap(({ body }) => body.next_cursor ?? [])
}

/** Two organizations, one of them with two workspaces and both modes, and all callers. */
export async function reaches(shop: Service): Promise<readonly Reach[]> {
  const { organizationId } = shop.seeded
  const operator = await anOperator(shop, organizationId)
  const keyIdOf = async (client: ApiClient, owner: string) =>
    (await keyOf(shop, owner, { workspaceId: client.seeded.workspaceId })).id
  const credential = await keyIdOf(shop, organizationId)
  const mine = await aWorld(shop, 'mine', { operator, credential })
  const sibling = await freshShop(shop, 'canary sibling')
  const theirKey = await keyIdOf(sibling, organizationId)
  const siblings = await aWorld(sibling, 'sibling', { operator, credential: theirKey })
  const stranger = await createOrganization(shop.parts, { name: 'Strangers', type: 'external' }, by)
  // A proof makes more requests per minute than any plan allows.
  await shop.parts.db.updateTable('plans').set({ requests_per_minute: null }).execute()
  const strangerKey = (await keyOf(shop, stranger.id)).key
  const strangers = await freshShop(
    apiClient(shop.url, { ...shop.seeded, shopKey: strangerKey }),
    'strangers',
  )
  const strange = await anOperator(shop, stranger.id)
  const theirs = await aWorld(strangers, 'strangers', {
    operator: strange,
    credential: await keyIdOf(strangers, stranger.id),
  })
  // An organization's operators are in scope for each of its keys.
  const withinOrganization = (world: World): World => ({ ...world, operator: strange })
  const revoked = await keyOf(shop, organizationId)
  await revokeApiKey(shop.parts, revoked.id, by)
  const expiresAt = new Date(Date.now() - 1_000)
  const bound = { workspaceId: mine.workspace }
  const scopeless = { scopes: [] } as const
  const workspaceIds = [mine.workspace, siblings.workspace]
  const common = { cursors: await cursorsOf(shop), victims: [mine, siblings] }
  const all = { organizationId, workspaceIds }
  const within = { organizationId: null, workspaceIds }
  const of = async (more: Parameters<typeof keyOf>[2]) =>
    (await keyOf(shop, organizationId, more)).key
  return [
    { ...common, name: 'foreign', apiKey: strangerKey, own: theirs, guarded: all },
    {
      ...common,
      name: 'foreign without scopes',
      own: theirs,
      guarded: all,
      apiKey: (await keyOf(shop, stranger.id, scopeless)).key,
    },
    {
      ...common,
      name: 'sibling',
      apiKey: await of(bound),
      own: mine,
      victims: [withinOrganization(siblings)],
      guarded: { organizationId: null, workspaceIds: [siblings.workspace] },
    },
    {
      ...common,
      name: 'mode',
      apiKey: await of({ livemode: true }),
      own: nobody,
      victims: [mine, siblings].map(withinOrganization),
      guarded: within,
    },
    { ...common, name: 'revoked', apiKey: revoked.key, own: mine, guarded: within },
    { ...common, name: 'expired', apiKey: await of({ expiresAt }), own: mine, guarded: within },
    {
      ...common,
      name: 'own without scopes',
      apiKey: await of(scopeless),
      own: mine,
      guarded: within,
    },
  ]
}
