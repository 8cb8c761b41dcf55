import { sql } from 'kysely'
import { z } from 'zod'
import { shipmentIdOf } from '../../domain/ids.ts'
import { operationResults, operationStatuses } from '../../domain/operation.ts'
import { attemptOf, type Shipment } from '../../domain/shipment.ts'
import { causes } from '../../domain/shipment-events.ts'
import { existing, type Snapshot } from '../../event-store/transact.ts'
import { lookNow, type OperatorAct, resolveOperation } from '../../processes/operator.ts'
import type { Principal } from '../../security/api-keys.ts'
import { authenticated, requireScope } from '../authenticate.ts'
import type { App } from '../deps.ts'
import { answerRead } from '../etag.ts'
import { auditAccess, type FoundOperation, findOperation, isPlatform } from '../find-operation.ts'
import { findShipment } from '../find-shipment.ts'
import { clockOf, type LedgerDeps } from '../ledger-deps.ts'
import { type CursorValues, listPage } from '../lists.ts'
import { operationObject, operationSchema, type Verdict } from '../operations.ts'
import { idOf, listOf, listQuery, pathId, text } from '../schemas.ts'
import { findWorkspace } from '../workspaces.ts'

const tags = ['Operations']

export function operationRoutes(app: App, deps: LedgerDeps): void {
  listRoute(app, deps)
  readRoute(app, deps)
  lookRoute(app, deps)
  resolveRoute(app, deps)
}

const filters = {
  status: z.enum(operationStatuses).optional(),
  result: z.enum(operationResults).optional(),
  cause: z.enum(causes).optional(),
  workspace_id: idOf('ws').optional(),
  shipment_id: idOf('shp').optional(),
  external_reference: z.string().max(255).optional(),
  idempotency_key: z.string().max(255).optional(),
  older_than_seconds: z
    .string()
    .regex(/^[0-9]{1,9}$/)
    .optional()
    .meta({ description: 'Only operations created at least so long ago' }),
}
type Filters = { readonly [K in keyof typeof filters]?: z.infer<(typeof filters)[K]> }
type Row = {
  readonly operation_id: string
  readonly shipment_id: string
  readonly organization_id: string
  readonly created_at: Date
  readonly state: Shipment
}

function listRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/operations',
    config: { collectionScope: 'operations:read', problems: ['not_found'] },
    schema: {
      operationId: 'listOperations',
      summary: 'List operations whose outcome was unknown, newest first',
      tags,
      querystring: listQuery(filters),
      response: { 200: listOf(operationSchema) },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      const { principal } = caller
      const { query } = request
      if (query.workspace_id !== undefined) await findWorkspace(deps, principal, query.workspace_id)
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
  const attempt = attemptOf(row.state, row.operation_id)
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
  let rows = deps.processes.db
    .selectFrom('projections.operations as o')
    .innerJoin('projections.timers as t', 't.shipment_id', 'o.shipment_id')
    .select(['o.operation_id', 'o.shipment_id', 'o.organization_id', 'o.created_at', 't.state'])
    .where('o.livemode', '=', principal.livemode)
    .where((eb) => {
      const own = eb('o.organization_id', '=', principal.organizationId)
      if (!isPlatform(principal)) return own
      return eb.or([own, eb.and([eb('o.escalated', '=', true), eb('o.status', '<>', 'resolved')])])
    })
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
  if (query.older_than_seconds !== undefined) {
    rows = rows.where(
      sql<boolean>`o.created_at <= now() - ${Number(query.older_than_seconds)} * interval '1 second'`,
    )
  }
  if (after !== null) {
    const [at = '', id = ''] = after
    rows = rows.where(sql<boolean>`(o.created_at, o.operation_id) < (${at}::timestamptz, ${id})`)
  }
  return await rows
    .orderBy('o.created_at', 'desc')
    .orderBy('o.operation_id', 'desc')
    .limit(limit)
    .execute()
}

