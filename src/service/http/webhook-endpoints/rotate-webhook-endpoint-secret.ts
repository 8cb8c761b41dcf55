import { sql } from 'kysely'
import { workspaceNow } from '../../processes/sandbox/workspace-clock.ts'
import { newSecret } from '../../webhooks/sign.ts'
import type { ApiServices, App } from '../api-services.ts'
import { auditAct, type Caller } from '../audit-act.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { idempotentCreate, type RememberCreated } from '../rules/idempotent-create.ts'
import { asRead, requireWritten } from '../rules/resources/fresh-row.ts'
import {
  type EndpointRow,
  endpoints,
  endpointWithSecret,
  endpointWithSecretSchema,
} from './webhook-endpoint-schema.ts'

/** How long the previous secret still signs after a rotation, in real time. */
const rotationHours = 24

/**
 * Remembered for a key whose rotation is not done yet. The endpoint's id replaces it afterwards.
 */
const notRotated = 'not_rotated_yet'

export function rotateWebhookEndpointSecretRoute(app: App, deps: ApiServices): void {
  app.route({
    method: 'POST',
    url: '/v1/webhook-endpoints/:id/rotate-secret',
    config: {
      resource: endpoints.resource(deps, 'webhooks:write'),
      whileSuspended: true,
      isIdempotent: true,
    },
    schema: {
      operationId: 'rotateWebhookEndpointSecret',
      summary: 'Give an endpoint a new secret; the previous one also signs for 24 hours',
      description:
        'The answer shows the new secret, only this once. A repeat with the same Idempotency-Key rotates nothing and returns `secret: null`. Rotating again within the 24 hours ends the older of the two previous secrets.',
      tags: ['Webhook endpoints'],
      params: pathId('whe'),
      response: {
        200: endpointWithSecretSchema.meta({ description: 'The endpoint and its new secret.' }),
      },
    },
    handler: async (request, reply) => {
      const caller = authenticated(request)
      let secret: Buffer | null = null
      const rotate = (rememberCreated: RememberCreated) =>
        endpoints.change(deps, request, (row) => rotateSecret(deps, caller, row, rememberCreated))
      const row = await idempotentCreate(deps, {
        request,
        reply,
        newId: () => notRotated,
        create: async (noted, rememberCreated) => {
          if (noted === notRotated) secret = await rotate(rememberCreated)
          return request.params.id
        },
        read: (id) => endpoints.find(deps, caller.principal, id),
      })
      return endpointWithSecret(row, secret, row.previous_until)
    },
  })
}

/**
 * Gives the endpoint a new secret and returns it. The current secret also signs for another day; one
 * left over from an earlier rotation ends.
 */
async function rotateSecret(
  deps: ApiServices,
  caller: Caller,
  row: EndpointRow,
  rememberCreated: RememberCreated,
): Promise<Buffer> {
  const { id } = row
  await auditAct(deps, caller, row.workspace_id, {
    type: 'WebhookSecretRotated',
    data: { webhook_endpoint_id: id },
  })
  const secret = newSecret()
  const place = { organizationId: row.organization_id, endpointId: id }
  const now = await workspaceNow(deps.db, row)
  await deps.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('webhook_endpoints')
      .set((eb) => ({
        secret: deps.webhookSealer.sealSecret(place, secret),
        previous_secret: eb.ref('secret'),
        previous_until: sql<Date>`date_trunc('milliseconds', now())
            + ${rotationHours} * interval '1 hour'`,
        updated_at: now,
        version: eb('version', '+', 1),
      }))
      .where(asRead(row))
      .returning('id')
      .executeTakeFirst()
    requireWritten(changed)
    await rememberCreated(tx, id)
  })
  return secret
}
