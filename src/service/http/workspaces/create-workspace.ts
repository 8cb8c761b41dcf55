import { z } from 'zod'
import { Problem } from '../../errors.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newWorkspaceId } from '../new-ids.ts'
import { exampleWorkspaceRequest } from '../openapi/examples.ts'
import { text } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { withLock } from '../rules/with-lock.ts'
import { trackingPageBody, trackingPageColumns } from './tracking-page.ts'
import {
  aboutWorkspace,
  labelFormat,
  reachableWorkspaces,
  referenceLengthMax,
  retentionDays,
  storedFormat,
  workspaceName,
  workspaceObject,
  workspaceSchema,
  workspaces,
} from './workspace-schema.ts'

const body = z
  .strictObject({
    name: workspaceName,
    external_reference: text(referenceLengthMax).meta(aboutWorkspace.external_reference),
    personal_data_retention_days: retentionDays.optional().meta({
      description:
        "How many days after its creation a shipment's personal data is erased. Absent or `null`: it is not erased by age. An existing workspace keeps its value; use PATCH to change it.",
    }),
    label_format: labelFormat.optional(),
    tracking_page: trackingPageBody.optional(),
  })
  .meta({ description: 'The workspace to create.', examples: [exampleWorkspaceRequest] })
type Body = z.infer<typeof body>

export function createWorkspaceRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/workspaces',
    config: {
      collectionScope: 'workspaces:write',
      isIdempotent: true,
      problems: ['not_found', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createWorkspace',
      summary: 'Create a workspace, once for each external_reference',
      description:
        'Call it when you set up a shop. Repeating it with the same `external_reference` creates nothing and returns 200 with the existing workspace, whatever the name, with or without an `Idempotency-Key`. 403 `plan_limit_reached`: the plan allows no more workspaces in this mode.',
      tags: ['Workspaces'],
      body,
      response: {
        200: workspaceSchema.meta({
          description: 'The workspace that already had this `external_reference`.',
        }),
        201: workspaceSchema.meta({ description: 'The new workspace.' }),
      },
    },
    handler: async (request, reply) => {
      let isNew = false
      const row = await workspaces.create(deps, request, reply, {
        newId: newWorkspaceId,
        create: async (id) => {
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
 * Creates the workspace of this reference under the id, or finds the existing one, whatever its
 * name.
 */
async function create(
  deps: ApiServices,
  body: Body,
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
  // For a key of one workspace, no other workspace exists.
  if (principal.workspaceId !== null) throw new Problem('not_found')
  return withLock(deps.db, ['workspace', organizationId, String(livemode), reference], async () => {
    const meanwhile = await find()
    if (meanwhile !== undefined) return { id: meanwhile.id, isNew: false }
    await withinPlan(deps, caller.principal, 'workspaces', () => insert(deps, body, id, caller))
    return { id, isNew: true }
  })
}

async function insert(deps: ApiServices, body: Body, id: string, caller: Caller): Promise<void> {
  const { organizationId, livemode } = caller.principal
  const settings = {
    personal_data_retention_days: body.personal_data_retention_days ?? null,
    label_format: storedFormat(body.label_format ?? null),
  }
  await auditAct(deps, caller, id, {
    type: 'WorkspaceCreated',
    data: { workspace_id: id, ...settings },
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
      ...settings,
      ...trackingPageColumns(body.tracking_page),
      created_at: now,
      updated_at: now,
    })
    .execute()
}
