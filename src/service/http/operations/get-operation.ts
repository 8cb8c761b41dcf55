import type { App } from '../api-services.ts'
import { pathId } from '../openapi/schemas.ts'
import { authenticated } from '../rules/authenticate.ts'
import { clockOf } from '../shipments/find-shipment.ts'
import { foundObject, type OperationDeps, operationResource } from './operation-act.ts'
import { operationSchema } from './operation-schema.ts'

export function getOperationRoute(app: App, deps: OperationDeps): void {
  const operation = operationResource(deps, 'operations:read')
  app.route({
    method: 'GET',
    url: '/v1/operations/:id',
    config: { resource: operation, isVersioned: true },
    schema: {
      operationId: 'getOperation',
      summary: 'Read an operation',
      description:
        'After a 409 `unknown_outcome`, read the operation at the pace of `Retry-After` until its `status` is `resolved`; `result` then says what to do. Every attempt can be read: one whose outcome was never unknown has `cause: null`.',
      tags: ['Operations'],
      params: pathId('op'),
      response: { 200: operationSchema.meta({ description: 'The operation.' }) },
    },
    handler: async (request, reply) => {
      const found = operation.of(request)
      const body = await foundObject(deps, authenticated(request), found)
      if (body.next_look_at !== null && body.status === 'reconciling') {
        const waitMs = Date.parse(body.next_look_at) - (await clockOf(deps, found.state))
        reply.header('retry-after', Math.min(60, Math.max(1, Math.ceil(waitMs / 1_000))))
      }
      return body
    },
  })
}
