import { z } from 'zod'
import { operatorStatuses } from '../../security/operators.ts'
import type { App } from '../api-services.ts'
import { listOf, listQuery } from '../openapi/schemas.ts'
import type { ListDeps } from '../rules/answer-list.ts'
import { equals, parametersOf } from '../rules/filters.ts'
import { operatorSchema, operators } from './operator-schema.ts'

const filters = {
  status: equals(
    z.enum(operatorStatuses).meta({ description: 'Only operators in this status.' }),
    'status',
  ),
}

export function listOperatorsRoute(app: App, deps: ListDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/operators',
    config: { collectionScope: 'operations:read' },
    schema: {
      operationId: 'listOperators',
      summary: "List the organization's operators, newest first",
      description: 'Operators belong to the organization: keys of both modes see the same ones.',
      tags: ['Operators'],
      querystring: listQuery(parametersOf(filters)),
      response: { 200: listOf(operatorSchema, 'A page of operators, newest first.') },
    },
    handler: (request) => operators.page(deps, request, filters),
  })
}
