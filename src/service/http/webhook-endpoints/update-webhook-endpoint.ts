import type { Kysely, Transaction } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../../../../projections/tables.ts'
import type { AuditEvent } from '../../domain/ledger/audit-event.ts'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import {
  discardPending,
  enqueueDisabled,
  lockBreaker,
  lockWorkspaceHealth,
} from '../../webhooks/disable.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { exampleEndpointRequest } from '../openapi/webhook-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import { requireWebhookUrl } from './require-webhook-url.ts'
import {
  type EndpointRow,
  endpointObject,
  endpointSchema,
  endpointStatuses,
  endpoints,
  eventTypes,
  webhookDescription,
  webhookUrl,
} from './webhook-endpoint-schema.ts'

type Deps = Pick<ApiServices, 'db' | 'store' | 'allowPrivateWebhooks'>

const body = z
  .strictObject({
    url: webhookUrl.optional(),
    description: webhookDescription.optional(),
    event_types: eventTypes.optional(),
    status: z.enum(endpointStatuses).optional().meta({
      description: '`disabled`: nothing is sent. `enabled`: clears earlier failures.',
    }),
  })
  .meta({
    description: 'What to change. A field that is absent stays as it is.',
    examples: [{ event_types: exampleEndpointRequest().event_types }],
  })
type Body = z.infer<typeof body>

export function updateWebhookEndpointRoute(app: App, deps: Deps): void {
  app.route({
    method: 'PATCH',
    url: '/v1/webhook-endpoints/:id',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      // Operations in progress are still reported, and the reports must reach their receiver.
      whileSuspended: true,
      isVersioned: true,
    },
    schema: {
      operationId: 'updateWebhookEndpoint',
      summary: 'Change the URL or the subscription, disable or enable',
      description:
        'Disabling discards pending deliveries, and events that happen while it is disabled are not sent; `recover` can send them later. `status: enabled` and a new `url` reset earlier failures.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      body,
      response: { 200: endpointSchema.meta({ description: 'The endpoint after the change.' }) },
    },
    handler: (request) =>
      endpoints.change(deps, request, async (row) =>
        endpointObject(await change(deps, authenticated(request), row, request.body)),
      ),
  })
}

type Changed = Extract<AuditEvent, { readonly type: 'WebhookEndpointChanged' }>['data']
type EndpointChanges = NonNullable<Changed['changes']>

type Changes = Partial<
  Pick<EndpointRow, 'url' | 'description' | 'event_types' | 'status' | 'disabled_reason'>
>

/** Changes the endpoint. Enabling it or moving it to another URL resets earlier failures. */
async function change(
  deps: Deps,
  caller: Caller,
  row: EndpointRow,
  body: Body,
): Promise<EndpointRow> {
  const { id } = row
  if (body.url !== undefined && body.url !== row.url)
    requireWebhookUrl(deps, caller.principal, body.url)
  const changes = changesOf(row, body)
  const fields = Object.keys(changes)
  // Enabling an enabled endpoint says that the receiver works again.
  const isMended = body.status === 'enabled' || changes.url !== undefined
  if (fields.length > 0) {
    await auditAct(deps, caller, row.workspace_id, {
      type: 'WebhookEndpointChanged',
      data: { webhook_endpoint_id: id, fields, ...auditedChanges(row, changes) },
    })
  }
  const at = { now: await workspaceNow(deps.db, row), requestId: caller.requestId }
  await deps.db.transaction().execute(async (tx) => {
    if (fields.length > 0) await writeChanges(tx, row, changes, at)
    if (isMended) await forgetFailures(tx, id)
  })
  return await endpoints.find(deps, caller.principal, id)
}

/** The fields that the body changes. A field set to its current value does not count. */
function changesOf(row: EndpointRow, body: Body): Changes {
  const changes: Changes = {}
  if (body.url !== undefined && body.url !== row.url) changes.url = body.url
  if (body.description !== undefined && body.description !== row.description) {
    changes.description = body.description
  }
  const types = body.event_types
  if (types !== undefined && types.join() !== row.event_types.join()) changes.event_types = types
  if (body.status !== undefined && body.status !== row.status) {
    changes.status = body.status
    changes.disabled_reason = body.status === 'disabled' ? 'by_owner' : null
  }
  return changes
}

/**
 * The values before and after, for the audit. A description may name a person, and any part of a URL
 * may be a secret, so both are left out.
 */
function auditedChanges(row: EndpointRow, { event_types, status, disabled_reason }: Changes) {
  const shown: EndpointChanges = {}
  if (event_types !== undefined) {
    shown.event_types = { before: row.event_types, after: event_types }
  }
  if (status !== undefined) shown.status = { before: row.status, after: status }
  if (disabled_reason !== undefined && disabled_reason !== row.disabled_reason) {
    shown.disabled_reason = { before: row.disabled_reason, after: disabled_reason }
  }
  return Object.keys(shown).length === 0 ? {} : { changes: shown }
}

/** Writes the changes. Disabling discards the pending deliveries. */
async function writeChanges(
  tx: Transaction<Tables>,
  before: EndpointRow,
  changes: Changes,
  { now, requestId }: { readonly now: Date; readonly requestId: string },
): Promise<void> {
  const { id } = before
  if (changes.status === 'disabled') await lockWorkspaceHealth(tx, before.workspace_id)
  else await lockBreaker(tx, id)
  const changed = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ ...changes, updated_at: now, version: eb('version', '+', 1) }))
    .where(asRead(before))
    .returning('version')
    .executeTakeFirst()
  const { version } = requireWritten(changed)
  if (changes.status === 'disabled') {
    await discardPending(tx, id, 'endpoint_disabled', now.getTime())
    const change = { reason: 'by_owner' as const, version, now: now.getTime(), requestId }
    await enqueueDisabled(tx, before, change)
  }
}

async function forgetFailures(db: Kysely<Tables>, endpointId: string): Promise<void> {
  await db
    .updateTable('webhook_lanes')
    .set({
      failures: 0,
      counted_failures: 0,
      counted_at: null,
      trips: 0,
      open_until: null,
      failing_since: null,
    })
    .where('endpoint_id', '=', endpointId)
    .execute()
}
