import { z } from 'zod'
import { Problem } from '../../errors.ts'
import { operatorStatuses } from '../../security/operators.ts'
import type { App, RouteDeps } from '../deps.ts'
import { listOf, listQuery, pathId, time } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { equals, matching, olderThan, parametersOf } from '../rules/filters.ts'
import { listPage } from '../rules/lists.ts'
import { resource } from '../rules/resources/resource.ts'
import { operatorObject, operatorSchema, reachableOperators } from './operators.ts'

type Deps = Pick<RouteDeps, 'db' | 'secrets'>

const tags = ['Operators']

const filters = { status: equals(z.enum(operatorStatuses), 'status') }

export function operatorRoutes(app: App, deps: Deps): void {
  listRoute(app, deps)
  readRoute(app, deps)
}

function listRoute(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: '/v1/operators',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'listOperators',
      summary: "List the organization's operators, newest first",
      description: 'Operators belong to the organization: keys of both modes see the same ones.',
      tags,
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(operatorSchema) },
    },
    handler: async (request) => {
      const { principal } = authenticated(request)
      return listPage({
        deps,
        principal,
        route: '/v1/operators',
        query: request.query,
        read: ({ after, limit }) =>
          reachableOperators(deps.db, principal)
            .where(matching(filters, request.query, after))
            .where(olderThan(after))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .execute(),
        sortKey: (row) => [time(row.created_at), row.id],
        item: (row) => operatorObject(row, principal),
      })
    },
  })
}

function readRoute(app: App, deps: Deps): void {
  const operator = resource('operations:read', async ({ principal }, id) => {
    const row = await reachableOperators(deps.db, principal).where('id', '=', id).executeTakeFirst()
    if (row === undefined) throw new Problem('not_found')
    return row
  })
  app.route({
    method: 'GET',
    url: '/v1/operators/:id',
    config: { resource: operator, isVersioned: true },
    schema: {
      operationId: 'getOperator',
      summary: 'Read an operator',
      tags,
      params: pathId('opr'),
      response: { 200: operatorSchema },
    },
    handler: async (request) =>
      operatorObject(operator.of(request), authenticated(request).principal),
  })
}
