import { z } from 'zod'
import { isSameFormat } from '../../domain/label-format.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { exampleWorkspaceRequest } from '../openapi/examples.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import { trackingPageBody, trackingPageColumns } from './tracking-page.ts'
import {
  labelFormat,
  retentionDays,
  storedFormat,
  type WorkspaceRow,
  workspaceName,
  workspaceObject,
  workspaceSchema,
  workspaces,
} from './workspace-schema.ts'

type Deps = Pick<ApiServices, 'clock' | 'db' | 'store' | 'links'>

const body = z
  .strictObject({
    name: workspaceName.optional(),
    personal_data_retention_days: retentionDays.optional(),
    label_format: labelFormat.optional(),
    tracking_page: trackingPageBody.optional(),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ name: exampleWorkspaceRequest.name }],
  })

type Body = z.infer<typeof body>

export function updateWorkspaceRoute(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/workspaces/:id',
    config: { resource: workspaces.resource(deps, 'workspaces:write'), isVersioned: true },
    schema: {
      operationId: 'updateWorkspace',
      summary: 'Rename a workspace, or change its settings',
      description:
        'A shorter retention also applies to existing shipments: the personal data of older ones is erased soon after. Setting a field to its current value changes nothing. With `If-Match`, 412 `precondition_failed` if the workspace has changed since you read it.',
      tags: ['Workspaces'],
      params: pathId('ws'),
      body,
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
  body: Body,
): Promise<WorkspaceRow> {
  const changes = changesOf(row, body)
  const fields = Object.keys(changes)
  if (fields.length === 0) return row
  const { id } = row
  const named = fields.map((field) => field.replace('tracking_page_', 'tracking_page.'))
  await auditAct(deps, caller, id, {
    type: 'WorkspaceChanged',
    data: { workspace_id: id, fields: named, ...auditedChanges(row, changes) },
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
  deps.links.forget(id)
  return requireWritten(written)
}

/**
 * The values before and after, for the audit. A name may be personal data and any part of an address
 * a secret, so they are left out.
 */
function auditedChanges(row: WorkspaceRow, changes: Partial<WorkspaceRow>) {
  const {
    personal_data_retention_days: days,
    label_format: format,
    tracking_page_enabled: isEnabled,
  } = changes
  const audited = {
    ...(days !== undefined && {
      personal_data_retention_days: { before: row.personal_data_retention_days, after: days },
    }),
    ...(format !== undefined && { label_format: { before: row.label_format, after: format } }),
    ...(isEnabled !== undefined && {
      'tracking_page.enabled': { before: row.tracking_page_enabled, after: isEnabled },
    }),
  }
  return Object.keys(audited).length === 0 ? {} : { changes: audited }
}

/** The fields that the body changes. A field set to its current value does not count. */
function changesOf(row: WorkspaceRow, body: Body): Partial<WorkspaceRow> {
  const changes: Partial<WorkspaceRow> = {}
  if (body.name !== undefined && body.name !== row.name) changes.name = body.name
  const days = body.personal_data_retention_days
  if (days !== undefined && days !== row.personal_data_retention_days) {
    changes.personal_data_retention_days = days
  }
  if (body.label_format !== undefined) {
    const format = storedFormat(body.label_format)
    if (!isSameFormat(format, row.label_format)) changes.label_format = format
  }
  const page = Object.entries(trackingPageColumns(body.tracking_page)) as [
    keyof WorkspaceRow,
    never,
  ][]
  const changed = page.filter(([column, value]) => value !== row[column])
  return { ...changes, ...Object.fromEntries(changed) }
}
