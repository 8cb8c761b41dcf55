import { sql } from 'kysely'
import { z } from 'zod'
import { instant, rfc3339 } from '../../domain/decider.ts'
import { shipmentIdOf } from '../../domain/ids.ts'
import {
  latestAttempt,
  openOperationOf,
  type Shipment,
  shipmentStatuses,
  statusOf,
} from '../../domain/shipment.ts'
import { trackingStatuses } from '../../domain/tracking.ts'
import { loadShipment } from '../../event-store/transact.ts'
import type { Principal } from '../../security/api-keys.ts'
import { authenticated } from '../authenticate.ts'
import { findConnection } from '../connections.ts'
import { createdRange } from '../created-range.ts'
import type { App } from '../deps.ts'
import { isWithinReach } from '../find-shipment.ts'
import { keyToFind } from '../idempotency-key.ts'
import type { LedgerDeps } from '../ledger-deps.ts'
import { type CursorValues, listPage } from '../lists.ts'
import { filterText, idOf, listOf, listQuery } from '../schemas.ts'
import { openFor, shipmentObject, shipmentSchema } from '../shipments.ts'

const tags = ['Shipments']

const filters = {
  workspace_id: idOf('ws').optional(),
  courier_connection_id: idOf('ccn').optional(),
  status: z.enum(shipmentStatuses).optional(),
  tracking_status: z.enum(trackingStatuses).optional(),
  external_reference: filterText(255).optional(),
  idempotency_key: filterText(257).transform(keyToFind).optional(),
  guide_number: filterText(64).optional(),
  has_open_operation: z.enum(['true', 'false']).optional(),
  ...createdRange,
}
type Filters = { readonly [K in keyof typeof filters]?: z.infer<(typeof filters)[K]> }
type Row = { readonly shipment_id: string; readonly state: Shipment }

export function shipmentListRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/shipments',
    config: { collectionScope: 'shipments:read', problems: ['not_found'] },
    schema: {
      operationId: 'listShipments',
      summary: 'List shipments, newest first',
      tags,
      querystring: listQuery(filters),
      response: { 200: listOf(shipmentSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const { query } = request
      if (query.workspace_id !== undefined)
        await deps.workspaces.require(principal, query.workspace_id)
      if (query.courier_connection_id !== undefined) {
        await findConnection(deps, principal, query.courier_connection_id)
      }
      const read = (after: CursorValues | null, limit: number) =>
        query.idempotency_key !== undefined && query.workspace_id !== undefined
          ? ofKey(deps, principal, query, query.workspace_id, query.idempotency_key)
          : listed(deps, principal, query, after, limit)
      const page = await listPage<Row, Row>({
        deps,
        principal,
        route: '/v1/shipments',
        query,
        read,
        sortKey: (row) => [rfc3339(row.state.createdAt), row.shipment_id],
        item: (row) => row,
      })
      const opened = await openFor(
        deps.processes.vault,
        page.data.map((row) => row.state),
      )
      return {
        ...page,
        data: page.data.map((row) => shipmentObject(row.shipment_id, row.state, opened)),
      }
    },
  })
}

async function listed(
  deps: LedgerDeps,
  principal: Principal,
  query: Filters,
  after: CursorValues | null,
  limit: number,
): Promise<readonly Row[]> {
  let rows = deps.processes.db
    .selectFrom('projections.shipments')
    .select(['shipment_id', 'state'])
    .where('organization_id', '=', principal.organizationId)
    .where('livemode', '=', principal.livemode)
  const workspace = query.workspace_id ?? principal.workspaceId
  if (workspace !== null) rows = rows.where('workspace_id', '=', workspace)
  const equal = [
    'courier_connection_id',
    'status',
    'tracking_status',
    'external_reference',
    'idempotency_key',
    'guide_number',
  ] as const
  for (const column of equal) {
    const value = query[column]
    if (value !== undefined) rows = rows.where(column, '=', value)
  }
  if (query.has_open_operation !== undefined) {
    const is = query.has_open_operation === 'true' ? 'is not' : 'is'
    rows = rows.where('open_operation_id', is, null)
  }
  // The cursor is a page's end within the same bounds, and below the upper ones. Given both, the
  // database may begin to read at the wrong one.
  const upper = [
    ['lte', '<='],
    ['lt', '<'],
  ] as const
  const lower = [
    ['gte', '>='],
    ['gt', '>'],
  ] as const
  for (const [name, operator] of after === null ? [...lower, ...upper] : lower) {
    const value = query[`created_at[${name}]`]
    if (value !== undefined) rows = rows.where('created_at', operator, new Date(value))
  }
  if (after !== null) {
    const [at = '', id = ''] = after
    rows = rows.where(sql<boolean>`(created_at, shipment_id) < (${at}::timestamptz, ${id})`)
  }
  return await rows
    .orderBy('created_at', 'desc')
    .orderBy('shipment_id', 'desc')
    .limit(limit)
    .execute()
}

/** A key names one shipment: its stream is asked, which never lags. */
async function ofKey(
  deps: LedgerDeps,
  principal: Principal,
  query: Filters,
  workspaceId: string,
  idempotencyKey: string,
): Promise<readonly Row[]> {
  const shipmentId = shipmentIdOf({ ...principal, workspaceId, idempotencyKey })
  const { state } = await loadShipment(deps.store, shipmentId)
  if (state === null || !isWithinReach(principal, state)) return []
  return fits(state, query) ? [{ shipment_id: shipmentId, state }] : []
}

function fits(state: Shipment, query: Filters): boolean {
  const isOpen = openOperationOf(state) !== null
  const facts: readonly [string | undefined, string | null][] = [
    [query.courier_connection_id, state.request.courier_connection_id],
    [query.status, statusOf(state)],
    [query.tracking_status, state.tracking.status],
    [query.external_reference, state.request.external_reference],
    [query.guide_number, latestAttempt(state)?.guide?.guideNumber ?? null],
    [query.has_open_operation, String(isOpen)],
  ]
  const bounds = [
    (query['created_at[gte]'] ?? null) === null ||
      state.createdAt >= instant(query['created_at[gte]'] ?? ''),
    (query['created_at[gt]'] ?? null) === null ||
      state.createdAt > instant(query['created_at[gt]'] ?? ''),
    (query['created_at[lte]'] ?? null) === null ||
      state.createdAt <= instant(query['created_at[lte]'] ?? ''),
    (query['created_at[lt]'] ?? null) === null ||
      state.createdAt < instant(query['created_at[lt]'] ?? ''),
  ]
  return (
    bounds.every(Boolean) && facts.every(([wanted, is]) => wanted === undefined || wanted === is)
  )
}
