import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newWorkspaceId } from '../new-ids.ts'
import { exampleWorkspaceRequest } from '../openapi/examples.ts'
import { filterText, listOf, listQuery, pathId, text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { exclusively } from '../rules/exclusive.ts'
import { equals, parametersOf } from '../rules/filters.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import type { App, RouteDeps } from '../server-deps.ts'
import {
  aboutWorkspace,
  reachableWorkspaces,
  retentionDays,
  type WorkspaceRow,
  workspaceObject,
  workspaceSchema,
  workspaces,
} from './workspace-schema.ts'

/** No shop has a longer name. */
const nameLengthMax = 200
const referenceLengthMax = 255

const createBody = z
  .strictObject({
    name: text(nameLengthMax).meta(aboutWorkspace.name),
    external_reference: text(referenceLengthMax).meta(aboutWorkspace.external_reference),
    personal_data_retention_days: retentionDays.optional().meta({
      description:
        "How many days after its creation a shipment's personal data is erased. Absent or `null`: never by age. An existing workspace keeps its own value; use PATCH to change it.",
    }),
  })
  .meta({ description: 'The workspace to create.', examples: [exampleWorkspaceRequest] })
const changeBody = z
  .strictObject({
    name: text(nameLengthMax).optional().meta(aboutWorkspace.name),
    personal_data_retention_days: retentionDays.optional(),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ name: exampleWorkspaceRequest.name }],
  })

const filters = {
  external_reference: equals(
    filterText(referenceLengthMax).meta({
      description: 'Only the workspace with exactly this `external_reference`.',
    }),
    'external_reference',
  ),
}

type Deps = Pick<RouteDeps, 'clock' | 'db' | 'owners' | 'secrets' | 'store' | 'workspaces'>

export function workspaceRoutes(app: App, deps: Deps): void {
  createRoute(app, deps)
  readRoutes(app, deps)
  changeRoute(app, deps)
}

function createRoute(app: App, deps: Deps): void {
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
      description:
        'Call it when a shop is set up. Repeating it with the same `external_reference` creates nothing and answers 200 with the existing workspace, whatever the name, with or without an `Idempotency-Key`. 403 `plan_limit_reached`: the plan allows no more workspaces in this mode.',
      tags: ['Workspaces'],
      body: createBody,
      response: {
        200: workspaceSchema.meta({
          description: 'There was a workspace with this `external_reference` already: this one.',
        }),
        201: workspaceSchema.meta({ description: 'The new workspace.' }),
      },
    },
    handler: async (request, reply) => {
      let isNew = false
      const row = await workspaces.create(deps, request, reply, {
        newId: newWorkspaceId,
        make: async (id) => {
          const made = await create(deps, request.body, id, authenticated(request))
          isNew = made.isNew
          return made.id
        },
      })
      return reply.code(isNew ? 201 : 200).send(workspaceObject(row))
    },
  })
}

/**
 * Creates the workspace of this reference under the id, unless there is one, whatever its name.
 */
async function create(
  deps: Deps,
  body: z.infer<typeof createBody>,
  id: string,
  caller: Caller,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { principal } = caller
  const { organizationId, livemode } = principal
  const reference = body.external_reference
  const find = () =>
    reachableWorkspaces(deps.db, principal)
      .where('external_reference', '=', reference)
      .executeTakeFirst()
  const known = await find()
  if (known !== undefined) return { id: known.id, isNew: false }
  // A key limited to one workspace creates no others: for it they do not exist.
  if (principal.workspaceId !== null) throw new Problem('not_found')
  return exclusively(
    deps.db,
    ['workspace', organizationId, String(livemode), reference],
    async () => {
      const meanwhile = await find()
      if (meanwhile !== undefined) return { id: meanwhile.id, isNew: false }
      await withinPlan(deps, caller.principal, 'workspaces', () => insert(deps, body, id, caller))
      return { id, isNew: true }
    },
  )
}

async function insert(
  deps: Deps,
  body: z.infer<typeof createBody>,
  id: string,
  caller: Caller,
): Promise<void> {
  const { organizationId, livemode } = caller.principal
  const retention = { personal_data_retention_days: body.personal_data_retention_days ?? null }
  await auditAct(deps, caller, id, {
    type: 'WorkspaceCreated',
    data: { workspace_id: id, ...retention },
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
      ...retention,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

function readRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/workspaces',
    config: { collectionScope: 'workspaces:read' },
    schema: {
      operationId: 'listWorkspaces',
      summary: 'List workspaces, newest first',
      description:
        'The workspaces of your organization in the mode of the key. A key of one workspace sees only that one.',
      tags: ['Workspaces'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(workspaceSchema, 'A page of workspaces, newest first.') },
    },
    handler: (request) => workspaces.page(deps, request, filters, workspaceObject),
  })
  const workspace = workspaces.resource(deps, 'workspaces:read')
  app.route({
    method: 'GET',
    url: '/v1/workspaces/:id',
    config: { resource: workspace, isVersioned: true },
    schema: {
      operationId: 'getWorkspace',
      summary: 'Read a workspace',
      description:
        'Use it to see the retention and a legal hold, or to get the `ETag` for a PATCH.',
      tags: ['Workspaces'],
      params: pathId('ws'),
      response: { 200: workspaceSchema.meta({ description: 'The workspace.' }) },
    },
    handler: async (request) => workspaceObject(workspace.of(request)),
  })
}

function changeRoute(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/workspaces/:id',
    config: { resource: workspaces.resource(deps, 'workspaces:write'), isVersioned: true },
    schema: {
      operationId: 'updateWorkspace',
      summary: 'Rename a workspace or set its retention',
      description:
        'A shorter retention also applies to existing shipments: those that are older are erased soon after. Setting a field to its current value changes nothing. With `If-Match`, 412 `precondition_failed` if the workspace has changed since you read it.',
      tags: ['Workspaces'],
      params: pathId('ws'),
      body: changeBody,
      response: { 200: workspaceSchema.meta({ description: 'The workspace after the change.' }) },
    },
    handler: (request) =>
      workspaces.change(deps, request, async (row) =>
        workspaceObject(await change(deps, authenticated(request), row, request.body)),
      ),
  })
}

async function change(
  deps: Deps,
  caller: Caller,
  row: WorkspaceRow,
  body: z.infer<typeof changeBody>,
): Promise<WorkspaceRow> {
  const changes = changesOf(row, body)
  const fields = Object.keys(changes)
  if (fields.length === 0) return row
  const { id } = row
  await auditAct(deps, caller, id, {
    type: 'WorkspaceChanged',
    data: { workspace_id: id, fields, ...shownChanges(row, changes) },
  })
  const written = await deps.db
    .updateTable('workspaces')
    .set((eb) => ({
      ...changes,
      updated_at: deps.clock.now(),
      version: eb('version', '+', 1),
    }))
    .where('organization_id', '=', row.organization_id)
    .where(asRead(row))
    .returningAll()
    .executeTakeFirst()
  return requireWritten(written)
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
