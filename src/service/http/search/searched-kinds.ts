import { type Expression, type SqlBool, sql } from 'kysely'
import type { Principal, Scope } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'

export type SearchedText = {
  readonly column: string
  readonly matched: 'external_reference' | 'idempotency_key' | 'guide_number'
  /** The text begins the column, is the whole column, or is one of a list. */
  readonly by: 'beginning' | 'whole' | 'item'
}

const reference = {
  column: 'external_reference',
  matched: 'external_reference',
  by: 'beginning',
} as const
const key = { column: 'idempotency_key', matched: 'idempotency_key', by: 'whole' } as const
const guide = { column: 'guide_number', matched: 'guide_number', by: 'whole' } as const
/** Also a guide that the shipment does not use. */
const seenGuide = { column: 'guide_numbers', matched: 'guide_number', by: 'item' } as const

type SearchedKind = {
  readonly prefix: string
  readonly type: string
  /** Without this scope the key finds none of them. */
  readonly scope: Scope
  readonly table: string
  readonly id: string
  /** Whether the index of ids is in lowercase rather than as they are. */
  readonly isLowered: boolean
  /** The column that is a title for people. */
  readonly title: string | null
  readonly status: string | null
  /** The columns in which the text is searched, and how. */
  readonly texts: readonly SearchedText[]
  readonly where?: Expression<SqlBool>
}

const byId = { id: 'id', isLowered: false, status: null, texts: [] } as const
const notDeleted = sql<SqlBool>`deleted_at IS NULL`

/** What a search finds, the most wanted first. */
export const searchedKinds = [
  {
    prefix: 'shp',
    type: 'shipment',
    scope: 'shipments:read',
    table: 'projections.shipments',
    id: 'shipment_id',
    isLowered: false,
    title: 'external_reference',
    status: 'status',
    texts: [reference, key, guide],
  },
  {
    prefix: 'op',
    type: 'operation',
    scope: 'operations:read',
    table: 'projections.operations',
    id: 'operation_id',
    isLowered: false,
    title: 'external_reference',
    status: 'status',
    texts: [reference, key, seenGuide],
  },
  {
    ...byId,
    prefix: 'bat',
    type: 'batch',
    scope: 'shipments:read',
    table: 'batches',
    title: 'external_reference',
    texts: [reference],
  },
  {
    ...byId,
    prefix: 'req',
    type: 'request',
    isLowered: true,
    scope: 'operations:read',
    table: 'request_log',
    title: 'route',
    status: 'status',
  },
  {
    ...byId,
    prefix: 'evt',
    type: 'webhook_event',
    scope: 'webhooks:read',
    table: 'webhook_events',
    title: 'type',
  },
  {
    ...byId,
    prefix: 'dlv',
    type: 'webhook_delivery',
    scope: 'webhooks:read',
    table: 'webhook_deliveries',
    title: 'event_type',
    status: 'state',
  },
  {
    ...byId,
    prefix: 'whe',
    type: 'webhook_endpoint',
    scope: 'webhooks:read',
    table: 'webhook_endpoints',
    title: 'description',
    status: 'status',
    where: notDeleted,
  },
  {
    ...byId,
    prefix: 'ws',
    type: 'workspace',
    scope: 'workspaces:read',
    table: 'workspaces',
    title: 'name',
  },
  {
    ...byId,
    prefix: 'ccn',
    type: 'courier_connection',
    scope: 'connections:read',
    table: 'courier_connections',
    title: 'display_name',
    status: 'status',
    where: notDeleted,
  },
  {
    ...byId,
    prefix: 'quo',
    type: 'quote',
    scope: 'shipments:read',
    table: 'quotes',
    title: null,
  },
  {
    ...byId,
    prefix: 'key',
    type: 'api_key',
    scope: 'workspaces:read',
    table: 'api_keys',
    title: null,
  },
  {
    ...byId,
    prefix: 'opr',
    type: 'operator',
    scope: 'operations:read',
    table: 'operators',
    title: 'name',
    status: 'status',
  },
] as const satisfies readonly SearchedKind[]

export type Searched = SearchedKind & (typeof searchedKinds)[number]

/** A workspace's own id is its owner column; operators are the organization's, in both modes. */
export function tenantScopeOf({ prefix }: SearchedKind, principal: Principal) {
  if (prefix === 'opr') return sql<SqlBool>`organization_id = ${principal.organizationId}`
  return inTenantScope(principal, prefix === 'ws' ? { workspaceId: 'id' } : {})
}

/** The column with the workspace; null if it belongs to none. */
export function workspaceColumnOf({ prefix }: SearchedKind): string | null {
  if (prefix === 'opr') return null
  return prefix === 'ws' ? 'id' : 'workspace_id'
}
