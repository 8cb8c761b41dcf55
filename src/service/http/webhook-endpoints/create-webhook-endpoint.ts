import { z } from 'zod'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { newSecret } from '../../webhooks/sign.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { newWebhookEndpointId } from '../new-ids.ts'
import { idOf } from '../openapi/schemas.ts'
import { exampleEndpointRequest } from '../openapi/webhook-examples.ts'
import { authenticated } from '../rules/authenticate.ts'
import { withinPlan } from '../rules/plan-limits.ts'
import { requireWebhookUrl } from './require-webhook-url.ts'
import {
  endpoints,
  endpointWithSecret,
  endpointWithSecretSchema,
  eventTypes,
  webhookDescription,
  webhookUrl,
} from './webhook-endpoint-schema.ts'

const body = z
  .strictObject({
    workspace_id: idOf('ws').meta({ description: 'The workspace whose events are sent.' }),
    url: webhookUrl,
    description: webhookDescription.optional(),
    event_types: eventTypes,
  })
  .meta({
    description: 'Where events are sent, and which.',
    examples: [exampleEndpointRequest()],
  })
type Body = z.infer<typeof body>

export function createWebhookEndpointRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints',
    config: {
      collectionScope: 'webhooks:write',
      isIdempotent: true,
      problems: ['not_found', 'plan_limit_reached'],
    },
    schema: {
      operationId: 'createWebhookEndpoint',
      summary: "Have a workspace's events sent to a URL",
      description:
        'The answer shows the signing secret, only this once. A repeat with the same Idempotency-Key returns the endpoint with `secret: null`.',
      tags: ['Webhook endpoints'],
      body,
      response: {
        201: endpointWithSecretSchema.meta({ description: 'The new endpoint and its secret.' }),
      },
    },
    handler: async (request, reply) => {
      let secret: Buffer | null = null
      const row = await endpoints.create(deps, request, reply, {
        newId: newWebhookEndpointId,
        create: async (id) => {
          secret = await create(deps, authenticated(request), request.body, id)
          return id
        },
      })
      return endpointWithSecret(row, secret, null)
    },
  })
}

/** Creates the endpoint under this id and returns its secret; null if an earlier try created it. */
async function create(
  deps: ApiServices,
  caller: Caller,
  body: Body,
  id: string,
): Promise<Buffer | null> {
  const { organizationId } = caller.principal
  await deps.workspaces.require(caller.principal, body.workspace_id)
  const made = await deps.db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where((eb) => eb.and({ id, organization_id: organizationId }))
    .executeTakeFirst()
  if (made !== undefined) return null
  requireWebhookUrl(deps, caller.principal, body.url)
  return await withinPlan(deps, caller.principal, 'webhook_endpoints', () =>
    insert(deps, caller, body, id),
  )
}

async function insert(deps: ApiServices, caller: Caller, body: Body, id: string): Promise<Buffer> {
  const { organizationId, livemode } = caller.principal
  const { workspace_id, url, event_types, description = null } = body
  const secret = newSecret()
  await auditAct(deps, caller, workspace_id, {
    type: 'WebhookEndpointCreated',
    data: { webhook_endpoint_id: id, workspace_id, event_types },
  })
  const now = await workspaceNow(deps.db, { workspace_id, livemode })
  await deps.db
    .insertInto('webhook_endpoints')
    .values({
      id,
      workspace_id,
      livemode,
      url,
      description,
      event_types,
      status: 'enabled',
      organization_id: organizationId,
      secret: deps.webhookSealer.sealSecret({ organizationId, endpointId: id }, secret),
      created_at: now,
      updated_at: now,
    })
    .execute()
  return secret
}
