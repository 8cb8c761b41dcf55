import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { shipmentIdOf } from '../../domain/ids.ts'
import {
  operationResults,
  operationStatuses,
  operationTypes,
} from '../../domain/operation/operation.ts'
import type { OperatorNotes } from '../../domain/operation/operation-to-api.ts'
import { operationOf, type Shipment } from '../../domain/shipment/shipment.ts'
import { causes } from '../../domain/shipment/shipment-events.ts'
import { Problem } from '../../errors.ts'
import { withStates } from '../../event-store/transact.ts'
import { clockAt } from '../../processes/sandbox/workspace-clock.ts'
import type { Principal } from '../../security/api-keys.ts'
import { inTenantScope } from '../../security/tenant-scope.ts'
import type { ApiServices, App } from '../api-services.ts'
import { named, providerFilter, shipmentFilter, workspaceFilter } from '../named-filters.ts'
import { filterText, idOf, listOf, listQuery } from '../openapi/schemas.ts'
import { reachableOperators } from '../operators/operator-schema.ts'
import { answerList } from '../rules/answer-list.ts'
import { authenticated } from '../rules/authenticate.ts'
import {
  createdRangeOf,
  equals,
  type FilterTable,
  type FilterValues,
  type FindDeps,
  filter,
  findNamed,
  matching,
  parametersOf,
} from '../rules/filters.ts'
import type { CursorValues, PagePlace } from '../rules/lists.ts'
import { auditAccess, isPlatform } from './find-operation.ts'
import type { OperationDeps } from './operation-act.ts'
import { type OperationObject, operationObject, operationSchema } from './operation-schema.ts'
import { notesOf, ownerNotes, platformNotes } from './operator-notes.ts'

/** `true`: only operations for which it holds. `false`: only the others. */
const flag = (description: string) => z.enum(['true', 'false']).meta({ description })
const age = z
  .string()
  .regex(/^[0-9]{1,9}$/)
  .meta({
    type: 'integer',
    minimum: 0,
    description: 'Only operations created at least this many seconds ago.',
  })

const assignee = z.union([z.enum(['me', 'none']), idOf('opr')]).meta({
  description:
    "Only operations that this operator works on: an operator's id, `me` for the operator of the key, or `none`.",
})

/** An id of another organization's operator is not found, like one that never existed. */
async function findAssignee({ db }: FindDeps, principal: Principal, value: string): Promise<void> {
  if (value === 'none') return
  const found = await reachableOperators(db, principal).where('id', '=', value).executeTakeFirst()
  if (found === undefined) throw new Problem('not_found')
}

/** The current time of the workspace of an operation. */
const clockOfRow = sql<Date>`now()
  + coalesce((SELECT offset_ms FROM sandbox_clocks c WHERE c.workspace_id = o.workspace_id), 0)
    * interval '1 millisecond'`
const isSnoozed = sql<SqlBool>`o.snoozed_until > ${clockOfRow}`

