import { actorOf, revokeApiKey } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { resource } from '../rules/resources/resource.ts'
import { findKey, keyObject, keySchema } from './key-schema.ts'

export function revokeKeyRoute(app: App, deps: Pick<ApiServices, 'db' | 'store'>): void {
  const key = resource(
    'keys:write',
    ({ principal }, id) => findKey(deps.db, principal, id),
    async () => undefined,
    // Signing out, and a program that notices its own leak.
    ({ principal }, { id }) => id === principal.keyId,
  )
  app.route({
    method: 'DELETE',
    url: '/v1/keys/:id',
    // A leaked key must be revocable at any time.
    config: { resource: key, whileSuspended: true },
    schema: {
      operationId: 'revokeKey',
      summary: 'Revoke a key, everywhere within 5 seconds',
      description:
        'Revoking a revoked key changes nothing and returns the same answer. A key may revoke itself, whatever its scopes, and may then keep working for up to 5 seconds. Keys that it created stay valid.',
      tags: ['Keys'],
      params: pathId('key'),
      response: { 200: keySchema.meta({ description: 'The revoked key.' }) },
    },
    handler: async (request) => {
      const { principal, requestId } = authenticated(request)
      const { id } = request.params
      await revokeApiKey(deps, id, { actor: actorOf(principal), requestId })
      return keyObject(await findKey(deps.db, principal, id), principal)
    },
  })
}
