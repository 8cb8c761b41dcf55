import { type SqlBool, sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Principal } from '../../security/api-keys.ts'
import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { resource } from '../rules/resources/resource.ts'
import {
  type RequestRow,
  reachableRequests,
  requestObject,
  requestSchema,
} from './request-schema.ts'

type Deps = Pick<ApiServices, 'db'>

export function getRequestRoute(app: App, deps: Deps): void {
  const noted = resource('operations:read', ({ principal }, id) => find(deps, principal, id))
  app.route({
    method: 'GET',
    url: '/v1/requests/:id',
    config: { resource: noted, isVersioned: true },
    schema: {
      operationId: 'getRequest',
      summary: 'Read the newest request of the last seven days with this id',
      description: 'Use it with the `request_id` of a problem to see which call failed.',
      tags: ['Requests'],
      params: pathId('req'),
      response: { 200: requestSchema.meta({ description: 'The request.' }) },
    },
    handler: async (request) => requestObject(noted.of(request)),
  })
}

/** The newest request with this id: a client may use its own ids more than once. */
async function find(deps: Deps, principal: Principal, id: string): Promise<RequestRow> {
  const row = await reachableRequests(deps.db, principal)
    .where(sql<SqlBool>`lower(id) = ${id.toLowerCase()}`)
    .where('id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) throw new Problem('not_found')
  return row
}
