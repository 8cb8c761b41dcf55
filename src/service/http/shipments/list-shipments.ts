import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { instant, rfc3339 } from '../../domain/decider.ts'
import { shipmentIdOf } from '../../domain/ids.ts'
import {
  findCurrentAttempt,
  openOperationOf,
  type Shipment,
  shipmentStatuses,
  statusOf,
} from '../../domain/shipment/shipment.ts'
import { trackingStatuses } from '../../domain/tracking/tracking.ts'
import { loadShipment, withStates } from '../../event-store/transact.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope, isInTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, App } from '../api-services.ts'
import { named } from '../named-filters.ts'
import { filterText, listOf, listQuery } from '../openapi/schemas.ts'
import { answerList, newestFirst } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRange,
  equals,
  type Filter,
  type FilterValues,
  filter,
  findNamed,
  parametersOf,
} from '../rules/filters.ts'
import { keyToFind } from '../rules/idempotency-key.ts'
import type { PagePlace } from '../rules/lists.ts'
import {
  decryptFor,
  type ShipmentObject,
  shipmentObject,
  shipmentSchema,
} from './shipment-schema.ts'

/** A filter that can also test a shipment read from its stream. */
type ShipmentFilter<Schema extends z.ZodType<string> = z.ZodType<string>> = Filter<Schema> & {
  readonly fits: (state: Shipment, value: string) => boolean
}

function fact<Schema extends z.ZodType<string>>(
  declared: Filter<Schema>,
  factOf: (state: Shipment) => string | null,
): ShipmentFilter<Schema> {
  return { ...declared, fits: (state, value) => factOf(state) === value }
}

const openOperation = filter(
  z.enum(['true', 'false']).meta({
    description:
      '`true`: only shipments with an operation whose outcome is not certain yet. `false`: only the others.',
  }),
  (value) => sql<SqlBool>`open_operation_id IS ${value === 'true' ? sql`NOT NULL` : sql`NULL`}`,
)
const hasOpenOperation = (state: Shipment) => String(openOperationOf(state) !== null)

/**
 * The filters of the list. Each one that is declared here is documented, bound to the cursor and
 * applied.
 */
export const shipmentFilters = {
  workspace_id: fact(named.workspace_id, ({ request }) => request.workspace_id),
  courier_connection_id: fact(
    named.courier_connection_id,
    ({ request }) => request.courier_connection_id,
  ),
  status: fact(
    equals(
      z.enum(shipmentStatuses).meta({ description: 'Only shipments in this status.' }),
      'status',
    ),
    statusOf,
  ),
  tracking_status: fact(
    equals(
      z
        .enum(trackingStatuses)
        .meta({ description: 'Only shipments whose parcel has this tracking status.' }),
      'tracking_status',
    ),
    ({ tracking }) => tracking.status,
  ),
  external_reference: fact(
    equals(
      filterText(255).meta({ description: 'Only shipments with exactly this reference.' }),
      'external_reference',
    ),
    ({ request }) => request.external_reference.normalize('NFC'),
  ),
  idempotency_key: fact(
    equals(
      filterText(257).transform(keyToFind).meta({
        description:
          'Only shipments created with this `Idempotency-Key`. With `workspace_id`, the response never lags.',
      }),
      'idempotency_key',
    ),
    ({ request }) => request.idempotency_key,
  ),
  guide_number: fact(
    equals(
      filterText(64).meta({ description: 'Only shipments with exactly this guide number.' }),
      'guide_number',
    ),
    (state) => findCurrentAttempt(state)?.guide?.guideNumber ?? null,
  ),
  has_open_operation: fact(openOperation, hasOpenOperation),
  'created_at[gte]': {
    ...createdRange['created_at[gte]'],
    fits: (state, value) => state.createdAt >= instant(value),
  },
  'created_at[gt]': {
    ...createdRange['created_at[gt]'],
    fits: (state, value) => state.createdAt > instant(value),
  },
  'created_at[lte]': {
    ...createdRange['created_at[lte]'],
    fits: (state, value) => state.createdAt <= instant(value),
  },
  'created_at[lt]': {
    ...createdRange['created_at[lt]'],
    fits: (state, value) => state.createdAt < instant(value),
  },
} satisfies Record<string, ShipmentFilter>
type Query = FilterValues<typeof shipmentFilters>
type Row = {
  readonly shipment_id: string
  readonly version: number
  readonly created_at: Date
}

export function listShipmentsRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'GET',
    url: '/v1/shipments',
    config: { collectionScope: 'shipments:read', problems: ['not_found'] },
    schema: {
      operationId: 'listShipments',
      summary: 'List shipments, newest first',
      description:
        'Filters are combined with *and*. The list follows changes within about a second; reading one shipment never lags.',
      tags: ['Shipments'],
      querystring: listQuery(parametersOf(shipmentFilters)),
      response: { 200: listOf(shipmentSchema, 'A page of shipments, newest first.') },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      await findNamed(shipmentFilters, query, deps, principal)
      const { workspace_id: workspaceId, idempotency_key: idempotencyKey } = query
      return await answerList(request, deps, {
        read: (place) =>
          idempotencyKey !== undefined && workspaceId !== undefined
            ? ofKey(deps, principal, query, { workspaceId, idempotencyKey })
            : listed(deps, principal, query, place),
        sortKey: (row) => [rfc3339(row.created_at.getTime()), row.shipment_id],
        show: (rows) => objectsOf(deps, rows),
      })
    },
  })
}

async function listed(
  { db }: ApiServices,
  principal: Principal,
  query: Query,
  place: PagePlace,
): Promise<readonly Row[]> {
  return await db
    .selectFrom('projections.shipments')
    .select(['shipment_id', 'version', 'created_at'])
    .where(inTenantScope(principal))
    .$call(newestFirst(shipmentFilters, query, place, 'shipment_id'))
    .execute()
}

async function objectsOf(
  deps: ApiServices,
  rows: readonly Row[],
): Promise<readonly ShipmentObject[]> {
  const folded = await withStates(deps.store, rows)
  const states = folded.map(({ state }) => state)
  const decrypted = await decryptFor(deps, states)
  return folded.map((row) => shipmentObject(row.shipment_id, row.state, decrypted))
}

/** A key names one shipment, so this reads its stream, which never lags. */
async function ofKey(
  deps: ApiServices,
  principal: Principal,
  query: Query,
  key: { readonly workspaceId: string; readonly idempotencyKey: string },
): Promise<readonly Row[]> {
  const shipmentId = shipmentIdOf({ ...principal, ...key })
  const { state } = await loadShipment(deps.store, shipmentId)
  if (state === null || !isInTenantScope(principal, state.request)) return []
  if (!fits(state, query)) return []
  const { version, createdAt } = state
  return [{ shipment_id: shipmentId, version, created_at: new Date(createdAt) }]
}

function fits(state: Shipment, query: Query): boolean {
  const table: Readonly<Record<string, ShipmentFilter>> = shipmentFilters
  return Object.entries(table).every(([name, declared]) => {
    const value = query[name as keyof Query]
    return value === undefined || declared.fits(state, value)
  })
}
