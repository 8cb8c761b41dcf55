import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { audit } from '../../security/audit.ts'
import type { App, HttpDeps } from '../deps.ts'
import { newWorkspaceId } from '../new-ids.ts'
import { exampleWorkspaceRequest } from '../openapi/examples.ts'
import { filterText, listOf, listQuery, pathId, text, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { answerRead, requireMatch } from '../rules/etag.ts'
import { exclusively } from '../rules/exclusive.ts'
import { equals, matching, olderThan, parametersOf } from '../rules/filters.ts'
import { madeOnce, readMade } from '../rules/idempotent-answers.ts'
import { listPage } from '../rules/lists.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { resource } from '../rules/resource.ts'
import {
  findWorkspace,
  reachableWorkspaces,
  retentionDays,
  type WorkspaceRow,
  workspaceObject,
  workspaceSchema,
} from './workspaces.ts'

/** No shop has a longer name. */
const nameLengthMax = 200
const referenceLengthMax = 255

const createBody = z
  .strictObject({
    name: text(nameLengthMax),
    external_reference: text(referenceLengthMax),
    personal_data_retention_days: retentionDays.optional().meta({
      description:
        'For a new workspace. An existing one keeps its own value; use PATCH to change it.',
    }),
  })
  .meta({ examples: [exampleWorkspaceRequest] })
const changeBody = z
  .strictObject({
    name: text(nameLengthMax).optional(),
    personal_data_retention_days: retentionDays.optional(),
  })
  .meta({ examples: [{ name: exampleWorkspaceRequest.name }] })

const filters = {
  external_reference: equals(filterText(referenceLengthMax), 'external_reference'),
}

type Caller = ReturnType<typeof authenticated>

export function workspaceRoutes(app: App, deps: HttpDeps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoute(app, deps)
}

function createRoute(app: App, deps: HttpDeps): void {
  app.route({
    method: 'POST',
    url: '/v1/workspaces',
    config: {
      collectionScope: 'workspaces:write',
      isOnce: true,
      problems: ['not_found', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createWorkspace',
      summary: 'Create a workspace, once for each external_reference',
      tags: ['Workspaces'],
      body: createBody,
      response: { 200: workspaceSchema, 201: workspaceSchema },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      let created = false
      const once = await madeOnce({
        deps,
        request,
        principal,
        route: 'POST /v1/workspaces',
        newId: newWorkspaceId,
        make: async (id) => {
          const made = await create(deps, request.body, id, authenticated(request))
          created = made.created
          return made.id
        },
      })
      const row = await readMade(once, (id) => findWorkspace(deps, principal, id))
      if (once.replayed) reply.header('idempotent-replayed', 'true')
      reply.header('location', `/v1/workspaces/${row.id}`)
      return reply.code(created ? 201 : 200).send(workspaceObject(row))
    },
  })
}

/** Creates the workspace of this reference unless it exists, whatever its name. */
async function create(
  deps: HttpDeps,
  body: z.infer<typeof createBody>,
  id: string,
  caller: Caller,
): Promise<{ readonly id: string; readonly created: boolean }> {
  const { principal } = caller
  const { organizationId, livemode } = principal
  const reference = body.external_reference
  const find = () =>
    deps.db
      .selectFrom('workspaces')
      .select('id')
      .where((eb) =>
        eb.and({ organization_id: organizationId, livemode, external_reference: reference }),
      )
      .executeTakeFirst()
  const known = await find()
  if (known !== undefined) return { id: known.id, created: false }
  // A key limited to one workspace creates no others: for it they do not exist.
  if (principal.workspaceId !== null) throw new Problem('not_found')
  return exclusively(
    deps.db,
    ['workspace', organizationId, String(livemode), reference],
    async () => {
      const meanwhile = await find()
      if (meanwhile !== undefined) return { id: meanwhile.id, created: false }
      await withinPlan(deps, caller.principal, 'workspaces', () => insert(deps, body, id, caller))
      return { id, created: true }
    },
  )
}

async function insert(
  deps: HttpDeps,
  body: z.infer<typeof createBody>,
  id: string,
  { principal, requestId }: Caller,
): Promise<void> {
  const { organizationId, livemode } = principal
  await audit(deps.store, {
    organizationId,
    workspaceId: id,
    livemode,
    actor: { type: 'api_key', keyId: principal.keyId },
    requestId,
    type: 'WorkspaceCreated',
    data: { workspace_id: id },
  })
  const now = deps.clock.now()
  await deps.db
    .insertInto('workspaces')
    .values({
      id,
      organization_id: organizationId,
      livemode,
      name: body.name,
      external_reference: body.external_reference,
      personal_data_retention_days: body.personal_data_retention_days ?? null,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

function readRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List workspaces, newest first',
      tags: ['Workspaces'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(workspaceSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listPage({
        deps,
        principal,
        route: '/v1/workspaces',
        query: request.query,
        read: (after, limit) =>
          reachableWorkspaces(deps.db, principal)
            .where(matching(filters, request.query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: workspaceObject,
      })
    },
  })
  const workspace = resource('workspaces:read', ({ principal }, id) =>
    findWorkspace(deps, principal, id),
  )
  app.route({
    method: 'GET',
    url: '/v1/workspaces/:id',
    config: { resource: workspace, headers: ['if-none-match'] },
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      tags: ['Workspaces'],
      params: pathId('ws'),
      response: { 200: workspaceSchema },
    },
    handler: async (request, reply) => answerRead(reply, workspaceObject(workspace.of(request))),
  })
}

function changeRoute(app: App, deps: HttpDeps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/workspaces/:id',
    config: {
      resource: resource('workspaces:write', ({ principal }, id) =>
        findWorkspace(deps, principal, id),
      ),
      headers: ['if-match'],
      problems: ['precondition_failed'],
    },
    schema: {
      operationId: 'updateWorkspace',
      summary: 'Rename a workspace or set its retention',
      tags: ['Workspaces'],
      params: pathId('ws'),
      body: changeBody,
      response: { 200: workspaceSchema },
    },
    handler: async (request, reply) => {
      const { principal, requestId } = authenticated(request)
      const { id } = request.params
      return exclusively(deps.db, ['workspace', id], async () => {
        const row = await findWorkspace(deps, principal, id)
        requireMatch(request, workspaceObject(row))
        const changes = changesOf(row, request.body)
        const fields = Object.keys(changes)
        if (fields.length === 0) return answerRead(reply, workspaceObject(row))
        await audit(deps.store, {
          organizationId: principal.organizationId,
          workspaceId: id,
          livemode: principal.livemode,
          actor: { type: 'api_key', keyId: principal.keyId },
          requestId,
          type: 'WorkspaceChanged',
          data: { workspace_id: id, fields, ...shownChanges(row, changes) },
        })
        const changed = await deps.db
          .updateTable('workspaces')
          .set((eb) => ({
            ...changes,
            updated_at: deps.clock.now(),
            version: eb('version', '+', 1),
          }))
          .where((eb) => eb.and({ organization_id: principal.organizationId, id }))
          .returningAll()
          .executeTakeFirstOrThrow()
        return answerRead(reply, workspaceObject(changed))
      })
    },
  })
}

/** Before and after, for the audit. A name may be personal data and is left out. */
function shownChanges(row: WorkspaceRow, changes: Partial<WorkspaceRow>) {
  const { personal_data_retention_days: after } = changes
  if (after === undefined) return {}
  const before = row.personal_data_retention_days
  return { changes: { personal_data_retention_days: { before, after } } }
}

/** What the body changes. A field set to its current value is no change. */
function changesOf(row: WorkspaceRow, body: z.infer<typeof changeBody>): Partial<WorkspaceRow> {
  const changes: Partial<WorkspaceRow> = {}
  if (body.name !== undefined && body.name !== row.name) changes.name = body.name
  const days = body.personal_data_retention_days
  if (days !== undefined && days !== row.personal_data_retention_days) {
    changes.personal_data_retention_days = days
  }
  return changes
}
