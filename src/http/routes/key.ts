import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { scopes } from '../../security/api-keys.ts'
import { authenticated } from '../authenticate.ts'
import type { App, HttpDeps } from '../deps.ts'
import { answerRead } from '../etag.ts'
import { idOf, openEnum, time, timeOrNull, timestamp } from '../schemas.ts'

const keySchema = z
  .object({
    id: idOf('key'),
    object: z.literal('api_key'),
    livemode: z.boolean(),
    organization_id: idOf('org'),
    organization_type: openEnum(['external', 'internal', 'platform']),
    workspace_id: idOf('ws').nullable(),
    scopes: z.array(openEnum(scopes)),
    last4: z.string(),
    expires_at: timestamp.nullable(),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'ApiKey' })

export function keyRoutes(app: App, deps: HttpDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { headers: ['if-none-match'] },
    schema: {
      operationId: 'getKey',
      summary: 'What this key is and may do',
      tags: ['Keys'],
      response: { 200: keySchema },
    },
    handler: async (request, reply) => {
      const { principal } = authenticated(request)
      const row = await deps.db
        .selectFrom('api_keys')
        .select(['last4', 'expires_at', 'last_used_at', 'created_at'])
        .where((eb) => eb.and({ id: principal.keyId, organization_id: principal.organizationId }))
        .executeTakeFirst()
      if (row === undefined) throw new Problem('unauthenticated')
      return answerRead(reply, {
        id: principal.keyId,
        object: 'api_key' as const,
        livemode: principal.livemode,
        organization_id: principal.organizationId,
        organization_type: principal.organizationType,
        workspace_id: principal.workspaceId,
        scopes: [...principal.scopes],
        last4: row.last4,
        expires_at: timeOrNull(row.expires_at),
        last_used_at: timeOrNull(row.last_used_at),
        created_at: time(row.created_at),
      })
    },
  })
}
