import type { ApiServices, App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { operatorObject, operatorSchema, operators } from './operator-schema.ts'

export function getOperatorRoute(app: App, deps: Pick<ApiServices, 'db'>): void {
  const operator = operators.resource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operators/:id',
    config: { resource: operator, isVersioned: true },
    schema: {
      operationId: 'getOperator',
      summary: 'Read an operator',
      description: 'Use it to show who decided, by the `operator_id` of a decision.',
      tags: ['Operators'],
      params: pathId('opr'),
      response: { 200: operatorSchema.meta({ description: 'The operator.' }) },
    },
    handler: async (request) =>
      operatorObject(operator.of(request), authenticated(request).principal),
  })
}