/** Who decided and why, for these operations, in one read. */
async function verdictsOf(
  deps: LedgerDeps,
  rows: readonly Pick<Row, 'operation_id' | 'state'>[],
): Promise<ReadonlyMap<string, Verdict>> {
  const refs = new Map<string, string>()
  for (const row of rows) {
    const ref = attemptOf(row.state, row.operation_id)?.resolution?.ref
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

async function foundObject(deps: LedgerDeps, id: string, found: FoundOperation, now?: Snapshot) {
  const state = now === undefined ? found.state : existing(now)
  const attempt = attemptOf(state, id) ?? found.attempt
  const verdicts = found.isMasked
    ? new Map<string, Verdict>()
    : await verdictsOf(deps, [{ operation_id: id, state }])
  return operationObject(found.shipmentId, state, attempt, verdicts.get(id) ?? null)
}

function readRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/operations/:id',
    schema: {
      operationId: 'getOperation',
      summary: 'Read an operation',
      description: 'Answers for every attempt; one that was never unknown has `cause: null`.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      const { id } = request.params
      const found = await findOperation(deps, caller, id)
      requireScope(caller.principal, 'operations:read')
      const body = await foundObject(deps, id, found)
      if (body.next_look_at !== null && body.status === 'reconciling') {
        const waitMs = Date.parse(body.next_look_at) - (await clockOf(deps, found.state))
        reply.header('retry-after', Math.min(60, Math.max(1, Math.ceil(waitMs / 1_000))))
      }
      return answerRead(reply, body)
    },
  })
}

async function actOf(
  deps: LedgerDeps,
  caller: ReturnType<typeof authenticated>,
  id: string,
): Promise<{ readonly found: FoundOperation; readonly act: OperatorAct }> {
  const found = await findOperation(deps, caller, id)
  requireScope(caller.principal, 'operations:review')
  const offsetMs = (await clockOf(deps, found.state)) - Date.now()
  const act: OperatorAct = {
    shipmentId: found.shipmentId,
    operationId: id,
    snapshot: found.snapshot,
    actor: { type: 'api_key', keyId: caller.principal.keyId },
    requestId: caller.requestId,
    now: () => Date.now() + offsetMs,
  }
  return { found, act }
}

function lookRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/look',
    config: {
      problems: ['operation_not_settled', 'operation_already_resolved', 'connection_needs_reauth'],
    },
    schema: {
      operationId: 'lookAtOperation',
      summary: 'Ask the courier now',
      description:
        'At most once in 10 s; the answer counts by the same rules as the automatic looks.',
      tags,
      params: pathId('op'),
      response: { 200: operationSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      const { found, act } = await actOf(deps, authenticated(request), id)
      return await foundObject(deps, id, found, await lookNow(deps.processes, act))
    },
  })
}

const resolveBody = z
  .strictObject({
    decision: z.enum(['guide_exists', 'nothing_created']),
    guide_number: text(64).optional().meta({ description: 'Required for guide_exists' }),
    note: text(2_000),
    decided_by: text(64).meta({ description: "The operator's handle" }),
  })
  .superRefine((body, context) => {
    if ((body.decision === 'guide_exists') === (body.guide_number !== undefined)) return
    const message =
      body.decision === 'guide_exists'
        ? 'It is required for guide_exists.'
        : 'It goes with guide_exists only.'
    const params = { reason: body.decision === 'guide_exists' ? 'required' : 'not_allowed' }
    context.addIssue({ code: 'custom', path: ['guide_number'], message, params })
  })

function resolveRoute(app: App, deps: LedgerDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/operations/:id/resolve',
    config: {
      problems: ['operation_not_settled', 'operation_already_resolved', 'guide_not_found'],
    },
    schema: {
      operationId: 'resolveOperation',
      summary: 'Decide an operation that reconciliation cannot conclude',
      tags,
      params: pathId('op'),
      body: resolveBody,
      response: { 200: operationSchema },
    },
    handler: async (request) => {
      const { id } = request.params
      const { decision, guide_number: guideNumber, note, decided_by: decidedBy } = request.body
      const { found, act } = await actOf(deps, authenticated(request), id)
      const verdict = { decision, guideNumber: guideNumber ?? null, note, decidedBy }
      const snapshot = await resolveOperation(deps.processes, act, verdict)
      return await foundObject(deps, id, found, snapshot)
    },
  })
}