const filters = {
  type: equals(
    z.enum(operationTypes).meta({ description: 'Only creations, or only cancellations.' }),
    'o.type',
  ),
  status: equals(
    z.enum(operationStatuses).meta({ description: 'Only operations in this status.' }),
    'o.status',
  ),
  open: filter(flag('Whether it is reconciling or in review rather than resolved.'), (value) =>
    value === 'true' ? sql<SqlBool>`o.status <> 'resolved'` : sql<SqlBool>`o.status = 'resolved'`,
  ),
  result: equals(
    z.enum(operationResults).meta({ description: 'Only operations with this result.' }),
    'o.result',
  ),
  cause: equals(
    z.enum(causes).meta({ description: 'Only operations that became unknown for this cause.' }),
    'o.cause',
  ),
  contradicted: {
    ...equals(flag('Whether evidence ever contradicted one of its conclusions.'), 'o.contradicted'),
    since: ['projections.operations', 'contradicted'],
  },
  escalated: equals(flag('Whether it was escalated to the platform.'), 'o.escalated'),
  unconfirmed: {
    ...equals(
      flag('Whether it was decided for a guide that the courier has not confirmed so far.'),
      'o.unconfirmed',
    ),
    since: ['projections.operations', 'unconfirmed'],
  },
  surplus: {
    ...equals(
      flag('Whether the courier lists a guide that the decision does not use.'),
      'o.surplus',
    ),
    since: ['projections.operations', 'surplus'],
  },
  assignee: {
    ...filter(assignee, (value) =>
      value === 'none' ? sql<SqlBool>`o.assignee IS NULL` : sql<SqlBool>`o.assignee = ${value}`,
    ),
    find: findAssignee,
    since: ['projections.operations', 'assignee'],
  },
  snoozed: {
    ...filter(
      flag("Whether it is snoozed until a time that is still to come on the workspace's clock."),
      (value) => (value === 'true' ? isSnoozed : sql<SqlBool>`(${isSnoozed}) IS NOT TRUE`),
    ),
    since: ['projections.operations', 'snoozed_until'],
  },
  provider_code: {
    ...equals(providerFilter, 'o.provider_code'),
    since: ['projections.operations', 'provider_code'],
  },
  workspace_id: { ...equals(workspaceFilter, 'o.workspace_id'), find: named.workspace_id.find },
  shipment_id: { ...equals(shipmentFilter, 'o.shipment_id'), find: named.shipment_id.find },
  external_reference: equals(
    filterText(255).meta({ description: 'Only those of shipments with exactly this reference.' }),
    'o.external_reference',
  ),
  idempotency_key: equals(
    filterText(255).meta({
      description: 'Only those of shipments created with exactly this `Idempotency-Key`.',
    }),
    'o.idempotency_key',
  ),
  ...createdRangeOf('o.created_at'),
  older_than_seconds: filter(age, (seconds) => isAtLeastOld(Number(seconds))),
} satisfies FilterTable
const order = z
  .enum(['newest', 'oldest'])
  .optional()
  .meta({ description: 'Which operations come first. The default is `newest`.' })
type Query = FilterValues<typeof filters> & { readonly order?: z.infer<typeof order> }
type Found = {
  readonly operation_id: string
  readonly shipment_id: string
  readonly organization_id: string
  readonly workspace_id: string
  readonly created_at: Date
  /** The version of the shipment that the list has reached. */
  readonly version: number
}
type Row = Found & { readonly state: Shipment }

export function listOperationsRoute(app: App, deps: OperationDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/operations',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'listOperations',
      summary: 'List operations whose outcome was unknown, newest first by default',
      description:
        'The work list of operators: `status=needs_review` selects what waits for a person. An operation whose outcome was never unknown is not listed, but can be read by its id. The list follows changes within about a second. The platform also sees the escalated operations of other organizations, without personal data.',
      tags: ['Operations'],
      querystring: listQuery({ ...parametersOf(filters), order }),
      response: { 200: listOf(operationSchema, 'A page of operations.') },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const { principal } = caller
      const query = withOwnId(request.query, principal)
      await findNamed(filters, query, deps, principal)
      return await answerList(request, deps, {
        read: (place) => listed(deps, principal, query, place),
        sortKey: (row) => [row.created_at.toISOString(), row.operation_id],
        show: async (rows) => {
          await auditForeign(deps, caller, rows)
          return await objectsOf(deps, principal, await withStates(deps.store, rows))
        },
      })
    },
  })
}

/** The query with the id of the operator that `me` stands for. Throws `invalid_filter`. */
function withOwnId(query: Query, { operatorId }: Principal): Query {
  if (query.assignee !== 'me') return query
  if (operatorId !== null) return { ...query, assignee: operatorId }
  const detail = 'This key belongs to no operator, so there is no `me`.'
  throw new Problem('invalid_filter', {
    detail,
    errors: [{ pointer: '#/query/assignee', reason: 'no_operator', detail }],
  })
}

async function objectsOf(
  deps: OperationDeps,
  { organizationId }: Principal,
  rows: readonly Row[],
): Promise<readonly OperationObject[]> {
  const isOwn = (row: Row) => row.organization_id === organizationId
  const own = await ownerNotes(deps, notesOf(rows.filter(isOwn)))
  const foreign = notesOf(rows.filter((row) => !isOwn(row)))
  const masked = await platformNotes(deps, foreign, organizationId)
  return rows.flatMap((row) => objectOf(row, isOwn(row) ? own : masked))
}

function objectOf(row: Row, notes: OperatorNotes) {
  const operation = operationOf(row.state, row.operation_id)
  return operation === null ? [] : [operationObject(row.shipment_id, row.state, operation, notes)]
}

