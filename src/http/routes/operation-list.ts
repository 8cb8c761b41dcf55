import { sql } from 'kysely'
import { z } from 'zod'
import { shipmentIdOf } from '../../domain/ids.ts'
import { operationResults, operationStatuses } from '../../domain/operation.ts'
import type { Shipment } from '../../domain/shipment.ts'
import { causes } from '../../domain/shipment-events.ts'
import { operationOf } from '../../domain/shipment-operations.ts'
import type { Verdict } from '../../domain/shown-operation.ts'
import type { Principal } from '../../security/api-keys.ts'
import { authenticated } from '../authenticate.ts'
import type { App } from '../deps.ts'
import { auditAccess, isPlatform } from '../find-operation.ts'
import { findShipment } from '../find-shipment.ts'
import type { LedgerDeps } from '../ledger-deps.ts'
import { type CursorValues, listPage } from '../lists.ts'
import { operationObject, operationSchema } from '../operations.ts'
import { filterText, idOf, listOf, listQuery } from '../schemas.ts'

const tags = ['Operations']

const filters = {
  status: z.enum(operationStatuses).optional(),
  result: z.enum(operationResults).optional(),
  cause: z.enum(causes).optional(),
  workspace_id: idOf('ws').optional(),
  shipment_id: idOf('shp').optional(),
  external_reference: filterText(255).optional(),
  idempotency_key: filterText(255).optional(),
  older_than_seconds: z
    .string()
    .regex(/^[0-9]{1,9}$/)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      description: 'Only operations created at least so long ago',
    }),
  order: z
    .enum(['newest', 'oldest'])
    .optional()
    .meta({ description: 'Which come first; `newest` unless given' }),
}
type Filters = { readonly [K in keyof typeof filters]?: z.infer<(typeof filters)[K]> }
type Row = {
  readonly operation_id: string
  readonly shipment_id: string
  readonly organization_id: string
  readonly created_at: Date
  readonly state: Shipment
}

export function operationListRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/operations',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'listOperations',
      summary: 'List operations whose outcome was unknown, newest first unless asked otherwise',
      tags,
      querystring: listQuery(filters),
      response: { 200: listOf(operationSchema) },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { query } = request
      if (query.workspace_id !== undefined)
        await deps.workspaces.require(principal, query.workspace_id)
      if (query.shipment_id !== undefined)
        await findShipment(deps.store, principal, query.shipment_id)
      const page = await listPage<Row, Row>({
        deps,
        principal,
        route: '/v1/operations',
        query,
        read: (after, limit) => listed(deps, principal, query, after, limit),
        sortKey: (row) => [row.created_at.toISOString(), row.operation_id],
        item: (row) => row,
      })
      await auditForeign(deps, caller, page.data)
      const verdicts = await verdictsOf(
        deps,
        page.data.filter((row) => row.organization_id === principal.organizationId),
      )
      return { ...page, data: page.data.flatMap((row) => objectOf(row, verdicts)) }
    },
  })
}

function objectOf(row: Row, verdicts: ReadonlyMap<string, Verdict>) {
  const attempt = operationOf(row.state, row.operation_id)
  if (attempt === null) return []
  return [
    operationObject(row.shipment_id, row.state, attempt, verdicts.get(row.operation_id) ?? null),
  ]
}

async function auditForeign(
  deps: LedgerDeps,
  caller: ReturnType<typeof authenticated>,
  rows: readonly Row[],
): Promise<void> {
  const foreign = Map.groupBy(
    rows.filter((row) => row.organization_id !== caller.principal.organizationId),
    (row) => row.organization_id,
  )
  for (const [organizationId, theirs] of foreign) {
    await auditAccess(
      deps,
      caller,
      organizationId,
      theirs.map((row) => row.operation_id),
    )
  }
}

async function listed(
  deps: LedgerDeps,
  principal: Principal,
  query: Filters,
  after: CursorValues | null,
  limit: number,
): Promise<readonly Row[]> {
  const latest = await latestOf(deps, principal, query)
  const page = (rows: Selection) =>
    filtered(rows, principal, query, latest, after)
      .orderBy('o.created_at', isOldestFirst(query) ? 'asc' : 'desc')
      .orderBy('o.operation_id', isOldestFirst(query) ? 'asc' : 'desc')
      .limit(limit)
  const own = page(
    selection(deps.processes.db, principal).where(
      'o.organization_id',
      '=',
      principal.organizationId,
    ),
  )
  if (!isPlatform(principal)) return await own.execute()
  // Two pages made one: a single condition over both would have no index that is in order.
  const escalated = page(
    selection(deps.processes.db.withoutPlugins(), principal)
      .where('o.organization_id', '<>', principal.organizationId)
      .where('o.escalated', '=', true)
      .where('o.status', '<>', 'resolved'),
  )
  const both = await Promise.all([own.execute(), escalated.execute()])
  const inOrder = both.flat().toSorted(newestFirst)
  return (isOldestFirst(query) ? inOrder.toReversed() : inOrder).slice(0, limit)
}

