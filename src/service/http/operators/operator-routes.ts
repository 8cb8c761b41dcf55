import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { actorOf } from '../../security/api-keys.ts'
import { endMachineKeysOf, type MachineKey } from '../../security/machine-keys.ts'
import {
  changeOperator,
  createOperator,
  newOperatorId,
  type Operator,
  operatorStatuses,
} from '../../security/operators.ts'
import type { Caller } from '../audit-act.ts'
import { listOf, listQuery, pathId, timeOrNull } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { exclusively } from '../rules/exclusive.ts'
import { equals, parametersOf } from '../rules/filters.ts'
import { requireWritten } from '../rules/resources/fresh-row.ts'
import { requireStillValid } from '../rules/still-valid.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  changedOperatorSchema,
  changeOperatorBody,
  createOperatorBody,
  operatorObject,
  operatorSchema,
  operators,
  reachableOperators,
} from './operator-schema.ts'

type Deps = Pick<RouteDeps, 'db' | 'owners' | 'secrets' | 'store' | 'workspaces'>

const tags = ['Operators']

const filters = {
  status: equals(
    z.enum(operatorStatuses).meta({ description: 'Only operators in this status.' }),
    'status',
  ),
}

/** Active operators of an organization: far more people than decide anywhere. */
const activeOperatorsMax = 1_000

export function operatorRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  listRoute(app, deps)
  readRoute(app, deps)
  changeRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: '/v1/operators',
    config: { collectionScope: 'operators:write', isOnce: true, problems: ['limit_reached'] },
    schema: {
      operationId: 'createOperator',
      summary: 'Create an operator: a person who decides',
      description:
        'Not with a key that is restricted to a workspace: operators belong to the organization. Name and address are in no event, webhook or log.',
      tags,
      body: createOperatorBody,
      response: { 201: operatorSchema.meta({ description: 'The new operator.' }) },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      requireWholeOrganization(caller)
      const row = await operators.create(deps, request, reply, {
        newId: newOperatorId,
        make: (id) => make(deps, caller, request.body, id),
      })
      return operatorObject(row, caller.principal)
    },
  })
}

/** Creates the operator under this id, unless an earlier try has. Returns the id. */
async function make(
  deps: Deps,
  { principal, requestId }: Caller,
  body: z.infer<typeof createOperatorBody>,
  id: string,
): Promise<string> {
  const { organizationId } = principal
  return await countedAlone(deps, organizationId, async () => {
    const all = reachableOperators(deps.db, principal)
    if ((await all.where('id', '=', id).executeTakeFirst()) !== undefined) return id
    await requireStillValid(deps, principal)
    await requireRoom(deps, organizationId)
    const order = { ...body, id, organizationId }
    await createOperator(deps, order, { actor: actorOf(principal), requestId })
    return id
  })
}

/** Active operators are counted and added one at a time, so that their number stays bounded. */
function countedAlone<T>(
  { db }: Pick<Deps, 'db'>,
  organizationId: string,
  work: () => Promise<T>,
): Promise<T> {
  return exclusively(db, ['operators', organizationId], work)
}

async function requireRoom({ db }: Deps, organizationId: string): Promise<void> {
  const { count } = await db
    .selectFrom('operators')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where((eb) => eb.and({ organization_id: organizationId, status: 'active' }))
    .executeTakeFirstOrThrow()
  if (Number(count) < activeOperatorsMax) return
  throw new Problem('limit_reached', {
    detail: `The organization has ${activeOperatorsMax} active operators.`,
  })
}

/** Operators act on every workspace. */
function requireWholeOrganization({ principal }: Caller): void {
  if (principal.workspaceId === null) return
  throw new Problem('forbidden_scope', {
    detail: 'A key that is restricted to a workspace cannot create or change operators.',
  })
}

function listRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/operators',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'listOperators',
      summary: "List the organization's operators, newest first",
      description: 'Operators belong to the organization: keys of both modes see the same ones.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(operatorSchema, 'A page of operators, newest first.') },
    },
    handler: async (request) => operators.page(deps, request, filters, shownTo(request)),
  })
}

function shownTo(request: FastifyRequest) {
  const { principal } = authenticated(request)
  return (row: Parameters<typeof operatorObject>[0]) => operatorObject(row, principal)
}

function readRoute(app: App, deps: Deps): void {
  const operator = operators.resource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operators/:id',
    config: { resource: operator, isVersioned: true },
    schema: {
      operationId: 'getOperator',
      summary: 'Read an operator',
      description: 'Use it to show who decided, by the `operator_id` of a decision.',
      tags,
      params: pathId('opr'),
      response: { 200: operatorSchema.meta({ description: 'The operator.' }) },
    },
    handler: async (request) => shownTo(request)(operator.of(request)),
  })
}

function changeRoute(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/operators/:id',
    config: {
      resource: operators.resource(deps, 'operators:write'),
      // The keys of a person who left must be stoppable at any time.
      whileSuspended: true,
      isVersioned: true,
      problems: ['limit_reached'],
    },
    schema: {
      operationId: 'updateOperator',
      summary: 'Rename, disable or enable an operator',
      description:
        'The keys of a disabled operator stop working everywhere within 5 seconds, including the calling key. Keys without an operator that they created work on, unless `revoke_created_keys` is true; the answer names them, and the same request again may still revoke them. `status: active` lets the keys of the operator work again, except those that were revoked or have expired. Not with a key that is restricted to a workspace.',
      tags,
      params: pathId('opr'),
      body: changeOperatorBody,
      response: {
        200: changedOperatorSchema.meta({ description: 'The operator after the change.' }),
      },
    },
    handler: async (request) => {
      const caller = authenticated(request)
      requireWholeOrganization(caller)
      const { row, createdKeys } = await operators.change(deps, request, (found) =>
        change(deps, caller, request.body, found),
      )
      const created_keys = createdKeys?.map((key) => ({
        ...key,
        revoked_at: timeOrNull(key.revoked_at),
      }))
      return { ...operatorObject(row, caller.principal), created_keys: created_keys ?? null }
    },
  })
}

type ChangedOperator = {
  readonly row: Operator
  /** Null unless the operator was disabled. */
  readonly createdKeys: readonly MachineKey[] | null
}

async function change(
  deps: Deps,
  { principal, requestId }: Caller,
  body: z.infer<typeof changeOperatorBody>,
  found: Operator,
): Promise<ChangedOperator> {
  await requireStillValid(deps, principal)
  const by = { actor: actorOf(principal), requestId }
  const { revoke_created_keys: revoke, ...fields } = body
  const wanted = { ...fields, revokeCreatedKeys: revoke }
  const changed = async () => requireWritten(await changeOperator(deps, found, wanted, by))
  if (revoke !== undefined) {
    const row = await changed()
    return { row, createdKeys: await endMachineKeysOf(deps, row, { revoke, by }) }
  }
  const isEnabled = body.status === 'active' && found.status === 'disabled'
  if (!isEnabled) return { row: await changed(), createdKeys: null }
  const { organizationId } = principal
  return countedAlone(deps, organizationId, async () => {
    await requireRoom(deps, organizationId)
    return { row: await changed(), createdKeys: null }
  })
}