async function auditForeign(
  deps: OperationDeps,
  caller: ReturnType<typeof authenticated>,
  rows: readonly Found[],
): Promise<void> {
  const foreign = Map.groupBy(
    rows.filter((row) => row.organization_id !== caller.principal.organizationId),
    (row) => row.workspace_id,
  )
  for (const theirs of foreign.values()) {
    const ids = theirs.map((row) => row.operation_id)
    await auditAccess(deps, caller, theirs[0] as Found, ids)
  }
}

async function listed(
  deps: OperationDeps,
  principal: Principal,
  query: Query,
  { after, limit }: PagePlace,
): Promise<readonly Found[]> {
  const latest = await latestOf(deps, principal, query)
  const page = (rows: Selection) =>
    filtered(rows, principal, query, { latest, after })
      .orderBy('o.created_at', isOldestFirst(query) ? 'asc' : 'desc')
      .orderBy('o.operation_id', isOldestFirst(query) ? 'asc' : 'desc')
      .limit(limit)
  const own = page(selection(deps.db).where(inTenantScope(principal, columns)))
  if (!isPlatform(principal)) return await own.execute()
  // Two pages merged into one: no index could serve a single condition over both in order.
  const escalated = page(
    selection(deps.db.withoutPlugins())
      .where('o.livemode', '=', principal.livemode)
      .where('o.organization_id', '<>', principal.organizationId)
      .where('o.escalated', '=', true)
      .where('o.status', '<>', 'resolved'),
  )
  const both = await Promise.all([own.execute(), escalated.execute()])
  const inOrder = both.flat().toSorted(newestFirst)
  return (isOldestFirst(query) ? inOrder.toReversed() : inOrder).slice(0, limit)
}

function isOldestFirst({ order }: Query): boolean {
  return order === 'oldest'
}

function newestFirst(a: Found, b: Found): number {
  const apartMs = b.created_at.getTime() - a.created_at.getTime()
  return apartMs || (a.operation_id < b.operation_id ? 1 : -1)
}

const columns = {
  organizationId: 'o.organization_id',
  livemode: 'o.livemode',
  workspaceId: 'o.workspace_id',
}

function selection(db: ApiServices['db']) {
  return db
    .selectFrom('projections.operations as o')
    .innerJoin('projections.shipments as s', 's.shipment_id', 'o.shipment_id')
    .select(['o.operation_id', 'o.shipment_id', 'o.organization_id', 'o.workspace_id'])
    .select(['o.created_at', 's.version'])
}
type Selection = ReturnType<typeof selection>

function filtered(
  selected: Selection,
  principal: Principal,
  query: Query,
  { latest, after }: { readonly latest: Date | null; readonly after: CursorValues | null },
): Selection {
  let rows = selected.where(matching(filters, query, after, isOldestFirst(query)))
  if (query.idempotency_key !== undefined && query.workspace_id !== undefined) {
    const { workspace_id: workspaceId, idempotency_key: idempotencyKey } = query
    const shipmentId = shipmentIdOf({ ...principal, workspaceId, idempotencyKey })
    rows = rows.where('o.shipment_id', '=', shipmentId)
  }
  if (latest !== null && (after === null || isOldestFirst(query))) {
    rows = rows.where('o.created_at', '<=', latest)
  }
  if (after === null) return rows
  const [at = '', id = ''] = after
  const beyond = isOldestFirst(query) ? sql`>` : sql`<`
  return rows.where(
    sql<boolean>`(o.created_at, o.operation_id) ${beyond} (${at}::timestamptz, ${id})`,
  )
}

/** Whether an operation is at least this old on the clock of its workspace. */
function isAtLeastOld(seconds: number) {
  return sql<SqlBool>`o.created_at <= ${clockOfRow} - ${seconds} * interval '1 second'`
}

/**
 * The latest creation time of an operation of the requested age. It uses the clock of the workspace
 * that is furthest ahead, so that the index can skip younger operations.
 */
async function latestOf(
  deps: OperationDeps,
  principal: Principal,
  query: Query,
): Promise<Date | null> {
  if (query.older_than_seconds === undefined) return null
  const aheadMs = principal.livemode ? 0 : await aheadMsOf(deps, principal, query)
  return new Date(clockAt(aheadMs) - Number(query.older_than_seconds) * 1_000)
}

async function aheadMsOf(deps: OperationDeps, principal: Principal, query: Query): Promise<number> {
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
    SELECT max(offset_ms) AS ahead FROM sandbox_clocks ${of}`.execute(deps.db)
  return Number(rows[0]?.ahead ?? 0)
}