function isOldestFirst({ order }: Filters): boolean {
  return order === 'oldest'
}

function newestFirst(a: Row, b: Row): number {
  const apartMs = b.created_at.getTime() - a.created_at.getTime()
  return apartMs || (a.operation_id < b.operation_id ? 1 : -1)
}

function selection(db: LedgerDeps['processes']['db'], principal: Principal) {
  return db
    .selectFrom('projections.operations as o')
    .innerJoin('projections.timers as t', 't.shipment_id', 'o.shipment_id')
    .select(['o.operation_id', 'o.shipment_id', 'o.organization_id', 'o.created_at'])
    .select('t.listed_state as state')
    .$narrowType<{ state: Shipment }>()
    .where('o.livemode', '=', principal.livemode)
}
type Selection = ReturnType<typeof selection>

function filtered(
  selected: Selection,
  principal: Principal,
  query: Filters,
  latest: Date | null,
  after: CursorValues | null,
): Selection {
  let rows = selected
  const workspace = query.workspace_id ?? principal.workspaceId
  if (workspace !== null) rows = rows.where('o.workspace_id', '=', workspace)
  const equal = [
    'status',
    'result',
    'cause',
    'shipment_id',
    'external_reference',
    'idempotency_key',
  ] as const
  for (const column of equal) {
    const value = query[column]
    if (value !== undefined) rows = rows.where(`o.${column}`, '=', value)
  }
  if (query.idempotency_key !== undefined && query.workspace_id !== undefined) {
    const { workspace_id: workspaceId, idempotency_key: idempotencyKey } = query
    const shipmentId = shipmentIdOf({ ...principal, workspaceId, idempotencyKey })
    rows = rows.where('o.shipment_id', '=', shipmentId)
  }
  if (latest !== null) {
    // Below a cursor everything is: given both, the database may begin to read at the wrong one.
    if (after === null || isOldestFirst(query)) rows = rows.where('o.created_at', '<=', latest)
    if (!principal.livemode) rows = rows.where(isOldInSandbox(Number(query.older_than_seconds)))
  }
  if (after === null) return rows
  const [at = '', id = ''] = after
  const beyond = isOldestFirst(query) ? sql`>` : sql`<`
  return rows.where(
    sql<boolean>`(o.created_at, o.operation_id) ${beyond} (${at}::timestamptz, ${id})`,
  )
}

function isOldInSandbox(seconds: number) {
  return sql<boolean>`o.created_at <= now()
    + coalesce((SELECT offset_ms FROM sandbox_clocks c WHERE c.workspace_id = o.workspace_id), 0)
      * interval '1 millisecond'
    - ${seconds} * interval '1 second'`
}

/**
 * When an operation that is as old as asked for was created at the latest: by the clock of the
 * workspace that is furthest ahead, so that the index can leave out what is younger.
 */
async function latestOf(
  deps: LedgerDeps,
  principal: Principal,
  query: Filters,
): Promise<Date | null> {
  if (query.older_than_seconds === undefined) return null
  const aheadMs = principal.livemode ? 0 : await aheadMsOf(deps, principal, query)
  return new Date(Date.now() + aheadMs - Number(query.older_than_seconds) * 1_000)
}

async function aheadMsOf(deps: LedgerDeps, principal: Principal, query: Filters): Promise<number> {
  // The platform sees escalated operations of every organization.
  const workspaceId = query.workspace_id ?? principal.workspaceId
  const of =
    workspaceId !== null
      ? sql`WHERE workspace_id = ${workspaceId}`
      : isPlatform(principal)
        ? sql``
        : sql`JOIN workspaces w ON w.id = workspace_id
            WHERE w.organization_id = ${principal.organizationId}`
  const { rows } = await sql<{ ahead: string | null }>`
    SELECT max(offset_ms) AS ahead FROM sandbox_clocks ${of}`.execute(deps.processes.db)
  return Number(rows[0]?.ahead ?? 0)
}

/** Who decided and why, for these operations, in one read. */
export async function verdictsOf(
  deps: LedgerDeps,
  rows: readonly Pick<Row, 'operation_id' | 'state'>[],
): Promise<ReadonlyMap<string, Verdict>> {
  const refs = new Map<string, string>()
  for (const row of rows) {
    const ref = operationOf(row.state, row.operation_id)?.resolution?.ref
    if (ref != null && row.state.erasedAt === null) refs.set(row.operation_id, ref)
  }
  const items = await deps.processes.vault.openItems([...refs.values()])
  const verdicts = new Map<string, Verdict>()
  for (const [operationId, ref] of refs) {
    const item = items.get(ref)
    if (item !== undefined && !Buffer.isBuffer(item)) verdicts.set(operationId, item as Verdict)
  }
  return verdicts
}
