import { Problem } from '../../errors.ts'
import type { ApiServices, App } from '../api-services.ts'
import { authenticated } from '../rules/authenticate.ts'
import { keyObject, keySchema, reachableKeys } from './key-schema.ts'

export function getKeyRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  app.route({
    method: 'GET',
    url: '/v1/key',
    config: { collectionScope: null, isVersioned: true },
    schema: {
      operationId: 'getKey',
      summary: 'Read this key and its scopes',
      description:
        'Use it to find out which key is in use and what it may do. Any key may call it.',
      tags: ['Keys'],
      response: { 200: keySchema.meta({ description: 'The key that made the request.' }) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      const row = await reachableKeys(deps.db, principal)
        .where('id', '=', principal.keyId)
        .executeTakeFirst()
      if (row === undefined) throw new Problem('unauthenticated')
      return keyObject(row, principal)
    },
  })
}
