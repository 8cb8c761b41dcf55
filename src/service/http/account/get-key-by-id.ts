import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { resource } from '../rules/resources/resource.ts'
import { findKey, keyObject, keySchema } from './key-schema.ts'

export function getKeyByIdRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  const key = resource('workspaces:read', ({ principal }, id) => findKey(deps.db, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/keys/:id',
    config: { resource: key, isVersioned: true },
    schema: {
      operationId: 'getKeyById',
      summary: "Read one of the organization's keys, without its secret",
      description: 'Use it to see whether a key is still in use before you revoke it.',
      tags: ['Keys'],
      params: pathId('key'),
      response: { 200: keySchema.meta({ description: 'The key.' }) },
    },
    handler: async (request) => keyObject(key.of(request), authenticated(request).principal),
  })
}
